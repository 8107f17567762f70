import { BLOCK_COUNT, BLOCK_SIZE, bucketMiddle, bucketOf } from './log-linear-buckets.js';
import type { DistributionWindows, ValueDistribution } from './metric-sample.js';

/** Values are kept as whole thousandths. */
const SCALE = 1000;
const SCALED_MAX = Number.MAX_SAFE_INTEGER;

/** A ring of time slots, each with its own buckets. A slot is emptied when its turn comes again. */
class SlotRing {
  readonly #stepMs: number;
  readonly #slots: number;
  /** Which step of time each slot holds; -1 for none. */
  readonly #steps: Float64Array;
  readonly #lowest: Float64Array;
  readonly #highest: Float64Array;
  /** Counts of each block of buckets, slot after slot. A block exists once it counts something. */
  readonly #blocks = new Array<Uint32Array | undefined>(BLOCK_COUNT).fill(undefined);
  #slot = 0;
  #slotEndMs = Number.NEGATIVE_INFINITY;

  constructor(stepMs: number, slots: number) {
    this.#stepMs = stepMs;
    this.#slots = slots;
    this.#steps = new Float64Array(slots).fill(-1);
    this.#lowest = new Float64Array(slots);
    this.#highest = new Float64Array(slots);
  }

  add(scaled: number, bucket: number, nowMs: number): void {
    if (nowMs >= this.#slotEndMs) this.#turn(nowMs);
    const slot = this.#slot;
    const index = Math.floor(bucket / BLOCK_SIZE);
    const counts = this.#blocks[index] ?? this.#newBlock(index);
    const place = slot * BLOCK_SIZE + (bucket % BLOCK_SIZE);
    counts[place] = (counts[place] ?? 0) + 1;
    if (scaled < (this.#lowest[slot] ?? 0)) this.#lowest[slot] = scaled;
    if (scaled > (this.#highest[slot] ?? 0)) this.#highest[slot] = scaled;
  }

  /** What the slots hold that are not older than the window at `nowMs`. */
  read(nowMs: number): ValueDistribution {
    const oldest = Math.floor(nowMs / this.#stepMs) - this.#slots + 1;
    const live: number[] = [];
    let lowest = Number.POSITIVE_INFINITY;
    let highest = 0;
    for (let slot = 0; slot < this.#slots; slot += 1) {
      if ((this.#steps[slot] ?? -1) < Math.max(0, oldest)) continue;
      live.push(slot);
      lowest = Math.min(lowest, this.#lowest[slot] ?? 0);
      highest = Math.max(highest, this.#highest[slot] ?? 0);
    }
    const values: number[] = [];
    const counts: number[] = [];
    this.#blocks.forEach((block, index) => {
      if (block === undefined) return;
      for (let place = 0; place < BLOCK_SIZE; place += 1) {
        let count = 0;
        for (const slot of live) count += block[slot * BLOCK_SIZE + place] ?? 0;
        if (count === 0) continue;
        const middle = bucketMiddle(index * BLOCK_SIZE + place);
        values.push(Math.min(highest, Math.max(lowest, middle)) / SCALE);
        counts.push(count);
      }
    });
    return { values, counts };
  }

  #turn(nowMs: number): void {
    const step = Math.floor(nowMs / this.#stepMs);
    const slot = step % this.#slots;
    this.#slot = slot;
    this.#slotEndMs = (step + 1) * this.#stepMs;
    this.#steps[slot] = step;
    this.#lowest[slot] = Number.POSITIVE_INFINITY;
    this.#highest[slot] = 0;
    for (const block of this.#blocks) block?.fill(0, slot * BLOCK_SIZE, (slot + 1) * BLOCK_SIZE);
  }

  #newBlock(index: number): Uint32Array {
    const block = new Uint32Array(this.#slots * BLOCK_SIZE);
    this.#blocks[index] = block;
    return block;
  }
}

/**
 * How values were distributed over the last minute and the last quarter of an hour. What it holds
 * is bounded by the range of the values, however many there are: about 5 KiB for every power of two
 * that occurs.
 */
export class RollingDistribution {
  readonly #minute = new SlotRing(10_000, 6);
  readonly #quarter = new SlotRing(60_000, 15);

  /**
   * @param value not negative
   * @param nowMs monotonic time, never before that of an earlier call
   */
  observe(value: number, nowMs: number): void {
    const scaled = Math.min(SCALED_MAX, Math.round(value * SCALE));
    const bucket = bucketOf(scaled);
    this.#minute.add(scaled, bucket, nowMs);
    this.#quarter.add(scaled, bucket, nowMs);
  }

  read(nowMs: number): DistributionWindows {
    return { last1m: this.#minute.read(nowMs), last15m: this.#quarter.read(nowMs) };
  }
}
