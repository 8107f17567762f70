import { PURGE_ENTRIES_MAX } from '../storage/log-storage.ts';
import type { RetentionPolicy } from './raft-node-options.ts';
import type { StoreView } from './replica-ports.ts';

/** Decides which entries go. A compaction that has begun goes on over several jobs to its end. */
export class Retention {
  readonly #policy: RetentionPolicy;
  /** Index through which the compaction in progress removes entries. */
  #target = 0n;

  constructor(policy: RetentionPolicy) {
    this.#policy = policy;
  }

  /**
   * The `purgeThrough` of the next job, or `undefined` when nothing is to be removed. `covered` is
   * the newest index without which the log can do, `bytesAbove` the size of what lies behind it.
   */
  next(store: StoreView, covered: bigint, bytesAbove: number): bigint | undefined {
    const { bounds } = store;
    if (this.#target <= bounds.purged.index && this.#isDue(store, covered, bytesAbove)) {
      const above = Number(bounds.last.index - covered);
      const { entriesKept, bytesKept } = this.#policy;
      const behind = store.indexBehind(entriesKept + above, bytesKept + bytesAbove);
      this.#target = behind < covered ? behind : covered;
    }
    if (this.#target <= bounds.purged.index) return undefined;
    const most = bounds.purged.index + BigInt(PURGE_ENTRIES_MAX);
    return this.#target < most ? this.#target : most;
  }

  #isDue({ bounds }: StoreView, covered: bigint, bytesAbove: number): boolean {
    const { entriesThreshold, bytesThreshold, entriesKept, bytesKept } = this.#policy;
    const above = Number(bounds.last.index - covered);
    return (
      bounds.retainedEntries > entriesKept + entriesThreshold + above ||
      bounds.retainedBytes > bytesKept + bytesThreshold + bytesAbove
    );
  }
}
