import {
  type DataType,
  type IntegerType,
  integerRange,
  readDatetimeInto,
  readSingle,
} from '@nervix/model';
import { readBase64Into } from '../column/base64.js';
import { setBit } from '../column/bitmap.js';
import type {
  BinaryBuilder,
  BooleanBuilder,
  ColumnBuilder,
  FixedBuilder,
} from '../column/column-builder.js';
import { copyRange } from '../column/copy-range.js';
import { asciiText, readInteger64Into } from './json/json-number.js';

const DECIMAL = /^-?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$/;
/** Longest text that is read as a float. */
const NUMBER_BYTES_MAX = 4096;

/**
 * Reads the UTF-8 text `bytes[start..end)` as a scalar into a row: integers as `-?[0-9]+`, floats as
 * decimals, BOOL as `true` or `false`, instants as RFC 3339, BYTES as padded base64.
 *
 * @returns false when the text is no value of the type; the row is then unfinished
 */
// biome-ignore lint/complexity/useMaxParams: a parameter object would cost an allocation a row.
export function readTextValue(
  type: DataType,
  bytes: Uint8Array,
  start: number,
  end: number,
  into: ColumnBuilder,
  row: number,
): boolean {
  into.ensureRows(row + 1);
  const isRead = readValueInto(type, bytes, start, end, into, row);
  if (isRead && into.validity !== null) setBit(into.validity, row, true);
  return isRead;
}

// biome-ignore lint/complexity/useMaxParams: a parameter object would cost an allocation a row.
function readValueInto(
  type: DataType,
  bytes: Uint8Array,
  start: number,
  end: number,
  into: ColumnBuilder,
  row: number,
): boolean {
  switch (type) {
    case 'STRING':
    case 'BYTES':
      return readBinary(type, bytes, start, end, into as BinaryBuilder, row);
    case 'BOOL': {
      const text = end - start > 5 ? '' : asciiText(bytes, start, end);
      setBit((into as BooleanBuilder).bits, row, text === 'true');
      return text === 'true' || text === 'false';
    }
    case 'DATETIME': {
      const { words } = into as FixedBuilder;
      return words !== null && readDatetimeInto(bytes, start, end, words, row * 2);
    }
    case 'F32':
    case 'F64':
      return readFloat(type, bytes, start, end, into as FixedBuilder, row);
    default:
      if (typeof type !== 'string') return false;
      return readInteger(type, bytes, start, end, into as FixedBuilder, row);
  }
}

// biome-ignore lint/complexity/useMaxParams: a parameter object would cost an allocation a row.
function readBinary(
  type: 'STRING' | 'BYTES',
  bytes: Uint8Array,
  start: number,
  end: number,
  into: BinaryBuilder,
  row: number,
): boolean {
  into.ensureBytes(row, end - start);
  const at = into.offsets[row] as number;
  let count = end - start;
  if (type === 'STRING') copyRange(bytes, start, end, into.bytes, at);
  else count = readBase64Into(bytes, start, end, into.bytes, at);
  into.offsets[row + 1] = at + count;
  return count >= 0;
}

// biome-ignore lint/complexity/useMaxParams: a parameter object would cost an allocation a row.
function readFloat(
  type: 'F32' | 'F64',
  bytes: Uint8Array,
  start: number,
  end: number,
  into: FixedBuilder,
  row: number,
): boolean {
  if (end - start > NUMBER_BYTES_MAX) return false;
  const text = asciiText(bytes, start, end);
  if (!DECIMAL.test(text)) return false;
  const value = type === 'F32' ? (readSingle(text) ?? Number.NaN) : Number(text);
  into.values[row] = value;
  return Number.isFinite(value);
}

// biome-ignore lint/complexity/useMaxParams: a parameter object would cost an allocation a row.
function readInteger(
  type: IntegerType,
  bytes: Uint8Array,
  start: number,
  end: number,
  into: FixedBuilder,
  row: number,
): boolean {
  const isNegative = bytes[start] === 0x2d;
  const first = isNegative ? start + 1 : start;
  for (let at = first; at < end; at += 1) if (!isDigit(bytes[at])) return false;
  if (first >= end) return false;
  let from = first;
  while (from < end - 1 && bytes[from] === 0x30) from += 1;
  const digits = end - from;
  if (digits > 20) return false;
  if (into.words !== null) {
    const isUnsigned = type === 'U64';
    if (from === first && !isDigit(bytes[end])) {
      return readInteger64Into(bytes, start, into.words, row * 2, isUnsigned) === end;
    }
    // The reader takes no leading zeros and stops only at what is no digit.
    const text = new Uint8Array(bytes.subarray(isNegative ? from - 1 : from, end));
    if (isNegative) text[0] = 0x2d;
    return readInteger64Into(text, 0, into.words, row * 2, isUnsigned) === text.length;
  }
  let value = 0;
  for (let at = from; at < end; at += 1) value = value * 10 + ((bytes[at] as number) - 48);
  if (isNegative) value = -value;
  const { min, max } = integerRange(type);
  if (value < Number(min) || value > Number(max)) return false;
  into.values[row] = value;
  return true;
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 0x30 && byte <= 0x39;
}
