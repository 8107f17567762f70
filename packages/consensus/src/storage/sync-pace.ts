/** How much the newest sync counts in the mean. */
const NEWEST_PART = 1 / 8;
/** With a greater mean, in milliseconds, syncs are left to another thread. */
const PATIENCE_MS = 1;

/**
 * Whether the calling thread waits for a sync by itself. That saves two wakes of a thread, which
 * is a good part of what a quick disk takes; a slow one would keep everything else waiting. The
 * first slow sync is waited for, since nobody can know; those behind it are not, until the mean has
 * fallen again, which takes the longer the slower it was.
 */
export class SyncPace {
  #meanMs = 0;

  get isQuick(): boolean {
    return this.#meanMs < PATIENCE_MS;
  }

  /** A sync took so long, on whichever thread. */
  took(milliseconds: number): void {
    this.#meanMs += (milliseconds - this.#meanMs) * NEWEST_PART;
  }
}
