import type { DataType, SchemaPlan } from '@nervix/model';
import { printDatetime } from '@nervix/model';
import avsc from 'avsc';
import type { Value } from '../../../src/column/column.js';

/** Longs as bigint, which the library leaves to its users. */
const LONG = avsc.types.LongType.__with({
  fromBuffer: (bytes: Buffer) => bytes.readBigInt64LE(),
  toBuffer: (value: bigint) => {
    const bytes = Buffer.alloc(8);
    bytes.writeBigInt64LE(value);
    return bytes;
  },
  fromJSON: BigInt,
  toJSON: Number,
  isValid: (value: unknown) => typeof value === 'bigint',
  compare: (left: bigint, right: bigint) => (left < right ? -1 : left > right ? 1 : 0),
} as unknown as Parameters<typeof avsc.types.LongType.__with>[0]);

const PLAIN: Readonly<Record<string, string>> = {
  ...{ I32: 'int', F32: 'float', F64: 'double', BOOL: 'boolean' },
  ...{ STRING: 'string', BYTES: 'bytes', DATETIME: 'string' },
};

function avroType(type: DataType): avsc.Schema {
  if (typeof type !== 'string') return { type: 'array', items: avroType(type.element) };
  return PLAIN[type] ?? 'long';
}

/** The record type of another library for the payloads of a schema. */
export function recordType(schema: SchemaPlan, name = 'w'): avsc.Type {
  const fields = schema.fields.map((field) =>
    field.optional
      ? { name: field.name, type: ['null', avroType(field.type)], default: null }
      : { name: field.name, type: avroType(field.type) },
  );
  return avsc.Type.forSchema({ type: 'record', name, fields } as avsc.Schema, {
    registry: { long: LONG },
    wrapUnions: false,
  });
}

/** A value as that library takes it. */
export function avroValue(value: Value, type: DataType): unknown {
  if (value === null) return null;
  if (typeof type !== 'string') {
    return (value as readonly Value[]).map((element) => avroValue(element, type.element));
  }
  if (type === 'DATETIME') return printDatetime(value as bigint);
  if (value instanceof Uint8Array) return Buffer.from(value);
  return PLAIN[type] === undefined ? BigInt(value as bigint) : value;
}
