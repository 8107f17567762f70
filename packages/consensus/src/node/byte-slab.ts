/** Memory that small copies share, in bytes. */
const SLAB_BYTES = 32 * 1_024;
/** The same where some copies are kept for long, as in Node's own pool. */
export const KEPT_SLAB_BYTES: number = 8 * 1_024;
/** A copy of more than this part of a slab gets memory of its own. */
const COPY_PART_MAX = 1 / 8;
const NOTHING: Uint8Array = new Uint8Array(0);

/**
 * Copies many small pieces of bytes into memory that they share, because memory of its own for each
 * costs more than the copy, and the collector more than both. A copy keeps the memory of its
 * neighbours alive, so where callers may keep some the slabs are small.
 */
export class ByteSlab {
  readonly #slabBytes: number;
  #slab = new ArrayBuffer(0);
  #used = 0;

  constructor(slabBytes: number = SLAB_BYTES) {
    this.#slabBytes = slabBytes;
  }

  copy(bytes: Uint8Array): Uint8Array {
    const { length } = bytes;
    if (length === 0) return NOTHING;
    if (length > this.#slabBytes * COPY_PART_MAX) return new Uint8Array(bytes);
    if (this.#used + length > this.#slab.byteLength) {
      this.#slab = new ArrayBuffer(this.#slabBytes);
      this.#used = 0;
    }
    const copy = new Uint8Array(this.#slab, this.#used, length);
    copy.set(bytes);
    this.#used += length;
    return copy;
  }
}
