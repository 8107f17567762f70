import type { HistogramSample } from './metric-sample.js';
import { RollingDistribution } from './rolling-distribution.js';

/** Counts observations by upper bound. */
export class Histogram {
  readonly #bounds: readonly number[];
  readonly #counts: number[];
  readonly #recent: RollingDistribution | null;
  #sum = 0;

  /**
   * @param bounds ascending upper bounds, without infinity
   * @param isDescribed whether it also keeps what descriptions show of the last minutes
   */
  constructor(bounds: readonly number[], isDescribed: boolean) {
    this.#bounds = bounds;
    this.#counts = new Array<number>(bounds.length + 1).fill(0);
    this.#recent = isDescribed ? new RollingDistribution() : null;
  }

  /** @param nowMs monotonic time, never before that of an earlier call */
  observe(value: number, nowMs: number): void {
    let index = 0;
    while (index < this.#bounds.length && value > (this.#bounds[index] ?? 0)) index += 1;
    this.#counts[index] = (this.#counts[index] ?? 0) + 1;
    this.#sum += value;
    this.#recent?.observe(value, nowMs);
  }

  sample(name: string, labels: Readonly<Record<string, string>>): HistogramSample {
    let count = 0;
    const buckets = this.#counts.map((own, index) => {
      count += own;
      return { le: this.#bounds[index] ?? Infinity, count };
    });
    return { kind: 'histogram', name, labels, buckets, sum: this.#sum, count };
  }

  /** The sample with what the last minutes brought. Without a pace, domain time is wall time. */
  described(
    name: string,
    labels: Readonly<Record<string, string>>,
    nowMs: number,
  ): HistogramSample {
    const sample = this.sample(name, labels);
    if (this.#recent === null) return sample;
    const windows = this.#recent.read(nowMs);
    return { ...sample, derived: { wall: windows, domain: windows } };
  }
}
