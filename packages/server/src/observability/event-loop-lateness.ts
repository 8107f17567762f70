const SAMPLE_INTERVAL_MS = 250;

/** How late the event loop was, summed over samples. */
export interface LatenessTotals {
  readonly delaySeconds: number;
  readonly samples: number;
  readonly peakSeconds: number;
}

/** Samples how late a timer of 250 ms fires. */
export class EventLoopLateness {
  readonly #now: () => number;
  #timer: NodeJS.Timeout | undefined;
  #lastMs = 0;
  #delayMs = 0;
  #peakMs = 0;
  #samples = 0;

  /** @param now monotonic milliseconds */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  start(): void {
    this.#lastMs = this.#now();
    this.#timer = setInterval(() => this.sample(), SAMPLE_INTERVAL_MS);
    this.#timer.unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /** Takes one sample: the time since the previous one, beyond the interval. */
  sample(): void {
    const now = this.#now();
    const late = Math.max(0, now - this.#lastMs - SAMPLE_INTERVAL_MS);
    this.#lastMs = now;
    this.#delayMs += late;
    this.#peakMs = Math.max(this.#peakMs, late);
    this.#samples += 1;
  }

  totals(): LatenessTotals {
    return {
      delaySeconds: this.#delayMs / 1000,
      samples: this.#samples,
      peakSeconds: this.#peakMs / 1000,
    };
  }
}
