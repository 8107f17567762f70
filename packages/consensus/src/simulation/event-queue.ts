import { assert } from '../assert.ts';

const ORDERS = 4_194_304;

/** What happens at some time. */
export type SimulatedEvent = () => void;

/**
 * Events in the order of their times; those of one time in the order in which they were added. A
 * binary heap over keys that hold both.
 */
export class EventQueue {
  #keys: number[] = [];
  #events: SimulatedEvent[] = [];
  #order = 0;
  #now = 0;

  /** Time of the event that was taken last. */
  get now(): number {
    return this.#now;
  }

  get size(): number {
    return this.#keys.length;
  }

  /** Adds an event that happens `delay` units from now. */
  add(delay: number, event: SimulatedEvent): void {
    assert(this.#order < ORDERS, 'a run has a bounded number of events');
    const key = (this.#now + Math.max(0, Math.floor(delay))) * ORDERS + this.#order;
    this.#order += 1;
    this.#rise(this.#keys.length, key, event);
  }

  /** Moves the time to that of the next event and returns it. */
  take(): SimulatedEvent | undefined {
    const key = this.#keys[0];
    const event = this.#events[0];
    const lastKey = this.#keys.pop();
    const lastEvent = this.#events.pop();
    if (key === undefined || lastKey === undefined || lastEvent === undefined) return undefined;
    if (this.#keys.length > 0) this.#sink(lastKey, lastEvent);
    this.#now = Math.floor(key / ORDERS);
    return event;
  }

  #rise(start: number, key: number, event: SimulatedEvent): void {
    const keys = this.#keys;
    const events = this.#events;
    let at = start;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      const parentKey = keys[parent] ?? 0;
      if (parentKey <= key) break;
      keys[at] = parentKey;
      events[at] = events[parent] ?? event;
      at = parent;
    }
    keys[at] = key;
    events[at] = event;
  }

  #sink(key: number, event: SimulatedEvent): void {
    const keys = this.#keys;
    const events = this.#events;
    const count = keys.length;
    let at = 0;
    for (;;) {
      let child = at * 2 + 1;
      if (child >= count) break;
      let childKey = keys[child] ?? 0;
      const right = keys[child + 1];
      if (right !== undefined && right < childKey) {
        child += 1;
        childKey = right;
      }
      if (childKey >= key) break;
      keys[at] = childKey;
      events[at] = events[child] ?? event;
      at = child;
    }
    keys[at] = key;
    events[at] = event;
  }
}
