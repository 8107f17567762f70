import type { CodecModel, CodecSource } from '@nervix/model';
import { clauseStatement } from '../layout.js';

export function printCodec(model: CodecModel, create: string): string {
  const rules = model.encode.map(({ field, as }) => `${field} AS ${as}`).join(', ');
  return clauseStatement(`${create} CODEC ${model.name}`, [
    `FROM ${printSource(model.source)}`,
    `TO SCHEMA ${model.schema}`,
    ...(rules === '' ? [] : [`ENCODE ${rules}`]),
  ]);
}

function printSource(source: CodecSource): string {
  if (source.kind !== 'wire') throw new RangeError(`no text for ${source.kind} codecs`);
  return `WIRE ${source.format} SCHEMA ${source.wireSchema}`;
}
