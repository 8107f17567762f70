import type { DataType } from '@nervix/model';
import { bitAt } from '../column/bitmap.js';
import { type Column, type FixedColumn, isNullAt } from '../column/column.js';
import { copyRange } from '../column/copy-range.js';
import type { KeyTable } from './key-table.js';

const ABSENT = 0;
const PRESENT = 1;

/**
 * Numbers rows by the tuples of their values: a null equals a null, floats are equal by total order,
 * so that zeros of different sign differ, and texts by their bytes.
 */
export class RowKeys {
  readonly #table: KeyTable;
  /** Whether a key is one text that is never null, and its bytes enough. */
  readonly #isText: boolean;
  #scratch = new Uint8Array(256);
  #length = 0;
  #ids = new Int32Array(0);
  /** Bytes of the fixed-width columns that are read at present. */
  readonly #views = new Map<Column, Uint8Array>();

  /** @param keys the expressions whose values are given, of which any batch may hold nulls or not */
  constructor(
    table: KeyTable,
    keys: readonly { readonly type: DataType; readonly optional: boolean }[],
  ) {
    this.#table = table;
    const [only] = keys;
    this.#isText = keys.length === 1 && only?.optional === false && only.type === 'STRING';
  }

  /**
   * The number in the table of each row's tuple, new tuples added in row order. The next call writes
   * over it.
   */
  idsOf(columns: readonly Column[], rowCount: number): Int32Array {
    if (this.#ids.length < rowCount) this.#ids = new Int32Array(rowCount);
    const ids = this.#ids.subarray(0, rowCount);
    const [only] = columns;
    if (this.#isText && only?.kind === 'binary') {
      this.#table.numberAll(only.bytes, only.offsets, ids);
      return ids;
    }
    this.#views.clear();
    for (let row = 0; row < rowCount; row += 1) {
      this.#length = 0;
      for (const column of columns) this.#write(column, row);
      ids[row] = this.#table.idOf(this.#scratch, 0, this.#length);
    }
    return ids;
  }

  #viewOf(column: FixedColumn): Uint8Array {
    let view = this.#views.get(column);
    if (view === undefined) {
      const { buffer, byteOffset, byteLength } = column.values;
      view = new Uint8Array(buffer, byteOffset, byteLength);
      this.#views.set(column, view);
    }
    return view;
  }

  #byte(value: number): void {
    this.#ensure(1);
    this.#scratch[this.#length++] = value;
  }

  /** Presence, and length and content of what is not of fixed width, so that tuples stay apart. */
  #write(column: Column, row: number): void {
    if (isNullAt(column, row)) {
      this.#byte(ABSENT);
      return;
    }
    this.#byte(PRESENT);
    if (column.kind === 'boolean') {
      this.#byte(bitAt(column.bits, row) ? 1 : 0);
    } else if (column.kind === 'fixed') {
      const width = column.values.BYTES_PER_ELEMENT;
      this.#range(this.#viewOf(column), row * width, (row + 1) * width);
    } else if (column.kind === 'array') {
      const { length } = column.type;
      this.#elements(column.child, row * length, (row + 1) * length);
    } else {
      const [start, end] = [column.offsets[row] as number, column.offsets[row + 1] as number];
      this.#size(end - start);
      if (column.kind === 'binary') this.#range(column.bytes, start, end);
      else this.#elements(column.child, start, end);
    }
  }

  #elements(child: Column, start: number, end: number): void {
    for (let row = start; row < end; row += 1) this.#write(child, row);
  }

  #size(value: number): void {
    this.#ensure(4);
    for (let shift = 0; shift < 32; shift += 8) this.#scratch[this.#length++] = value >>> shift;
  }

  #range(source: Uint8Array, start: number, end: number): void {
    this.#ensure(end - start);
    copyRange(source, start, end, this.#scratch, this.#length);
    this.#length += end - start;
  }

  #ensure(count: number): void {
    if (this.#length + count <= this.#scratch.length) return;
    const next = new Uint8Array(Math.max(this.#length + count, this.#scratch.length * 2));
    next.set(this.#scratch);
    this.#scratch = next;
  }
}
