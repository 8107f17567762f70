import type { WireSchemaModel } from '@nervix/model';
import type { PlanningContext } from './planning-context.js';
import { reportExcessFields } from './schema.js';

const FORMATS = {
  wire_json_schema: 'JSON',
  wire_cbor_schema: 'CBOR',
  wire_avro_schema: 'Avro',
} as const;

/** Checks the fields of a wire schema. */
export function checkWireSchema(context: PlanningContext, model: WireSchemaModel): void {
  const report = context.reporter(model);
  if (model.fields.length === 0) {
    const format = FORMATS[model.kind];
    report.invalid(`${format} wire schema must declare at least one field`);
  }
  if (reportExcessFields(report, model.fields)) return;
  const names = new Set<string>();
  for (const field of model.fields) {
    if (names.has(field.name)) {
      report.invalid(`field \`${field.name}\` already exists`, field);
      return;
    }
    names.add(field.name);
  }
}
