import {
  type DataType,
  type IntegerType,
  integerRange,
  printDataType,
  readDatetimeInto,
} from '@nervix/model';
import { setBit } from '../../column/bitmap.js';
import type {
  ArrayBuilder,
  BinaryBuilder,
  BooleanBuilder,
  ColumnBuilder,
  FixedBuilder,
  VecBuilder,
} from '../../column/column-builder.js';
import { copyRange } from '../../column/copy-range.js';
import { invalidUtf8At } from '../utf8.js';

const WORD = 4_294_967_296;
/** Bytes of the longest variable-length integer. */
const VARINT_BYTES_MAX = 10;

/**
 * Reads Avro values in binary encoding into column builders. Every method moves `position` past what
 * it read; a method that returns a text tells why the value cannot be read. `isSyntax` then says
 * whether the payload is no Avro, or a value that does not fit its type.
 */
export class AvroReader {
  position = 0;
  isSyntax = false;
  /** Bits of the integer read last, before the zigzag is undone. */
  #high = 0;
  #low = 0;
  #bytes: Uint8Array = new Uint8Array(0);
  #view = new DataView(this.#bytes.buffer);
  #end = 0;

  /** Starts on the payload `bytes[start..end)`. */
  open(bytes: Uint8Array, start: number, end: number): void {
    if (bytes !== this.#bytes) {
      this.#bytes = bytes;
      this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    }
    this.position = start;
    this.#end = end;
    this.isSyntax = false;
  }

  /** Reads the index of an optional field's union: 0 when it is null, 1 when a value follows. */
  unionIndex(): number | string {
    const defect = this.#varint();
    if (defect !== undefined) return defect;
    // Zigzag makes 0 and 1 of 0 and 2.
    if (this.#high !== 0 || (this.#low !== 0 && this.#low !== 2)) {
      return this.#fail('invalid union index');
    }
    return this.#low >>> 1;
  }

  /** Reads one value into a row. */
  read(type: DataType, into: ColumnBuilder, row: number): string | undefined {
    into.ensureRows(row + 1);
    const defect = this.#value(type, into, row);
    if (defect === undefined && into.validity !== null) setBit(into.validity, row, true);
    return defect;
  }

  #fail(defect: string): string {
    this.isSyntax = true;
    return defect;
  }

  #value(type: DataType, into: ColumnBuilder, row: number): string | undefined {
    if (typeof type !== 'string') {
      return type.kind === 'vec'
        ? this.#vec(type.element, into as VecBuilder, row)
        : this.#array(into as ArrayBuilder, row);
    }
    switch (type) {
      case 'BOOL': {
        if (this.position >= this.#end) return this.#fail('unexpected end');
        const octet = this.#bytes[this.position++] as number;
        if (octet > 1) return this.#fail('invalid boolean');
        setBit((into as BooleanBuilder).bits, row, octet === 1);
        return undefined;
      }
      case 'F32':
      case 'F64':
        return this.#float(type === 'F32' ? 4 : 8, into as FixedBuilder, row);
      case 'STRING':
      case 'BYTES':
        return this.#binary(type, into as BinaryBuilder, row);
      case 'DATETIME':
        return this.#datetime(into as FixedBuilder, row);
      default:
        return this.#integer(type, into as FixedBuilder, row);
    }
  }

  /** A variable-length integer of at most 64 bits. */
  #varint(): string | undefined {
    let low = 0;
    let high = 0;
    for (let index = 0; index < VARINT_BYTES_MAX; index += 1) {
      if (this.position >= this.#end) return this.#fail('unexpected end');
      const byte = this.#bytes[this.position++] as number;
      const bits = byte & 127;
      if (index < 4) low |= bits << (7 * index);
      else if (index === 4) {
        low |= bits << 28;
        high = bits >>> 4;
      } else high |= bits << (7 * index - 32);
      if (byte < 128) {
        if (index === 9 && bits > 1) return this.#fail('integer over 64 bits');
        this.#low = low >>> 0;
        this.#high = high >>> 0;
        return undefined;
      }
    }
    return this.#fail('integer over 64 bits');
  }

  /** The integer read last as a double, which is inexact from 2^53 on. */
  get #number(): number {
    const half = (this.#high * WORD + this.#low - (this.#low & 1)) / 2;
    return (this.#low & 1) === 0 ? half : -1 - half;
  }

  #integer(type: IntegerType, into: FixedBuilder, row: number): string | undefined {
    const defect = this.#varint();
    if (defect !== undefined) return defect;
    if (into.words === null) {
      const value = this.#number;
      const { min, max } = integerRange(type);
      if (value < Number(min) || value > Number(max)) return incompatible(type);
      into.values[row] = value;
      return undefined;
    }
    const sign = -(this.#low & 1);
    const low = ((this.#low >>> 1) | (this.#high << 31)) ^ sign;
    const high = (this.#high >>> 1) ^ sign;
    if (type === 'U64' && high < 0) return incompatible(type);
    into.words[row * 2] = low;
    into.words[row * 2 + 1] = high;
    return undefined;
  }

  #float(width: 4 | 8, into: FixedBuilder, row: number): string | undefined {
    const at = this.position;
    if (at + width > this.#end) return this.#fail('unexpected end');
    this.position = at + width;
    into.values[row] =
      width === 4 ? this.#view.getFloat32(at, true) : this.#view.getFloat64(at, true);
    return undefined;
  }

  /** Length of what follows, after which `position` is its first byte; or why there is none. */
  #length(): number | string {
    const defect = this.#varint();
    if (defect !== undefined) return defect;
    const length = this.#number;
    if (length < 0) return this.#fail('negative length');
    if (this.position + length > this.#end) return this.#fail('unexpected end');
    return length;
  }

  #binary(type: 'STRING' | 'BYTES', into: BinaryBuilder, row: number): string | undefined {
    const length = this.#length();
    if (typeof length === 'string') return length;
    const start = this.position;
    if (type === 'STRING' && invalidUtf8At(this.#bytes, start, start + length) >= 0) {
      return this.#fail('invalid UTF-8');
    }
    this.position = start + length;
    into.ensureBytes(row, length);
    const at = into.offsets[row] as number;
    copyRange(this.#bytes, start, start + length, into.bytes, at);
    into.offsets[row + 1] = at + length;
    return undefined;
  }

  #datetime(into: FixedBuilder, row: number): string | undefined {
    const length = this.#length();
    if (typeof length === 'string') return length;
    const start = this.position;
    if (invalidUtf8At(this.#bytes, start, start + length) >= 0) return this.#fail('invalid UTF-8');
    this.position = start + length;
    const { words } = into;
    const isRead =
      words !== null && readDatetimeInto(this.#bytes, start, this.position, words, row * 2);
    return isRead ? undefined : incompatible('DATETIME');
  }

  #vec(element: DataType, into: VecBuilder, row: number): string | undefined {
    const base = into.offsets[row] as number;
    const count = this.#items(element, into.child, base, Number.POSITIVE_INFINITY);
    if (typeof count === 'string') return count;
    into.offsets[row + 1] = base + count;
    return undefined;
  }

  #array(into: ArrayBuilder, row: number): string | undefined {
    const { element, length } = into.type;
    const count = this.#items(element, into.child, row * length, length);
    if (typeof count === 'string') return count;
    if (count === length) return undefined;
    const found = count > length ? 'a longer array' : `array of length ${count}`;
    return `expected ${printDataType(into.type)}, found ${found}`;
  }

  /**
   * Reads the blocks of an array.
   *
   * @returns the number of items, which reading leaves off as soon as it is above `countMax`
   */
  #items(element: DataType, into: ColumnBuilder, base: number, countMax: number): number | string {
    let count = 0;
    for (;;) {
      let defect = this.#varint();
      if (defect !== undefined) return defect;
      const declared = this.#number;
      if (declared === 0) return count;
      const items = Math.abs(declared);
      const isSized = declared < 0;
      const size = isSized ? this.#length() : this.#end - this.position;
      if (typeof size === 'string') return size;
      // An item takes a byte at least, so that a longer block cannot be.
      if (items > size) return this.#fail('unexpected end');
      const end = this.position + size;
      if (count + items > countMax) return count + items;
      for (const last = count + items; count < last; count += 1) {
        defect = this.read(element, into, base + count);
        if (defect !== undefined) return defect;
      }
      if (isSized && this.position !== end) return this.#fail('block of another size');
    }
  }
}

/** Reasons reach logs and error records, so they never hold a value. */
function incompatible(type: DataType): string {
  return `value is incompatible with ${printDataType(type)}`;
}
