import {
  type CodecPlan,
  type CsvCodecSource,
  printDataType,
  type SchemaField,
} from '@nervix/model';
import type { PlanningContext } from '../planning-context.js';
import type { CodecSubject } from './plan-codec.js';

/** Checks that records of separated values can hold the fields. */
export function planCsvCodec(
  context: PlanningContext,
  { model, encoded }: CodecSubject,
  source: CsvCodecSource,
): CodecPlan | undefined {
  const report = context.reporter(model);
  const { header, delimiter, quote, nullToken, mode } = source;
  if (nullToken !== null && !canStandUnquoted(nullToken, source)) {
    report.invalid('CSV NULL token must hold no delimiter, quote or line end', source);
    return undefined;
  }
  for (const field of context.fieldsOf(model.schema).values()) {
    const defect = fieldDefect(field, encoded);
    if (defect === undefined) continue;
    report.schemaRelation(`CSV codec cannot carry field '${field.name}' of type ${defect}`);
    return undefined;
  }
  const { name, schema } = model;
  const strict = mode === 'STRICT';
  return { name, format: 'CSV', schema, header, delimiter, quote, nullToken, strict };
}

function canStandUnquoted(text: string, { delimiter, quote }: CsvCodecSource): boolean {
  const separators = ['\r', '\n', delimiter, ...(quote === null ? [] : [quote])];
  return !separators.some((separator) => text.includes(separator));
}

/** The type that records cannot hold, with what would make them. */
function fieldDefect(field: SchemaField, encoded: ReadonlySet<string>): string | undefined {
  const { name, type } = field;
  if (typeof type !== 'string') return printDataType(type);
  if (type !== 'DATETIME' || encoded.has(name)) return undefined;
  return `DATETIME without ENCODE ${name} AS RFC3339`;
}
