import { type ArrayType, assert, type DataType, equalTypes, type VecType } from '@nervix/model';
import { invalidUtf8At } from '../codec/utf8.js';
import { areAllSet, bitmapBytes, clearTail } from '../column/bitmap.js';
import {
  type ArrayColumn,
  type Column,
  type FixedType,
  fixedWidth,
  isFixedType,
  isNullAt,
  readValue,
  type VecColumn,
  viewFixedValues,
} from '../column/column.js';
import { newColumnBuilder } from '../column/column-builder.js';
import { ArrowDefect } from './arrow-defect.js';
import type { ArrowField, DictionaryUse } from './arrow-schema-reader.js';

/** Most rows of a column, whose offsets are signed 32-bit. */
const ROWS_MAX = 2_147_483_647;

type Pair = readonly [first: number, second: number];

/** What a message says of a batch. */
export interface BatchParts {
  /** Length and nulls of each column, depth first. */
  readonly nodes: readonly Pair[];
  /** Position and length of each buffer in the body. */
  readonly buffers: readonly Pair[];
  readonly body: Uint8Array;
}

/** Reads the columns of one batch, which take from its nodes and buffers in turn. */
export class ArrowColumnReader {
  readonly #parts: BatchParts;
  readonly #dictionaries: ReadonlyMap<bigint, Column>;
  #node = 0;
  #buffer = 0;

  constructor(parts: BatchParts, dictionaries: ReadonlyMap<bigint, Column>) {
    this.#parts = parts;
    this.#dictionaries = dictionaries;
  }

  /** Whether every node and buffer was taken. */
  get isSpent(): boolean {
    const { nodes, buffers } = this.#parts;
    return this.#node === nodes.length && this.#buffer === buffers.length;
  }

  /** The next column, of which the first `rowCount` rows are taken. */
  column(of: ArrowField, rowCount: number): Column {
    const column = this.#nullable(of, rowCount);
    if (column.validity !== null && !of.field.optional) {
      throw new ArrowDefect(`required field '${of.field.name}' holds null`);
    }
    return column;
  }

  #nullable(of: ArrowField, rowCount: number): Column {
    if (of.dictionary !== null)
      return this.#dictionaryColumn(of.field.type, of.dictionary, rowCount);
    return this.#plain(of.field.type, of.element, rowCount);
  }

  #plain(type: DataType, element: ArrowField | null, rowCount: number): Column {
    const [length, nullCount] = this.#parts.nodes[this.#node++] ?? [-1, 0];
    if (length < rowCount) throw new ArrowDefect('a column is shorter than its batch');
    if (rowCount > ROWS_MAX) throw new ArrowDefect('a column has too many rows');
    const validity = this.#validity(rowCount, nullCount);
    if (type === 'BOOL') {
      const bits = this.#bytes(bitmapBytes(rowCount)).slice();
      clearTail(bits, rowCount);
      return { kind: 'boolean', type, length: rowCount, validity, bits };
    }
    if (typeof type === 'string' && isFixedType(type)) {
      return {
        kind: 'fixed',
        type,
        length: rowCount,
        validity,
        values: this.#values(type, rowCount),
      };
    }
    if (type === 'STRING' || type === 'BYTES') {
      const offsets = this.#offsets(rowCount);
      const bytes = this.#bytes(offsets[rowCount] as number);
      if (type === 'STRING') checkTexts(bytes, offsets);
      return { kind: 'binary', type, length: rowCount, validity, offsets, bytes };
    }
    assert(typeof type !== 'string' && element !== null, 'a list names its element');
    return this.#list(type, element, rowCount, validity);
  }

  #list(
    type: VecType | ArrayType,
    element: ArrowField,
    rowCount: number,
    validity: Uint8Array | null,
  ): Column {
    const base = { length: rowCount, validity };
    if (type.kind === 'array') {
      const child = this.#nullable(element, rowCount * type.length);
      return withoutNulls({ kind: 'array', type, ...base, child });
    }
    const offsets = this.#offsets(rowCount);
    const child = this.#nullable(element, offsets[rowCount] as number);
    return withoutNulls({ kind: 'vec', type, ...base, offsets, child });
  }

  #validity(rowCount: number, nullCount: number): Uint8Array | null {
    const [, size] = this.#peek();
    if (nullCount === 0 || size === 0) {
      this.#buffer += 1;
      if (nullCount !== 0) throw new ArrowDefect('nulls without a bitmap');
      return null;
    }
    const bits = this.#bytes(bitmapBytes(rowCount)).slice();
    clearTail(bits, rowCount);
    return areAllSet(bits, rowCount) ? null : bits;
  }

  #peek(): Pair {
    const pair = this.#parts.buffers[this.#buffer];
    if (pair === undefined) throw new ArrowDefect('a buffer is missing');
    return pair;
  }

  /** The first `size` bytes of the next buffer. */
  #bytes(size: number): Uint8Array {
    const [at, length] = this.#peek();
    this.#buffer += 1;
    const { body } = this.#parts;
    if (size > length || at + length > body.length) throw new ArrowDefect('a buffer is too short');
    return body.subarray(at, at + size);
  }

  #values(type: FixedType, rowCount: number) {
    const bytes = aligned(this.#bytes(rowCount * fixedWidth(type)));
    return viewFixedValues(type, bytes.buffer, bytes.byteOffset, rowCount);
  }

  /** Offsets of a column, which never fall. A column of no rows may leave out its one offset. */
  #offsets(rowCount: number): Int32Array {
    const [, length] = this.#peek();
    if (rowCount === 0 && length === 0) {
      this.#buffer += 1;
      return new Int32Array(1);
    }
    const bytes = aligned(this.#bytes((rowCount + 1) * 4));
    const offsets = new Int32Array(bytes.buffer, bytes.byteOffset, rowCount + 1);
    let previous = 0;
    for (const offset of offsets) {
      if (offset < previous) throw new ArrowDefect('offsets that fall');
      previous = offset;
    }
    return offsets;
  }

  /** A column of the values that indexes name in a dictionary. */
  #dictionaryColumn(type: DataType, use: DictionaryUse, rowCount: number): Column {
    const indexes = this.#plain(use.indexType, null, rowCount);
    const values = this.#dictionaries.get(use.id);
    if (values === undefined) throw new ArrowDefect('a dictionary is missing');
    if (!equalTypes(values.type, type)) throw new ArrowDefect('a dictionary of another type');
    const builder = newColumnBuilder(type, true);
    for (let row = 0; row < rowCount; row += 1) {
      const index = isNullAt(indexes, row) ? null : Number(readValue(indexes, row));
      const isInside = index === null || (index >= 0 && index < values.length);
      if (!isInside) throw new ArrowDefect('an index outside its dictionary');
      builder.set(row, index === null ? null : readValue(values, index));
    }
    return builder.finish(rowCount);
  }
}

/** A list column whose elements are all there; what lies under null lists is nobody's. */
function withoutNulls(column: ArrayColumn | VecColumn): Column {
  const { child } = column;
  if (child.validity === null) return column;
  for (let row = 0; row < column.length; row += 1) {
    if (isNullAt(column, row)) continue;
    const [start, end] =
      column.kind === 'vec'
        ? [column.offsets[row] as number, column.offsets[row + 1] as number]
        : [row * column.type.length, (row + 1) * column.type.length];
    for (let at = start; at < end; at += 1) {
      if (isNullAt(child, at)) throw new ArrowDefect('a list holds null');
    }
  }
  return { ...column, child: { ...child, validity: null } };
}

/** Bytes that begin at a multiple of eight, where typed arrays may begin. */
function aligned(bytes: Uint8Array): Uint8Array {
  return bytes.byteOffset % 8 === 0 ? bytes : bytes.slice();
}

function checkTexts(bytes: Uint8Array, offsets: Int32Array): void {
  for (let row = 0; row + 1 < offsets.length; row += 1) {
    if (invalidUtf8At(bytes, offsets[row] as number, offsets[row + 1] as number) >= 0) {
      throw new ArrowDefect('a text that is not UTF-8');
    }
  }
}
