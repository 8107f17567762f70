import type { FloatType } from '@nervix/model';

const DECIMAL = /^([+-]?)(?:(\d+)(?:\.(\d*))?|\.(\d+))(?:[eE]([+-]?\d+))?$/;
const NON_FINITE = /^([+-]?)(nan|inf|infinity)$/i;

/**
 * Reads a decimal text as the nearest value of a float type, in one rounding.
 *
 * @returns the value, or undefined when the text is no number
 */
export function readFloat(text: string, type: FloatType): number | undefined {
  const special = NON_FINITE.exec(text);
  if (special !== null) {
    if (special[2]?.toLowerCase() === 'nan') return Number.NaN;
    return special[1] === '-' ? -Infinity : Infinity;
  }
  if (!DECIMAL.test(text)) return undefined;
  const value = Number(text);
  return type === 'F64' ? value : roundDecimalToSingle(text, value);
}

/** The integer as the nearest value of a float type, in one rounding. */
export function integerToFloat(value: bigint, type: FloatType): number {
  if (type === 'F64') return Number(value);
  const magnitude = value < 0n ? -value : value;
  // 53 leading bits with the rest gathered into the last one decide the same rounding to 24 bits.
  const excess = Math.max(magnitude.toString(2).length - 53, 0);
  const leading = magnitude >> BigInt(excess);
  const isExact = leading << BigInt(excess) === magnitude;
  const gathered = Number(isExact ? leading : leading | 1n) * 2 ** excess;
  return Math.fround(value < 0n ? -gathered : gathered);
}

/**
 * A decimal text may lie beside the middle of two singles and its nearest double exactly on it;
 * then the text itself decides which of the two is nearer.
 */
function roundDecimalToSingle(text: string, nearestDouble: number): number {
  const single = Math.fround(nearestDouble);
  if (single === nearestDouble || Number.isNaN(single)) return single;
  const edge = Math.sign(nearestDouble) * SINGLE_MAX;
  const other = Number.isFinite(single) ? 2 * nearestDouble - single : edge;
  const isMiddle = Number.isFinite(single)
    ? other !== single && Math.fround(other) === other
    : Math.abs(nearestDouble) === SINGLE_OVERFLOW;
  if (!isMiddle) return single;
  const side = compareDecimal(text, nearestDouble);
  if (side === 0) return single;
  return side > 0 ? Math.max(single, other) : Math.min(single, other);
}

const SINGLE_MAX = 2 ** 128 - 2 ** 104;
/** The middle between the largest single and the next power of two. */
const SINGLE_OVERFLOW = 2 ** 128 - 2 ** 103;

/** Compares the exact value of a decimal text with a finite double. */
function compareDecimal(text: string, value: number): number {
  const match = DECIMAL.exec(text);
  if (match === null) return 0;
  const fraction = match[3] ?? match[4] ?? '';
  const digits = BigInt(`${match[2] ?? ''}${fraction}` || '0');
  const exponent = BigInt(match[5] ?? '0') - BigInt(fraction.length);
  let mantissa = value;
  let halvings = 0n;
  while (!Number.isInteger(mantissa)) {
    mantissa *= 2;
    halvings += 1n;
  }
  let left = (match[1] === '-' ? -digits : digits) << halvings;
  let right = BigInt(mantissa);
  if (exponent >= 0n) left *= 10n ** exponent;
  else right *= 10n ** -exponent;
  if (left === right) return 0;
  return left < right ? -1 : 1;
}

/** Prints a float with the fewest digits that read back as the same value of its type. */
export function printFloat(value: number, type: FloatType): string {
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value < 0 ? '-inf' : 'inf';
  if (value === 0) return Object.is(value, -0) ? '-0' : '0';
  return withoutExponent(type === 'F64' ? String(value) : shortestSingle(value));
}

function shortestSingle(value: number): string {
  for (let precision = 1; precision < 9; precision += 1) {
    const text = value.toPrecision(precision);
    if (readFloat(text, 'F32') === value) return String(Number(text));
  }
  return String(Number(value.toPrecision(9)));
}

function withoutExponent(text: string): string {
  const match = /^(-?)(\d+)(?:\.(\d+))?e([+-]\d+)$/.exec(text);
  if (match === null) return text;
  const [, sign = '', integer = '', fraction = '', exponentText = '0'] = match;
  const exponent = Number(exponentText);
  const digits = `${integer}${fraction}`;
  const point = integer.length + exponent;
  if (point <= 0) return `${sign}0.${'0'.repeat(-point)}${digits}`;
  if (point >= digits.length) return `${sign}${digits}${'0'.repeat(point - digits.length)}`;
  return `${sign}${digits.slice(0, point)}.${digits.slice(point)}`;
}
