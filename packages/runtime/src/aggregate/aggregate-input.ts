import { type Column, rangeByteSize } from '../column/column.js';
import { takeColumn } from '../column/column-copy.js';
import type { RowFailure } from '../program/row-set.js';
import { takeInstants } from '../relay/relay-batch.js';

/** One argument of aggregates for the admissible rows of a batch. */
export interface ArgumentColumn {
  readonly column: Column;
  /** Each value as the nearest F64, for numeric arguments; exact up to 32 bits. */
  readonly doubles: Float64Array | null;
  /** Low and high halves of a 64-bit integer or DATETIME argument. */
  readonly words: Int32Array | null;
}

/** Arguments of a batch's admissible rows, ready for any number of windows. */
export interface AggregateInput {
  /** Rows of the batch that may be admitted, in order; the other rows failed. */
  readonly rows: Int32Array;
  /** Low ingestion watermarks of those rows. */
  readonly lowWatermarks: BigInt64Array;
  /** One row for each admissible row. */
  readonly arguments: readonly ArgumentColumn[];
  /** Rows refused before any window changes. */
  readonly failures: readonly RowFailure[];
}

/** A run of admitted rows that a window retains: rows `start..end` of an input. */
export interface WindowSegment {
  readonly input: AggregateInput;
  readonly start: number;
  readonly end: number;
}

/** Adds the views that aggregates read to an argument's column. */
export function argumentColumn(column: Column): ArgumentColumn {
  if (column.kind !== 'fixed') return { column, doubles: null, words: null };
  const { values } = column;
  if (!(values instanceof BigInt64Array || values instanceof BigUint64Array)) {
    const doubles = values instanceof Float64Array ? values : new Float64Array(values);
    return { column, doubles, words: null };
  }
  const words = new Int32Array(values.buffer, values.byteOffset, values.length * 2);
  if (column.type === 'DATETIME') return { column, doubles: null, words };
  const doubles = new Float64Array(values.length);
  const isUnsigned = column.type === 'U64';
  for (let row = 0; row < doubles.length; row += 1) {
    const high = words[row * 2 + 1] as number;
    const low = (words[row * 2] as number) >>> 0;
    doubles[row] = (isUnsigned ? high >>> 0 : high) * 4_294_967_296 + low;
  }
  return { column, doubles, words };
}

/** Only the rows at some positions of an input, renumbered from zero on. */
export function takeInput(input: AggregateInput, positions: Int32Array): AggregateInput {
  return {
    rows: Int32Array.from(positions, (_, index) => index),
    lowWatermarks: takeInstants(input.lowWatermarks, positions),
    arguments: input.arguments.map(({ column }) => argumentColumn(takeColumn(column, positions))),
    failures: [],
  };
}

/** Bytes that retaining rows takes: arguments and watermark. */
export function retainedBytes(input: AggregateInput, start: number, end: number): number {
  let size = (end - start) * 8;
  for (const { column } of input.arguments) size += rangeByteSize(column, start, end);
  return size;
}
