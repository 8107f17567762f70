import type { WindowBoundPlan } from '@nervix/model';

/** Which rows a window retains, by their times alone, and when it is wide enough to emit. Pure. */
export class WindowFrame {
  readonly #width: WindowBoundPlan;
  readonly #step: WindowBoundPlan;
  /** Times of the retained rows in admission order, from `#head` on. */
  #times: bigint[] = [];
  #head = 0;
  /** Rows that left so far: the number of the first retained row. */
  #left = 0;
  /** Retained rows without a lower time behind them, by number, from `#lowestHead` on. */
  #lowest: { readonly row: number; readonly timeNanos: bigint }[] = [];
  #lowestHead = 0;

  constructor(width: WindowBoundPlan, step: WindowBoundPlan) {
    this.#width = width;
    this.#step = step;
  }

  get rowCount(): number {
    return this.#times.length - this.#head;
  }

  /** When the retained rows become wide enough by time alone; null without such an instant. */
  get dueNanos(): bigint | null {
    const first = this.#times[this.#head];
    const { durationNanos } = this.#width;
    return first === undefined || durationNanos === null ? null : first + durationNanos;
  }

  admit(timeNanos: bigint): void {
    const row = this.#left + this.rowCount;
    this.#times.push(timeNanos);
    let length = this.#lowest.length;
    while (length > this.#lowestHead && (this.#lowest[length - 1]?.timeNanos ?? 0n) >= timeNanos) {
      length -= 1;
    }
    this.#lowest.length = length;
    this.#lowest.push({ row, timeNanos });
  }

  /** @param referenceNanos time of the row admitted last, or of the clock */
  isWide(referenceNanos: bigint): boolean {
    const { rowCount, dueNanos } = this;
    if (rowCount === 0) return false;
    if (this.#width.messages !== null && rowCount >= this.#width.messages) return true;
    return dueNanos !== null && referenceNanos >= dueNanos;
  }

  /** Lowest time of the retained rows. */
  lowest(): bigint {
    return this.#lowest[this.#lowestHead]?.timeNanos ?? 0n;
  }

  /** Moves on after an emission. @returns how many leading rows left */
  step(): number {
    const { messages, durationNanos } = this.#step;
    const byCount = messages === null ? 0 : Math.min(messages, this.rowCount);
    const removed = Math.max(byCount, durationNanos === null ? 0 : this.#leading(durationNanos));
    this.#head += removed;
    this.#left += removed;
    if (this.#head * 2 > this.#times.length) {
      this.#times = this.#times.slice(this.#head);
      this.#head = 0;
    }
    this.#dropLowest();
    return removed;
  }

  clear(): void {
    this.#left += this.rowCount;
    this.#times = [];
    this.#head = 0;
    this.#lowest = [];
    this.#lowestHead = 0;
  }

  #dropLowest(): void {
    while ((this.#lowest[this.#lowestHead]?.row ?? this.#left) < this.#left) this.#lowestHead += 1;
    if (this.#lowestHead * 2 <= this.#lowest.length) return;
    this.#lowest = this.#lowest.slice(this.#lowestHead);
    this.#lowestHead = 0;
  }

  /** Leading rows before the cutoff; a row exactly at the cutoff stays. */
  #leading(durationNanos: bigint): number {
    const cutoff = (this.#times[this.#head] ?? 0n) + durationNanos;
    let index = this.#head;
    while (index < this.#times.length && (this.#times[index] ?? cutoff) < cutoff) index += 1;
    return index - this.#head;
  }
}
