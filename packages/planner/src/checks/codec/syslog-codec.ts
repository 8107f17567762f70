import {
  type CodecModel,
  type CodecPlan,
  type DataType,
  printDataType,
  type SchemaField,
} from '@nervix/model';
import type { PlanningContext } from '../planning-context.js';

interface Shape {
  readonly type: DataType;
  readonly optional: boolean;
}

const TEXT: Shape = { type: 'STRING', optional: true };
const SHAPES: ReadonlyMap<string, Shape> = new Map([
  ['facility', { type: 'U8', optional: false }],
  ['severity', { type: 'U8', optional: false }],
  ['timestamp', { type: 'DATETIME', optional: true }],
  ['hostname', TEXT],
  ['app_name', TEXT],
  ['proc_id', TEXT],
  ['msg_id', TEXT],
  ['structured_data', TEXT],
  ['message', { type: 'STRING', optional: false }],
]);

/** Checks that every field of the schema is one of a syslog message, in its shape. */
export function planSyslogCodec(
  context: PlanningContext,
  model: CodecModel,
): CodecPlan | undefined {
  const report = context.reporter(model);
  if (model.encode.length > 0) {
    report.invalid('SYSLOG codec takes no ENCODE rules', model.encode[0]);
    return undefined;
  }
  for (const field of context.fieldsOf(model.schema).values()) {
    const shape = SHAPES.get(field.name);
    if (shape === undefined) {
      const names = [...SHAPES.keys()].join(', ');
      report.schemaRelation(`syslog message has no field '${field.name}'; it has ${names}`);
      return undefined;
    }
    if (shape.type !== field.type || shape.optional !== field.optional) {
      const expected = printShape(shape);
      const found = printShape(field);
      report.schemaRelation(`syslog field '${field.name}' must be ${expected}, found ${found}`);
      return undefined;
    }
  }
  return { name: model.name, format: 'SYSLOG', schema: model.schema };
}

function printShape({ type, optional }: Pick<SchemaField, 'type' | 'optional'>): string {
  return `${printDataType(type)}${optional ? ' OPTIONAL' : ''}`;
}

const ENCODED: readonly string[] = ['facility', 'severity', 'message'];

/** The fields that a message cannot be written without and a schema lacks. */
export function missingSyslogFields(fields: ReadonlyMap<string, unknown>): readonly string[] {
  return ENCODED.filter((name) => !fields.has(name));
}
