import { assert } from '../assert.ts';
import type { Entry } from '../raft/entry.ts';

/**
 * Entries that were appended in this process and are not applied yet. What a former process
 * appended is read from the store instead.
 */
export class CommittedLog {
  #entries: Entry[] = [];
  /** How many leading elements were already taken; cut off now and then. */
  #taken = 0;

  /** Takes over what a job appends, after removing what it cuts. */
  append(truncateFrom: bigint | undefined, entries: readonly Entry[]): void {
    if (truncateFrom !== undefined) this.#truncate(truncateFrom);
    const next = entries[0];
    const newest = this.#newest();
    // What was read from the store may end before the newest entry there; that is read later.
    assert(
      next === undefined || newest === undefined || next.index > newest.index,
      'entries are appended in order',
    );
    for (const entry of entries) this.#entries.push(entry);
  }

  /** Puts entries that were read from the store in front of those that are here. */
  prepend(entries: readonly Entry[]): void {
    const first = this.firstIndex;
    const last = entries.at(-1);
    assert(
      first === undefined || last === undefined || last.index < first,
      'what was read lies before what is here',
    );
    // A gap in between is read next.
    this.#entries = [...entries, ...this.#entries.slice(this.#taken)];
    this.#taken = 0;
  }

  /** The entry at `index` if it is here; then it and those before it are forgotten. */
  take(index: bigint): Entry | undefined {
    const entry = this.peek(index);
    if (entry === undefined) return undefined;
    this.#taken += 1;
    if (this.#taken > 1_024 && this.#taken > this.#entries.length / 2) {
      this.#entries = this.#entries.slice(this.#taken);
      this.#taken = 0;
    }
    return entry;
  }

  /** The entry at `index` if it is here. Those before it are forgotten. */
  peek(index: bigint): Entry | undefined {
    let entry = this.#entries[this.#taken];
    while (entry !== undefined && entry.index < index) {
      this.#taken += 1;
      entry = this.#entries[this.#taken];
    }
    return entry?.index === index ? entry : undefined;
  }

  /** Index of the oldest entry here. */
  get firstIndex(): bigint | undefined {
    return this.#entries[this.#taken]?.index;
  }

  clear(): void {
    this.#entries = [];
    this.#taken = 0;
  }

  #newest(): Entry | undefined {
    return this.#taken < this.#entries.length ? this.#entries.at(-1) : undefined;
  }

  #truncate(from: bigint): void {
    while (this.#taken < this.#entries.length) {
      const newest = this.#entries.at(-1);
      if (newest === undefined || newest.index < from) return;
      this.#entries.pop();
    }
  }
}
