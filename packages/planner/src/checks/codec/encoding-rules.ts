import { type CodecModel, printDataType } from '@nervix/model';
import type { FieldTable } from '../../expression/field-table.js';
import type { ModelReporter } from '../planning-context.js';

/** The fields that `ENCODE` rules name; undefined when a rule is refused. */
export function encodedFields(
  report: ModelReporter,
  model: CodecModel,
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
