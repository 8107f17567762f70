/** How many ticks a stall is made up for; the rest of it never happened. */
const TICKS_MAX = 2;

/**
 * Calls `tick` every `tickMs` milliseconds of a monotonic clock. After a stall of the process,
 * input that is already there is taken first, and then at most two ticks come: time may pass more
 * slowly for the protocol than it does, never faster.
 */
export class Ticker {
  readonly #tickMs: number;
  readonly #tick: () => void;
  readonly #stalled: (lostTicks: number) => void;
  #last = 0;
  #timer: NodeJS.Timeout | undefined;
  #isCatchingUp = false;

  constructor(tickMs: number, tick: () => void, stalled: (lostTicks: number) => void) {
    this.#tickMs = tickMs;
    this.#tick = tick;
    this.#stalled = stalled;
  }

  start(): void {
    this.#last = performance.now();
    this.#timer = setInterval(() => this.#fire(), this.#tickMs);
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #fire(): void {
    if (this.#isCatchingUp) return;
    const due = this.#due();
    if (due < TICKS_MAX) {
      this.#deliver(due);
      return;
    }
    // Timers run before sockets are read, and immediates after.
    this.#isCatchingUp = true;
    setImmediate(() => {
      this.#isCatchingUp = false;
      if (this.#timer !== undefined) this.#deliver(this.#due());
    });
  }

  #due(): number {
    return Math.floor((performance.now() - this.#last) / this.#tickMs);
  }

  #deliver(due: number): void {
    const ticks = Math.min(due, TICKS_MAX);
    this.#last += due * this.#tickMs;
    if (due > ticks) this.#stalled(due - ticks);
    for (let i = 0; i < ticks; i += 1) this.#tick();
  }
}
