import {
  type CodecPlan,
  type DataType,
  isFloatType,
  isIntegerType,
  type JsonWireSchemaModel,
  type JsonWireType,
  printDataType,
  type SchemaField,
} from '@nervix/model';
import type { FieldTable } from '../expression/field-table.js';
import type { ModelReporter, PlanningContext } from './planning-context.js';
import type { WireCodecModel } from './runnable-model.js';

/** Checks a codec: its ENCODE rules, then that wire and internal schema match field by field. */
export function planCodec(context: PlanningContext, model: WireCodecModel): CodecPlan | undefined {
  const wire = context.find('wire_json_schema', model.source.wireSchema);
  if (wire === undefined) return undefined;
  const report = context.reporter(model);
  const fields = context.fieldsOf(model.schema);
  const encoded = encodedFields(report, model, fields);
  if (encoded === undefined) return undefined;
  const defect = relationDefect(model, wire, { fields, encoded });
  if (defect !== undefined) {
    report.schemaRelation(defect);
    return undefined;
  }
  return {
    name: model.name,
    format: 'JSON',
    schema: model.schema,
    strict: wire.mode === 'STRICT',
  };
}

function encodedFields(
  report: ModelReporter,
  model: WireCodecModel,
  fields: FieldTable,
): ReadonlySet<string> | undefined {
  const encoded = new Set<string>();
  for (const rule of model.encode) {
    const field = fields.get(rule.field);
    if (field === undefined) {
      const reason = `codec encoding rule references unknown schema field '${rule.field}'`;
      report.invalid(reason, rule);
      return undefined;
    }
    if (field.type !== 'DATETIME') {
      const found = printDataType(field.type);
      const reason = `codec encoding rule field '${rule.field}' must be DATETIME, found ${found}`;
      report.invalid(reason, rule);
      return undefined;
    }
    if (encoded.has(rule.field)) {
      report.invalid(`duplicate codec encoding rule for field '${rule.field}'`, rule);
      return undefined;
    }
    encoded.add(rule.field);
  }
  return encoded;
}

function relationDefect(
  model: WireCodecModel,
  wire: JsonWireSchemaModel,
  internal: { readonly fields: FieldTable; readonly encoded: ReadonlySet<string> },
): string | undefined {
  const wireFields = new Map(wire.fields.map((field) => [field.name, field]));
  for (const field of internal.fields.values()) {
    const { name } = field;
    const onWire = wireFields.get(name);
    if (onWire === undefined) return `json wire schema is missing field '${name}'`;
    if (!isWireType(onWire.type, field, internal.encoded.has(name))) {
      const types = `wire ${onWire.type}, internal ${printDataType(field.type)}`;
      return `json field '${name}' type mismatch: ${types}`;
    }
    if (onWire.optional !== field.optional) {
      const values = `wire ${onWire.optional}, internal ${field.optional}`;
      return `json field '${name}' optionality mismatch: ${values}`;
    }
  }
  if (wireFields.size === internal.fields.size) return undefined;
  return `json wire schema field set must exactly match internal schema '${model.schema}'`;
}

function isWireType(wire: JsonWireType, { type }: SchemaField, isEncoded: boolean): boolean {
  if (type === 'DATETIME') return wire === 'STRING' && isEncoded;
  return wire === wireTypeOf(type);
}

function wireTypeOf(type: DataType): JsonWireType {
  if (typeof type !== 'string') return 'ARRAY';
  if (isIntegerType(type)) return 'INTEGER';
  if (isFloatType(type)) return 'NUMBER';
  if (type === 'BOOL') return 'BOOLEAN';
  return type === 'BYTES' ? 'BYTES' : 'STRING';
}
