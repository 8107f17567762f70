import type { ChainedPosition, Entry, EntryHeader, LogPosition } from './entry.ts';
import { HeaderIndex } from './header-index.ts';

/** The log as the core sees it: the headers of all entries, and the newest entries themselves. */
export class RaftLog {
  readonly #cacheBytesMax: number;
  readonly #headers: HeaderIndex;
  /** Newest entry that is durable and was not replaced since. */
  #stable: bigint;
  /** The newest entries, contiguous up to the last; the first ones may be forgotten. */
  #entries: Entry[] = [];
  #entriesOffset = 0;
  #cachedBytes = 0;

  constructor(purged: ChainedPosition, headers: Iterable<EntryHeader>, cacheBytesMax: number) {
    this.#cacheBytesMax = cacheBytesMax;
    this.#headers = new HeaderIndex(purged);
    for (const header of headers) this.#headers.append(header);
    this.#stable = this.#headers.lastIndex;
  }

  get purged(): ChainedPosition {
    return this.#headers.purged;
  }

  get lastIndex(): bigint {
    return this.#headers.lastIndex;
  }

  get lastTerm(): bigint {
    return this.#headers.lastTerm;
  }

  get lastChain(): Uint8Array {
    return this.#entries.at(-1)?.chain ?? this.#headers.chainAt(this.lastIndex);
  }

  get stable(): bigint {
    return this.#stable;
  }

  /** Whether a log that ends in `position` has everything that this one has. */
  isUpToDate(position: LogPosition): boolean {
    if (position.term !== this.lastTerm) return position.term > this.lastTerm;
    return position.index >= this.lastIndex;
  }

  /** Term of the entry at `index`, or `undefined` when it is purged or does not exist. */
  termAt(index: bigint): bigint | undefined {
    return this.#headers.termAt(index);
  }

  /** Chain value that ends in the entry at `index`, which is in the log or the purged one. */
  chainAt(index: bigint): Uint8Array {
    return this.#headers.chainAt(index);
  }

  /** Payload bytes of the entries from `first` through `last`. */
  bytesBetween(first: bigint, last: bigint): number {
    let bytes = 0;
    for (let index = first; index <= last; index += 1n) bytes += this.#headers.sizeAt(index);
    return bytes;
  }

  /** Greatest index at or below `index` whose term is at most `term`; at least the purged one. */
  lastIndexAtMost(index: bigint, term: bigint): bigint {
    return this.#headers.lastIndexAtMost(index, term);
  }

  append(entry: Entry): void {
    const { index, term, chain, payload } = entry;
    this.#headers.append({ index, term, chain, bytes: payload.length });
    this.#entries.push(entry);
    this.#cachedBytes += payload.length;
  }

  /** Removes the entry at `from` and all behind it. */
  truncate(from: bigint): void {
    this.#headers.truncate(from);
    while (this.#entries.length > this.#entriesOffset) {
      const newest = this.#entries.at(-1);
      if (newest === undefined || newest.index < from) break;
      this.#entries.pop();
      this.#cachedBytes -= newest.payload.length;
    }
    if (this.#entries.length === this.#entriesOffset) this.#forgetAll();
    if (this.#stable >= from) this.#stable = from - 1n;
  }

  /** The entries up to `index` are durable, if the one there is still of `term`. */
  stabilise(index: bigint, term: bigint): void {
    if (index <= this.#stable || this.termAt(index) !== term) return;
    this.#stable = index;
    this.#evict();
  }

  /** The entries up to `through` have left the store. */
  purge(through: bigint): void {
    this.#headers.purge(through);
    this.#forgetWhile((entry) => entry.index <= through);
  }

  /** Replaces everything by a snapshot that ends in `position`. */
  reset(position: ChainedPosition): void {
    this.#headers.reset(position);
    this.#stable = position.index;
    this.#forgetAll();
  }

  /** Index of the oldest entry that is held here; one past the last when there is none. */
  get firstCached(): bigint {
    return this.#entries[this.#entriesOffset]?.index ?? this.lastIndex + 1n;
  }

  /**
   * Entries from `from` on, as many as both bounds admit but at least one; `undefined` when the
   * first is not held here.
   */
  cached(from: bigint, bytesMax: number, countMax: number): Entry[] | undefined {
    if (from < this.firstCached) return undefined;
    let at = this.#entriesOffset + Number(from - this.firstCached);
    const entries: Entry[] = [];
    let bytes = 0;
    while (entries.length < countMax) {
      const entry = this.#entries[at];
      if (entry === undefined) break;
      bytes += entry.payload.length;
      if (bytes > bytesMax && entries.length > 0) break;
      entries.push(entry);
      at += 1;
    }
    return entries;
  }

  #evict(): void {
    this.#forgetWhile(
      (entry) => this.#cachedBytes > this.#cacheBytesMax && entry.index <= this.#stable,
    );
  }

  #forgetWhile(isForgotten: (entry: Entry) => boolean): void {
    for (;;) {
      const entry = this.#entries[this.#entriesOffset];
      if (entry === undefined || !isForgotten(entry)) break;
      this.#cachedBytes -= entry.payload.length;
      this.#entriesOffset += 1;
    }
    if (this.#entriesOffset === this.#entries.length) this.#forgetAll();
    else if (this.#entriesOffset > 1_024 && this.#entriesOffset > this.#entries.length / 2) {
      this.#entries = this.#entries.slice(this.#entriesOffset);
      this.#entriesOffset = 0;
    }
  }

  #forgetAll(): void {
    this.#entries = [];
    this.#entriesOffset = 0;
    this.#cachedBytes = 0;
  }
}
