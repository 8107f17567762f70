import type { ArrayType, DataType, IntegerType, VecType } from '@nervix/model';
import { checkPosition } from '../argument-checks.js';
import { runtimeError } from '../errors.js';
import { bitAt, bitmapBytes } from './bitmap.js';
import { newClearBuffer } from './buffer-pool.js';
import { decodeText } from './text.js';

/** Scalar types stored as one typed array element a row. DATETIME is nanoseconds since 1970. */
export type FixedType = IntegerType | 'F32' | 'F64' | 'DATETIME';

export type FixedValues =
  | Uint8Array
  | Int8Array
  | Uint16Array
  | Int16Array
  | Uint32Array
  | Int32Array
  | BigUint64Array
  | BigInt64Array
  | Float32Array
  | Float64Array;

interface ColumnBase {
  readonly length: number;
  /** Bit set where the row is present; null when every row is. */
  readonly validity: Uint8Array | null;
}
export interface FixedColumn extends ColumnBase {
  readonly kind: 'fixed';
  readonly type: FixedType;
  readonly values: FixedValues;
}
export interface BooleanColumn extends ColumnBase {
  readonly kind: 'boolean';
  readonly type: 'BOOL';
  readonly bits: Uint8Array;
}
/** Row `i` is `bytes[offsets[i]..offsets[i + 1])`; the first offset need not be zero. */
export interface BinaryColumn extends ColumnBase {
  readonly kind: 'binary';
  readonly type: 'STRING' | 'BYTES';
  readonly offsets: Int32Array;
  readonly bytes: Uint8Array;
}
/** Row `i` is rows `offsets[i]..offsets[i + 1])` of the child. */
export interface VecColumn extends ColumnBase {
  readonly kind: 'vec';
  readonly type: VecType;
  readonly offsets: Int32Array;
  readonly child: Column;
}
/** Row `i` is rows `i * type.length` and the following of the child. */
export interface ArrayColumn extends ColumnBase {
  readonly kind: 'array';
  readonly type: ArrayType;
  readonly child: Column;
}

/** One field of a batch in Arrow layout. Immutable: batches share columns and buffers. */
export type Column = FixedColumn | BooleanColumn | BinaryColumn | VecColumn | ArrayColumn;

/** A row's value at the edge: 64-bit integers and DATETIME are bigint, STRING is text. */
export type Value = null | boolean | number | bigint | string | Uint8Array | readonly Value[];

/** Bytes a value of a fixed-width type takes. */
export function fixedWidth(type: FixedType): 1 | 2 | 4 | 8 {
  switch (type) {
    case 'U8':
    case 'I8':
      return 1;
    case 'U16':
    case 'I16':
      return 2;
    case 'U32':
    case 'I32':
    case 'F32':
      return 4;
    default:
      return 8;
  }
}

/** A zeroed value array for a fixed-width type. */
export function newFixedValues(type: FixedType, length: number): FixedValues {
  return viewFixedValues(type, newClearBuffer(length * fixedWidth(type)), 0, length);
}

/** The typed array of a fixed-width type over a part of a buffer. */
export function viewFixedValues(
  type: FixedType,
  buffer: ArrayBufferLike,
  byteOffset: number,
  length: number,
): FixedValues {
  switch (type) {
    case 'U8':
      return new Uint8Array(buffer, byteOffset, length);
    case 'I8':
      return new Int8Array(buffer, byteOffset, length);
    case 'U16':
      return new Uint16Array(buffer, byteOffset, length);
    case 'I16':
      return new Int16Array(buffer, byteOffset, length);
    case 'U32':
      return new Uint32Array(buffer, byteOffset, length);
    case 'I32':
      return new Int32Array(buffer, byteOffset, length);
    case 'U64':
      return new BigUint64Array(buffer, byteOffset, length);
    case 'F32':
      return new Float32Array(buffer, byteOffset, length);
    case 'F64':
      return new Float64Array(buffer, byteOffset, length);
    default:
      return new BigInt64Array(buffer, byteOffset, length);
  }
}

export function isFixedType(type: DataType): type is FixedType {
  return typeof type === 'string' && type !== 'BOOL' && type !== 'STRING' && type !== 'BYTES';
}

export function isNullAt(column: Column, row: number): boolean {
  return column.validity !== null && !bitAt(column.validity, row);
}

/**
 * Reads one value. For tests, error rows and the edges, not for the record path.
 *
 * @throws RuntimeError RUNTIME_INVALID_ARGUMENT for a row that the column does not have, and
 *   RUNTIME_BATCH_RECYCLED for a column whose memory was given back
 */
export function readValue(column: Column, row: number): Value {
  checkPosition('row', row, column.length - 1);
  if (isGone(column)) throw runtimeError('RUNTIME_BATCH_RECYCLED', {});
  if (isNullAt(column, row)) return null;
  switch (column.kind) {
    case 'fixed':
      return column.values[row] as number | bigint;
    case 'boolean':
      return bitAt(column.bits, row);
    case 'binary': {
      const start = column.offsets[row] as number;
      const end = column.offsets[row + 1] as number;
      if (column.type === 'STRING') return decodeText(column.bytes, start, end);
      return column.bytes.slice(start, end);
    }
    case 'vec':
      return readRange(
        column.child,
        column.offsets[row] as number,
        column.offsets[row + 1] as number,
      );
    case 'array':
      return readRange(column.child, row * column.type.length, (row + 1) * column.type.length);
  }
}

/** Whether the memory of a column with rows is given back: its views are empty then. */
function isGone(column: Column): boolean {
  switch (column.kind) {
    case 'fixed':
      return column.values.length === 0;
    case 'boolean':
      return column.bits.length === 0;
    case 'array':
      return false;
    default:
      return column.offsets.length === 0 || isContentGone(column);
  }
}

/** Whether the texts or elements that a column's offsets name are given back. */
function isContentGone(column: BinaryColumn | VecColumn): boolean {
  if (column.kind === 'vec') return false;
  return column.bytes.length === 0 && column.offsets[column.length] !== 0;
}

function readRange(child: Column, start: number, end: number): readonly Value[] {
  const values: Value[] = [];
  for (let row = start; row < end; row += 1) values.push(readValue(child, row));
  return values;
}

/** Logical Arrow bytes of a column: values, offsets and validity, never spare capacity. */
export function columnByteSize(column: Column): number {
  return rangeByteSize(column, 0, column.length);
}

/** Logical Arrow bytes of rows `start..end` of a column. */
export function rangeByteSize(column: Column, start: number, end: number): number {
  const rows = end - start;
  const validity = column.validity === null ? 0 : bitmapBytes(rows);
  switch (column.kind) {
    case 'fixed':
      return validity + rows * fixedWidth(column.type);
    case 'boolean':
      return validity + bitmapBytes(rows);
    case 'array': {
      const { length } = column.type;
      return validity + rangeByteSize(column.child, start * length, end * length);
    }
    default: {
      const first = column.offsets[start] as number;
      const last = column.offsets[end] as number;
      const content =
        column.kind === 'binary' ? last - first : rangeByteSize(column.child, first, last);
      return validity + (rows + 1) * 4 + content;
    }
  }
}
