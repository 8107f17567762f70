import type { HashMapModel } from '@nervix/model';
import { stringLiteral } from '../lexical.js';
import { printBinding } from './binding.js';

export function printHashMap(model: HashMapModel, create: string): string {
  const { name, key, resource, path, decodeUsing } = model;
  const source = printBinding('FROM RESOURCE', resource);
  const file = `PATH ${stringLiteral(path)} DECODE USING ${decodeUsing}`;
  return `${create} HASH MAP ${name} KEY ${key}${source} ${file};`;
}
