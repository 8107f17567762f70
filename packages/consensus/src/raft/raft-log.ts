import { assert } from '../assert.ts';
import { greater, lesser } from './big-order.ts';
import {
  CHAIN_BYTES,
  type ChainedPosition,
  type Entry,
  type EntryHeader,
  type LogPosition,
} from './entry.ts';

interface TermRun {
  readonly term: bigint;
  readonly first: bigint;
}

/**
 * The log as the core sees it: term, chain value and size of every entry, and the newest entries
 * themselves. Terms are runs, the rest is arrays indexed from the purged position.
 */
export class RaftLog {
  readonly #cacheBytesMax: number;
  #purged: ChainedPosition;
  #lastIndex: bigint;
  #lastTerm: bigint;
  /** Newest entry that is durable and was not replaced since. */
  #stable: bigint;
  #runs: TermRun[] = [];
  #sizes: number[] = [];
  #chains = new Uint8Array(64 * CHAIN_BYTES);
  /** Index of the entry to which the first element of the arrays belongs. */
  #base: bigint;
  /** The newest entries, contiguous up to the last; the first ones may be forgotten. */
  #entries: Entry[] = [];
  #entriesOffset = 0;
  #cachedBytes = 0;

  constructor(purged: ChainedPosition, headers: Iterable<EntryHeader>, cacheBytesMax: number) {
    this.#cacheBytesMax = cacheBytesMax;
    this.#purged = purged;
    this.#lastIndex = purged.index;
    this.#lastTerm = purged.term;
    this.#base = purged.index + 1n;
    for (const header of headers) this.#appendHeader(header);
    this.#stable = this.#lastIndex;
  }

  get purged(): ChainedPosition {
    return this.#purged;
  }

  get lastIndex(): bigint {
    return this.#lastIndex;
  }

  get lastTerm(): bigint {
    return this.#lastTerm;
  }

  get lastChain(): Uint8Array {
    return this.chainAt(this.#lastIndex);
  }

  get stable(): bigint {
    return this.#stable;
  }

  /** Whether a log that ends in `position` has everything that this one has. */
  isUpToDate(position: LogPosition): boolean {
    if (position.term !== this.#lastTerm) return position.term > this.#lastTerm;
    return position.index >= this.#lastIndex;
  }

  /** Term of the entry at `index`, or `undefined` when it is purged or does not exist. */
  termAt(index: bigint): bigint | undefined {
    if (index === this.#lastIndex) return this.#lastTerm;
    if (index === this.#purged.index) return this.#purged.term;
    if (index < this.#purged.index || index > this.#lastIndex) return undefined;
    return this.#runs[this.#runAt(index)]?.term;
  }

  /** Chain value that ends in the entry at `index`, which must be in the log or just purged. */
  chainAt(index: bigint): Uint8Array {
    if (index === this.#purged.index) return this.#purged.chain;
    assert(index > this.#purged.index && index <= this.#lastIndex, 'the entry is in the log');
    const start = Number(index - this.#base) * CHAIN_BYTES;
    return this.#chains.slice(start, start + CHAIN_BYTES);
  }

  /** Payload size in bytes of the entry at `index`. */
  sizeAt(index: bigint): number {
    return this.#sizes[Number(index - this.#base)] ?? 0;
  }

  /** Greatest index at or below `index` whose term is at most `term`; at least the purged one. */
  lastIndexAtMost(index: bigint, term: bigint): bigint {
    if (index <= this.#purged.index) return this.#purged.index;
    const end = lesser(index, this.#lastIndex);
    let at = this.#runAt(end);
    let candidate = end;
    while (at >= 0) {
      const run = this.#runs[at];
      if (run === undefined || run.term <= term) return candidate;
      candidate = run.first - 1n;
      at -= 1;
    }
    return greater(candidate, this.#purged.index);
  }

  append(entry: Entry): void {
    this.#appendHeader({ ...entry, bytes: entry.payload.length });
    this.#entries.push(entry);
    this.#cachedBytes += entry.payload.length;
  }

  /** Removes the entry at `from` and all behind it. */
  truncate(from: bigint): void {
    assert(from > this.#purged.index, 'what is purged is not cut');
    const kept = Number(from - this.#base);
    this.#sizes.length = kept;
    while (this.#entries.length > this.#entriesOffset) {
      const newest = this.#entries.at(-1);
      if (newest === undefined || newest.index < from) break;
      this.#entries.pop();
      this.#cachedBytes -= newest.payload.length;
    }
    while ((this.#runs.at(-1)?.first ?? 0n) >= from) this.#runs.pop();
    this.#lastIndex = from - 1n;
    this.#lastTerm = this.#runs.at(-1)?.term ?? this.#purged.term;
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
    if (through <= this.#purged.index) return;
    const term = this.termAt(through);
    assert(term !== undefined, 'only entries of the log are purged');
    this.#purged = { index: through, term, chain: this.chainAt(through) };
    const firstKept = this.#runs.findLastIndex(({ first }) => first <= through + 1n);
    if (through === this.#lastIndex) this.#runs = [];
    else if (firstKept > 0) this.#runs = this.#runs.slice(firstKept);
    this.#forgetEntries((entry) => entry.index <= through);
    this.#compact();
  }

  /** Replaces everything by a snapshot that ends in `position`. */
  reset(position: ChainedPosition): void {
    this.#purged = position;
    this.#lastIndex = position.index;
    this.#lastTerm = position.term;
    this.#stable = position.index;
    this.#base = position.index + 1n;
    this.#runs = [];
    this.#sizes = [];
    this.#entries = [];
    this.#entriesOffset = 0;
    this.#cachedBytes = 0;
  }

  /** Index of the oldest entry that is held here; one past the last when there is none. */
  get firstCached(): bigint {
    return this.#entries[this.#entriesOffset]?.index ?? this.#lastIndex + 1n;
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

  #appendHeader(header: EntryHeader): void {
    assert(header.index === this.#lastIndex + 1n, 'the log has no gaps');
    assert(header.term >= this.#lastTerm, 'terms never decrease along the log');
    if (this.#runs.at(-1)?.term !== header.term) {
      this.#runs.push({ term: header.term, first: header.index });
    }
    const start = this.#sizes.length * CHAIN_BYTES;
    this.#sizes.push(header.bytes);
    if (start + CHAIN_BYTES > this.#chains.length) {
      const grown = new Uint8Array(this.#chains.length * 2);
      grown.set(this.#chains);
      this.#chains = grown;
    }
    this.#chains.set(header.chain, start);
    this.#lastIndex = header.index;
    this.#lastTerm = header.term;
  }

  /** Position of the run that holds `index`, by bisection. */
  #runAt(index: bigint): number {
    let low = 0;
    let high = this.#runs.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      const run = this.#runs[middle];
      if (run !== undefined && run.first <= index) low = middle;
      else high = middle - 1;
    }
    return high;
  }

  #evict(): void {
    let bytes = this.#cachedBytes;
    this.#forgetEntries((entry) => {
      if (bytes <= this.#cacheBytesMax || entry.index > this.#stable) return false;
      bytes -= entry.payload.length;
      return true;
    });
  }

  #forgetEntries(isForgotten: (entry: Entry) => boolean): void {
    for (;;) {
      const entry = this.#entries[this.#entriesOffset];
      if (entry === undefined || !isForgotten(entry)) break;
      this.#cachedBytes -= entry.payload.length;
      this.#entriesOffset += 1;
    }
    if (this.#entriesOffset > 1_024 && this.#entriesOffset > this.#entries.length / 2) {
      this.#entries = this.#entries.slice(this.#entriesOffset);
      this.#entriesOffset = 0;
    }
  }

  /** Gives the arrays' purged part up once it is the larger one. */
  #compact(): void {
    const purged = Number(this.#purged.index + 1n - this.#base);
    if (purged < 1_024 || purged < this.#sizes.length / 2) return;
    const kept = this.#chains.subarray(purged * CHAIN_BYTES, this.#sizes.length * CHAIN_BYTES);
    this.#chains = new Uint8Array(Math.max(kept.length, 64 * CHAIN_BYTES));
    this.#chains.set(kept);
    this.#sizes = this.#sizes.slice(purged);
    this.#base = this.#purged.index + 1n;
  }
}
