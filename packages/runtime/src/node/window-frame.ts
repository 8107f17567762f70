import type { WindowBoundPlan } from '@nervix/model';

/** Which rows a window retains, by their times alone, and when it is wide enough to emit. Pure. */
export class WindowFrame {
  readonly #width: WindowBoundPlan;
  readonly #step: WindowBoundPlan;
  readonly #isTimed: boolean;
  /** Times of the retained rows in admission order, from `#head` on; unused without durations. */
  #times: bigint[] = [];
  #head = 0;
  #rowCount = 0;
  /** Rows that left so far: the number of the first retained row. */
  #left = 0;
  /** Retained rows without a lower or equal time behind them, by number, from `#lowestHead` on. */
  #lowest: { row: number; readonly timeNanos: bigint }[] = [];
  #lowestHead = 0;

  constructor(width: WindowBoundPlan, step: WindowBoundPlan) {
    this.#width = width;
    this.#step = step;
    this.#isTimed = width.durationNanos !== null || step.durationNanos !== null;
  }

  get rowCount(): number {
    return this.#rowCount;
  }

  /** When the retained rows become wide enough by time alone; null without such an instant. */
  get dueNanos(): bigint | null {
    const first = this.#times[this.#head];
    const { durationNanos } = this.#width;
    return first === undefined || durationNanos === null ? null : first + durationNanos;
  }

  /**
   * Admits the rows `start..end` until the window is wide by the last of them.
   *
   * @returns the first row that was not admitted
   */
  admit(times: BigInt64Array, start: number, end: number): number {
    let row = start;
    if (this.#isTimed) {
      while (row < end) {
        const timeNanos = times[row] as bigint;
        this.#times.push(timeNanos);
        this.#rowCount += 1;
        this.#noteLowest(timeNanos);
        row += 1;
        if (this.isWide(timeNanos)) break;
      }
      return row;
    }
    const missing = Math.max(1, (this.#width.messages ?? Infinity) - this.#rowCount);
    const last = Math.min(end, start + missing);
    for (; row < last; row += 1) {
      this.#rowCount += 1;
      this.#noteLowest(times[row] as bigint);
    }
    return row;
  }

  /** Of rows with the same time the last one counts. */
  #noteLowest(timeNanos: bigint): void {
    const row = this.#left + this.#rowCount - 1;
    const lowest = this.#lowest;
    while (lowest.length > this.#lowestHead) {
      const last = lowest[lowest.length - 1] as { row: number; readonly timeNanos: bigint };
      if (last.timeNanos === timeNanos) {
        last.row = row;
        return;
      }
      if (last.timeNanos < timeNanos) break;
      lowest.pop();
    }
    lowest.push({ row, timeNanos });
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
    this.#rowCount -= removed;
    this.#left += removed;
    if (this.#isTimed) this.#head += removed;
    if (this.#head * 2 > this.#times.length) {
      this.#times = this.#times.slice(this.#head);
      this.#head = 0;
    }
    this.#dropLowest();
    return removed;
  }

  clear(): void {
    this.#left += this.#rowCount;
    this.#rowCount = 0;
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
