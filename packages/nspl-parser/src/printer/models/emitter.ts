import type { EmitterModel, EmitterSink } from '@nervix/model';
import { printExpression } from '../expression.js';
import { clauseStatement, group } from '../layout.js';
import {
  constructionLines,
  printDependency,
  printFlush,
  printInputs,
  printMessageError,
} from '../route.js';

/** What an emitter's statement says. */
export function printEmitter(model: EmitterModel, create: string): string {
  return clauseStatement(`${create} ${model.acknowledgement} EMITTER ${model.name}`, [
    `FROM ${printInputs(model.inputs)}`,
    ...model.dependencies.map(printDependency),
    ...group(`TO ${printSink(model.sink)}`, [
      `MODE ${printMode(model.sink)}`,
      model.encodeUsing === null ? 'WITHOUT BODY' : `ENCODE USING ${model.encodeUsing}`,
    ]),
    ...constructionLines(model.construction),
    printFlush(model.flush),
    printMessageError(model.messageError),
    `ON GENERAL ERROR ${model.generalError}`,
  ]);
}

function printSink(sink: EmitterSink): string {
  if (sink.kind !== 'http') throw new RangeError(`no text for ${sink.kind} sinks`);
  const { client, method, path } = sink;
  return `HTTP ${client} METHOD ${printExpression(method)} PATH ${printExpression(path)}`;
}

function printMode({ kind, mode }: EmitterSink): string {
  if (mode.kind !== 'ack') throw new RangeError(`no text for modes of ${kind} sinks`);
  return `ACK RETRY POLICY BACKOFF ${mode.retry.backoff} MAX ${mode.retry.max}`;
}
