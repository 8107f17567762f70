import { type DataType, SCHEMA_FIELDS_MAX, type SchemaModel, type SchemaPlan } from '@nervix/model';
import type { ModelReporter, PlanningContext } from './planning-context.js';

const ARRAY_LENGTH_MAX = 2_147_483_647;

/** Checks a schema's fields. */
export function planSchema(context: PlanningContext, model: SchemaModel): SchemaPlan | undefined {
  const report = context.reporter(model);
  if (model.fields.length === 0) {
    report.invalid('schema must declare at least one field');
    return undefined;
  }
  if (reportExcessFields(report, model.fields)) return undefined;
  const names = new Set<string>();
  for (const field of model.fields) {
    if (names.has(field.name)) {
      report.invalid(`field \`${field.name}\` already exists`, field);
      return undefined;
    }
    names.add(field.name);
    if (!hasValidLengths(field.type)) {
      const bounds = `1 to ${ARRAY_LENGTH_MAX}`;
      report.invalid(`field '${field.name}' has an ARRAY length outside ${bounds}`, field);
      return undefined;
    }
  }
  return { name: model.name, fields: model.fields };
}

/** Refuses more fields than anything here is made for, before they are looked at. */
export function reportExcessFields(report: ModelReporter, fields: readonly object[]): boolean {
  if (fields.length <= SCHEMA_FIELDS_MAX) return false;
  const message = `schema holds ${fields.length} fields, above ${SCHEMA_FIELDS_MAX}`;
  report.invalid(message, fields[SCHEMA_FIELDS_MAX]);
  return true;
}

/** Whether the lengths of all ARRAYs in a type are within bounds. */
export function hasValidLengths(type: DataType): boolean {
  let inner = type;
  while (typeof inner !== 'string') {
    if (inner.kind === 'array') {
      const { length } = inner;
      if (!Number.isInteger(length) || length < 1 || length > ARRAY_LENGTH_MAX) return false;
    }
    inner = inner.element;
  }
  return true;
}
