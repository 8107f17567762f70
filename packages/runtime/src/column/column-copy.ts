import type { DataType } from '@nervix/model';
import { areAllSet, bitAt, bitmapBytes, copyBits, fillBits, sliceBitmap } from './bitmap.js';
import { newBuffer } from './buffer-pool.js';
import {
  type ArrayColumn,
  type BinaryColumn,
  type BooleanColumn,
  type Column,
  type FixedColumn,
  type FixedValues,
  fixedWidth,
  isFixedType,
  newFixedValues,
  type VecColumn,
  viewFixedValues,
} from './column.js';
import { copyRange } from './copy-range.js';

/** A column of no rows. */
export function emptyColumn(type: DataType): Column {
  return nullColumn(type, 0);
}

/** A column of `length` null rows. */
export function nullColumn(type: DataType, length: number): Column {
  const validity = length === 0 ? null : new Uint8Array(bitmapBytes(length));
  if (isFixedType(type)) {
    return { kind: 'fixed', type, length, validity, values: newFixedValues(type, length) };
  }
  if (type === 'BOOL') {
    const bits = new Uint8Array(bitmapBytes(length));
    return { kind: 'boolean', type, length, validity, bits };
  }
  const offsets = new Int32Array(length + 1);
  if (type === 'STRING' || type === 'BYTES') {
    return { kind: 'binary', type, length, validity, offsets, bytes: new Uint8Array(0) };
  }
  if (type.kind === 'vec') {
    return { kind: 'vec', type, length, validity, offsets, child: emptyColumn(type.element) };
  }
  const elements = nullColumn(type.element, length * type.length);
  return { kind: 'array', type, length, validity, child: { ...elements, validity: null } };
}

/** Rows `start` to `end`; values and text are shared, only bitmaps are copied. */
export function sliceColumn(column: Column, start: number, end: number): Column {
  if (start === 0 && end === column.length) return column;
  const length = end - start;
  let validity = column.validity === null ? null : sliceBitmap(column.validity, start, end);
  if (validity !== null && areAllSet(validity, length)) validity = null;
  switch (column.kind) {
    case 'fixed':
      return { ...column, length, validity, values: column.values.subarray(start, end) };
    case 'boolean':
      return { ...column, length, validity, bits: sliceBitmap(column.bits, start, end) };
    case 'binary':
    case 'vec':
      return { ...column, length, validity, offsets: column.offsets.subarray(start, end + 1) };
    case 'array': {
      const child = sliceColumn(column.child, start * column.type.length, end * column.type.length);
      return { ...column, length, validity, child };
    }
  }
}

function takeBits(bits: Uint8Array, rows: Int32Array): Uint8Array {
  const out = new Uint8Array(bitmapBytes(rows.length));
  for (let index = 0; index < rows.length; index += 1) {
    if (bitAt(bits, rows[index] as number)) {
      out[index >>> 3] = (out[index >>> 3] as number) | (1 << (index & 7));
    }
  }
  return out;
}

function takeValues<T extends FixedValues>(values: T, rows: Int32Array): T {
  const size = rows.length * values.BYTES_PER_ELEMENT;
  const make = values.constructor as new (buffer: ArrayBuffer, at: number, length: number) => T;
  const out = new make(newBuffer(size), 0, rows.length);
  for (let index = 0; index < rows.length; index += 1) {
    out[index] = values[rows[index] as number] as never;
  }
  return out;
}

/** 64-bit values move as two 32-bit halves, which needs no BigInt for a row. */
function takeWide(values: BigInt64Array | BigUint64Array, rows: Int32Array): FixedValues {
  const source = new Int32Array(values.buffer, values.byteOffset, values.length * 2);
  const out = new Int32Array(newBuffer(rows.length * 8), 0, rows.length * 2);
  for (let index = 0; index < rows.length; index += 1) {
    const at = (rows[index] as number) * 2;
    out[index * 2] = source[at] as number;
    out[index * 2 + 1] = source[at + 1] as number;
  }
  return values instanceof BigInt64Array
    ? new BigInt64Array(out.buffer, 0, rows.length)
    : new BigUint64Array(out.buffer, 0, rows.length);
}

function takeFixed(column: FixedColumn, rows: Int32Array): FixedValues {
  const { values } = column;
  if (values instanceof BigInt64Array || values instanceof BigUint64Array) {
    return takeWide(values, rows);
  }
  return takeValues(values, rows);
}

/** Offsets of so many rows, of which only the first is written. */
function newOffsets(rows: number): Int32Array {
  const offsets = new Int32Array(newBuffer((rows + 1) * 4), 0, rows + 1);
  offsets[0] = 0;
  return offsets;
}

function takeBinary(
  column: BinaryColumn,
  rows: Int32Array,
): Pick<BinaryColumn, 'offsets' | 'bytes'> {
  const offsets = newOffsets(rows.length);
  let total = 0;
  for (let index = 0; index < rows.length; index += 1) {
    const row = rows[index] as number;
    total += (column.offsets[row + 1] as number) - (column.offsets[row] as number);
    offsets[index + 1] = total;
  }
  const bytes = new Uint8Array(newBuffer(total), 0, total);
  for (let index = 0; index < rows.length; ) {
    const first = index;
    let row = rows[index] as number;
    const start = column.offsets[row] as number;
    // Rows that follow each other are copied together.
    for (index += 1; rows[index] === row + 1; index += 1) row += 1;
    const end = column.offsets[row + 1] as number;
    copyRange(column.bytes, start, end, bytes, offsets[first] as number);
  }
  return { offsets, bytes };
}

function takeVec(column: VecColumn, rows: Int32Array): Pick<VecColumn, 'offsets' | 'child'> {
  const offsets = new Int32Array(rows.length + 1);
  const childRows: number[] = [];
  for (let index = 0; index < rows.length; index += 1) {
    const row = rows[index] as number;
    const end = column.offsets[row + 1] as number;
    for (let at = column.offsets[row] as number; at < end; at += 1) childRows.push(at);
    offsets[index + 1] = childRows.length;
  }
  return { offsets, child: takeColumn(column.child, Int32Array.from(childRows)) };
}

function takeArray(column: ArrayColumn, rows: Int32Array): Column {
  const { length } = column.type;
  const childRows = new Int32Array(rows.length * length);
  for (let index = 0; index < childRows.length; index += 1) {
    childRows[index] = (rows[Math.floor(index / length)] as number) * length + (index % length);
  }
  return takeColumn(column.child, childRows);
}

/** The named rows, in that order. */
export function takeColumn(column: Column, rows: Int32Array): Column {
  const { length } = rows;
  let validity = column.validity === null ? null : takeBits(column.validity, rows);
  if (validity !== null && areAllSet(validity, length)) validity = null;
  switch (column.kind) {
    case 'fixed':
      return { ...column, length, validity, values: takeFixed(column, rows) };
    case 'boolean':
      return { ...column, length, validity, bits: takeBits(column.bits, rows) };
    case 'binary':
      return { ...column, length, validity, ...takeBinary(column, rows) };
    case 'vec':
      return { ...column, length, validity, ...takeVec(column, rows) };
    case 'array':
      return { ...column, length, validity, child: takeArray(column, rows) };
  }
}

function concatValidity(columns: readonly Column[], length: number): Uint8Array | null {
  if (columns.every((column) => column.validity === null)) return null;
  const out = new Uint8Array(bitmapBytes(length));
  let at = 0;
  for (const column of columns) {
    if (column.validity === null) fillBits(out, at, column.length);
    else copyBits(column.validity, column.length, out, at);
    at += column.length;
  }
  return out;
}

function concatFixed(columns: readonly FixedColumn[], length: number): FixedValues {
  const { type } = columns[0] as FixedColumn;
  const values = viewFixedValues(type, newBuffer(length * fixedWidth(type)), 0, length);
  const target = new Uint8Array(values.buffer);
  let at = 0;
  for (const { values: part } of columns) {
    target.set(new Uint8Array(part.buffer, part.byteOffset, part.byteLength), at);
    at += part.byteLength;
  }
  return values;
}

function concatBits(columns: readonly BooleanColumn[], length: number): Uint8Array {
  const out = new Uint8Array(bitmapBytes(length));
  let at = 0;
  for (const column of columns) {
    copyBits(column.bits, column.length, out, at);
    at += column.length;
  }
  return out;
}

/** Offsets of the joined columns, and each column's range of bytes or child rows. */
function concatOffsets(columns: readonly (BinaryColumn | VecColumn)[], length: number): Int32Array {
  const out = newOffsets(length);
  let at = 0;
  let shift = 0;
  for (const { offsets, length: rows } of columns) {
    const delta = shift - (offsets[0] as number);
    for (let row = 1; row <= rows; row += 1) out[at + row] = (offsets[row] as number) + delta;
    at += rows;
    shift = out[at] as number;
  }
  return out;
}

function concatBytes(columns: readonly BinaryColumn[], total: number): Uint8Array {
  const bytes = new Uint8Array(newBuffer(total), 0, total);
  let at = 0;
  for (const column of columns) {
    const start = column.offsets[0] as number;
    const end = column.offsets[column.length] as number;
    bytes.set(column.bytes.subarray(start, end), at);
    at += end - start;
  }
  return bytes;
}

function usedChild(column: VecColumn): Column {
  return sliceColumn(
    column.child,
    column.offsets[0] as number,
    column.offsets[column.length] as number,
  );
}

/** Columns of one type joined in order; at least one. */
export function concatColumns(columns: readonly [Column, ...Column[]]): Column {
  const [first] = columns;
  if (columns.length === 1) return first;
  let length = 0;
  for (const column of columns) length += column.length;
  const validity = concatValidity(columns, length);
  switch (first.kind) {
    case 'fixed':
      return { ...first, length, validity, values: concatFixed(columns as never, length) };
    case 'boolean':
      return { ...first, length, validity, bits: concatBits(columns as never, length) };
    case 'binary': {
      const offsets = concatOffsets(columns as never, length);
      const bytes = concatBytes(columns as never, offsets[length] as number);
      return { ...first, length, validity, offsets, bytes };
    }
    case 'vec': {
      const offsets = concatOffsets(columns as never, length);
      const children = (columns as readonly VecColumn[]).map(usedChild);
      return { ...first, length, validity, offsets, child: concatColumns(children as never) };
    }
    case 'array': {
      const children = (columns as readonly ArrayColumn[]).map((column) => column.child);
      return { ...first, length, validity, child: concatColumns(children as never) };
    }
  }
}
