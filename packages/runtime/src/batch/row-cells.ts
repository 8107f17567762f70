import { bitAt } from '../column/bitmap.js';
import { type Column, type FixedType, type FixedValues, isNullAt } from '../column/column.js';
import type { RecordBatch } from './record-batch.js';

const NIL = 0xc0;
const FALSE = 0xc2;
const TRUE = 0xc3;
/** An extension of type 1 without content stands for a sensitive value, in every row. */
const REDACTED = [0xc7, 0x00, 0x01] as const;
const BYTES_START = 4_096;

/**
 * Writes rows as MessagePack: a list of rows, each a list of one cell a field in schema order. Values
 * are copied as they lie in their columns, so that no bit of a float changes.
 */
export class RowCells {
  #bytes = new Uint8Array(BYTES_START);
  #view = new DataView(this.#bytes.buffer);
  #length = 0;

  /** Bytes written so far. */
  get length(): number {
    return this.#length;
  }

  /** Takes back what was written behind a length. */
  truncate(length: number): void {
    this.#length = length;
  }

  /** The bytes, which nobody else has. */
  take(): Uint8Array<ArrayBuffer> {
    return this.#bytes.slice(0, this.#length);
  }

  /** Begins a list whose length {@link endList} tells. */
  beginList(): number {
    const at = this.#reserve(3);
    this.#bytes[at] = 0xdc;
    return at;
  }

  endList(at: number, count: number): void {
    this.#view.setUint16(at + 1, count);
  }

  /** Writes one row. */
  row({ schema, columns }: RecordBatch, row: number): void {
    this.#listHead(columns.length);
    for (const [index, column] of columns.entries()) {
      if (schema.fields[index]?.sensitive === true) this.#raw(REDACTED);
      else this.#cell(column, row);
    }
  }

  #cell(column: Column, row: number): void {
    if (isNullAt(column, row)) this.#byte(NIL);
    else this.#value(column, row);
  }

  #value(column: Column, row: number): void {
    switch (column.kind) {
      case 'boolean':
        this.#byte(bitAt(column.bits, row) ? TRUE : FALSE);
        break;
      case 'fixed':
        this.#number(column.type, column.values, row);
        break;
      case 'binary': {
        const start = column.offsets[row] ?? 0;
        const end = column.offsets[row + 1] ?? 0;
        this.#runHead(column.type === 'STRING' ? 0xd9 : 0xc4, end - start);
        this.#raw(column.bytes.subarray(start, end));
        break;
      }
      case 'vec':
        this.#elements(column.child, column.offsets[row] ?? 0, column.offsets[row + 1] ?? 0);
        break;
      case 'array': {
        const { length } = column.type;
        this.#elements(column.child, row * length, (row + 1) * length);
        break;
      }
    }
  }

  #elements(child: Column, start: number, end: number): void {
    this.#listHead(end - start);
    for (let element = start; element < end; element += 1) this.#cell(child, element);
  }

  #number(type: FixedType, values: FixedValues, row: number): void {
    const value = values[row];
    if (type === 'F32' || type === 'F64') {
      this.#float(values, row, type === 'F32' ? 4 : 8);
    } else if (typeof value === 'bigint') {
      const at = this.#reserve(9);
      this.#bytes[at] = type === 'U64' ? 0xcf : 0xd3;
      this.#view.setBigUint64(at + 1, BigInt.asUintN(64, value));
    } else {
      this.#integer(Number(value));
    }
  }

  /** An integer of at most 32 bits. */
  #integer(value: number): void {
    if (value >= 0 && value < 0x80) {
      this.#byte(value);
      return;
    }
    const at = this.#reserve(5);
    this.#bytes[at] = value < 0 ? 0xd2 : 0xce;
    this.#view.setUint32(at + 1, value >>> 0);
  }

  /** Copies the bits of a float, the least significant byte of which comes first in the column. */
  #float(values: ArrayBufferView, row: number, width: 4 | 8): void {
    const at = this.#reserve(1 + width);
    this.#bytes[at] = width === 4 ? 0xca : 0xcb;
    const source = new Uint8Array(values.buffer, values.byteOffset + row * width, width);
    for (let index = 0; index < width; index += 1) {
      this.#bytes[at + 1 + index] = source[width - 1 - index] ?? 0;
    }
  }

  #listHead(length: number): void {
    if (length < 16) {
      this.#byte(0x90 | length);
    } else if (length < 0x1_0000) {
      this.endList(this.beginList(), length);
    } else {
      const at = this.#reserve(5);
      this.#bytes[at] = 0xdd;
      this.#view.setUint32(at + 1, length);
    }
  }

  /** @param first head of the narrowest length; the wider ones follow it */
  #runHead(first: number, length: number): void {
    const width = length < 0x100 ? 1 : length < 0x1_0000 ? 2 : 4;
    const at = this.#reserve(1 + width);
    this.#bytes[at] = first + (width === 1 ? 0 : width === 2 ? 1 : 2);
    if (width === 1) this.#view.setUint8(at + 1, length);
    else if (width === 2) this.#view.setUint16(at + 1, length);
    else this.#view.setUint32(at + 1, length);
  }

  #byte(value: number): void {
    const at = this.#reserve(1);
    this.#bytes[at] = value;
  }

  #raw(bytes: ArrayLike<number>): void {
    const at = this.#reserve(bytes.length);
    this.#bytes.set(bytes, at);
  }

  /** Makes room and gives the place of it; the bytes may be others from then on. */
  #reserve(count: number): number {
    const at = this.#length;
    const needed = at + count;
    if (needed > this.#bytes.length) {
      const grown = new Uint8Array(Math.max(needed, 2 * this.#bytes.length));
      grown.set(this.#bytes.subarray(0, at));
      this.#bytes = grown;
      this.#view = new DataView(grown.buffer);
    }
    this.#length = needed;
    return at;
  }
}

/** One row by itself, such as a branch key. */
export function rowCells(batch: RecordBatch, row: number): Uint8Array<ArrayBuffer> {
  const cells = new RowCells();
  cells.row(batch, row);
  return cells.take();
}
