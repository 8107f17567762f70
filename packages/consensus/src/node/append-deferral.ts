import type { Raft } from '../raft/raft.ts';
import type { StoreQueue } from './store-queue.ts';

/** Bounds of waiting, in ticks. */
export interface AppendDeferralLimits {
  /** After so many entries are written here, committed or not; 0 leaves none to the others. */
  readonly ticksMax: number;
  /** Bounds the pause after waiting in vain. */
  readonly pauseMax: number;
}

/** Waiting for the slower of the others is never too long below so many milliseconds. */
const SLOW_MS_MIN = 0.5;

/**
 * When a leader leaves its entries to the other voters. As long as those are a quorum without it,
 * its own write is not needed to commit, and once they have committed entries and effects go into
 * one write here instead of two. Until they are written here, entries do not count as stored here; a
 * crash of the leader loses no more than one in front of its write would.
 *
 * With its own write fewer of the others are needed, so one that is slow is not waited for: if it
 * took more than twice as long as was needed twice in a row, or longer than the limit, nothing is
 * left to them for a pause, twice as long each time.
 */
export class AppendDeferral {
  readonly #core: Raft;
  readonly #jobs: StoreQueue;
  readonly #limits: AppendDeferralLimits;
  readonly #nowMs: () => number;
  /** When jobs began to wait; `undefined` while none do. */
  #begunMs: number | undefined;
  /** When nothing but the own write was missing any more. */
  #neededMs: number | undefined;
  #ticks = 0;
  #failures = 0;
  #pause = 0;

  /** `nowMs` is a clock by which the others are measured; nothing that must hold depends on it. */
  constructor(core: Raft, jobs: StoreQueue, limits: AppendDeferralLimits, nowMs: () => number) {
    this.#core = core;
    this.#jobs = jobs;
    this.#limits = limits;
    this.#nowMs = nowMs;
  }

  /**
   * Whether the queued jobs wait, now that the store is idle. When effects are to be written behind
   * `applied`, entries share that write instead, committed or not.
   */
  decide(applied: bigint): boolean {
    if (this.#jobs.isEmpty) return false;
    if (this.#core.commit > applied) {
      this.#committed();
      return false;
    }
    if (this.#isReady && this.#jobs.isCommandsOnly && this.#core.isOthersQuorum) {
      this.#wait();
      return true;
    }
    this.#begunMs = undefined;
    return false;
  }

  /** Whether further commands are kept for the write that follows the commit of those waiting. */
  isWaiting(applied: bigint): boolean {
    return this.#begunMs !== undefined && this.#core.commit <= applied;
  }

  tick(): void {
    if (this.#pause > 0) this.#pause -= 1;
    if (this.#begunMs === undefined) return;
    this.#ticks += 1;
    if (this.#ticks >= this.#limits.ticksMax) this.#failed();
  }

  get #isReady(): boolean {
    return this.#pause === 0 && this.#limits.ticksMax > 0;
  }

  #wait(): void {
    if (this.#begunMs === undefined) {
      this.#begunMs = this.#nowMs();
      this.#neededMs = undefined;
      this.#ticks = 0;
    } else if (this.#neededMs === undefined && this.#core.isOwnWriteMissing) {
      this.#neededMs = this.#nowMs();
    }
  }

  #committed(): void {
    const begun = this.#begunMs;
    if (begun === undefined) return;
    const now = this.#nowMs();
    const needed = this.#neededMs ?? now;
    const isSlow = now - needed > Math.max(SLOW_MS_MIN, needed - begun);
    // Once may be chance, and a pause costs many commands their shared write.
    if (isSlow && this.#failures > 0) this.#failed();
    else this.#failures = isSlow ? 1 : 0;
    this.#begunMs = undefined;
  }

  #failed(): void {
    this.#begunMs = undefined;
    this.#pause = Math.min(2 ** this.#failures, this.#limits.pauseMax);
    this.#failures += 1;
  }
}
