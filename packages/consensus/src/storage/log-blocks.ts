import { assert } from '../assert.ts';

/** How many forgotten starts may stay in front of the others before the array is cut. */
const FORGOTTEN_MAX = 1_024;

/**
 * Where the blocks of a stored log begin, in order. The first may begin in front of the log's
 * first entry: what is purged of a block goes with the rest of it.
 */
export class LogBlocks {
  /** Distances from {@link #base}. */
  #firsts: number[] = [];
  #forgotten = 0;
  #base = 0n;
  #epoch: number;

  constructor(epoch: number) {
    this.#epoch = epoch;
  }

  /** The log that they belong to. It changes together with them, when a reader may be at work. */
  get epoch(): number {
    return this.#epoch;
  }

  get count(): number {
    return this.#firsts.length - this.#forgotten;
  }

  /** Adds the block behind the newest. */
  append(first: bigint): void {
    if (this.count === 0) this.#begin(first);
    const distance = Number(first - this.#base);
    assert(distance > (this.#firsts.at(-1) ?? -1), 'blocks are appended in order');
    this.#firsts.push(distance);
  }

  /** First entry of the block that the entry at `index` is in. */
  startOf(index: bigint): bigint {
    const at = this.#below(Number(index - this.#base) + 1) - 1;
    assert(at >= this.#forgotten, 'the entry is in a block');
    return this.#firstAt(at);
  }

  /** First entry of the block that is followed by `behind` others. */
  fromEnd(behind: number): bigint {
    return this.#firstAt(this.#firsts.length - 1 - behind);
  }

  /** How many blocks begin at `index` or behind it. */
  countFrom(index: bigint): number {
    return this.#firsts.length - this.#below(Number(index - this.#base));
  }

  /** First entries of the blocks that begin at `index` or behind it. */
  *from(index: bigint): Generator<bigint, void, void> {
    for (let at = this.#below(Number(index - this.#base)); at < this.#firsts.length; at += 1) {
      yield this.#firstAt(at);
    }
  }

  /**
   * First entries of the blocks in which there is nothing behind `through`, in a log that ends at
   * `last`.
   */
  *through(through: bigint, last: bigint): Generator<bigint, void, void> {
    for (let at = this.#forgotten; at < this.#firsts.length; at += 1) {
      const isNewest = at + 1 === this.#firsts.length;
      const end = isNewest ? last : this.#firstAt(at + 1) - 1n;
      if (end > through) return;
      yield this.#firstAt(at);
    }
  }

  /** Forgets the blocks that begin at `index` or behind it. */
  truncate(index: bigint): void {
    this.#firsts.length = this.#below(Number(index - this.#base));
  }

  /** Forgets the oldest blocks. */
  forget(count: number): void {
    assert(count <= this.count, 'only what is there is forgotten');
    this.#forgotten += count;
    if (this.#forgotten < FORGOTTEN_MAX || this.#forgotten < this.#firsts.length / 2) return;
    this.#firsts = this.#firsts.slice(this.#forgotten);
    this.#forgotten = 0;
  }

  /** Forgets all of them: another log begins. */
  clear(epoch: number): void {
    this.#epoch = epoch;
    this.#begin(0n);
  }

  #begin(base: bigint): void {
    this.#firsts = [];
    this.#forgotten = 0;
    this.#base = base;
  }

  /** Position in the array of the first block that begins at this distance or farther. */
  #below(distance: number): number {
    let low = this.#forgotten;
    let high = this.#firsts.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#firsts[middle] ?? 0) < distance) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #firstAt(at: number): bigint {
    const distance = this.#firsts[at];
    assert(distance !== undefined && at >= this.#forgotten, 'the block is there');
    return this.#base + BigInt(distance);
  }
}
