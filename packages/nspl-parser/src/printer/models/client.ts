import type { ClientConfigValue, ClientModel } from '@nervix/model';
import { block, clauseStatement } from '../layout.js';
import { stringLiteral } from '../lexical.js';
import { printBinding } from './binding.js';

export function printClient(model: ClientModel, create: string): string {
  const entries = model.config.map(
    ({ key, value }) => `${stringLiteral(key)} = ${printValue(value)}`,
  );
  return clauseStatement(`${create} CLIENT ${model.name}`, [
    `TYPE ${model.type}${printBinding('MOUNT', model.mount)}`,
    ...block('CONFIG', entries),
  ]);
}

function printValue(value: ClientConfigValue): string {
  if (value.kind === 'text') return stringLiteral(value.text);
  const key = value.key === null ? '' : ` KEY ${stringLiteral(value.key)}`;
  return `SECRET ${stringLiteral(value.name)}${key}`;
}
