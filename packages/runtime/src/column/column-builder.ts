import { type ArrayType, assert, type DataType, type VecType } from '@nervix/model';
import { areAllSet, bitmapBytes, clearTail, setBit } from './bitmap.js';
import { newBuffer } from './buffer-pool.js';
import {
  type Column,
  type FixedType,
  type FixedValues,
  fixedWidth,
  isFixedType,
  newFixedValues,
  type Value,
  viewFixedValues,
} from './column.js';
import { encodeText } from './text.js';

/** Most bytes one STRING or BYTES column holds: its offsets are signed 32-bit. */
export const COLUMN_BYTES_MAX = 2_147_483_647;

/**
 * Growing column whose rows are written by position. It keeps no length: the owner says how many
 * rows are in force, so dropping the last rows costs nothing. A row must be written whole, presence
 * bit included, before the next one.
 */
export interface ColumnBuilder {
  readonly type: DataType;
  /** Presence bits of an optional field, else null. */
  validity: Uint8Array | null;
  /** Makes room for rows up to `rows`, exclusive. */
  ensureRows(rows: number): void;
  /** Writes row `row`, right after the rows before it. */
  set(row: number, value: Value): void;
  /** Logical Arrow bytes of the first `rows` rows. */
  byteSize(rows: number): number;
  /** The first `rows` rows as a column; the builder starts again empty. */
  finish(rows: number): Column;
}

/** Creates the builder of a type. Optional columns carry presence bits. */
export function newColumnBuilder(type: DataType, optional: boolean): ColumnBuilder {
  if (isFixedType(type)) return new FixedBuilder(type, optional);
  if (type === 'BOOL') return new BooleanBuilder(optional);
  if (type === 'STRING' || type === 'BYTES') return new BinaryBuilder(type, optional);
  return type.kind === 'vec' ? new VecBuilder(type, optional) : new ArrayBuilder(type, optional);
}

function grown<T extends Uint8Array | Int32Array>(old: T, size: number): T {
  const next = new (old.constructor as new (size: number) => T)(size);
  next.set(old);
  return next;
}

function copyOffsets(offsets: Int32Array, rows: number): Int32Array {
  const copy = new Int32Array(newBuffer((rows + 1) * 4), 0, rows + 1);
  copy.set(offsets.subarray(0, rows + 1));
  return copy;
}

function nextCapacity(current: number, needed: number): number {
  return Math.max(needed, Math.min(current * 2, COLUMN_BYTES_MAX), 64);
}

/** Hands a filled buffer over when most of it is used; else a copy, and the buffer is kept. */
function handOver(used: number, capacity: number): boolean {
  return used * 2 >= capacity;
}

abstract class Validity {
  validity: Uint8Array | null;

  constructor(optional: boolean) {
    this.validity = optional ? new Uint8Array(8) : null;
  }

  protected ensureValidity(rows: number): void {
    if (this.validity !== null && this.validity.length * 8 < rows) {
      this.validity = grown(this.validity, bitmapBytes(nextCapacity(rows, rows)));
    }
  }

  protected mark(row: number, isPresent: boolean): void {
    if (this.validity !== null) setBit(this.validity, row, isPresent);
    else assert(isPresent, 'only optional columns hold nulls');
  }

  protected takeValidity(rows: number): Uint8Array | null {
    if (this.validity === null || areAllSet(this.validity, rows)) return null;
    const bits = this.validity.slice(0, bitmapBytes(rows));
    clearTail(bits, rows);
    return bits;
  }

  protected validityBytes(rows: number): number {
    return this.validity === null ? 0 : bitmapBytes(rows);
  }
}

/** Builder of a fixed-width column; generated code writes `values` and `words` itself. */
export class FixedBuilder extends Validity implements ColumnBuilder {
  readonly type: FixedType;
  values: FixedValues;
  /** 32-bit halves of a 64-bit column, low half first; null for narrower types. */
  words: Int32Array | null;
  readonly #isWide: boolean;

  constructor(type: FixedType, optional: boolean) {
    super(optional);
    this.type = type;
    this.values = newFixedValues(type, 0);
    this.#isWide = fixedWidth(type) === 8 && type !== 'F64';
    this.words = null;
    this.#reset(0);
  }

  #reset(capacity: number): void {
    this.values = newFixedValues(this.type, capacity);
    this.words = this.#isWide ? new Int32Array(this.values.buffer, 0, capacity * 2) : null;
  }

  ensureRows(rows: number): void {
    this.ensureValidity(rows);
    if (this.values.length >= rows) return;
    const old = this.values;
    this.#reset(nextCapacity(old.length, rows));
    new Uint8Array(this.values.buffer).set(new Uint8Array(old.buffer, 0, old.byteLength));
  }

  set(row: number, value: Value): void {
    this.ensureRows(row + 1);
    this.mark(row, value !== null);
    this.values[row] = (value ?? (this.#isWide ? 0n : 0)) as number | bigint;
  }

  byteSize(rows: number): number {
    return rows * fixedWidth(this.type) + this.validityBytes(rows);
  }

  finish(rows: number): Column {
    const validity = this.takeValidity(rows);
    const base = { kind: 'fixed', type: this.type, length: rows, validity } as const;
    if (!handOver(rows, this.values.length)) {
      const values = viewFixedValues(this.type, newBuffer(rows * fixedWidth(this.type)), 0, rows);
      values.set(this.values.subarray(0, rows) as never);
      return { ...base, values };
    }
    const values = this.values.subarray(0, rows);
    this.#reset(0);
    return { ...base, values };
  }
}

/** Builder of a BOOL column. */
export class BooleanBuilder extends Validity implements ColumnBuilder {
  readonly type = 'BOOL';
  bits: Uint8Array = new Uint8Array(8);

  ensureRows(rows: number): void {
    this.ensureValidity(rows);
    if (this.bits.length * 8 < rows) {
      this.bits = grown(this.bits, bitmapBytes(nextCapacity(rows, rows)));
    }
  }

  set(row: number, value: Value): void {
    this.ensureRows(row + 1);
    this.mark(row, value !== null);
    setBit(this.bits, row, value === true);
  }

  byteSize(rows: number): number {
    return bitmapBytes(rows) + this.validityBytes(rows);
  }

  finish(rows: number): Column {
    const bits = this.bits.slice(0, bitmapBytes(rows));
    clearTail(bits, rows);
    return { kind: 'boolean', type: 'BOOL', length: rows, validity: this.takeValidity(rows), bits };
  }
}

/** Builder of a STRING or BYTES column; generated code writes `bytes` and `offsets` itself. */
export class BinaryBuilder extends Validity implements ColumnBuilder {
  readonly type: 'STRING' | 'BYTES';
  offsets: Int32Array = new Int32Array(1);
  bytes: Uint8Array = new Uint8Array(0);
  /** Size of the buffer handed over last, which the next rows are likely to need too. */
  #bytesHint = 0;

  constructor(type: 'STRING' | 'BYTES', optional: boolean) {
    super(optional);
    this.type = type;
  }

  ensureRows(rows: number): void {
    this.ensureValidity(rows);
    if (this.offsets.length <= rows) {
      this.offsets = grown(this.offsets, nextCapacity(this.offsets.length, rows + 1));
    }
  }

  /** Makes room for `count` bytes after the rows before `row`; of `row` itself nothing is kept. */
  ensureBytes(row: number, count: number): void {
    const needed = (this.offsets[row] as number) + count;
    assert(needed <= COLUMN_BYTES_MAX, 'a column holds at most 2147483647 bytes');
    if (this.bytes.length < needed) {
      const size = nextCapacity(this.bytes.length, Math.max(needed, this.#bytesHint));
      const next = new Uint8Array(newBuffer(size));
      next.set(this.bytes.subarray(0, this.offsets[row]));
      this.bytes = next;
    }
  }

  set(row: number, value: Value): void {
    this.ensureRows(row + 1);
    this.mark(row, value !== null);
    const start = this.offsets[row] as number;
    if (value === null) {
      this.offsets[row + 1] = start;
      return;
    }
    const bytes = typeof value === 'string' ? encodeText(value) : (value as Uint8Array);
    this.ensureBytes(row, bytes.length);
    this.bytes.set(bytes, start);
    this.offsets[row + 1] = start + bytes.length;
  }

  byteSize(rows: number): number {
    return (rows + 1) * 4 + (this.offsets[rows] as number) + this.validityBytes(rows);
  }

  finish(rows: number): Column {
    const used = this.offsets[rows] as number;
    const offsets = copyOffsets(this.offsets, rows);
    const validity = this.takeValidity(rows);
    const base = { kind: 'binary', type: this.type, length: rows, validity, offsets } as const;
    if (!handOver(used, this.bytes.length)) {
      const copy = new Uint8Array(newBuffer(used), 0, used);
      copy.set(this.bytes.subarray(0, used));
      return { ...base, bytes: copy };
    }
    const bytes = this.bytes.subarray(0, used);
    this.#bytesHint = this.bytes.length;
    this.bytes = new Uint8Array(0);
    return { ...base, bytes };
  }
}

/** Builder of a VEC column. */
export class VecBuilder extends Validity implements ColumnBuilder {
  readonly type: VecType;
  offsets: Int32Array = new Int32Array(1);
  readonly child: ColumnBuilder;

  constructor(type: VecType, optional: boolean) {
    super(optional);
    this.type = type;
    this.child = newColumnBuilder(type.element, false);
  }

  ensureRows(rows: number): void {
    this.ensureValidity(rows);
    if (this.offsets.length <= rows) {
      this.offsets = grown(this.offsets, nextCapacity(this.offsets.length, rows + 1));
    }
  }

  set(row: number, value: Value): void {
    this.ensureRows(row + 1);
    this.mark(row, value !== null);
    let at = this.offsets[row] as number;
    for (const element of (value ?? []) as readonly Value[]) this.child.set(at++, element);
    this.offsets[row + 1] = at;
  }

  byteSize(rows: number): number {
    const childRows = this.offsets[rows] as number;
    return (rows + 1) * 4 + this.child.byteSize(childRows) + this.validityBytes(rows);
  }

  finish(rows: number): Column {
    const offsets = copyOffsets(this.offsets, rows);
    const child = this.child.finish(this.offsets[rows] as number);
    const validity = this.takeValidity(rows);
    return { kind: 'vec', type: this.type, length: rows, validity, offsets, child };
  }
}

/** Builder of an ARRAY column; a null row leaves zeroed elements behind it. */
export class ArrayBuilder extends Validity implements ColumnBuilder {
  readonly type: ArrayType;
  readonly child: ColumnBuilder;

  constructor(type: ArrayType, optional: boolean) {
    super(optional);
    this.type = type;
    this.child = newColumnBuilder(type.element, false);
  }

  ensureRows(rows: number): void {
    this.ensureValidity(rows);
    this.child.ensureRows(rows * this.type.length);
  }

  set(row: number, value: Value): void {
    this.ensureRows(row + 1);
    this.mark(row, value !== null);
    const elements = value as readonly Value[] | null;
    const { length, element } = this.type;
    assert(elements === null || elements.length === length, 'an ARRAY has its declared length');
    for (let index = 0; index < length; index += 1) {
      this.child.set(row * length + index, elements?.[index] ?? zeroValue(element));
    }
  }

  byteSize(rows: number): number {
    return this.child.byteSize(rows * this.type.length) + this.validityBytes(rows);
  }

  finish(rows: number): Column {
    const child = this.child.finish(rows * this.type.length);
    const validity = this.takeValidity(rows);
    return { kind: 'array', type: this.type, length: rows, validity, child };
  }
}

/** The value stored where an ARRAY row is null. */
function zeroValue(type: DataType): Value {
  if (typeof type !== 'string') {
    if (type.kind === 'vec') return [];
    return Array.from({ length: type.length }, () => zeroValue(type.element));
  }
  if (type === 'STRING') return '';
  if (type === 'BYTES') return new Uint8Array(0);
  if (type === 'BOOL') return false;
  return type === 'I64' || type === 'U64' || type === 'DATETIME' ? 0n : 0;
}
