/** Bounds how many password verifications run, and how many wait for one to end. */
export class VerifierSlots {
  readonly #waitingMax: number;
  readonly #waiting: (() => void)[] = [];
  #free: number;

  constructor(runningMax: number, waitingMax: number) {
    this.#free = runningMax;
    this.#waitingMax = waitingMax;
  }

  /**
   * Waits for a slot. The caller of a granted one owes a {@link release}.
   *
   * @returns false when too many wait already
   */
  async take(): Promise<boolean> {
    if (this.#free > 0) {
      this.#free -= 1;
      return true;
    }
    if (this.#waiting.length >= this.#waitingMax) return false;
    await new Promise<void>((resolve) => this.#waiting.push(resolve));
    return true;
  }

  release(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#free += 1;
    else next();
  }
}
