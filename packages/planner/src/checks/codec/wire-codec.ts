import {
  type AvroWireType,
  type CodecPlan,
  type DataType,
  isFloatType,
  isIntegerType,
  type JsonWireType,
  printDataType,
  type WireCodecSource,
  type WireFormat,
  type WireSchemaModel,
  wireSchemaKind,
} from '@nervix/model';
import type { FieldTable } from '../../expression/field-table.js';
import type { PlanningContext } from '../planning-context.js';
import type { CodecSubject } from './plan-codec.js';

/** Checks that a wire schema and the internal schema match field by field. */
export function planWireCodec(
  context: PlanningContext,
  subject: CodecSubject,
  source: WireCodecSource,
): CodecPlan | undefined {
  const wire = context.find(wireSchemaKind(source.format), source.wireSchema);
  if (wire === undefined) return undefined;
  const { name, schema } = subject.model;
  const defect = relationDefect(subject, wire, {
    format: source.format,
    fields: context.fieldsOf(schema),
  });
  if (defect !== undefined) {
    context.reporter(subject.model).schemaRelation(defect);
    return undefined;
  }
  if (source.format === 'AVRO') {
    return { name, format: 'AVRO', schema, fieldOrder: wire.fields.map((field) => field.name) };
  }
  return { name, format: source.format, schema, strict: wire.mode === 'STRICT' };
}

function relationDefect(
  { model, encoded }: CodecSubject,
  wire: WireSchemaModel,
  internal: { readonly format: WireFormat; readonly fields: FieldTable },
): string | undefined {
  const format = internal.format.toLowerCase();
  const wireTypeOf = internal.format === 'AVRO' ? avroTypeOf : jsonTypeOf;
  const wireFields = new Map(
    wire.fields.map(({ name, type, optional }) => [name, { type, optional }] as const),
  );
  for (const { name, type, optional } of internal.fields.values()) {
    const onWire = wireFields.get(name);
    if (onWire === undefined) return `${format} wire schema is missing field '${name}'`;
    const isEncoded = type !== 'DATETIME' || encoded.has(name);
    if (!isEncoded || onWire.type !== wireTypeOf(type)) {
      const types = `wire ${onWire.type}, internal ${printDataType(type)}`;
      return `${format} field '${name}' type mismatch: ${types}`;
    }
    if (onWire.optional !== optional) {
      const values = `wire ${onWire.optional}, internal ${optional}`;
      return `${format} field '${name}' optionality mismatch: ${values}`;
    }
  }
  if (wireFields.size === internal.fields.size) return undefined;
  return `${format} wire schema field set must exactly match internal schema '${model.schema}'`;
}

/** How JSON and CBOR hold a type. */
function jsonTypeOf(type: DataType): JsonWireType {
  if (typeof type !== 'string') return 'ARRAY';
  if (isIntegerType(type)) return 'INTEGER';
  if (isFloatType(type)) return 'NUMBER';
  if (type === 'BOOL') return 'BOOLEAN';
  return type === 'BYTES' ? 'BYTES' : 'STRING';
}

/** How Avro holds a type; undefined for integers that it has only within arrays. */
function avroTypeOf(type: DataType): AvroWireType | undefined {
  if (typeof type !== 'string') return 'ARRAY';
  switch (type) {
    case 'I32':
      return 'INT';
    case 'I64':
      return 'LONG';
    case 'F32':
      return 'FLOAT';
    case 'F64':
      return 'DOUBLE';
    case 'BOOL':
      return 'BOOLEAN';
    case 'BYTES':
      return 'BYTES';
    case 'STRING':
    case 'DATETIME':
      return 'STRING';
    default:
      return undefined;
  }
}
