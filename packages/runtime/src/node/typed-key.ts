import type { DataType } from '@nervix/model';
import { bitAt } from '../column/bitmap.js';
import { type Column, isNullAt, readValue, type Value } from '../column/column.js';

/** Text of a row's values such that two rows have equal text iff the tuples are equal. */
export type KeyReader = (row: number) => string;

/**
 * Reads ordered typed tuples. Null is a value equal to null; floats are equal by total order, so
 * that zeros of different sign differ.
 */
export function keyReader(columns: readonly Column[]): KeyReader {
  const [only] = columns;
  if (columns.length === 1 && only !== undefined) return columnReader(only);
  const readers = columns.map(columnReader);
  return (row) => {
    let key = '';
    for (const read of readers) {
      const part = read(row);
      key += `${part.length}:${part}`;
    }
    return key;
  };
}

function columnReader(column: Column): KeyReader {
  if (column.kind === 'binary') {
    return (row) => {
      const value = readValue(column, row);
      if (value === null) return 'n';
      if (typeof value === 'string') return `s${value}`;
      return `b${Buffer.from(value as Uint8Array).toString('latin1')}`;
    };
  }
  if (column.kind === 'boolean') {
    return (row) => (isNullAt(column, row) ? 'n' : bitAt(column.bits, row) ? 't' : 'f');
  }
  return (row) => valueText(readValue(column, row), column.type);
}

function valueText(value: Value, type: DataType): string {
  if (value === null) return 'n';
  if (typeof value === 'number') return Object.is(value, -0) ? '-0' : String(value);
  if (typeof value === 'bigint' || typeof value === 'boolean') return String(value);
  if (typeof value === 'string') return JSON.stringify(value);
  if (value instanceof Uint8Array) return JSON.stringify(Buffer.from(value).toString('base64'));
  const element = typeof type === 'string' ? type : type.element;
  return `[${value.map((item) => valueText(item, element)).join(',')}]`;
}
