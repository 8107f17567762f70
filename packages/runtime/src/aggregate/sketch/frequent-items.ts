import { compareScalars } from '../../program/scalar-order.js';

/** A value that is counted: equal ones are one, zeros too. */
export type Item = boolean | number | bigint | string;

/**
 * The most frequent of many values, with a bounded number of counters. A count is never above the
 * real one and below it by no more than the number of values over `capacity + 1`; up to `capacity`
 * different values are counted exactly. Sources: Misra and Gries (1982); merging after Agarwal et
 * al., Mergeable Summaries (2012).
 */
export class FrequentItems {
  readonly #capacity: number;
  #counts = new Map<Item, number>();

  /** @param capacity counters */
  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  add(item: Item): void {
    const count = this.#counts.get(item);
    if (count !== undefined) this.#counts.set(item, count + 1);
    else if (this.#counts.size < this.#capacity) this.#counts.set(item, 1);
    else this.#lower(1);
  }

  /** Adds what another of the same capacity has counted. */
  merge(other: FrequentItems): void {
    for (const [item, count] of other.#counts) {
      this.#counts.set(item, count + (this.#counts.get(item) ?? 0));
    }
    const excess = this.#counts.size - this.#capacity;
    if (excess <= 0) return;
    const counts = Float64Array.from(this.#counts.values()).sort();
    this.#lower(counts[excess - 1] as number);
  }

  /** Up to `k` values by count, then by value, smaller ones first. */
  top(k: number): Item[] {
    const ordered = [...this.#counts].sort(
      ([left, leftCount], [right, rightCount]) =>
        rightCount - leftCount || compareScalars(left, right),
    );
    return ordered.slice(0, k).map(([item]) => item);
  }

  /** Lower bound of how often a value was added. */
  countOf(item: Item): number {
    return this.#counts.get(item) ?? 0;
  }

  #lower(by: number): void {
    const kept = new Map<Item, number>();
    for (const [item, count] of this.#counts) if (count > by) kept.set(item, count - by);
    this.#counts = kept;
  }
}
