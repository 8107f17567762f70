import type { Clock, Timer } from './clock.js';
import { type DeadlineOutcome, LogicalDeadline } from './logical-deadline.js';

/** Shortest physical wait, one nanosecond. */
const WAIT_MS_MIN = 1e-6;

interface Wait {
  readonly deadline: LogicalDeadline;
  readonly settled: (outcome: DeadlineOutcome) => void;
  timer: Timer | undefined;
}

/**
 * The time of one start of a domain: what expressions see as the present, and what FLUSH EACH,
 * COLLECT FOR, WIDTH, MAX TIME and TTL are measured by. Waits go by the physical clock, and look
 * again at the domain's when they are over or when it changes.
 */
export abstract class DomainClock {
  readonly domain: string;
  readonly generation: number;
  /** For everything that is no time of the domain. */
  readonly physical: Clock;
  readonly #waits = new Set<Wait>();
  #isEnded = false;

  constructor(domain: string, generation: number, physical: Clock) {
    this.domain = domain;
    this.generation = generation;
    this.physical = physical;
  }

  /** The domain's present in Unix nanoseconds; before 1970 is legal. */
  abstract nowNanos(): bigint;

  /** The axis that durations and deadlines are measured on, in nanoseconds; never goes back. */
  abstract elapsedNanos(): bigint;

  /** Physical milliseconds until so much of the axis has passed; Infinity while it stands. */
  protected abstract physicalMs(deltaNanos: bigint): number;

  /** @param sinceNanos where on the axis the duration starts; now by default */
  deadlineIn(durationNanos: bigint, sinceNanos: bigint = this.elapsedNanos()): LogicalDeadline {
    return new LogicalDeadline(this.domain, this.generation, sinceNanos + durationNanos);
  }

  /** The deadline of an instant of the domain's time. */
  deadlineAt(instantNanos: bigint): LogicalDeadline {
    return this.deadlineIn(instantNanos - this.nowNanos());
  }

  /** Waits for a deadline. The outcome is told once, and never before this returned. */
  wait(deadline: LogicalDeadline, settled: (outcome: DeadlineOutcome) => void): Timer {
    const wait: Wait = { deadline, settled, timer: undefined };
    this.#waits.add(wait);
    const isStale = this.#isStale(deadline);
    const remaining = isStale ? 0n : deadline.targetNanos - this.elapsedNanos();
    this.#arm(wait, remaining);
    return {
      cancel: () => {
        this.#settle(wait, { kind: 'cancelled' });
      },
    };
  }

  /** Ends the clock with its start of the domain: who waits is told so, now and later. */
  end(): void {
    this.#isEnded = true;
    for (const wait of [...this.#waits]) this.#settle(wait, { kind: 'stale' });
  }

  /** Looks again at every wait, because the clock goes otherwise than it did. */
  protected reevaluate(): void {
    for (const wait of [...this.#waits]) this.#look(wait);
  }

  #look(wait: Wait): void {
    if (!this.#waits.has(wait)) return;
    wait.timer?.cancel();
    const { deadline } = wait;
    if (this.#isStale(deadline)) {
      this.#settle(wait, { kind: 'stale' });
      return;
    }
    const remaining = deadline.targetNanos - this.elapsedNanos();
    if (remaining > 0n) {
      this.#arm(wait, remaining);
      return;
    }
    const nowNanos = this.nowNanos();
    this.#settle(wait, { kind: 'due', dueNanos: deadline.targetNanos, nowNanos });
  }

  #isStale({ domain, generation }: LogicalDeadline): boolean {
    return this.#isEnded || domain !== this.domain || generation !== this.generation;
  }

  #arm(wait: Wait, remainingNanos: bigint): void {
    const delayMs = remainingNanos > 0n ? this.physicalMs(remainingNanos) : 0;
    if (delayMs === Infinity) {
      wait.timer = undefined;
      return;
    }
    wait.timer = this.physical.after(Math.max(WAIT_MS_MIN, delayMs), () => {
      this.#look(wait);
    });
  }

  #settle(wait: Wait, outcome: DeadlineOutcome): void {
    if (!this.#waits.delete(wait)) return;
    wait.timer?.cancel();
    wait.settled(outcome);
  }
}
