interface IndexRange {
  readonly from: bigint;
  readonly to: bigint;
}

/**
 * Stored entries outside of the log's bounds: what an installed snapshot or an interrupted cut left
 * behind. They are never read, only deleted in portions.
 */
export class LogLeftovers {
  #ranges: IndexRange[];

  constructor(ranges: readonly IndexRange[] = []) {
    this.#ranges = [...ranges];
  }

  get isEmpty(): boolean {
    return this.#ranges.length === 0;
  }

  add(from: bigint, to: bigint): void {
    if (from <= to) this.#ranges.push({ from, to });
  }

  /**
   * Takes indexes to be deleted, at most `countMax`, none of them behind `purged` and up to `last`:
   * those are the log, which has overwritten whatever was left there.
   */
  take(purged: bigint, last: bigint, countMax: number): readonly bigint[] {
    const taken: bigint[] = [];
    while (taken.length < countMax) {
      const range = this.#ranges.pop();
      if (range === undefined) break;
      const { from, to } = range;
      const isLogged = to > purged && to <= last;
      const end = isLogged ? purged : to;
      if (end < from) continue;
      const lowest = end > last && from <= last ? last + 1n : from;
      const count = BigInt(countMax - taken.length);
      const first = end - lowest + 1n > count ? end - count + 1n : lowest;
      for (let index = first; index <= end; index += 1n) taken.push(index);
      if (first > from) this.#ranges.push({ from, to: first - 1n });
    }
    return taken;
  }
}
