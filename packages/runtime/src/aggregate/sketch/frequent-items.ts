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
      ([left, leftCount], [right, rightCount]) => rightCount - leftCount || compare(left, right),
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

/** Order of two values of one type; texts by their bytes. */
function compare(left: Item, right: Item): number {
  if (typeof left === 'string' && typeof right === 'string') return compareTexts(left, right);
  if (left < right) return -1;
  return left > right ? 1 : 0;
}

/** Code units order texts as their UTF-8 does, but for those above the surrogates. */
function compareTexts(left: string, right: string): number {
  const end = Math.min(left.length, right.length);
  for (let at = 0; at < end; at += 1) {
    const [one, two] = [left.charCodeAt(at), right.charCodeAt(at)];
    if (one !== two) return scalarRank(one) - scalarRank(two);
  }
  return left.length - right.length;
}

function scalarRank(unit: number): number {
  if (unit < 0xd800) return unit;
  return unit < 0xe000 ? unit + 0x2000 : unit - 0x800;
}
