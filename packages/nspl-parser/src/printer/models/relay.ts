import type { RelayModel } from '@nervix/model';
import { printBranching } from '../route.js';

export function printRelay(model: RelayModel, create: string): string {
  const { name, schema, branching, capacity, materialized } = model;
  const state = materialized ? ' WITH MATERIALIZED STATE LAST BY TIMESTAMP' : '';
  const head = `${create} RELAY ${name} SCHEMA ${schema}`;
  return `${head} ${printBranching(branching)} CAPACITY ${capacity}${state};`;
}
