import type { WriteInterceptor } from '@nervix/consensus';

/** Holds writes of a store back until the test lets them go. */
export class WriteGate {
  #isShut = false;
  #opened = Promise.withResolvers<void>();
  #waiting = 0;

  readonly intercept: WriteInterceptor = async (_points, commit) => {
    if (this.#isShut) {
      this.#waiting += 1;
      await this.#opened.promise;
    }
    await commit();
  };

  /** Whether a write waits at the shut gate. */
  get isReached(): boolean {
    return this.#waiting > 0;
  }

  shut(): void {
    this.#isShut = true;
    this.#waiting = 0;
    this.#opened = Promise.withResolvers<void>();
  }

  open(): void {
    this.#isShut = false;
    this.#opened.resolve();
  }
}
