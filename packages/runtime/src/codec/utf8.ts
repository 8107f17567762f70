import { sequenceLength } from './json/json-text.js';

/** Position of the first byte of `bytes[start..end)` that is no UTF-8, or -1 when all of it is. */
export function invalidUtf8At(bytes: Uint8Array, start: number, end: number): number {
  let at = start;
  while (at < end) {
    if ((bytes[at] as number) < 0x80) {
      at += 1;
      continue;
    }
    const length = sequenceLength(bytes, at, end);
    if (length === 0) return at;
    at += length;
  }
  return -1;
}
