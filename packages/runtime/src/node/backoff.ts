/** Delays between attempts: doubling from `firstMs` up to `maxMs`, anew after each success. */
export class Backoff {
  readonly #firstMs: number;
  readonly #maxMs: number;
  #failures = 0;

  constructor(firstMs: number, maxMs: number) {
    this.#firstMs = firstMs;
    this.#maxMs = maxMs;
  }

  /**
   * The wait after another failure.
   *
   * @param askedMs what the destination asks for, which only lengthens the wait
   */
  next(askedMs: number | null): number {
    const delayMs = Math.min(this.#firstMs * 2 ** Math.min(this.#failures, 60), this.#maxMs);
    this.#failures += 1;
    return Math.max(delayMs, askedMs ?? 0);
  }

  reset(): void {
    this.#failures = 0;
  }
}
