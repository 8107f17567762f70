import {
  type DataType,
  type IntegerType,
  integerRange,
  integerToSingle,
  printDataType,
  readDatetimeInto,
} from '@nervix/model';
import { readBase64Into } from '../../column/base64.js';
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
import { readDoubleBits, readHalf, readSingleBits } from './cbor-float.js';
import { BREAK, type CborScanner, INDEFINITE, MAJOR } from './cbor-scanner.js';

const KINDS = ['integer', 'integer', 'byte string', 'text', 'array', 'map'];

/**
 * Writes CBOR items that were scanned into column builders. `read` writes one row and returns why the
 * item does not have the type, if it does not; the row is then unfinished.
 */
export class CborValueReader {
  readonly #scanner: CborScanner;
  #bytes: Uint8Array = new Uint8Array(0);
  #text: Uint8Array = new Uint8Array(64);

  constructor(scanner: CborScanner) {
    this.#scanner = scanner;
  }

  /** Starts on a payload. */
  open(bytes: Uint8Array): void {
    this.#bytes = bytes;
  }

  /** Reads the item at `at`, which is neither null nor undefined. */
  read(type: DataType, at: number, into: ColumnBuilder, row: number): string | undefined {
    into.ensureRows(row + 1);
    const defect = this.#value(type, at, into, row);
    if (defect === undefined && into.validity !== null) setBit(into.validity, row, true);
    return defect;
  }

  /** Copies the text at `at`, whole or in chunks, to `target` from `to`; returns its length. */
  copyText(at: number, target: Uint8Array, to: number): number {
    const scanner = this.#scanner;
    let position = scanner.head(at);
    if (scanner.detail !== INDEFINITE) {
      const length = scanner.argument;
      copyRange(this.#bytes, position, position + length, target, to);
      return length;
    }
    let written = to;
    while (this.#bytes[position] !== BREAK) {
      position = scanner.head(position);
      const next = position + scanner.argument;
      copyRange(this.#bytes, position, next, target, written);
      written += next - position;
      position = next;
    }
    return written - to;
  }

  #value(type: DataType, at: number, into: ColumnBuilder, row: number): string | undefined {
    const scanner = this.#scanner;
    const after = scanner.head(at);
    if (typeof type !== 'string') {
      if (scanner.major !== MAJOR.array) return this.#mismatch(type);
      return this.#list(type, after, into, row);
    }
    switch (type) {
      case 'BOOL': {
        const isBoolean = scanner.major === MAJOR.simple && scanner.detail <= 21;
        if (!isBoolean) return this.#mismatch(type);
        setBit((into as BooleanBuilder).bits, row, scanner.detail === 21);
        return undefined;
      }
      case 'STRING':
      case 'BYTES':
        if (scanner.major !== MAJOR.text) return this.#mismatch(type);
        return this.#binary(type, at, into as BinaryBuilder, row);
      case 'DATETIME':
        if (scanner.major !== MAJOR.text) return this.#mismatch(type);
        return this.#datetime(at, into as FixedBuilder, row) ? undefined : incompatible(type);
      case 'F32':
      case 'F64':
        return this.#float(type, into as FixedBuilder, row);
      default:
        if (scanner.major > MAJOR.negative) return this.#mismatch(type);
        return this.#integer(type, into as FixedBuilder, row);
    }
  }

  #integer(type: IntegerType, into: FixedBuilder, row: number): string | undefined {
    const { major, high, low, argument } = this.#scanner;
    const isNegative = major === MAJOR.negative;
    if (into.words === null) {
      const value = isNegative ? -1 - argument : argument;
      const { min, max } = integerRange(type);
      if (value < Number(min) || value > Number(max)) return incompatible(type);
      into.values[row] = value;
      return undefined;
    }
    const isTooLarge = type === 'U64' ? isNegative : high > 0x7fffffff;
    if (isTooLarge) return incompatible(type);
    into.words[row * 2] = isNegative ? ~low : low;
    into.words[row * 2 + 1] = isNegative ? ~high : high;
    return undefined;
  }

  #float(type: 'F32' | 'F64', into: FixedBuilder, row: number): string | undefined {
    const scanner = this.#scanner;
    const isFloat = scanner.major === MAJOR.simple && scanner.detail >= 25;
    if (!isFloat && scanner.major > MAJOR.negative) return this.#mismatch(type);
    const value = isFloat ? this.#floatValue() : this.#nearest(type);
    const stored = type === 'F32' ? Math.fround(value) : value;
    if (Number.isFinite(value) && !Number.isFinite(stored)) return incompatible(type);
    into.values[row] = stored;
    return undefined;
  }

  #floatValue(): number {
    const { detail, high, low } = this.#scanner;
    if (detail === 25) return readHalf(low);
    return detail === 26 ? readSingleBits(low) : readDoubleBits(high, low);
  }

  /** The float nearest to an integer, in one rounding. */
  #nearest(type: 'F32' | 'F64'): number {
    const { major, high, low, argument } = this.#scanner;
    const isNegative = major === MAJOR.negative;
    if (high < 0x100000) return isNegative ? -1 - argument : argument;
    const magnitude = (BigInt(high) << 32n) | BigInt(low);
    const value = isNegative ? -1n - magnitude : magnitude;
    return type === 'F64' ? Number(value) : integerToSingle(value);
  }

  #binary(
    type: 'STRING' | 'BYTES',
    at: number,
    into: BinaryBuilder,
    row: number,
  ): string | undefined {
    const start = into.offsets[row] as number;
    if (type === 'BYTES') {
      const length = this.#scratchText(at);
      into.ensureBytes(row, length);
      const count = readBase64Into(this.#text, 0, length, into.bytes, start);
      if (count < 0) return incompatible(type);
      into.offsets[row + 1] = start + count;
      return undefined;
    }
    into.ensureBytes(row, this.#textBound(at));
    into.offsets[row + 1] = start + this.copyText(at, into.bytes, start);
    return undefined;
  }

  #datetime(at: number, into: FixedBuilder, row: number): boolean {
    const length = this.#scratchText(at);
    if (into.words === null) return false;
    return readDatetimeInto(this.#text, 0, length, into.words, row * 2);
  }

  #textBound(at: number): number {
    this.#scanner.head(at);
    if (this.#scanner.detail !== INDEFINITE) return this.#scanner.argument;
    return this.#scanner.value(at, 0) - at;
  }

  #scratchText(at: number): number {
    const bound = this.#textBound(at);
    if (this.#text.length < bound) this.#text = new Uint8Array(bound * 2);
    return this.copyText(at, this.#text, 0);
  }

  #list(
    type: Exclude<DataType, string>,
    first: number,
    into: ColumnBuilder,
    row: number,
  ): string | undefined {
    const scanner = this.#scanner;
    const isIndefinite = scanner.detail === INDEFINITE;
    const declared = isIndefinite ? Number.POSITIVE_INFINITY : scanner.argument;
    const isVec = type.kind === 'vec';
    const builder = into as VecBuilder | ArrayBuilder;
    const base = isVec
      ? ((builder as VecBuilder).offsets[row] as number)
      : row * (type as { length: number }).length;
    const limit = isVec ? Number.POSITIVE_INFINITY : (type as { length: number }).length;
    let count = 0;
    let position = first;
    while (count < declared && !(isIndefinite && this.#bytes[position] === BREAK)) {
      if (isNull(this.#bytes[position])) return `list contains null at index ${count}`;
      if (count < limit) {
        const defect = this.read(type.element, position, builder.child, base + count);
        if (defect !== undefined) return defect;
      }
      position = scanner.value(position, 1);
      count += 1;
    }
    if (!isVec && count !== limit) {
      return `expected ${printDataType(type)}, found array of length ${count}`;
    }
    if (isVec) (builder as VecBuilder).offsets[row + 1] = base + count;
    return undefined;
  }

  #mismatch(type: DataType): string {
    const { major, detail } = this.#scanner;
    const found = KINDS[major] ?? (detail < 22 ? 'boolean' : 'float');
    return `expected ${printDataType(type)}, found ${found}`;
  }
}

/** Whether an item's first byte says null or undefined. */
export function isNull(first: number | undefined): boolean {
  return first === 0xf6 || first === 0xf7;
}

/** Reasons reach logs and error records, so they never hold a value. */
function incompatible(type: DataType): string {
  return `value is incompatible with ${printDataType(type)}`;
}
