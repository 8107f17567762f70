import { type LogStorage, PURGE_ENTRIES_MAX } from '../storage/log-storage.ts';
import type { RetentionPolicy } from './raft-node-options.ts';

/** Decides which entries go. A compaction that has begun goes on over several jobs to its end. */
export class Retention {
  readonly #policy: RetentionPolicy;
  /** Index through which the compaction in progress removes entries. */
  #target = 0n;

  constructor(policy: RetentionPolicy) {
    this.#policy = policy;
  }

  /** The `purgeThrough` of the next job, or `undefined` when nothing is to be removed. */
  next(storage: LogStorage): bigint | undefined {
    const { bounds, applied } = storage;
    if (this.#target <= bounds.purged.index && this.#isDue(storage)) {
      const { entriesKept, bytesKept } = this.#policy;
      const behind = storage.indexBehind(entriesKept, bytesKept);
      this.#target = applied.index;
      if (behind < applied.index) this.#target = behind;
    }
    if (this.#target <= bounds.purged.index) return undefined;
    const most = bounds.purged.index + BigInt(PURGE_ENTRIES_MAX);
    return this.#target < most ? this.#target : most;
  }

  #isDue({ bounds }: LogStorage): boolean {
    const { entriesThreshold, bytesThreshold, entriesKept, bytesKept } = this.#policy;
    return (
      bounds.retainedEntries > entriesKept + entriesThreshold ||
      bounds.retainedBytes > bytesKept + bytesThreshold
    );
  }
}
