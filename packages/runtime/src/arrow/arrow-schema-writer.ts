import {
  type DataType,
  integerBits,
  isSignedIntegerType,
  type SchemaField,
  type SchemaPlan,
} from '@nervix/model';
import type { Builder } from 'flatbuffers';
import {
  ELEMENT_NAME,
  NANOSECONDS,
  PRECISION,
  SCHEMA_NAME_KEY,
  SENSITIVE_KEY,
  SLOT,
  TYPE,
} from './arrow-format.js';

/** Writes the table `Schema` and answers its offset. */
export function writeSchema(to: Builder, schema: SchemaPlan): number {
  const fields = offsetVector(
    to,
    schema.fields.map((field) => writeField(to, field)),
  );
  const metadata = offsetVector(to, [writeKeyValue(to, SCHEMA_NAME_KEY, schema.name)]);
  to.startObject(4);
  to.addFieldOffset(SLOT.schema.fields, fields, 0);
  to.addFieldOffset(SLOT.schema.metadata, metadata, 0);
  return to.endObject();
}

/** A vector of references to tables. */
export function offsetVector(to: Builder, offsets: readonly number[]): number {
  to.startVector(4, offsets.length, 4);
  for (const offset of offsets.toReversed()) to.addOffset(offset);
  return to.endVector();
}

function writeKeyValue(to: Builder, key: string, value: string): number {
  const keyAt = to.createString(key);
  const valueAt = to.createString(value);
  to.startObject(2);
  to.addFieldOffset(SLOT.keyValue.key, keyAt, 0);
  to.addFieldOffset(SLOT.keyValue.value, valueAt, 0);
  return to.endObject();
}

function writeField(to: Builder, field: SchemaField): number {
  const { type } = field;
  const elements =
    typeof type === 'string'
      ? []
      : [{ name: ELEMENT_NAME, type: type.element, optional: false, sensitive: false }];
  const children = offsetVector(
    to,
    elements.map((element) => writeField(to, element)),
  );
  const metadata = field.sensitive
    ? offsetVector(to, [writeKeyValue(to, SENSITIVE_KEY, 'true')])
    : 0;
  const name = to.createString(field.name);
  const [kind, typeAt] = writeType(to, type);
  to.startObject(7);
  to.addFieldOffset(SLOT.field.name, name, 0);
  to.addFieldInt8(SLOT.field.nullable, field.optional ? 1 : 0, 0);
  to.addFieldInt8(SLOT.field.typeType, kind, 0);
  to.addFieldOffset(SLOT.field.type, typeAt, 0);
  to.addFieldOffset(SLOT.field.children, children, 0);
  if (metadata !== 0) to.addFieldOffset(SLOT.field.metadata, metadata, 0);
  return to.endObject();
}

/** The member of the union `Type` and the offset of its table. */
function writeType(to: Builder, type: DataType): readonly [kind: number, offset: number] {
  if (typeof type !== 'string') {
    to.startObject(1);
    if (type.kind === 'vec') return [TYPE.list, to.endObject()];
    to.addFieldInt32(SLOT.fixedSizeList.listSize, type.length, 0);
    return [TYPE.fixedSizeList, to.endObject()];
  }
  switch (type) {
    case 'BOOL':
      return [TYPE.bool, emptyTable(to)];
    case 'STRING':
      return [TYPE.utf8, emptyTable(to)];
    case 'BYTES':
      return [TYPE.binary, emptyTable(to)];
    case 'DATETIME': {
      const zone = to.createString('+00:00');
      to.startObject(2);
      to.addFieldInt16(SLOT.timestamp.unit, NANOSECONDS, 0);
      to.addFieldOffset(SLOT.timestamp.timezone, zone, 0);
      return [TYPE.timestamp, to.endObject()];
    }
    case 'F32':
    case 'F64':
      to.startObject(1);
      to.addFieldInt16(
        SLOT.floatingPoint.precision,
        type === 'F32' ? PRECISION.single : PRECISION.double,
        0,
      );
      return [TYPE.floatingPoint, to.endObject()];
    default:
      to.startObject(2);
      to.addFieldInt32(SLOT.int.bitWidth, integerBits(type), 0);
      to.addFieldInt8(SLOT.int.isSigned, isSignedIntegerType(type) ? 1 : 0, 0);
      return [TYPE.int, to.endObject()];
  }
}

function emptyTable(to: Builder): number {
  to.startObject(0);
  return to.endObject();
}
