import {
  columnTypeName,
  type DataType,
  integerRange,
  integerToSingle,
  isFloatType,
  isIntegerType,
  printDatetime,
  printFloat,
  readDatetime,
  readDouble,
  readSingle,
  type ScalarType,
} from '@nervix/model';
import type { Value } from '../column/column.js';
import { encodeText } from '../column/text.js';
import { trimText } from '../function/text-functions.js';

const I64_RANGE = integerRange('I64');
const TRUE_WORDS = new Set(['t', 'tr', 'tru', 'true', 'y', 'ye', 'yes', 'on', '1']);
const FALSE_WORDS = new Set(['f', 'fa', 'fal', 'fals', 'false', 'n', 'no', 'of', 'off', '0']);
const INTEGER_TEXT = /^([+-]?)0*([0-9]+)$/;
const INTEGER_DIGITS_MAX = 20;

/** Text of a failed conversion to a type. */
export function castDetail(target: ScalarType): string {
  return `cannot cast value to ${target === 'DATETIME' ? 'Datetime' : columnTypeName(target)}`;
}

/** An integer in the form its type is kept in: bigint for 64 bits, else number. */
export function integerValue(value: bigint, type: DataType): bigint | number {
  return type === 'I64' || type === 'U64' || type === 'DATETIME' ? value : Number(value);
}

/**
 * Converts a present scalar value.
 *
 * @returns undefined when the conversion fails
 */
export function castValue(value: Value, from: ScalarType, to: ScalarType): Value | undefined {
  if (from === to) return value;
  if (from === 'STRING') return castText(value as string, to);
  if (from === 'BOOL') return castBoolean(value as boolean, to);
  if (isFloatType(from)) return castFloat(value as number, from === 'F32', to);
  if (from === 'BYTES') return undefined;
  return castInteger(BigInt(value as number | bigint), from, to);
}

function intoRange(value: bigint, to: ScalarType): Value | undefined {
  const range = isIntegerType(to) ? integerRange(to) : I64_RANGE;
  return value < range.min || value > range.max ? undefined : integerValue(value, to);
}

function castInteger(value: bigint, from: ScalarType, to: ScalarType): Value | undefined {
  switch (to) {
    case 'F32':
      return integerToSingle(value);
    case 'F64':
      return Number(value);
    case 'BOOL':
      return from === 'DATETIME' ? undefined : value !== 0n;
    case 'STRING':
      return from === 'DATETIME' ? printDatetime(value) : value.toString();
    case 'BYTES':
      return undefined;
    default:
      return intoRange(value, to);
  }
}

function castFloat(value: number, isSingle: boolean, to: ScalarType): Value | undefined {
  switch (to) {
    case 'F32':
      return Math.fround(value);
    case 'F64':
      return value;
    case 'BOOL':
      return value !== 0;
    case 'STRING':
      return printFloat(value, isSingle);
    case 'BYTES':
      return undefined;
    default:
      return Number.isFinite(value) ? intoRange(BigInt(Math.trunc(value)), to) : undefined;
  }
}

function castBoolean(value: boolean, to: ScalarType): Value | undefined {
  switch (to) {
    case 'DATETIME':
    case 'BYTES':
      return undefined;
    case 'STRING':
      return value ? 'true' : 'false';
    case 'F32':
    case 'F64':
      return value ? 1 : 0;
    default:
      return intoRange(value ? 1n : 0n, to);
  }
}

function castText(text: string, to: ScalarType): Value | undefined {
  switch (to) {
    case 'F32':
      return readSingle(text) ?? undefined;
    case 'F64':
      return readDouble(text) ?? undefined;
    case 'BOOL': {
      const word = lowerAscii(trimText(text, true, true));
      if (TRUE_WORDS.has(word)) return true;
      return FALSE_WORDS.has(word) ? false : undefined;
    }
    case 'DATETIME': {
      const bytes = encodeText(text);
      return readDatetime(bytes, 0, bytes.length) ?? undefined;
    }
    case 'BYTES':
      return undefined;
    default: {
      const match = INTEGER_TEXT.exec(text);
      const digits = match?.[2];
      if (digits === undefined || digits.length > INTEGER_DIGITS_MAX) return undefined;
      return intoRange(match?.[1] === '-' ? -BigInt(digits) : BigInt(digits), to);
    }
  }
}

function lowerAscii(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}
