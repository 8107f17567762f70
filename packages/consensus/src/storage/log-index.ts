import { assert, present } from '../assert.ts';
import type { LogPosition } from '../raft/entry.ts';
import type { LogBounds } from './log-storage.ts';

interface TermRun {
  readonly term: bigint;
  readonly first: bigint;
}

/**
 * Terms and encoded sizes of the stored entries, in memory: what must be known of the log without
 * reading it. Terms are kept as runs, sizes as one number per entry.
 */
export class LogIndex {
  #purged: LogPosition;
  #last: LogPosition;
  #retainedBytes = 0;
  #sizes: number[] = [];
  /** How many leading elements of `#sizes` are already purged; cut off now and then. */
  #sizesOffset = 0;
  #runs: TermRun[] = [];

  constructor(purged: LogPosition) {
    this.#purged = purged;
    this.#last = purged;
  }

  get bounds(): LogBounds {
    return {
      purged: this.#purged,
      last: this.#last,
      retainedEntries: this.#sizes.length - this.#sizesOffset,
      retainedBytes: this.#retainedBytes,
    };
  }

  /** Adds the entry behind the newest. `bytes` is its encoded size. */
  append(position: LogPosition, bytes: number): void {
    assert(position.index === this.#last.index + 1n, 'the log has no gaps');
    assert(position.term >= this.#last.term, 'terms never decrease along the log');
    if (this.#runs.at(-1)?.term !== position.term) {
      this.#runs.push({ term: position.term, first: position.index });
    }
    this.#sizes.push(bytes);
    this.#retainedBytes += bytes;
    this.#last = { index: position.index, term: position.term };
  }

  /** Term of a stored entry or of the newest purged one. */
  termAt(index: bigint): bigint {
    if (index === this.#purged.index) return this.#purged.term;
    assert(index > this.#purged.index && index <= this.#last.index, 'the entry is stored');
    const run = this.#runs.findLast(({ first }) => first <= index);
    return present(run, 'every stored entry belongs to a run').term;
  }

  /** Forgets the entries up to `through`. */
  purge(through: bigint): void {
    const position = { index: through, term: this.termAt(through) };
    const end = this.#sizesOffset + Number(through - this.#purged.index);
    for (let i = this.#sizesOffset; i < end; i += 1) {
      this.#retainedBytes -= present(this.#sizes[i], 'every stored entry has a size');
    }
    this.#sizesOffset = end;
    if (this.#sizesOffset > this.#sizes.length / 2) {
      this.#sizes = this.#sizes.slice(this.#sizesOffset);
      this.#sizesOffset = 0;
    }
    const firstKept = this.#runs.findLastIndex(({ first }) => first <= through + 1n);
    this.#runs = this.#runs.slice(Math.max(0, firstKept));
    this.#purged = position;
    if (through === this.#last.index) this.#runs = [];
  }

  /**
   * Index up to which entries may go so that behind it at most `entriesKept` entries of together
   * at most `bytesKept` bytes remain.
   */
  indexBehind(entriesKept: number, bytesKept: number): bigint {
    let bytes = 0;
    let kept = 0;
    for (let i = this.#sizes.length - 1; i >= this.#sizesOffset && kept < entriesKept; i -= 1) {
      bytes += present(this.#sizes[i], 'every stored entry has a size');
      if (bytes > bytesKept) break;
      kept += 1;
    }
    return this.#last.index - BigInt(kept);
  }
}
