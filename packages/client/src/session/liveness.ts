/** Intervals without a word of the other side after which a connection counts as lost (CL-22). */
const SILENT_INTERVALS_MAX = 3;

/** What watching a connection leads to. */
export interface LivenessActions {
  /** Asks the other side for a sign of life. */
  readonly probe: () => void;
  readonly lost: (reason: string) => void;
}

/** Probes a connection that is silent, and gives it up when it stays so. */
export class Liveness {
  readonly #intervalMs: number;
  readonly #actions: LivenessActions;
  #timer: ReturnType<typeof setInterval> | undefined;
  #silentIntervals = 0;

  /** @param intervalMs milliseconds; 0 watches nothing */
  constructor(intervalMs: number, actions: LivenessActions) {
    this.#intervalMs = intervalMs;
    this.#actions = actions;
  }

  start(): void {
    if (this.#intervalMs > 0) this.#timer = setInterval(() => this.#tick(), this.#intervalMs);
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /** Takes note of anything that came. */
  heard(): void {
    this.#silentIntervals = 0;
  }

  #tick(): void {
    this.#silentIntervals += 1;
    if (this.#silentIntervals > SILENT_INTERVALS_MAX) {
      const seconds = (SILENT_INTERVALS_MAX * this.#intervalMs) / 1000;
      this.#actions.lost(`nothing came for ${seconds} s`);
    } else if (this.#silentIntervals > 1) {
      this.#actions.probe();
    }
  }
}
