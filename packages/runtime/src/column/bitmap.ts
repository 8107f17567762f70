/** Bitmaps store row `i` in bit `i & 7` of byte `i >> 3`, least significant bit first. */

export function bitmapBytes(length: number): number {
  return (length + 7) >>> 3;
}

export function bitAt(bits: Uint8Array, row: number): boolean {
  return (((bits[row >>> 3] as number) >>> (row & 7)) & 1) === 1;
}

export function setBit(bits: Uint8Array, row: number, value: boolean): void {
  const index = row >>> 3;
  const mask = 1 << (row & 7);
  const old = bits[index] as number;
  bits[index] = value ? old | mask : old & ~mask;
}

/** Bits `start` to `end` moved to the front of a new bitmap; bits past the end are zero. */
export function sliceBitmap(bits: Uint8Array, start: number, end: number): Uint8Array<ArrayBuffer> {
  const length = end - start;
  const out = new Uint8Array(bitmapBytes(length));
  const shift = start & 7;
  const first = start >>> 3;
  if (shift === 0) {
    out.set(bits.subarray(first, first + out.length));
  } else {
    for (let index = 0; index < out.length; index += 1) {
      const low = (bits[first + index] ?? 0) >>> shift;
      out[index] = low | ((bits[first + index + 1] ?? 0) << (8 - shift));
    }
  }
  clearTail(out, length);
  return out;
}

/** Copies `length` bits from `source`'s front to position `at` of `target`. */
export function copyBits(source: Uint8Array, length: number, target: Uint8Array, at: number): void {
  if ((at & 7) === 0 && length > 0) {
    const whole = length >>> 3;
    target.set(source.subarray(0, whole), at >>> 3);
    for (let row = whole << 3; row < length; row += 1) {
      setBit(target, at + row, bitAt(source, row));
    }
    return;
  }
  for (let row = 0; row < length; row += 1) setBit(target, at + row, bitAt(source, row));
}

/** Sets `length` bits of `target` from position `at`. */
export function fillBits(target: Uint8Array, at: number, length: number): void {
  let row = at;
  const end = at + length;
  while (row < end && (row & 7) !== 0) setBit(target, row++, true);
  const wholeEnd = row + ((end - row) & ~7);
  target.fill(0xff, row >>> 3, wholeEnd >>> 3);
  row = wholeEnd;
  while (row < end) setBit(target, row++, true);
}

/** Whether the first `length` bits are all set. */
export function areAllSet(bits: Uint8Array, length: number): boolean {
  const whole = length >>> 3;
  for (let index = 0; index < whole; index += 1) if (bits[index] !== 0xff) return false;
  for (let row = whole << 3; row < length; row += 1) if (!bitAt(bits, row)) return false;
  return true;
}

/** Zeroes the bits of the last byte that lie past `length`. */
export function clearTail(bits: Uint8Array, length: number): void {
  if ((length & 7) !== 0) {
    const last = length >>> 3;
    bits[last] = (bits[last] as number) & ((1 << (length & 7)) - 1);
  }
}
