import type { TypedExpression } from '@nervix/model';
import type { Column } from '../column/column.js';
import { KeyTable } from './key-table.js';
import { RowKeys } from './row-keys.js';

const WORD = 4_294_967_296;
const KEYS_MIN = 1024;

/**
 * When keys were last let through. A key that is seen again within the time that the history reaches
 * back is a repetition, which does not prolong it; keys that are older than that are forgotten.
 */
export class KeyHistory {
  readonly #withinNanos: number;
  readonly #table = new KeyTable();
  readonly #keys: RowKeys;
  /** Low and high words of the instant at which each key of the table was let through. */
  #seen = new Int32Array(KEYS_MIN * 2);
  /** Keys that `#seen` says something about; those behind are new. */
  #known = 0;
  #pruneAt = KEYS_MIN;

  /**
   * @param keys the expressions whose values together are a key
   * @param withinNanos how far the history reaches back, in nanoseconds
   */
  constructor(keys: readonly TypedExpression[], withinNanos: bigint) {
    this.#keys = new RowKeys(this.#table, keys);
    this.#withinNanos = Number(withinNanos);
  }

  /** Keys that the history holds. */
  get size(): number {
    return this.#known;
  }

  /**
   * Lets rows through, in order, whose key was not let through within the time before the row's own.
   *
   * @param instants one for each row, in nanoseconds since 1970
   * @param isSkipped tells rows that are neither let through nor remembered; null when none is
   * @returns the rows let through
   */
  admit(
    columns: readonly Column[],
    instants: BigInt64Array,
    isSkipped: ((row: number) => boolean) | null,
  ): Int32Array {
    const words = new Int32Array(instants.buffer, instants.byteOffset, instants.length * 2);
    const ids = this.#keys.idsOf(columns, instants.length);
    this.#reserve(this.#table.count);
    const seen = this.#seen;
    const admitted = new Int32Array(ids.length);
    let count = 0;
    for (let row = 0; row < ids.length; row += 1) {
      if (isSkipped?.(row) === true) continue;
      const at = (ids[row] as number) * 2;
      const low = words[row * 2] as number;
      const high = words[row * 2 + 1] as number;
      if (this.#isRecent(seen, at, low, high)) continue;
      seen[at] = low;
      seen[at + 1] = high;
      admitted[count++] = row;
    }
    this.#known = this.#table.count;
    if (this.#known >= this.#pruneAt) this.#prune(words);
    return admitted.subarray(0, count);
  }

  #isRecent(seen: Int32Array, at: number, low: number, high: number): boolean {
    const [seenLow, seenHigh] = [seen[at] as number, seen[at + 1] as number];
    if (seenHigh === NEVER_HIGH && seenLow === 0) return false;
    return (high - seenHigh) * WORD + ((low >>> 0) - (seenLow >>> 0)) < this.#withinNanos;
  }

  /** New keys were never seen. */
  #reserve(keys: number): void {
    if (keys * 2 > this.#seen.length) {
      const next = new Int32Array(keys * 4);
      next.set(this.#seen);
      this.#seen = next;
    }
    for (let id = this.#known; id < keys; id += 1) {
      this.#seen[id * 2] = 0;
      this.#seen[id * 2 + 1] = NEVER_HIGH;
    }
  }

  /** Forgets keys that are too old at the last row's instant, and looks again at twice as many. */
  #prune(words: Int32Array): void {
    const seen = this.#seen;
    const low = words[words.length - 2] ?? 0;
    const high = words[words.length - 1] ?? 0;
    const kept = new Int32Array(this.#known);
    let count = 0;
    for (let id = 0; id < this.#known; id += 1) {
      if (!this.#isRecent(seen, id * 2, low, high)) continue;
      seen[count * 2] = seen[id * 2] as number;
      seen[count * 2 + 1] = seen[id * 2 + 1] as number;
      kept[count++] = id;
    }
    this.#table.retain(kept.subarray(0, count));
    this.#known = count;
    this.#pruneAt = Math.max(KEYS_MIN, count * 2);
  }
}

/** High word of the earliest instant, which with a low word of zero stands for none. */
const NEVER_HIGH = -2_147_483_648;
