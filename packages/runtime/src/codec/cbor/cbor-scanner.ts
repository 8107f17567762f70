import { invalidUtf8At } from '../utf8.js';

/** Deepest nesting of arrays and maps that is read. */
export const CBOR_DEPTH_MAX = 128;

/** Major types of RFC 8949 §3.1. */
export const MAJOR = {
  unsigned: 0,
  negative: 1,
  bytes: 2,
  text: 3,
  array: 4,
  map: 5,
  tag: 6,
  simple: 7,
} as const;

/** Additional information that announces an indefinite length. */
export const INDEFINITE = 31;
/** The byte that ends an item of indefinite length. */
export const BREAK = 0xff;

const WORD = 4_294_967_296;

/**
 * Checks that items are well-formed and of the kinds that codecs take, without building them. Every
 * method takes the position of a first byte and returns the position behind the item, or -1 with
 * `defect` and `defectAt` set.
 */
export class CborScanner {
  defect = '';
  defectAt = 0;
  /** Of the head read last. */
  major = 0;
  /** Of the head read last: the low five bits of its first byte. */
  detail = 0;
  /** Of the head read last: the upper and the lower 32 bits of its argument. */
  high = 0;
  low = 0;
  #bytes: Uint8Array = new Uint8Array(0);
  #end = 0;

  /** Starts on a payload that ends at `end`. */
  open(bytes: Uint8Array, end: number): void {
    this.#bytes = bytes;
    this.#end = end;
  }

  fail(at: number, defect: string): -1 {
    this.defect = at >= this.#end ? 'unexpected end' : defect;
    this.defectAt = Math.min(at, this.#end);
    return -1;
  }

  /** Argument of the head read last as a double, which is inexact from 2^53 on. */
  get argument(): number {
    return this.high * WORD + this.low;
  }

  /** Reads an item's head: major type, detail and argument. */
  head(at: number): number {
    if (at >= this.#end) return this.fail(at, '');
    const bytes = this.#bytes;
    const first = bytes[at] as number;
    this.major = first >>> 5;
    this.detail = first & 31;
    this.high = 0;
    this.low = this.detail;
    if (this.detail < 24) return at + 1;
    if (this.detail > 27) {
      return this.detail === INDEFINITE ? at + 1 : this.fail(at, 'reserved additional information');
    }
    const size = 1 << (this.detail - 24);
    const after = at + 1 + size;
    if (after > this.#end) return this.fail(this.#end, '');
    this.low = 0;
    for (let index = at + 1; index < after; index += 1) {
      if (size === 8 && index === at + 5) {
        this.high = this.low;
        this.low = 0;
      }
      this.low = ((this.low << 8) | (bytes[index] as number)) >>> 0;
    }
    return after;
  }

  value(at: number, depth: number): number {
    const after = this.head(at);
    if (after < 0) return -1;
    switch (this.major) {
      case MAJOR.unsigned:
      case MAJOR.negative:
        return this.detail === INDEFINITE
          ? this.fail(at, 'reserved additional information')
          : after;
      case MAJOR.bytes:
      case MAJOR.text:
        return this.#string(at, after, this.major);
      case MAJOR.array:
      case MAJOR.map:
        return this.#container(at, after, depth);
      case MAJOR.tag:
        return this.fail(at, 'tagged item');
      default:
        return this.#simple(at, after);
    }
  }

  /** A text as a map's key. */
  key(at: number): number {
    const after = this.head(at);
    if (after < 0) return -1;
    if (this.major !== MAJOR.text) return this.fail(at, 'map key that is not text');
    return this.#string(at, after, MAJOR.text);
  }

  #simple(at: number, after: number): number {
    if (this.detail === INDEFINITE) return this.fail(at, 'unexpected break');
    const isKnown = this.detail >= 20 && this.detail !== 24;
    return isKnown ? after : this.fail(at, 'unsupported simple value');
  }

  #string(at: number, after: number, major: number): number {
    if (this.detail !== INDEFINITE) return this.#chunk(after, major);
    let position = after;
    while (position < this.#end && this.#bytes[position] !== BREAK) {
      const chunkAt = this.head(position);
      if (chunkAt < 0) return -1;
      if (this.major !== major || this.detail === INDEFINITE) {
        return this.fail(position, 'chunk of another kind');
      }
      position = this.#chunk(chunkAt, major);
      if (position < 0) return -1;
    }
    return position < this.#end ? position + 1 : this.fail(Math.max(at, this.#end), '');
  }

  #chunk(at: number, major: number): number {
    const end = at + this.argument;
    if (end > this.#end) return this.fail(this.#end, '');
    if (major === MAJOR.text) {
      const invalidAt = invalidUtf8At(this.#bytes, at, end);
      if (invalidAt >= 0) return this.fail(invalidAt, 'invalid UTF-8');
    }
    return end;
  }

  /** An array or map; nesting is bounded, so recursion is too. */
  #container(at: number, after: number, depth: number): number {
    if (depth >= CBOR_DEPTH_MAX) return this.fail(at, `nesting deeper than ${CBOR_DEPTH_MAX}`);
    const isMap = this.major === MAJOR.map;
    const isIndefinite = this.detail === INDEFINITE;
    let left = isIndefinite ? Number.POSITIVE_INFINITY : this.argument;
    let position = after;
    for (; left > 0; left -= 1) {
      if (isIndefinite && position < this.#end && this.#bytes[position] === BREAK) {
        return position + 1;
      }
      if (isMap) {
        position = this.key(position);
        if (position < 0) return -1;
      }
      position = this.value(position, depth + 1);
      if (position < 0) return -1;
    }
    return position;
  }
}
