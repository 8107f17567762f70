/** So many of those that were answered must have come again, as part of their number. */
const RETURNING_PART = 3 / 4;
/** Bounds the pause after waiting in vain, as a power of two. */
const MISSES_MAX = 10;

/**
 * Keeps commands back for a moment after others were answered. Whoever is answered mostly asks again
 * at once. Sent without these, the commands that had to wait would have a round of messages and writes
 * to themselves, and so would these behind them: callers would fall into two groups that wait for each
 * other for ever, each with half of what a round could carry.
 *
 * When those answered do not come again in time, commands are kept back less and less often.
 */
export class CommandGathering {
  #wanted = 0;
  #isOpen = false;
  #misses = 0;
  #pause = 0;

  /** Whether commands are kept back. */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** So many commands were answered while others wait. Returns whether these are kept back now. */
  answered(count: number, waiting: number): boolean {
    if (count === 0 || waiting === 0) return false;
    if (this.#pause > 0) {
      this.#pause -= 1;
      return false;
    }
    this.#wanted = waiting + Math.ceil(count * RETURNING_PART);
    this.#isOpen = true;
    return true;
  }

  /** So many commands wait now. */
  waiting(count: number): void {
    if (!this.#isOpen || count < this.#wanted) return;
    this.#isOpen = false;
    this.#misses = 0;
  }

  /** The moment is over. */
  end(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#misses = Math.min(this.#misses + 1, MISSES_MAX);
    this.#pause = 2 ** this.#misses - 1;
  }
}
