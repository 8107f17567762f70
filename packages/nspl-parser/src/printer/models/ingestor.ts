import type { IngestorModel } from '@nervix/model';
import { printExpression } from '../expression.js';
import { clauseStatement } from '../layout.js';
import { printPolicy, routeLines } from '../route.js';
import { printSource } from './source.js';

export function printIngestor(model: IngestorModel, create: string): string {
  const { timestamp, filter, decodeError } = model;
  const stamp = timestamp?.kind === 'at' ? `AT ${timestamp.field}` : 'NOW';
  return clauseStatement(`${create} INGESTOR ${model.name}`, [
    `FROM ${printSource(model.source)}`,
    ...(model.decodeUsing === null ? [] : [`DECODE USING ${model.decodeUsing}`]),
    ...(timestamp === null ? [] : [`TIMESTAMP ${stamp}`]),
    ...(filter === null ? [] : [`FILTER WHERE ${printExpression(filter)}`]),
    ...model.routes.flatMap(routeLines),
    ...(decodeError === null ? [] : [`ON DECODE ERROR ${printPolicy(decodeError)}`]),
    `ON GENERAL ERROR ${model.generalError}`,
  ]);
}
