import {
  type AvroCodecPlan,
  type DataType,
  printDatetime,
  type SchemaField,
  type SchemaPlan,
} from '@nervix/model';
import { bitAt } from '../../column/bitmap.js';
import { type Column, isNullAt } from '../../column/column.js';
import { CodecFailures } from '../codec-failure.js';
import { containerOf, joinBytes, type RowEncoder } from '../payload-codec.js';
import { RowOutput } from '../row-output.js';
import { wireOrder } from './wire-order.js';

const LONG_MAX = 9_223_372_036_854_775_807n;

type ValueWriter = (column: Column, row: number, out: AvroOutput) => string | undefined;

/** Writer of Avro's binary encoding. */
class AvroOutput extends RowOutput {
  readonly #double = new DataView(new ArrayBuffer(8));

  long(value: number | bigint): void {
    this.ensure(10);
    if (typeof value === 'number' && value >= -0x40000000 && value < 0x40000000) {
      let rest = (value << 1) ^ (value >> 31);
      for (; rest > 127; rest >>>= 7) this.bytes[this.length++] = (rest & 127) | 128;
      this.bytes[this.length++] = rest;
      return;
    }
    const signed = BigInt(value);
    let rest = BigInt.asUintN(64, (signed << 1n) ^ (signed >> 63n));
    for (; rest > 127n; rest >>= 7n) this.bytes[this.length++] = Number(rest & 127n) | 128;
    this.bytes[this.length++] = Number(rest);
  }

  float(value: number, isSingle: boolean): void {
    this.ensure(8);
    if (isSingle) this.#double.setFloat32(0, value, true);
    else this.#double.setFloat64(0, value, true);
    const width = isSingle ? 4 : 8;
    for (let at = 0; at < width; at += 1) this.bytes[this.length++] = this.#double.getUint8(at);
  }
}

/**
 * Compiles the encoder of an Avro codec: a row is one raw datum without header, fields in wire order,
 * optional ones as a union of null and their type; a container is one array of such records.
 */
export function compileAvroEncoder(codec: AvroCodecPlan, schema: SchemaPlan): RowEncoder {
  const out = new AvroOutput();
  const failures = new CodecFailures(codec.name);
  const fields = wireOrder(codec, schema).map((index) => {
    const field = schema.fields[index] as SchemaField;
    return { field, index, write: writerOf(field.type) };
  });
  const encode: RowEncoder['encode'] = (batch, row) => {
    out.open();
    for (const { field, index, write } of fields) {
      const column = batch.columns[index] as Column;
      const isNull = isNullAt(column, row);
      if (field.optional) out.byte(isNull ? 0 : 2);
      else if (isNull) return failures.nullAt(field, row);
      if (isNull) continue;
      const reason = write(column, row, out);
      if (reason !== undefined) return failures.encode(field, reason);
    }
    return out.take();
  };
  return { encode, encodeContainer: (batch) => containerOf(batch, encode, joinBlock) };
}

function joinBlock(members: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const head = new AvroOutput();
  head.long(members.length);
  return joinBytes([head.take(), ...members, Uint8Array.of(0)]);
}

function writerOf(type: DataType): ValueWriter {
  if (typeof type !== 'string') return listWriter(writerOf(type.element));
  switch (type) {
    case 'BOOL':
      return (column, row, out) => {
        if (column.kind === 'boolean') out.byte(bitAt(column.bits, row) ? 1 : 0);
        return undefined;
      };
    case 'STRING':
    case 'BYTES':
      return writeBinary;
    case 'F32':
    case 'F64':
      return (column, row, out) => {
        if (column.kind === 'fixed') out.float(column.values[row] as number, type === 'F32');
        return undefined;
      };
    case 'DATETIME':
      return (column, row, out) => {
        if (column.kind !== 'fixed') return undefined;
        const text = printDatetime(column.values[row] as bigint);
        out.long(text.length);
        out.ascii(text);
        return undefined;
      };
    default:
      return writeInteger;
  }
}

function writeInteger(column: Column, row: number, out: AvroOutput): string | undefined {
  if (column.kind !== 'fixed') return undefined;
  const value = column.values[row] as number | bigint;
  if (value > LONG_MAX) return 'value exceeds an Avro long';
  out.long(value);
  return undefined;
}

function writeBinary(column: Column, row: number, out: AvroOutput): undefined {
  if (column.kind !== 'binary') return;
  const start = column.offsets[row] as number;
  const end = column.offsets[row + 1] as number;
  out.long(end - start);
  out.range(column.bytes, start, end);
}

function listWriter(write: ValueWriter): ValueWriter {
  return (column, row, out) => {
    if (column.kind !== 'vec' && column.kind !== 'array') return undefined;
    const isVec = column.kind === 'vec';
    const start = isVec ? (column.offsets[row] as number) : row * column.type.length;
    const end = isVec ? (column.offsets[row + 1] as number) : start + column.type.length;
    if (end > start) {
      out.long(end - start);
      for (let index = start; index < end; index += 1) {
        const reason = write(column.child, index, out);
        if (reason !== undefined) return reason;
      }
    }
    out.byte(0);
    return undefined;
  };
}
