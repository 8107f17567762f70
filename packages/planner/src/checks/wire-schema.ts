import type { JsonWireSchemaModel } from '@nervix/model';
import type { PlanningContext } from './planning-context.js';

/** Checks the fields of a JSON wire schema. */
export function checkWireSchema(context: PlanningContext, model: JsonWireSchemaModel): void {
  const report = context.reporter(model);
  if (model.fields.length === 0) {
    report.invalid('JSON wire schema must declare at least one field');
  }
  const names = new Set<string>();
  for (const field of model.fields) {
    if (names.has(field.name)) {
      report.invalid(`field \`${field.name}\` already exists`, field);
      return;
    }
    names.add(field.name);
  }
}
