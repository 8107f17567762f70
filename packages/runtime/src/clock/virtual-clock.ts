import type { Clock, Timer } from './clock.js';

interface VirtualTimer extends Timer {
  readonly dueMs: number;
  readonly run: () => void;
}

/** A clock that moves only when told to, for deterministic tests and simulations. */
export class VirtualClock implements Clock {
  #nowMs = 0;
  readonly #originNanos: bigint;
  #timers: VirtualTimer[] = [];

  /** @param originNanos UTC at the moment of creation */
  constructor(originNanos = 0n) {
    this.#originNanos = originNanos;
  }

  monotonicMs(): number {
    return this.#nowMs;
  }

  utcNanos(): bigint {
    return this.#originNanos + BigInt(Math.round(this.#nowMs * 1e6));
  }

  after(delayMs: number, run: () => void): Timer {
    const timer: VirtualTimer = {
      dueMs: this.#nowMs + delayMs,
      run,
      cancel: () => {
        this.#timers = this.#timers.filter((other) => other !== timer);
      },
    };
    this.#timers.push(timer);
    return timer;
  }

  /** Instant of the next pending call, or undefined when there is none. */
  nextDueMs(): number | undefined {
    let dueMs: number | undefined;
    for (const timer of this.#timers) {
      if (dueMs === undefined || timer.dueMs < dueMs) dueMs = timer.dueMs;
    }
    return dueMs;
  }

  /** Moves time forward, running due calls in order of their instants. */
  advance(deltaMs: number): void {
    const targetMs = this.#nowMs + deltaMs;
    for (;;) {
      let next: VirtualTimer | undefined;
      for (const timer of this.#timers) {
        if (timer.dueMs <= targetMs && (next === undefined || timer.dueMs < next.dueMs)) {
          next = timer;
        }
      }
      if (next === undefined) break;
      next.cancel();
      this.#nowMs = Math.max(this.#nowMs, next.dueMs);
      next.run();
    }
    this.#nowMs = targetMs;
  }
}
