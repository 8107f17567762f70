import { readSingle } from '@nervix/model';

const WORD = 4_294_967_296;
const HALF = 65_536;
const BILLION = 1_000_000_000;

/** Powers of ten that are exact doubles. */
export const EXACT_POWERS: Float64Array = Float64Array.from({ length: 23 }, (_, n) =>
  Number(`1e${n}`),
);

/**
 * Reads `-?digits` at `at` as a 64-bit integer and writes its words to `words[to]`, exactly and
 * without a BigInt.
 *
 * @returns the position behind the digits, or -1 when they are none or do not fit
 */
// biome-ignore lint/complexity/useMaxParams: a parameter object would cost an allocation a row.
export function readInteger64Into(
  bytes: Uint8Array,
  at: number,
  words: Int32Array,
  to: number,
  isUnsigned: boolean,
): number {
  const isNegative = bytes[at] === 0x2d;
  const first = isNegative ? at + 1 : at;
  let position = first;
  let digit = (bytes[position] as number) - 48;
  if (digit === 0) position += 1;
  else while (digit >= 0 && digit <= 9) digit = (bytes[++position] as number) - 48;
  const count = position - first;
  if (count === 0 || count > 20) return -1;
  const split = Math.max(first, position - 9);
  let upper = 0;
  for (let index = first; index < split; index += 1) {
    upper = upper * 10 + ((bytes[index] as number) - 48);
  }
  let lower = 0;
  for (let index = split; index < position; index += 1) {
    lower = lower * 10 + ((bytes[index] as number) - 48);
  }
  return storeMagnitude(upper, lower, isNegative, isUnsigned, words, to) ? position : -1;
}

/** Stores `±(upper * 10^9 + lower)`; false when it leaves the type. */
// biome-ignore lint/complexity/useMaxParams: a parameter object would cost an allocation a row.
function storeMagnitude(
  upper: number,
  lower: number,
  isNegative: boolean,
  isUnsigned: boolean,
  words: Int32Array,
  to: number,
): boolean {
  const upperHigh = Math.floor(upper / HALF);
  const bottom = (upper - upperHigh * HALF) * BILLION + lower;
  const middle = upperHigh * BILLION;
  const middleHigh = Math.floor(middle / HALF);
  const lowSum = (middle - middleHigh * HALF) * HALF + bottom;
  const carry = Math.floor(lowSum / WORD);
  const low = lowSum - carry * WORD;
  const high = middleHigh + carry;
  if (isUnsigned) {
    if (high >= WORD || (isNegative && (high !== 0 || low !== 0))) return false;
    words[to] = low;
    words[to + 1] = high;
    return true;
  }
  if (!isNegative) {
    if (high > 0x7fffffff) return false;
    words[to] = low;
    words[to + 1] = high;
    return true;
  }
  if (high > 0x80000000 || (high === 0x80000000 && low > 0)) return false;
  words[to] = low === 0 ? 0 : WORD - low;
  words[to + 1] = low === 0 ? -high : -high - 1;
  return true;
}

/** Text of an ASCII token. */
export function asciiText(bytes: Uint8Array, start: number, end: number): string {
  let text = '';
  for (let index = start; index < end; index += 1) {
    text += String.fromCharCode(bytes[index] as number);
  }
  return text;
}

/** Nearest float of a JSON number token; infinite when the type cannot hold it. */
export function readFloatToken(
  bytes: Uint8Array,
  start: number,
  end: number,
  isSingle: boolean,
): number {
  const text = asciiText(bytes, start, end);
  return isSingle ? (readSingle(text) ?? Number.NaN) : Number(text);
}

/** Position behind the bytes that a JSON number may consist of. */
export function numberTokenEnd(bytes: Uint8Array, at: number, end: number): number {
  let position = at;
  while (position < end) {
    const byte = bytes[position] as number;
    const isPart =
      (byte >= 48 && byte <= 57) || byte === 0x2e || (byte | 0x20) === 0x65 || byte === 0x2d;
    if (!isPart && byte !== 0x2b) break;
    position += 1;
  }
  return position;
}
