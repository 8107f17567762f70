import { PURGE_ENTRIES_MAX } from '../storage/log-storage.ts';
import type { RetentionPolicy } from './raft-node-options.ts';
import type { StoreView } from './replica-ports.ts';

/** Share of the cap that the log may reach for the sake of members that are catching up. */
const HELD_SHARE = 0.5;

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
   * While somebody needs what lies behind `heldIndex` no compaction is begun that could cut it,
   * unless the log has grown too large for that.
   */
  next(
    store: StoreView,
    covered: bigint,
    bytesAbove: number,
    heldIndex?: bigint | undefined,
  ): bigint | undefined {
    const { bounds } = store;
    const isHeld = heldIndex !== undefined && heldIndex < covered && this.#mayHold(store);
    const isBegun = this.#target > bounds.purged.index;
    if (!isBegun && !isHeld && this.#isDue(store, covered, bytesAbove)) {
      const above = Number(bounds.last.index - covered);
      const { entriesKept, bytesKept } = this.#policy;
      const behind = store.indexBehind(entriesKept + above, bytesKept + bytesAbove);
      this.#target = behind < covered ? behind : covered;
    }
    if (this.#target <= bounds.purged.index) return undefined;
    const most = bounds.purged.index + BigInt(PURGE_ENTRIES_MAX);
    return this.#target < most ? this.#target : most;
  }

  /** At its cap the log keeps commands waiting, so that it must be cut well before. */
  #mayHold({ bounds }: StoreView): boolean {
    return bounds.retainedBytes <= HELD_SHARE * this.#policy.retainedBytesMax;
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
