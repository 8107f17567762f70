import { bitAt } from '../../column/bitmap.js';
import type { Column } from '../../column/column.js';
import { ViewCache } from '../../column/copy-range.js';

const PRIME_1 = 0x9e3779b1;
const PRIME_2 = 0x85ebca77;
const PRIME_3 = 0xc2b2ae3d;
const PRIME_4 = 0x27d4eb2f;
const PRIME_5 = 0x165667b1;
const views = new ViewCache();

function rotate(word: number, bits: number): number {
  return (word << bits) | (word >>> (32 - bits));
}

function round(lane: number, word: number): number {
  return Math.imul(rotate((lane + Math.imul(word, PRIME_2)) | 0, 13), PRIME_1);
}

/** Four lanes over whole stripes of sixteen bytes, joined. */
function stripes(view: DataView, start: number, last: number, seed: number): number {
  let one = (seed + PRIME_1 + PRIME_2) | 0;
  let two = (seed + PRIME_2) | 0;
  let three = seed | 0;
  let four = (seed - PRIME_1) | 0;
  for (let at = start; at <= last; at += 16) {
    one = round(one, view.getInt32(at, true));
    two = round(two, view.getInt32(at + 4, true));
    three = round(three, view.getInt32(at + 8, true));
    four = round(four, view.getInt32(at + 12, true));
  }
  return (rotate(one, 1) + rotate(two, 7) + rotate(three, 12) + rotate(four, 18)) | 0;
}

/** XXH32 of a byte range. Source: the xxHash specification, version 0.1.1. */
export function xxHash32(bytes: Uint8Array, start: number, end: number, seed: number): number {
  const view = views.of(bytes);
  const length = end - start;
  const isLong = length >= 16;
  let at = isLong ? end - (length % 16) : start;
  let hash = isLong ? stripes(view, start, end - 16, seed) : (seed + PRIME_5) | 0;
  hash = (hash + length) | 0;
  for (; at + 4 <= end; at += 4) {
    const word = Math.imul(view.getInt32(at, true), PRIME_3);
    hash = Math.imul(rotate((hash + word) | 0, 17), PRIME_4);
  }
  for (; at < end; at += 1) {
    const byte = Math.imul(bytes[at] as number, PRIME_5);
    hash = Math.imul(rotate((hash + byte) | 0, 11), PRIME_1);
  }
  hash = Math.imul(hash ^ (hash >>> 15), PRIME_2);
  hash = Math.imul(hash ^ (hash >>> 13), PRIME_3);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** Seed of the low half, so that both halves are hashes of their own. */
const LOW_SEED = PRIME_1;

/** Hash of 64 bits in two halves of a present value; equal values have equal ones, so do zeros. */
export class ValueHash {
  high = 0;
  low = 0;
  readonly #scratch = new Uint8Array(8);
  readonly #view = new DataView(this.#scratch.buffer);

  /** Sets the halves to the hash of a row's value. */
  read(column: Column, row: number): void {
    if (column.kind === 'binary') {
      const start = column.offsets[row] as number;
      this.#of(column.bytes, start, column.offsets[row + 1] as number);
      return;
    }
    if (column.kind === 'boolean') this.#view.setFloat64(0, Number(bitAt(column.bits, row)));
    else if (column.kind === 'fixed') {
      const value = column.values[row] as number | bigint;
      if (typeof value === 'bigint') this.#view.setBigInt64(0, value);
      else this.#view.setFloat64(0, value + 0);
    }
    this.#of(this.#scratch, 0, 8);
  }

  #of(bytes: Uint8Array, start: number, end: number): void {
    this.high = xxHash32(bytes, start, end, 0);
    this.low = xxHash32(bytes, start, end, LOW_SEED);
  }
}
