/** Memory that small copies share. */
const SLAB_BYTES = 32 * 1_024;
/** Larger ones get memory of their own. */
const COPY_BYTES_MAX = 4 * 1_024;
const NOTHING: Uint8Array = new Uint8Array(0);

/**
 * Copies many small pieces of bytes into memory that they share, because memory of its own for each
 * costs more than the copy, and the collector more than both. A copy keeps the memory of its
 * neighbours alive, so it is for what goes soon, not for what callers may keep.
 */
export class ByteSlab {
  #slab = new ArrayBuffer(0);
  #used = 0;

  copy(bytes: Uint8Array): Uint8Array {
    const { length } = bytes;
    if (length === 0) return NOTHING;
    if (length > COPY_BYTES_MAX) return new Uint8Array(bytes);
    if (this.#used + length > this.#slab.byteLength) {
      this.#slab = new ArrayBuffer(SLAB_BYTES);
      this.#used = 0;
    }
    const copy = new Uint8Array(this.#slab, this.#used, length);
    copy.set(bytes);
    this.#used += length;
    return copy;
  }
}
