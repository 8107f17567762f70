import assert from 'node:assert/strict';
import type { SeededRandom } from '../seeded-random.ts';

interface WorldEvent {
  readonly atMs: number;
  readonly number: number;
  readonly happen: () => void;
}

/** Turns of the event loop in which promises and sliced work go on before the next event. */
const TURNS = 2;

/**
 * One clock and one queue of what happens at which time: two runs with equal seeds take equal
 * courses. Between events everything that waits for promises alone goes on as far as it can.
 */
export class SimulatedWorld {
  readonly random: SeededRandom;
  readonly clock: { nowMs: number };
  /** Words for the last events, for the report of a failure. */
  readonly course: string[] = [];
  #events: WorldEvent[] = [];
  /** Milliseconds that clocks are ahead of the queue. */
  #leapt = 0;
  #nowMs: number;
  #number = 0;
  happened = 0;

  constructor(random: SeededRandom, startMs: number) {
    this.random = random;
    this.clock = { nowMs: startMs };
    this.#nowMs = startMs;
  }

  /** Milliseconds of the queue, which no leap moves. */
  get nowMs(): number {
    return this.#nowMs;
  }

  /** Lets something happen `delayMs` from now. */
  after(delayMs: number, happen: () => void): void {
    this.#number += 1;
    const event = { atMs: this.#nowMs + delayMs, number: this.#number, happen };
    let at = this.#events.length;
    // Latest first, so that the next event is taken from the end.
    while (at > 0 && isBefore(this.#events[at - 1] as WorldEvent, event)) at -= 1;
    this.#events.splice(at, 0, event);
  }

  /** Lets a long time pass in which nothing happens. */
  leap(delayMs: number): void {
    this.#leapt += delayMs;
    this.clock.nowMs += delayMs;
  }

  note(line: string): void {
    this.course.push(`${this.clock.nowMs % 10_000_000} ${line}`);
    if (this.course.length > 400) this.course.shift();
  }

  wait(delayMs: number): Promise<void> {
    return new Promise((resolve) => this.after(delayMs, resolve));
  }

  /** Lets events happen until the work is over. */
  async until(work: Promise<unknown>, eventsMax = 2_000_000): Promise<void> {
    let end: { readonly error?: unknown } | undefined;
    work.then(
      () => {
        end = {};
      },
      (error: unknown) => {
        end = { error };
      },
    );
    for (let count = 0; ; count += 1) {
      for (let turn = 0; turn < TURNS; turn += 1) await new Promise(setImmediate);
      if (end !== undefined) break;
      const event = this.#events.pop();
      assert(event !== undefined && count < eventsMax, 'the work never ends');
      this.#nowMs = event.atMs;
      this.clock.nowMs = event.atMs + this.#leapt;
      this.happened += 1;
      event.happen();
    }
    if (end.error !== undefined) throw end.error;
  }
}

function isBefore(left: WorldEvent, right: WorldEvent): boolean {
  return left.atMs === right.atMs ? left.number < right.number : left.atMs < right.atMs;
}
