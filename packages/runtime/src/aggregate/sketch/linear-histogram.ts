/** Settings of a histogram. */
export interface HistogramBounds {
  readonly buckets: number;
  /** Lower end of the first bucket. */
  readonly min: number;
  /** Upper end of the last bucket. */
  readonly max: number;
}

/** How many values lie in each of many equally wide buckets; those outside count in the outermost. */
export class LinearHistogram {
  readonly #bounds: HistogramBounds;
  readonly #width: number;
  readonly #counts: Float64Array;
  #count = 0;

  constructor(bounds: HistogramBounds) {
    this.#bounds = bounds;
    this.#width = bounds.max / bounds.buckets - bounds.min / bounds.buckets;
    this.#counts = new Float64Array(bounds.buckets);
  }

  /** Values that are counted. */
  get count(): number {
    return this.#count;
  }

  /** The bucket of a value. */
  bucketOf(value: number): number {
    const { buckets, min } = this.#bounds;
    if (value <= min) return 0;
    // A distance beyond doubles is one behind the last bucket as well.
    return Math.min(buckets - 1, Math.floor((value - min) / this.#width));
  }

  /** Counts so many more, or fewer, values of a bucket. */
  change(bucket: number, by: number): void {
    this.#counts[bucket] = (this.#counts[bucket] as number) + by;
    this.#count += by;
  }

  clear(): void {
    this.#counts.fill(0);
    this.#count = 0;
  }

  /** Middle of the bucket with the value at `share` of the way through all; null without values. */
  midpoint(share: number): number | null {
    if (this.#count === 0) return null;
    const rank = Math.round(share * (this.#count - 1));
    let seen = 0;
    let bucket = 0;
    for (; bucket < this.#counts.length - 1; bucket += 1) {
      seen += this.#counts[bucket] as number;
      if (seen > rank) break;
    }
    return this.#bounds.min + (bucket + 0.5) * this.#width;
  }
}
