import type { EmitterModel } from '@nervix/model';
import { clauseStatement, group, type Lines } from '../layout.js';
import {
  constructionLines,
  printDependency,
  printFlush,
  printInputs,
  printMessageError,
} from '../route.js';
import { printBatch, printSinkHead, sinkClauses } from './sink.js';

/** What an emitter's statement says. */
export function printEmitter(model: EmitterModel, create: string): string {
  return clauseStatement(`${create} ${model.acknowledgement} EMITTER ${model.name}`, [
    `FROM ${printInputs(model.inputs)}`,
    ...model.dependencies.map(printDependency),
    ...group(`TO ${printSinkHead(model.sink)}`, [...sinkClauses(model.sink), ...payload(model)]),
    ...constructionLines(model.construction),
    ...(model.batch === null ? [] : [printBatch(model.batch)]),
    printFlush(model.flush),
    printMessageError(model.messageError),
    `ON GENERAL ERROR ${model.generalError}`,
  ]);
}

/** What makes the payload, for sinks that take one. */
function payload({ sink, encodeUsing }: EmitterModel): Lines {
  if (encodeUsing !== null) return [`ENCODE USING ${encodeUsing}`];
  return sink.kind === 'http' ? ['WITHOUT BODY'] : [];
}
