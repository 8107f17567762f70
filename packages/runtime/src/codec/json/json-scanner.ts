import { sequenceLength } from './json-text.js';

/** Deepest nesting of objects and arrays that is read. */
export const JSON_DEPTH_MAX = 128;

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 0x30 && byte <= 0x39;
}

function isHexDigit(byte: number | undefined): boolean {
  return isDigit(byte) || (byte !== undefined && (byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x66);
}

/** Position of the first byte from `at` that is no JSON white space. */
export function skipSpace(bytes: Uint8Array, at: number, end: number): number {
  let position = at;
  while (position < end) {
    const byte = bytes[position];
    if (byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) break;
    position += 1;
  }
  return position;
}

/**
 * Checks the syntax of JSON values without building them. Every method takes the position of a first
 * byte and returns the position behind the value, or -1 with `defect` and `defectAt` set.
 */
export class JsonScanner {
  defect = '';
  defectAt = 0;
  /** Position of a number beyond the range of F64 among the values scanned, or -1. */
  hugeNumberAt = -1;
  #bytes: Uint8Array = new Uint8Array(0);
  #end = 0;

  /** Starts on a text that ends at `end`. */
  open(bytes: Uint8Array, end: number): void {
    this.#bytes = bytes;
    this.#end = end;
    this.hugeNumberAt = -1;
  }

  fail(at: number, defect: string): -1 {
    this.defect = at >= this.#end ? 'unexpected end' : defect;
    this.defectAt = at;
    return -1;
  }

  space(at: number): number {
    return skipSpace(this.#bytes, at, this.#end);
  }

  value(at: number, depth: number): number {
    const byte = at < this.#end ? this.#bytes[at] : undefined;
    switch (byte) {
      case 0x22:
        return this.string(at);
      case 0x7b:
        return this.#container(at, depth, 0x7d);
      case 0x5b:
        return this.#container(at, depth, 0x5d);
      case 0x74:
        return this.#word(at, 'true');
      case 0x66:
        return this.#word(at, 'false');
      case 0x6e:
        return this.#word(at, 'null');
      default:
        return this.#number(at);
    }
  }

  #word(at: number, word: string): number {
    for (let index = 0; index < word.length; index += 1) {
      if (at + index >= this.#end || this.#bytes[at + index] !== word.charCodeAt(index)) {
        return this.fail(at + index, 'unexpected byte');
      }
    }
    return at + word.length;
  }

  string(at: number): number {
    const bytes = this.#bytes;
    const end = this.#end;
    if (at >= end || bytes[at] !== 0x22) return this.fail(at, 'expected a string');
    let position = at + 1;
    while (position < end) {
      const byte = bytes[position] as number;
      if (byte === 0x22) return position + 1;
      if (byte === 0x5c) {
        position = this.#escape(position);
        if (position < 0) return -1;
      } else if (byte < 0x20) {
        return this.fail(position, 'control character in string');
      } else if (byte < 0x80) {
        position += 1;
      } else {
        const length = sequenceLength(bytes, position, end);
        if (length === 0) return this.fail(position, 'invalid UTF-8');
        position += length;
      }
    }
    return this.fail(end, 'unterminated string');
  }

  #escape(at: number): number {
    const letter = this.#bytes[at + 1];
    if (at + 1 >= this.#end || letter === undefined) return this.fail(this.#end, 'invalid escape');
    if (letter !== 0x75) {
      return '"\\/bfnrt'.includes(String.fromCharCode(letter))
        ? at + 2
        : this.fail(at, 'invalid escape');
    }
    const unit = this.#unit(at + 2);
    if (unit < 0) return this.fail(at, 'invalid escape');
    if (unit < 0xd800 || unit > 0xdfff) return at + 6;
    const hasNext = at + 7 < this.#end && this.#bytes[at + 6] === 0x5c;
    const low = hasNext && this.#bytes[at + 7] === 0x75 ? this.#unit(at + 8) : -1;
    const isPair = unit <= 0xdbff && low >= 0xdc00 && low <= 0xdfff;
    return isPair ? at + 12 : this.fail(at, 'lone surrogate escape');
  }

  #unit(at: number): number {
    if (at + 4 > this.#end) return -1;
    for (let index = at; index < at + 4; index += 1) if (!isHexDigit(this.#bytes[index])) return -1;
    return Number.parseInt(String.fromCharCode(...this.#bytes.subarray(at, at + 4)), 16);
  }

  #digits(at: number): number {
    let position = at;
    while (position < this.#end && isDigit(this.#bytes[position])) position += 1;
    return position;
  }

  #number(at: number): number {
    const bytes = this.#bytes;
    let position = at;
    if (bytes[position] === 0x2d) position += 1;
    const integerAt = position;
    position = this.#digits(position);
    if (position === integerAt) return this.fail(position, 'unexpected byte');
    if (bytes[integerAt] === 0x30 && position > integerAt + 1) {
      return this.fail(integerAt + 1, 'unexpected byte');
    }
    if (position < this.#end && bytes[position] === 0x2e) {
      const fractionAt = position + 1;
      position = this.#digits(fractionAt);
      if (position === fractionAt) return this.fail(position, 'unexpected byte');
    }
    if (position < this.#end && ((bytes[position] as number) | 0x20) === 0x65) {
      position += 1;
      if (bytes[position] === 0x2b || bytes[position] === 0x2d) position += 1;
      const exponentAt = position;
      position = this.#digits(position);
      if (position === exponentAt) return this.fail(position, 'unexpected byte');
    }
    if (position - at > 3 && this.hugeNumberAt < 0 && !Number.isFinite(this.#read(at, position))) {
      this.hugeNumberAt = at;
    }
    return position;
  }

  #read(at: number, end: number): number {
    // Only long integers and exponents leave the range; the rest need not be read.
    const isLong = end - at > 300;
    let hasExponent = false;
    for (let index = at; index < end; index += 1) {
      if (((this.#bytes[index] as number) | 0x20) === 0x65) hasExponent = true;
    }
    if (!isLong && !hasExponent) return 0;
    return Number(Buffer.from(this.#bytes.subarray(at, end)).toString('latin1'));
  }

  /** An object or array; nesting is bounded, so recursion is too. */
  #container(at: number, depth: number, close: 0x7d | 0x5d): number {
    if (depth >= JSON_DEPTH_MAX) return this.fail(at, `nesting deeper than ${JSON_DEPTH_MAX}`);
    let position = this.space(at + 1);
    if (position < this.#end && this.#bytes[position] === close) return position + 1;
    for (;;) {
      if (close === 0x7d) {
        position = this.key(position);
        if (position < 0) return -1;
      }
      position = this.value(position, depth + 1);
      if (position < 0) return -1;
      position = this.space(position);
      const byte = position < this.#end ? this.#bytes[position] : undefined;
      if (byte === close) return position + 1;
      if (byte !== 0x2c) return this.fail(position, 'unexpected byte');
      position = this.space(position + 1);
    }
  }

  /** A member name, its colon and white space: the position of the member's value. */
  key(at: number): number {
    const nameEnd = this.string(at);
    if (nameEnd < 0) return -1;
    const colon = this.space(nameEnd);
    if (colon >= this.#end || this.#bytes[colon] !== 0x3a) {
      return this.fail(colon, "expected ':'");
    }
    return this.space(colon + 1);
  }
}
