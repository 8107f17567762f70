/** A pending call that may still be called off. */
export interface Timer {
  cancel(): void;
}

/**
 * Everything the data plane knows about time. Physical time is monotonic and in fractional
 * milliseconds; it serves deadlines only and never reaches a record. Record time is exact
 * nanoseconds.
 */
export interface Clock {
  /** Physical monotonic time in fractional milliseconds. */
  monotonicMs(): number;
  /** UTC in Unix nanoseconds; the domain time of an unpaced domain. */
  utcNanos(): bigint;
  /**
   * Runs `run` once, never before `delayMs` passed on the physical clock, as soon as possible
   * after.
   */
  after(delayMs: number, run: () => void): Timer;
}

/** Waits on the physical clock. */
export function sleep(clock: Clock, delayMs: number): Promise<void> {
  return new Promise((resolve) => {
    clock.after(delayMs, resolve);
  });
}

/** Physical milliseconds of an exact duration. */
export function nanosToMs(nanos: bigint): number {
  return Number(nanos) / 1e6;
}
