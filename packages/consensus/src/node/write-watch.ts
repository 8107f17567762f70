/**
 * Times the write in flight. One that takes too long may never return, and whoever cannot write
 * must not lead. Times are ticks.
 */
export class WriteWatch {
  readonly #ticksMax: number;
  #ticks: number | undefined;

  constructor(ticksMax: number) {
    this.#ticksMax = ticksMax;
  }

  /** Whether the write in flight has taken too long. */
  get isStalled(): boolean {
    return this.#ticks !== undefined && this.#ticks >= this.#ticksMax;
  }

  /** How long the write in flight has taken. */
  get ticks(): number {
    return this.#ticks ?? 0;
  }

  started(): void {
    this.#ticks = 0;
  }

  ended(): void {
    this.#ticks = undefined;
  }

  /** Returns whether with this tick the write has taken too long. */
  tick(): boolean {
    if (this.#ticks === undefined) return false;
    this.#ticks += 1;
    return this.#ticks === this.#ticksMax;
  }
}
