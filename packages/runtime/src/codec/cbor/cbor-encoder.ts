import { type DataType, printDatetime, type SchemaPlan, type WireCodecPlan } from '@nervix/model';
import type { RecordBatch } from '../../batch/record-batch.js';
import { printBase64 } from '../../column/base64.js';
import { bitAt } from '../../column/bitmap.js';
import { type Column, isNullAt } from '../../column/column.js';
import { encodeText } from '../../column/text.js';
import { CodecFailures } from '../codec-failure.js';
import { containerOf, joinBytes, type RowEncoder } from '../payload-codec.js';
import { CborOutput } from './cbor-output.js';
import { MAJOR } from './cbor-scanner.js';

type ValueWriter = (column: Column, row: number, out: CborOutput) => void;

/**
 * Compiles the encoder of a CBOR codec: a row is one map of definite length, fields in schema order,
 * null optional fields left out; a container is one array of definite length.
 */
export function compileCborEncoder(codec: WireCodecPlan, schema: SchemaPlan): RowEncoder {
  const out = new CborOutput();
  const failures = new CodecFailures(codec.name);
  const fields = schema.fields.map((field) => ({
    field,
    name: textItem(field.name),
    write: writerOf(field.type),
  }));
  const presentFields = (batch: RecordBatch, row: number): number => {
    let present = 0;
    for (const column of batch.columns) if (!isNullAt(column, row)) present += 1;
    return present;
  };
  const encode: RowEncoder['encode'] = (batch, row) => {
    out.open();
    out.head(MAJOR.map, presentFields(batch, row));
    for (let index = 0; index < fields.length; index += 1) {
      const { field, name, write } = fields[index] as (typeof fields)[number];
      const column = batch.columns[index] as Column;
      if (isNullAt(column, row)) {
        if (field.optional) continue;
        return failures.nullAt(field, row);
      }
      out.raw(name);
      write(column, row, out);
    }
    return out.take();
  };
  return { encode, encodeContainer: (batch) => containerOf(batch, encode, joinArray) };
}

function joinArray(members: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const head = new CborOutput();
  head.head(MAJOR.array, members.length);
  return joinBytes([head.take(), ...members]);
}

function textItem(text: string): Uint8Array {
  const out = new CborOutput();
  const bytes = encodeText(text);
  out.head(MAJOR.text, bytes.length);
  out.raw(bytes);
  return out.take();
}

function writerOf(type: DataType): ValueWriter {
  if (typeof type !== 'string') return listWriter(writerOf(type.element));
  switch (type) {
    case 'BOOL':
      return (column, row, out) => {
        if (column.kind === 'boolean') out.byte(bitAt(column.bits, row) ? 0xf5 : 0xf4);
      };
    case 'STRING':
    case 'BYTES':
      return writeBinary;
    case 'F32':
    case 'F64':
      return (column, row, out) => {
        if (column.kind === 'fixed') out.float(column.values[row] as number);
      };
    case 'DATETIME':
      return (column, row, out) => {
        if (column.kind === 'fixed') out.asciiText(printDatetime(column.values[row] as bigint));
      };
    default:
      return (column, row, out) => {
        if (column.kind === 'fixed') out.integer(column.values[row] as number | bigint);
      };
  }
}

function writeBinary(column: Column, row: number, out: CborOutput): void {
  if (column.kind !== 'binary') return;
  const start = column.offsets[row] as number;
  const end = column.offsets[row + 1] as number;
  if (column.type === 'BYTES') {
    out.asciiText(printBase64(column.bytes.subarray(start, end)));
    return;
  }
  out.head(MAJOR.text, end - start);
  out.range(column.bytes, start, end);
}

function listWriter(write: ValueWriter): ValueWriter {
  return (column, row, out) => {
    if (column.kind !== 'vec' && column.kind !== 'array') return;
    const isVec = column.kind === 'vec';
    const start = isVec ? (column.offsets[row] as number) : row * column.type.length;
    const end = isVec ? (column.offsets[row + 1] as number) : start + column.type.length;
    out.head(MAJOR.array, end - start);
    for (let index = start; index < end; index += 1) write(column.child, index, out);
  };
}
