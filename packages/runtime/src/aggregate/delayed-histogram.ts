import { isNullAt } from '../column/column.js';
import type { WindowSegment } from './aggregate-input.js';
import { type HistogramBounds, LinearHistogram } from './sketch/linear-histogram.js';
import type { SteppingStructure } from './stepping-structure.js';

/** Rows that left a window and are counted until an instant, in the parts in which they came. */
interface Leaving {
  readonly dueNanos: bigint;
  readonly parts: Int32Array[];
}

/** A histogram of a numeric argument in which rows count for a while after they have left. */
export class DelayedHistogram implements SteppingStructure {
  readonly #index: number;
  readonly #delayNanos: bigint;
  readonly #histogram: LinearHistogram;
  readonly #fixedBytes: number;
  #leaving: Leaving[] = [];
  #leavingRows = 0;

  /** @param delayNanos how long, in nanoseconds of the domain */
  constructor(index: number, bounds: HistogramBounds, delayNanos: bigint) {
    this.#index = index;
    this.#delayNanos = delayNanos;
    this.#histogram = new LinearHistogram(bounds);
    this.#fixedBytes = bounds.buckets * 8;
  }

  get byteSize(): number {
    return this.#fixedBytes + this.#leavingRows * 4 + this.#leaving.length * 16;
  }

  add(segment: WindowSegment): void {
    for (const bucket of this.#bucketsOf(segment)) this.#histogram.change(bucket, 1);
  }

  reset(): void {
    this.#histogram.clear();
    this.#leaving = [];
    this.#leavingRows = 0;
  }

  evict(segment: WindowSegment, nowNanos: bigint): void {
    const buckets = this.#bucketsOf(segment);
    if (buckets.length === 0) return;
    this.#leavingRows += buckets.length;
    const dueNanos = nowNanos + this.#delayNanos;
    const last = this.#leaving.at(-1);
    // How rows were batched does not tell in the size of the state.
    if (last?.dueNanos === dueNanos) last.parts.push(buckets);
    else this.#leaving.push({ dueNanos, parts: [buckets] });
  }

  growth(): number {
    return 0;
  }

  settle(): void {
    // Rows that left are counted until they are purged.
  }

  purge(nowNanos: bigint): void {
    let gone = 0;
    for (const { dueNanos, parts } of this.#leaving) {
      if (dueNanos > nowNanos) break;
      for (const buckets of parts) {
        for (const bucket of buckets) this.#histogram.change(bucket, -1);
        this.#leavingRows -= buckets.length;
      }
      gone += 1;
    }
    this.#leaving.splice(0, gone);
  }

  /** @param share of the way through all values, between 0 and 1 */
  percentile(share: number): number | null {
    return this.#histogram.midpoint(share);
  }

  #bucketsOf({ input, start, end }: WindowSegment): Int32Array {
    const buckets = new Int32Array(end - start);
    const argument = input.arguments[this.#index];
    if (argument?.doubles == null) return buckets.subarray(0, 0);
    let count = 0;
    for (let row = start; row < end; row += 1) {
      if (isNullAt(argument.column, row)) continue;
      buckets[count] = this.#histogram.bucketOf(argument.doubles[row] as number);
      count += 1;
    }
    return buckets.subarray(0, count);
  }
}
