import { assert } from '../assert.ts';
import { greater, lesser } from './big-order.ts';
import { CHAIN_BYTES, type ChainedPosition, type EntryHeader } from './entry.ts';

interface TermRun {
  readonly term: bigint;
  readonly first: bigint;
}

const CHAINS_MIN = 64;

/**
 * Term, chain value and size of every entry of a log, in memory: what must be known of the log
 * without reading it. Terms are kept as runs, the rest in arrays that begin at the oldest entry.
 */
export class HeaderIndex {
  #purged: ChainedPosition;
  #lastIndex: bigint;
  #lastTerm: bigint;
  #runs: TermRun[] = [];
  #sizes: number[] = [];
  #chains = new Uint8Array(CHAINS_MIN * CHAIN_BYTES);
  /** Index of the entry to which the first element of the arrays belongs. */
  #base: bigint;
  #bytes = 0;

  constructor(purged: ChainedPosition) {
    this.#purged = purged;
    this.#lastIndex = purged.index;
    this.#lastTerm = purged.term;
    this.#base = purged.index + 1n;
  }

  /** Newest entry that has left the log. */
  get purged(): ChainedPosition {
    return this.#purged;
  }

  get lastIndex(): bigint {
    return this.#lastIndex;
  }

  get lastTerm(): bigint {
    return this.#lastTerm;
  }

  /** Newest entry, or the purged position of an empty log. */
  get last(): ChainedPosition {
    const chain = this.chainAt(this.#lastIndex);
    return { index: this.#lastIndex, term: this.#lastTerm, chain };
  }

  get count(): number {
    return Number(this.#lastIndex - this.#purged.index);
  }

  /** Size of all entries together. */
  get bytes(): number {
    return this.#bytes;
  }

  append({ index, term, chain, bytes }: EntryHeader): void {
    assert(index === this.#lastIndex + 1n, 'the log has no gaps');
    assert(term >= this.#lastTerm, 'terms never decrease along the log');
    if (this.#runs.at(-1)?.term !== term) this.#runs.push({ term, first: index });
    const start = this.#sizes.length * CHAIN_BYTES;
    if (start + CHAIN_BYTES > this.#chains.length) {
      const grown = new Uint8Array(this.#chains.length * 2);
      grown.set(this.#chains);
      this.#chains = grown;
    }
    this.#chains.set(chain, start);
    this.#sizes.push(bytes);
    this.#bytes += bytes;
    this.#lastIndex = index;
    this.#lastTerm = term;
  }

  /** Term of the entry at `index`, or `undefined` when it is purged or does not exist. */
  termAt(index: bigint): bigint | undefined {
    if (index === this.#lastIndex) return this.#lastTerm;
    if (index === this.#purged.index) return this.#purged.term;
    if (index < this.#purged.index || index > this.#lastIndex) return undefined;
    return this.#runs[this.#runAt(index)]?.term;
  }

  /** Chain value that ends in the entry at `index`, which is in the log or the purged one. */
  chainAt(index: bigint): Uint8Array {
    if (index === this.#purged.index) return this.#purged.chain;
    assert(index > this.#purged.index && index <= this.#lastIndex, 'the entry is in the log');
    const start = Number(index - this.#base) * CHAIN_BYTES;
    return this.#chains.slice(start, start + CHAIN_BYTES);
  }

  /** Size of the entry at `index`; 0 when it is not in the log. */
  sizeAt(index: bigint): number {
    return this.#sizes[Number(index - this.#base)] ?? 0;
  }

  /** Greatest index at or below `index` whose term is at most `term`; at least the purged one. */
  lastIndexAtMost(index: bigint, term: bigint): bigint {
    if (index <= this.#purged.index) return this.#purged.index;
    let candidate = lesser(index, this.#lastIndex);
    for (let at = this.#runAt(candidate); at >= 0; at -= 1) {
      const run = this.#runs[at];
      if (run === undefined || run.term <= term) return candidate;
      candidate = run.first - 1n;
    }
    return greater(candidate, this.#purged.index);
  }

  /** Removes the entry at `from` and all behind it. */
  truncate(from: bigint): void {
    assert(from > this.#purged.index, 'what is purged is not cut');
    while (this.#lastIndex >= from) {
      this.#bytes -= this.#sizes.pop() ?? 0;
      this.#lastIndex -= 1n;
    }
    while ((this.#runs.at(-1)?.first ?? 0n) >= from) this.#runs.pop();
    this.#lastTerm = this.#runs.at(-1)?.term ?? this.#purged.term;
  }

  /** Removes the entries up to `through`. */
  purge(through: bigint): void {
    if (through <= this.#purged.index) return;
    const term = this.termAt(through);
    assert(term !== undefined, 'only entries of the log are purged');
    const chain = this.chainAt(through);
    for (let index = this.#purged.index + 1n; index <= through; index += 1n) {
      this.#bytes -= this.sizeAt(index);
    }
    this.#purged = { index: through, term, chain };
    const firstKept = this.#runs.findLastIndex(({ first }) => first <= through + 1n);
    if (through === this.#lastIndex) this.#runs = [];
    else if (firstKept > 0) this.#runs = this.#runs.slice(firstKept);
    this.#compact();
  }

  /** Replaces everything by a snapshot that ends in `position`. */
  reset(position: ChainedPosition): void {
    this.#purged = position;
    this.#lastIndex = position.index;
    this.#lastTerm = position.term;
    this.#base = position.index + 1n;
    this.#runs = [];
    this.#sizes = [];
    this.#bytes = 0;
  }

  /** All entries in order. */
  *headers(): Generator<EntryHeader, void, void> {
    for (let index = this.#purged.index + 1n; index <= this.#lastIndex; index += 1n) {
      const term = this.termAt(index);
      assert(term !== undefined, 'every entry belongs to a run');
      yield { index, term, chain: this.chainAt(index), bytes: this.sizeAt(index) };
    }
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

  /** Gives the arrays' purged part up once it is the larger one. */
  #compact(): void {
    const purged = Number(this.#purged.index + 1n - this.#base);
    if (purged < 1_024 || purged < this.#sizes.length / 2) return;
    const kept = this.#chains.subarray(purged * CHAIN_BYTES, this.#sizes.length * CHAIN_BYTES);
    this.#chains = new Uint8Array(Math.max(kept.length, CHAINS_MIN * CHAIN_BYTES));
    this.#chains.set(kept);
    this.#sizes = this.#sizes.slice(purged);
    this.#base = this.#purged.index + 1n;
  }
}
