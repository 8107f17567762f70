/**
 * About the quantiles of numbers: close in rank, and closest at both ends. Numbers near each other are
 * kept as their mean and count, fewer together the nearer they are to an end. Source: Dunning and
 * Ertl, Computing Extremely Accurate Quantiles Using t-Digests, arXiv:1902.04023, the merging digest
 * with the arcsine scale.
 */
export class QuantileDigest {
  readonly #capacity: number;
  #means: Float64Array;
  #weights: Float64Array;
  #centroids = 0;
  readonly #fresh: Float64Array;
  #freshCount = 0;
  #count = 0;
  #min = Number.POSITIVE_INFINITY;
  #max = Number.NEGATIVE_INFINITY;

  /** @param capacity most means that are kept, and numbers that are gathered before they are */
  constructor(capacity: number) {
    this.#capacity = capacity;
    this.#means = new Float64Array(capacity);
    this.#weights = new Float64Array(capacity);
    this.#fresh = new Float64Array(capacity);
  }

  /** Numbers that were added. */
  get count(): number {
    return this.#count;
  }

  /** Means that are kept. */
  get centroids(): number {
    this.#compress();
    return this.#centroids;
  }

  /** Adds a finite number. */
  add(value: number): void {
    if (this.#freshCount === this.#capacity) this.#compress();
    this.#fresh[this.#freshCount] = value;
    this.#freshCount += 1;
    this.#count += 1;
    if (value < this.#min) this.#min = value;
    if (value > this.#max) this.#max = value;
  }

  /** Adds what another of the same capacity has seen. */
  merge(other: QuantileDigest): void {
    this.#compress();
    this.#count += other.#count;
    this.#min = Math.min(this.#min, other.#min);
    this.#max = Math.max(this.#max, other.#max);
    // The other one stays as it is: what it says later must not depend on who asked before.
    const { means, weights, count } = other.#joined();
    this.#take(means.subarray(0, count), weights.subarray(0, count));
  }

  /** The number at `share` of the way through all in order, between 0 and 1; null when there is none. */
  quantile(share: number): number | null {
    this.#compress();
    if (this.#count === 0) return null;
    const rank = share * (this.#count - 1);
    let [leftRank, left] = [0, this.#min];
    let before = 0;
    for (let at = 0; at < this.#centroids; at += 1) {
      const weight = this.#weights[at] as number;
      const center = before + (weight - 1) / 2;
      const mean = this.#means[at] as number;
      if (rank <= center) return between(left, mean, (rank - leftRank) / (center - leftRank));
      [leftRank, left] = [center, mean];
      before += weight;
    }
    return between(left, this.#max, (rank - leftRank) / (this.#count - 1 - leftRank));
  }

  /** Moves the numbers that were gathered into the means. */
  #compress(): void {
    if (this.#freshCount === 0) return;
    this.#keep(this.#joined());
    this.#freshCount = 0;
  }

  /** Merges ascending means into those that are kept. */
  #take(means: Float64Array, weights: Float64Array): void {
    this.#keep(this.#mergedWith(means, weights));
  }

  #keep({ means, weights, count }: Centroids): void {
    this.#means = means;
    this.#weights = weights;
    this.#centroids = count;
  }

  /** The means with the numbers that were gathered. */
  #joined(): Centroids {
    return this.#mergedWith(this.#fresh.slice(0, this.#freshCount).sort(), null);
  }

  /** The means with other ascending ones; without weights each of these is one number. */
  #mergedWith(means: Float64Array, weights: Float64Array | null): Centroids {
    const kept = new Centroids(this.#capacity, this.#count);
    let own = 0;
    let other = 0;
    while (own < this.#centroids || other < means.length) {
      const isOwn =
        other === means.length ||
        (own < this.#centroids && (this.#means[own] as number) <= (means[other] as number));
      if (isOwn) {
        kept.add(this.#means[own] as number, this.#weights[own] as number);
        own += 1;
      } else {
        kept.add(means[other] as number, weights === null ? 1 : (weights[other] as number));
        other += 1;
      }
    }
    return kept;
  }
}

/** Means in ascending order, joined with the one before for as long as both are one step of the scale. */
class Centroids {
  readonly means: Float64Array;
  readonly weights: Float64Array;
  readonly #total: number;
  /** Length of the scale from one end to the other is half of this many steps. */
  readonly #steps: number;
  #last = -1;
  /** Weight in front of the last mean, and up to which it may be filled. */
  #before = 0;
  #limit = 0;

  constructor(capacity: number, total: number) {
    this.means = new Float64Array(capacity);
    this.weights = new Float64Array(capacity);
    this.#total = total;
    // Two neighbours are more than one step, so that there are at most as many as steps, and one.
    this.#steps = capacity - 1;
  }

  get count(): number {
    return this.#last + 1;
  }

  add(mean: number, weight: number): void {
    const { means, weights } = this;
    const last = this.#last;
    const joined = last < 0 ? 0 : (weights[last] as number) + weight;
    const isFull = last === means.length - 1;
    if (last >= 0 && (isFull || this.#before + joined <= this.#limit)) {
      means[last] = between(means[last] as number, mean, weight / joined);
      weights[last] = joined;
      return;
    }
    if (last >= 0) this.#before += weights[last] as number;
    this.#limit = this.#total * this.#stepBehind(this.#before / this.#total);
    this.#last += 1;
    means[this.#last] = mean;
    weights[this.#last] = weight;
  }

  /** The share that lies one step of the arcsine scale behind another. */
  #stepBehind(share: number): number {
    const angle = Math.asin(2 * share - 1) + (2 * Math.PI) / this.#steps;
    return angle >= Math.PI / 2 ? 1 : (Math.sin(angle) + 1) / 2;
  }
}

/**
 * What lies a share of the way up from one number to another: never outside of both, as rounding could
 * have it, and without leaving the range of doubles.
 */
function between(from: number, to: number, share: number): number {
  if (from === to || !(share > 0)) return from;
  if (share >= 1) return to;
  const distance = to - from;
  const found = Number.isFinite(distance)
    ? from + distance * share
    : from * (1 - share) + to * share;
  return Math.min(to, Math.max(from, found));
}
