/** Runs tasks one after another, in the order in which they came. */
export class OrderedLane {
  #last: Promise<void> = Promise.resolve();
  #isClosed = false;

  /** @param task does not reject */
  add(task: () => Promise<void>): void {
    this.#last = this.#last.then(() => (this.#isClosed ? undefined : task()));
  }

  /** Starts none of the tasks that still wait. */
  close(): void {
    this.#isClosed = true;
  }

  /** Resolves when the tasks that were added before are over. */
  idle(): Promise<void> {
    return this.#last;
  }
}
