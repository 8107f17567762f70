import type { Raft } from '../raft/raft.ts';
import type { StoreQueue } from './store-queue.ts';

/** Bounds of waiting, in ticks. */
export interface AppendDeferralLimits {
  /** After so many entries are written here, committed or not; 0 leaves none to the others. */
  readonly ticksMax: number;
  /** Bounds the pause after waiting in vain. */
  readonly pauseMax: number;
}

/**
 * When a leader leaves its entries to the other voters. As long as those are a quorum without it,
 * its own write is not needed to commit, and once they have committed entries and effects go into
 * one write here instead of two. It does not wait for long, and after it has waited in vain not
 * again for a while, twice as long each time. Until they are written here, entries do not count as
 * stored here; a crash of the leader loses no more than one in front of its write would.
 */
export class AppendDeferral {
  readonly #core: Raft;
  readonly #jobs: StoreQueue;
  readonly #limits: AppendDeferralLimits;
  /** Ticks for which jobs have been waiting; `undefined` while none do. */
  #waited: number | undefined;
  #failures = 0;
  #pause = 0;

  constructor(core: Raft, jobs: StoreQueue, limits: AppendDeferralLimits) {
    this.#core = core;
    this.#jobs = jobs;
    this.#limits = limits;
  }

  /**
   * Whether the queued jobs wait, now that the store is idle. When effects are to be written behind
   * `applied`, entries share that write instead, committed or not.
   */
  decide(applied: bigint): boolean {
    if (this.#jobs.isEmpty) return false;
    const isCommitted = this.#core.commit > applied;
    const isAllowed = !isCommitted && this.#isReady && this.#jobs.isCommandsOnly;
    if (isAllowed && this.#core.isOthersQuorum) {
      this.#waited ??= 0;
      return true;
    }
    if (isCommitted && this.#waited !== undefined) this.#failures = 0;
    this.#waited = undefined;
    return false;
  }

  /** Whether further commands are kept for the write that follows the commit of those waiting. */
  isWaiting(applied: bigint): boolean {
    return this.#waited !== undefined && this.#core.commit <= applied;
  }

  tick(): void {
    if (this.#pause > 0) this.#pause -= 1;
    if (this.#waited === undefined) return;
    this.#waited += 1;
    if (this.#waited < this.#limits.ticksMax) return;
    this.#waited = undefined;
    this.#pause = Math.min(2 ** this.#failures, this.#limits.pauseMax);
    this.#failures += 1;
  }

  get #isReady(): boolean {
    return this.#pause === 0 && this.#limits.ticksMax > 0;
  }
}
