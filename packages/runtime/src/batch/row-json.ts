import { type DataType, printDatetime, type SchemaField, shortestFloat } from '@nervix/model';
import { printBase64 } from '../column/base64.js';
import { type Column, readValue, type Value } from '../column/column.js';
import type { RecordBatch } from './record-batch.js';

/** How rows are shown. */
export interface RowJsonOptions {
  /** Print `"<masked>"` for the values of sensitive fields. */
  readonly maskSensitive: boolean;
}

/** Printed instead of a sensitive value. */
export const MASKED_VALUE = '<masked>';

/**
 * Appends one row as one JSON object, fields in declaration order: null as `null`, integers exact,
 * DATETIME as RFC 3339, BYTES as padded base64, non-finite floats as text.
 */
export function appendRowJson(
  batch: RecordBatch,
  row: number,
  out: string[],
  options: RowJsonOptions,
): void {
  let separator = '{';
  for (let index = 0; index < batch.columns.length; index += 1) {
    const field = batch.schema.fields[index] as SchemaField;
    out.push(separator, JSON.stringify(field.name), ':');
    separator = ',';
    if (field.sensitive && options.maskSensitive) out.push(JSON.stringify(MASKED_VALUE));
    else out.push(valueJson(readValue(batch.columns[index] as Column, row), field.type));
  }
  out.push(separator === '{' ? '{}' : '}');
}

/** One row as one JSON object text; see {@link appendRowJson}. */
export function rowJson(batch: RecordBatch, row: number, options: RowJsonOptions): string {
  const out: string[] = [];
  appendRowJson(batch, row, out, options);
  return out.join('');
}

/** One value as JSON; see {@link appendRowJson} for the forms. */
export function valueJson(value: Value, type: DataType): string {
  if (value === null) return 'null';
  if (typeof type !== 'string') {
    const elements = value as readonly Value[];
    return `[${elements.map((element) => valueJson(element, type.element)).join(',')}]`;
  }
  switch (typeof value) {
    case 'bigint':
      return type === 'DATETIME' ? JSON.stringify(printDatetime(value)) : value.toString();
    case 'number':
      return printNumber(value, type === 'F32');
    case 'object':
      return JSON.stringify(printBase64(value as Uint8Array));
    default:
      return JSON.stringify(value);
  }
}

function printNumber(value: number, isSingle: boolean): string {
  if (!Number.isFinite(value)) return JSON.stringify(String(value));
  return Object.is(value, -0) ? '-0.0' : shortestFloat(value, isSingle);
}
