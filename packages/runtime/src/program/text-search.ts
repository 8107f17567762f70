import { SEARCH_BYTES_MAX, SearchKernel } from '../simd/search-kernel.js';
import { findBytes } from './byte-text.js';

const NOTHING = new Uint8Array(0);
const NO_PLACES = new Int32Array(0);
/** Bytes of a run that may be compared in vain: a text like the needle is for the host to search. */
const VAIN_BYTES_MAX = 65_536;

/**
 * Looks for one text in many that lie one behind the other in the same bytes: the place of the next
 * occurrence answers for all texts before it. A kernel finds the places part by part as long as the
 * texts come in their order; else the host finds each.
 */
export class TextSearch {
  readonly #needle: Uint8Array;
  readonly #head: { readonly first: number; readonly second: number | null };
  #bytes: Uint8Array = NOTHING;
  #view: Buffer | undefined;
  /** There is no occurrence from here up to the next one. */
  #from = 0;
  #next = 0;
  #kernel: SearchKernel | null = null;
  /** Places where the needle may begin, from a position on, and how many of them were looked at. */
  #places: Int32Array = NO_PLACES;
  #placesFrom = 0;
  #placesTo = 0;
  #placeCount = 0;
  #place = 0;
  /** Bytes that were compared in vain. */
  #vain = 0;

  /** @param needle at least one byte */
  constructor(needle: Uint8Array) {
    this.#needle = needle;
    this.#head = { first: needle[0] as number, second: needle[1] ?? null };
  }

  /** Forgets the bytes of another run. */
  restart(): void {
    this.#bytes = NOTHING;
    this.#view = undefined;
  }

  /** Whether the needle occurs in a range of bytes. */
  isWithin(bytes: Uint8Array, start: number, end: number): boolean {
    if (bytes !== this.#bytes || start < this.#from || start > this.#next) {
      if (bytes !== this.#bytes) this.#enter(bytes, start);
      else if (start < this.#from) this.#kernel = null;
      this.#from = start;
      this.#next =
        this.#kernel === null ? this.#findByHost(start) : this.#find(this.#kernel, start);
    }
    return this.#next + this.#needle.length <= end;
  }

  #enter(bytes: Uint8Array, start: number): void {
    this.#bytes = bytes;
    this.#kernel = SearchKernel.shared();
    if (this.#kernel !== null && this.#places === NO_PLACES) {
      this.#places = new Int32Array(SEARCH_BYTES_MAX);
    }
    this.#placesTo = start;
    this.#placeCount = 0;
    this.#place = 0;
    this.#vain = 0;
    if (typeof Buffer !== 'function') return;
    this.#view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /** The next occurrence from `start` on; Infinity when there is none. */
  #find(kernel: SearchKernel, start: number): number {
    for (;;) {
      while (this.#place < this.#placeCount) {
        const at = this.#placesFrom + (this.#places[this.#place] as number);
        this.#place += 1;
        if (at >= start && this.#isAt(at)) return at;
        if (this.#vain > VAIN_BYTES_MAX) {
          this.#kernel = null;
          return this.#findByHost(Math.max(at + 1, start));
        }
      }
      const source = this.#bytes;
      const from = Math.max(this.#placesTo, start);
      if (from >= source.length) return Infinity;
      const to = Math.min(from + SEARCH_BYTES_MAX, source.length);
      this.#placeCount = kernel.find({ source, from, to }, this.#head, this.#places);
      this.#placesFrom = from;
      this.#placesTo = to;
      this.#place = 0;
    }
  }

  #isAt(at: number): boolean {
    const needle = this.#needle;
    for (let index = 1; index < needle.length; index += 1) {
      if (this.#bytes[at + index] !== needle[index]) {
        this.#vain += index;
        return false;
      }
    }
    return true;
  }

  #findByHost(start: number): number {
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
