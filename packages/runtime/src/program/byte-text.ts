import { ViewCache } from '../column/copy-range.js';
import { decodeText, encodeTextInto } from '../column/text.js';
import { countArgument, trimText } from '../function/text-functions.js';

/** Growing space for texts that one run computes; views of it stay readable when it grows. */
export class TextArena {
  /** The text of the last call that produced one. */
  bytes: Uint8Array = new Uint8Array(0);
  start = 0;
  end = 0;
  #space: Uint8Array = new Uint8Array(4096);
  #used = 0;

  /** Forgets the texts of earlier rows. */
  clear(): void {
    this.#used = 0;
  }

  /** Room for `count` bytes at `start` of `bytes`; the caller sets `end` and calls `seal`. */
  open(count: number): void {
    if (this.#space.length - this.#used < count) {
      this.#space = new Uint8Array(Math.max(count, this.#space.length * 2));
      this.#used = 0;
    }
    this.bytes = this.#space;
    this.start = this.#used;
  }

  seal(end: number): void {
    this.end = end;
    this.#used = end;
  }

  /** Makes a text the current one. */
  put(text: string): void {
    this.open(text.length * 3);
    this.seal(this.start + encodeTextInto(text, this.bytes, this.start));
  }

  /** Makes a part of another text the current one. */
  share(bytes: Uint8Array, start: number, end: number): void {
    this.bytes = bytes;
    this.start = start;
    this.end = end;
  }
}

/** The bit of each byte of a word that no ASCII has. */
export const HIGH_BITS: number = 0x80808080 | 0;
const CASE_WORDS_MIN = 16;
const sources = new ViewCache();
const targets = new ViewCache();

/** Added to the bytes of a word, these carry into the high bit from the first and past the last. */
export const FROM_LOWER_A = 0x1f1f1f1f;
export const PAST_LOWER_Z = 0x05050505;
export const FROM_UPPER_A = 0x3f3f3f3f;
export const PAST_UPPER_Z = 0x25252525;

/** `lower` or `upper`: ASCII byte by byte, anything else by the host's full mapping. */
// biome-ignore lint/complexity/useMaxParams: a parameter object would cost an allocation a row.
export function mapCase(
  arena: TextArena,
  bytes: Uint8Array,
  start: number,
  end: number,
  isUpper: boolean,
): void {
  arena.open(end - start);
  const target = arena.bytes;
  const first = isUpper ? 0x61 : 0x41;
  let from = start;
  if (end - start >= CASE_WORDS_MIN) {
    const shift = arena.start - start;
    from = mapCaseWords(sources.of(bytes), start, end, targets.of(target), shift, isUpper);
  }
  let to = arena.start + from - start;
  for (; from < end; from += 1) {
    const byte = bytes[from] as number;
    if (byte > 127) {
      const text = decodeText(bytes, start, end);
      arena.put(isUpper ? text.toUpperCase() : text.toLowerCase());
      return;
    }
    target[to++] = (byte - first) >>> 0 < 26 ? byte ^ 0x20 : byte;
  }
  arena.seal(to);
}

/** Maps whole words of ASCII and returns the position of the first byte that is left. */
// biome-ignore lint/complexity/useMaxParams: a parameter object would cost an allocation a row.
function mapCaseWords(
  source: DataView,
  start: number,
  end: number,
  target: DataView,
  shift: number,
  isUpper: boolean,
): number {
  const from = isUpper ? FROM_LOWER_A : FROM_UPPER_A;
  const past = isUpper ? PAST_LOWER_Z : PAST_UPPER_Z;
  let position = start;
  for (const last = end - 4; position <= last; position += 4) {
    const word = source.getInt32(position, true);
    if ((word & HIGH_BITS) !== 0) return position;
    const letters = ((word + from) ^ (word + past)) & HIGH_BITS;
    target.setInt32(position + shift, word ^ (letters >>> 2), true);
  }
  return position;
}

function isAsciiSpace(byte: number): boolean {
  return byte === 0x20 || (byte >= 9 && byte <= 13);
}

/** `trim`, `ltrim` and `rtrim`; the result is a part of the text. */
// biome-ignore lint/complexity/useMaxParams: a parameter object would cost an allocation a row.
export function trimBytes(
  arena: TextArena,
  bytes: Uint8Array,
  start: number,
  end: number,
  sides: number,
): void {
  let from = start;
  let to = end;
  if ((sides & 1) !== 0) while (from < to && isAsciiSpace(bytes[from] as number)) from += 1;
  if ((sides & 2) !== 0) while (to > from && isAsciiSpace(bytes[to - 1] as number)) to -= 1;
  const isOther = from < to && ((bytes[from] as number) > 127 || (bytes[to - 1] as number) > 127);
  if (!isOther) arena.share(bytes, from, to);
  else arena.put(trimText(decodeText(bytes, from, to), (sides & 1) !== 0, (sides & 2) !== 0));
}

/** Characters of a text. */
export function countCharacters(bytes: Uint8Array, start: number, end: number): number {
  let count = 0;
  for (let index = start; index < end; index += 1) {
    if (((bytes[index] as number) & 0xc0) !== 0x80) count += 1;
  }
  return count;
}

/** Position behind `count` characters from `start`. */
function skipCharacters(bytes: Uint8Array, start: number, end: number, count: number): number {
  let position = start;
  for (let left = count; left > 0 && position < end; left -= 1) {
    position += 1;
    while (position < end && ((bytes[position] as number) & 0xc0) === 0x80) position += 1;
  }
  return position;
}

type Count = number | bigint;

/** `substr`; a length of null reads to the end. */
// biome-ignore lint/complexity/useMaxParams: a parameter object would cost an allocation a row.
export function substringBytes(
  arena: TextArena,
  bytes: Uint8Array,
  start: number,
  end: number,
  first: Count,
  length: Count | null,
): void {
  const from = skipCharacters(bytes, start, end, Math.max(0, countArgument(first) - 1));
  const to = length === null ? end : skipCharacters(bytes, from, end, countArgument(length));
  arena.share(bytes, from, to);
}

/** `left` and `right`. */
// biome-ignore lint/complexity/useMaxParams: a parameter object would cost an allocation a row.
export function edgeBytes(
  arena: TextArena,
  bytes: Uint8Array,
  start: number,
  end: number,
  count: Count,
  isLeft: boolean,
): void {
  let wanted = countArgument(count);
  const isSplitFromStart = isLeft === wanted >= 0;
  if (!isSplitFromStart) {
    wanted = Math.max(0, countCharacters(bytes, start, end) - Math.abs(wanted));
  }
  const at = skipCharacters(bytes, start, end, Math.abs(wanted));
  if (isLeft) arena.share(bytes, start, at);
  else arena.share(bytes, at, end);
}

/** Bytes that may be compared in vain before a search stops to begin again at each position. */
const VAIN_BYTES_MAX = 4096;

/**
 * Position of a needle in a text, or -1. A text that looks like the needle all the time is searched
 * with a table of the needle, so that it takes no longer than both are long together.
 */
// biome-ignore lint/complexity/useMaxParams: a parameter object would cost an allocation a row.
export function findBytes(
  bytes: Uint8Array,
  start: number,
  end: number,
  needle: Uint8Array,
  from: number,
  to: number,
): number {
  const length = to - from;
  if (length === 0) return start;
  const first = needle[from] as number;
  const last = end - length;
  let vain = 0;
  for (let index = start; index <= last; index += 1) {
    if (bytes[index] !== first) continue;
    let matched = 1;
    while (matched < length && bytes[index + matched] === needle[from + matched]) matched += 1;
    if (matched === length) return index;
    vain += matched;
    if (vain > VAIN_BYTES_MAX) {
      return findByBorders(bytes.subarray(0, end), index + 1, needle.subarray(from, to));
    }
  }
  return -1;
}

/** Knuth, Morris and Pratt, "Fast pattern matching in strings" (1977). */
function findByBorders(bytes: Uint8Array, start: number, needle: Uint8Array): number {
  const borders = bordersOf(needle);
  let matched = 0;
  for (let index = start; index < bytes.length; index += 1) {
    matched = extended(borders, needle, matched, bytes[index] as number);
    if (matched === needle.length) return index + 1 - matched;
  }
  return -1;
}

/** For each prefix the length of the longest one that is its end too, and not all of it. */
function bordersOf(needle: Uint8Array): Int32Array {
  const borders = new Int32Array(needle.length + 1);
  borders[0] = -1;
  let border = 0;
  for (let length = 2; length <= needle.length; length += 1) {
    border = extended(borders, needle, border, needle[length - 1] as number);
    borders[length] = border;
  }
  return borders;
}

/** The longest prefix of the needle that a byte behind a prefix ends with. */
function extended(borders: Int32Array, needle: Uint8Array, prefix: number, byte: number): number {
  let length = prefix;
  while (length >= 0 && needle[length] !== byte) length = borders[length] as number;
  return length + 1;
}

/** Whether two byte ranges are equal. */
// biome-ignore lint/complexity/useMaxParams: a parameter object would cost an allocation a row.
export function equalRanges(
  left: Uint8Array,
  leftStart: number,
  leftEnd: number,
  right: Uint8Array,
  rightStart: number,
  rightEnd: number,
): boolean {
  const length = leftEnd - leftStart;
  if (length !== rightEnd - rightStart) return false;
  for (let index = 0; index < length; index += 1) {
    if (left[leftStart + index] !== right[rightStart + index]) return false;
  }
  return true;
}

/** Order of two byte ranges; a prefix is smaller. */
// biome-ignore lint/complexity/useMaxParams: a parameter object would cost an allocation a row.
export function compareRanges(
  left: Uint8Array,
  leftStart: number,
  leftEnd: number,
  right: Uint8Array,
  rightStart: number,
  rightEnd: number,
): number {
  const length = Math.min(leftEnd - leftStart, rightEnd - rightStart);
  for (let index = 0; index < length; index += 1) {
    const difference = (left[leftStart + index] as number) - (right[rightStart + index] as number);
    if (difference !== 0) return difference;
  }
  return leftEnd - leftStart - (rightEnd - rightStart);
}
