import type { Clock, Timer } from './clock.js';

/** Longest delay a host timer takes; longer waits are armed in pieces. */
const TIMER_DELAY_MS_MAX = 2_000_000_000;

/** Host timers have millisecond resolution; shorter waits turn the event loop instead. */
const TIMER_RESOLUTION_MS = 1;

/** UTC follows the host again once it differs by more than this, as after a clock step. */
const UTC_DRIFT_MS_MAX = 20;

class SystemTimer implements Timer {
  readonly dueMs: number;
  readonly run: () => void;
  timeout: NodeJS.Timeout | undefined;
  isCancelled = false;

  constructor(dueMs: number, run: () => void) {
    this.dueMs = dueMs;
    this.run = run;
  }

  cancel(): void {
    this.isCancelled = true;
    clearTimeout(this.timeout);
  }
}

/** The host's clocks. */
export class SystemClock implements Clock {
  #anchorUtcMs = Date.now();
  #anchorMonotonicMs = performance.now();
  #turning: SystemTimer[] = [];
  #isTurnArmed = false;

  monotonicMs(): number {
    return performance.now();
  }

  utcNanos(): bigint {
    const monotonicMs = performance.now();
    const hostMs = Date.now();
    let utcMs = this.#anchorUtcMs + (monotonicMs - this.#anchorMonotonicMs);
    if (Math.abs(utcMs - hostMs) > UTC_DRIFT_MS_MAX) {
      this.#anchorUtcMs = hostMs;
      this.#anchorMonotonicMs = monotonicMs;
      utcMs = hostMs;
    }
    const wholeMs = Math.floor(utcMs);
    return BigInt(wholeMs) * 1_000_000n + BigInt(Math.floor((utcMs - wholeMs) * 1e6));
  }

  after(delayMs: number, run: () => void): Timer {
    const timer = new SystemTimer(performance.now() + delayMs, run);
    if (delayMs < TIMER_RESOLUTION_MS) {
      this.#turning.push(timer);
      this.#armTurn();
    } else {
      this.#arm(timer, delayMs);
    }
    return timer;
  }

  /** Long waits end up to a timer's resolution late rather than turn the loop at full speed. */
  #arm(timer: SystemTimer, remainingMs: number): void {
    const delayMs = Math.min(Math.ceil(remainingMs), TIMER_DELAY_MS_MAX);
    timer.timeout = setTimeout(() => {
      this.#fire(timer);
    }, delayMs);
  }

  #fire(timer: SystemTimer): void {
    if (timer.isCancelled) return;
    const remainingMs = timer.dueMs - performance.now();
    if (remainingMs > 0) this.#arm(timer, remainingMs);
    else timer.run();
  }

  #armTurn(): void {
    if (this.#isTurnArmed) return;
    this.#isTurnArmed = true;
    setImmediate(() => {
      this.#turn();
    });
  }

  #turn(): void {
    this.#isTurnArmed = false;
    const timers = this.#turning;
    const nowMs = performance.now();
    this.#turning = timers.filter((timer) => !timer.isCancelled && timer.dueMs > nowMs);
    if (this.#turning.length > 0) this.#armTurn();
    for (const timer of timers) {
      if (!timer.isCancelled && timer.dueMs <= nowMs) timer.run();
    }
  }
}
