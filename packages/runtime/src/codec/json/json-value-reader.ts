import {
  type DataType,
  type IntegerType,
  integerRange,
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
import { asciiText, readFloatToken, readInteger64Into } from './json-number.js';
import type { JsonScanner } from './json-scanner.js';
import { JsonTextReader } from './json-text.js';

/**
 * Writes JSON values whose syntax was checked into column builders. `read` writes one row and returns
 * why the value does not have the type, if it does not; the row is then unfinished.
 */
export class JsonValueReader {
  readonly #text = new JsonTextReader();
  readonly #scanner: JsonScanner;
  #bytes: Uint8Array = new Uint8Array(0);

  constructor(scanner: JsonScanner) {
    this.#scanner = scanner;
  }

  /** Starts on a payload. */
  open(bytes: Uint8Array): void {
    this.#bytes = bytes;
  }

  /** Reads the value in `bytes[start..end)`, which is not null. */
  // biome-ignore lint/complexity/useMaxParams: a parameter object would cost an allocation a row.
  read(
    type: DataType,
    start: number,
    end: number,
    into: ColumnBuilder,
    row: number,
  ): string | undefined {
    into.ensureRows(row + 1);
    const defect = this.#value(type, start, end, into, row);
    if (defect === undefined && into.validity !== null) setBit(into.validity, row, true);
    return defect;
  }

  // biome-ignore lint/complexity/useMaxParams: a parameter object would cost an allocation a row.
  #value(
    type: DataType,
    start: number,
    end: number,
    into: ColumnBuilder,
    row: number,
  ): string | undefined {
    if (typeof type !== 'string') return this.#list(type, start, into, row);
    const first = this.#bytes[start];
    switch (type) {
      case 'BOOL': {
        if (first !== 0x74 && first !== 0x66) return this.#mismatch(type, start);
        setBit((into as BooleanBuilder).bits, row, first === 0x74);
        return undefined;
      }
      case 'STRING':
      case 'BYTES':
        if (first !== 0x22) return this.#mismatch(type, start);
        return this.#binary(type, start, end, into as BinaryBuilder, row);
      case 'DATETIME': {
        if (first !== 0x22) return this.#mismatch(type, start);
        const isRead = this.#datetime(start, end, into as FixedBuilder, row);
        return isRead ? undefined : incompatible(type);
      }
      case 'F32':
      case 'F64': {
        if (!this.#isNumber(start)) return this.#mismatch(type, start);
        const value = readFloatToken(this.#bytes, start, end, type === 'F32');
        if (!Number.isFinite(value)) return incompatible(type);
        (into as FixedBuilder).values[row] = value;
        return undefined;
      }
      default:
        if (!this.#isNumber(start)) return this.#mismatch(type, start);
        return this.#integer(type, start, end, into as FixedBuilder, row);
    }
  }

  #isNumber(start: number): boolean {
    const first = this.#bytes[start] as number;
    return first === 0x2d || (first >= 0x30 && first <= 0x39);
  }

  // biome-ignore lint/complexity/useMaxParams: a parameter object would cost an allocation a row.
  #integer(
    type: IntegerType,
    start: number,
    end: number,
    into: FixedBuilder,
    row: number,
  ): string | undefined {
    if (into.words !== null) {
      const after = readInteger64Into(this.#bytes, start, into.words, row * 2, type === 'U64');
      return after === end ? undefined : incompatible(type);
    }
    const text = asciiText(this.#bytes, start, end);
    const { min, max } = integerRange(type);
    const value = Number(text);
    const isInteger = /^-?[0-9]+$/.test(text);
    if (!isInteger || value < Number(min) || value > Number(max)) {
      return incompatible(type);
    }
    into.values[row] = value;
    return undefined;
  }

  // biome-ignore lint/complexity/useMaxParams: a parameter object would cost an allocation a row.
  #binary(
    type: 'STRING' | 'BYTES',
    start: number,
    end: number,
    into: BinaryBuilder,
    row: number,
  ): string | undefined {
    into.ensureBytes(row, end - start);
    const at = into.offsets[row] as number;
    this.#text.read(this.#bytes, start + 1, end, into.bytes, at);
    let { written } = this.#text;
    if (type === 'BYTES') {
      const encoded = into.bytes.slice(at, written);
      const count = readBase64Into(encoded, 0, encoded.length, into.bytes, at);
      if (count < 0) return incompatible(type);
      written = at + count;
    }
    into.offsets[row + 1] = written;
    return undefined;
  }

  #datetime(start: number, end: number, into: FixedBuilder, row: number): boolean {
    const text = new Uint8Array(end - start);
    this.#text.read(this.#bytes, start + 1, end, text, 0);
    if (into.words === null) return false;
    return readDatetimeInto(text, 0, this.#text.written, into.words, row * 2);
  }

  #list(
    type: Exclude<DataType, string>,
    start: number,
    into: ColumnBuilder,
    row: number,
  ): string | undefined {
    if (this.#bytes[start] !== 0x5b) return this.#mismatch(type, start);
    const isVec = type.kind === 'vec';
    const builder = into as VecBuilder | ArrayBuilder;
    const first = isVec
      ? ((builder as VecBuilder).offsets[row] as number)
      : row * (type as { length: number }).length;
    const limit = isVec ? Number.POSITIVE_INFINITY : (type as { length: number }).length;
    let count = 0;
    let position = this.#scanner.space(start + 1);
    while (this.#bytes[position] !== 0x5d) {
      if (this.#bytes[position] === 0x6e) return `list contains null at index ${count}`;
      const after = this.#scanner.value(position, 1);
      if (count < limit) {
        const defect = this.read(type.element, position, after, builder.child, first + count);
        if (defect !== undefined) return defect;
      }
      count += 1;
      position = this.#scanner.space(after);
      if (this.#bytes[position] === 0x2c) position = this.#scanner.space(position + 1);
    }
    if (!isVec && count !== limit) {
      return `expected ${printDataType(type)}, found array of length ${count}`;
    }
    if (isVec) (builder as VecBuilder).offsets[row + 1] = first + count;
    return undefined;
  }

  #mismatch(type: DataType, start: number): string {
    return `expected ${printDataType(type)}, found ${jsonKind(this.#bytes[start])}`;
  }
}

/** Reasons reach logs and error records, so they never hold a value. */
function incompatible(type: DataType): string {
  return `value is incompatible with ${printDataType(type)}`;
}

function jsonKind(first: number | undefined): string {
  switch (first) {
    case 0x22:
      return 'string';
    case 0x7b:
      return 'object';
    case 0x5b:
      return 'array';
    case 0x74:
    case 0x66:
      return 'boolean';
    case 0x6e:
      return 'null';
    default:
      return 'number';
  }
}
