import { PlainTextCopier } from './plain-text.js';

/** The bytes that the letters of simple escapes stand for, zero for the other letters. */
export const SIMPLE_ESCAPES: Uint8Array = new Uint8Array(256);
for (const [letter, byte] of [
  ['"', 0x22],
  ['\\', 0x5c],
  ['/', 0x2f],
  ['b', 0x08],
  ['f', 0x0c],
  ['n', 0x0a],
  ['r', 0x0d],
  ['t', 0x09],
] as const) {
  SIMPLE_ESCAPES[letter.charCodeAt(0)] = byte;
}

/** Letters of the escapes that are written so, by the byte; zero for bytes without one. */
export const ESCAPE_LETTERS: Uint8Array = new Uint8Array(256);
SIMPLE_ESCAPES.forEach((byte, letter) => {
  // A slash may be escaped, but need not be.
  if (byte !== 0 && byte !== 0x2f) ESCAPE_LETTERS[byte] = letter;
});

/** Values of hexadecimal digits, -1 for other bytes. */
export const HEX_VALUES: Int8Array = new Int8Array(256).fill(-1);
for (let digit = 0; digit < 16; digit += 1) {
  HEX_VALUES[digit.toString(16).charCodeAt(0)] = digit;
  HEX_VALUES[digit.toString(16).toUpperCase().charCodeAt(0)] = digit;
}

/** Non-zero for the bytes that end a run of plain text: quote, backslash, control, non-ASCII. */
export const TEXT_STOPS: Uint8Array = new Uint8Array(256);
TEXT_STOPS.fill(1, 0, 0x20);
TEXT_STOPS.fill(1, 0x80);
TEXT_STOPS[0x22] = 1;
TEXT_STOPS[0x5c] = 1;

/** Bytes left in a text from which on plain runs are copied by words. */
const LONG_RUN = 32;

/** Length of the well-formed UTF-8 sequence of two to four bytes at `at`, or 0. */
export function sequenceLength(bytes: Uint8Array, at: number, end: number): number {
  const first = bytes[at] as number;
  const isContinued = (index: number): boolean =>
    index < end && ((bytes[index] as number) & 0xc0) === 0x80;
  if (first >= 0xc2 && first <= 0xdf) return isContinued(at + 1) ? 2 : 0;
  const second = at + 1 < end ? (bytes[at + 1] as number) : 0;
  if (first >= 0xe0 && first <= 0xef) {
    if (first === 0xe0 && second < 0xa0) return 0;
    if (first === 0xed && second > 0x9f) return 0;
    return isContinued(at + 1) && isContinued(at + 2) ? 3 : 0;
  }
  if (first >= 0xf0 && first <= 0xf4) {
    if (first === 0xf0 && second < 0x90) return 0;
    if (first === 0xf4 && second > 0x8f) return 0;
    return isContinued(at + 1) && isContinued(at + 2) && isContinued(at + 3) ? 4 : 0;
  }
  return 0;
}

function hexUnit(bytes: Uint8Array, at: number, end: number): number {
  if (at + 4 > end) return -1;
  const a = HEX_VALUES[bytes[at] as number] as number;
  const b = HEX_VALUES[bytes[at + 1] as number] as number;
  const c = HEX_VALUES[bytes[at + 2] as number] as number;
  const d = HEX_VALUES[bytes[at + 3] as number] as number;
  if ((a | b | c | d) < 0) return -1;
  return (a << 12) | (b << 8) | (c << 4) | d;
}

/**
 * Decoder of JSON string content into UTF-8. `position` is where reading stopped: behind the closing
 * quote after success, at the offending byte after a failure.
 */
export class JsonTextReader {
  position = 0;
  /** End of what was written. */
  written = 0;
  readonly #plain = new PlainTextCopier(true);

  /**
   * Reads on from `start`, inside a string, and writes to `target` from `at`, which must have room
   * for as many bytes as are read.
   *
   * @returns undefined, or what is wrong with the text
   */
  // biome-ignore lint/complexity/useMaxParams: a parameter object would cost an allocation a row.
  read(
    bytes: Uint8Array,
    start: number,
    end: number,
    target: Uint8Array,
    at: number,
  ): string | undefined {
    let from = start;
    let to = at;
    while (from < end) {
      const byte = bytes[from] as number;
      if (byte === 0x22) {
        this.position = from + 1;
        this.written = to;
        return undefined;
      }
      if (byte === 0x5c) {
        this.position = from;
        const defect = this.#escape(bytes, end, target, to);
        if (defect !== undefined) return defect;
        from = this.position;
        to = this.written;
      } else if (byte >= 0x80) {
        const length = sequenceLength(bytes, from, end);
        if (length === 0) return this.#fail(from, 'invalid UTF-8');
        for (let index = 0; index < length; index += 1) target[to++] = bytes[from++] as number;
      } else if (byte < 0x20) {
        return this.#fail(from, 'control character in string');
      } else {
        target[to++] = byte;
        from += 1;
        if (end - from >= LONG_RUN) {
          const after = this.#plain.copy(bytes, from, end, target, to);
          to += after - from;
          from = after;
        }
      }
    }
    return this.#fail(end, 'unterminated string');
  }

  #fail(position: number, defect: string): string {
    this.position = position;
    return defect;
  }

  /** Reads the escape at `position` and moves `position` and `written` past it. */
  #escape(bytes: Uint8Array, end: number, target: Uint8Array, at: number): string | undefined {
    const start = this.position;
    const letter = start + 1 < end ? (bytes[start + 1] as number) : 0;
    if (letter !== 0x75) {
      const byte = SIMPLE_ESCAPES[letter] as number;
      if (byte === 0) return 'invalid escape';
      target[at] = byte;
      this.position = start + 2;
      this.written = at + 1;
      return undefined;
    }
    const unit = hexUnit(bytes, start + 2, end);
    if (unit < 0) return 'invalid escape';
    let next = start + 6;
    let codePoint = unit;
    if (unit >= 0xd800 && unit <= 0xdfff) {
      const isPaired = unit <= 0xdbff && bytes[next] === 0x5c && bytes[next + 1] === 0x75;
      const low = isPaired ? hexUnit(bytes, next + 2, end) : -1;
      if (low < 0xdc00 || low > 0xdfff) return 'lone surrogate escape';
      codePoint = 0x10000 + ((unit - 0xd800) << 10) + (low - 0xdc00);
      next += 6;
    }
    this.position = next;
    this.written = writeCodePoint(codePoint, target, at);
    return undefined;
  }
}

function writeCodePoint(codePoint: number, target: Uint8Array, at: number): number {
  let to = at;
  if (codePoint < 0x80) {
    target[to++] = codePoint;
  } else if (codePoint < 0x800) {
    target[to++] = 0xc0 | (codePoint >>> 6);
    target[to++] = 0x80 | (codePoint & 0x3f);
  } else if (codePoint < 0x10000) {
    target[to++] = 0xe0 | (codePoint >>> 12);
    target[to++] = 0x80 | ((codePoint >>> 6) & 0x3f);
    target[to++] = 0x80 | (codePoint & 0x3f);
  } else {
    target[to++] = 0xf0 | (codePoint >>> 18);
    target[to++] = 0x80 | ((codePoint >>> 12) & 0x3f);
    target[to++] = 0x80 | ((codePoint >>> 6) & 0x3f);
    target[to++] = 0x80 | (codePoint & 0x3f);
  }
  return to;
}
