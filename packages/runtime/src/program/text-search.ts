import { findBytes } from './byte-text.js';

const NOTHING = new Uint8Array(0);

/**
 * Looks for one text in many that lie one behind the other in the same bytes: the place of the next
 * occurrence answers for all texts before it, and the host finds that place.
 */
export class TextSearch {
  readonly #needle: Uint8Array;
  #bytes: Uint8Array = NOTHING;
  #view: Buffer | undefined;
  /** There is no occurrence from here up to the next one. */
  #from = 0;
  #next = 0;

  /** @param needle at least one byte */
  constructor(needle: Uint8Array) {
    this.#needle = needle;
  }

  /** Forgets the bytes of another run. */
  restart(): void {
    this.#bytes = NOTHING;
    this.#view = undefined;
  }

  /** Whether the needle occurs in a range of bytes. */
  isWithin(bytes: Uint8Array, start: number, end: number): boolean {
    if (bytes !== this.#bytes || start < this.#from || start > this.#next) {
      if (bytes !== this.#bytes) this.#enter(bytes);
      this.#from = start;
      this.#next = this.#find(start);
    }
    return this.#next + this.#needle.length <= end;
  }

  #enter(bytes: Uint8Array): void {
    this.#bytes = bytes;
    if (typeof Buffer !== 'function') return;
    this.#view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /** The next occurrence; Infinity when there is none. */
  #find(start: number): number {
    const needle = this.#needle;
    const bytes = this.#bytes;
    const at =
      needle.length === 1
        ? bytes.indexOf(needle[0] as number, start)
        : this.#view === undefined
          ? findBytes(bytes, start, bytes.length, needle, 0, needle.length)
          : this.#view.indexOf(needle, start);
    return at < 0 ? Infinity : at;
  }
}
