import {
  type IntegerType,
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

/** Value of a constant: integers of every width and instants (nanoseconds) are bigints. */
export type ConstantValue = bigint | number | string | boolean;

/** A constant with its type; null of that type when `value` is null. */
export interface Constant {
  readonly type: ScalarType;
  readonly value: ConstantValue | null;
}

/**
 * Converts a present constant exactly as rows are converted.
 *
 * @returns the value, or undefined when the conversion fails
 */
export function castConstant(
  value: ConstantValue,
  from: ScalarType,
  to: ScalarType,
): ConstantValue | undefined {
  if (from === to) return value;
  if (typeof value === 'boolean') return castBoolean(value, to);
  if (typeof value === 'string') return castText(value, to);
  if (typeof value === 'bigint') return castInteger(value, from, to);
  return castFloat(value, from, to);
}

function castBoolean(value: boolean, to: ScalarType): ConstantValue | undefined {
  if (to === 'STRING') return String(value);
  if (isIntegerType(to)) return value ? 1n : 0n;
  return isFloatType(to) ? Number(value) : undefined;
}

/** Integers and instants. */
function castInteger(value: bigint, from: ScalarType, to: ScalarType): ConstantValue | undefined {
  if (to === 'STRING') return from === 'DATETIME' ? printDatetime(value) : String(value);
  if (to === 'BOOL') return from === 'DATETIME' ? undefined : value !== 0n;
  if (isFloatType(to)) return to === 'F32' ? integerToSingle(value) : Number(value);
  return toIntegral(value, to);
}

function castFloat(value: number, from: ScalarType, to: ScalarType): ConstantValue | undefined {
  if (to === 'STRING') return printFloat(value, from === 'F32');
  if (to === 'BOOL') return value !== 0;
  if (isFloatType(to)) return to === 'F32' ? Math.fround(value) : value;
  return Number.isFinite(value) ? toIntegral(BigInt(Math.trunc(value)), to) : undefined;
}

function castText(text: string, to: ScalarType): ConstantValue | undefined {
  if (isFloatType(to)) return (to === 'F32' ? readSingle(text) : readDouble(text)) ?? undefined;
  if (to === 'BOOL') return readBoolean(text);
  if (to === 'DATETIME') return readDatetimeText(text);
  return /^[+-]?[0-9]+$/.test(text) ? toIntegral(BigInt(text.replace('+', '')), to) : undefined;
}

function readDatetimeText(text: string): bigint | undefined {
  const bytes = new TextEncoder().encode(text);
  return readDatetime(bytes, 0, bytes.length) ?? undefined;
}

function toIntegral(value: bigint, to: ScalarType): bigint | undefined {
  // DATETIME counts nanoseconds in as many bits.
  if (to === 'DATETIME') return isInRange(value, 'I64') ? value : undefined;
  if (!isIntegerType(to)) return undefined;
  return isInRange(value, to) ? value : undefined;
}

/** True when the integer type holds the value. */
export function isInRange(value: bigint, type: IntegerType): boolean {
  const { min, max } = integerRange(type);
  return value >= min && value <= max;
}

const TRUE_WORDS: ReadonlySet<string> = new Set([
  't',
  'tr',
  'tru',
  'true',
  'y',
  'ye',
  'yes',
  'on',
  '1',
]);
const FALSE_WORDS: ReadonlySet<string> = new Set([
  'f',
  'fa',
  'fal',
  'fals',
  'false',
  'n',
  'no',
  'of',
  'off',
  '0',
]);
/** Unicode White_Space, which is not quite what String.prototype.trim removes. */
const SURROUNDING_SPACE = /^\p{White_Space}+|\p{White_Space}+$/gu;

function readBoolean(text: string): boolean | undefined {
  const trimmed = text.replace(SURROUNDING_SPACE, '');
  // Only ASCII letters fold: U+212A KELVIN SIGN and its like are no letters of these words.
  const word = trimmed.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
  if (TRUE_WORDS.has(word)) return true;
  return FALSE_WORDS.has(word) ? false : undefined;
}
