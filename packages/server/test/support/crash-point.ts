import type { WriteInterceptor } from '@nervix/consensus';

/** Ends the process at a chosen write: before it is durable, or right after. */
export class CrashPoint {
  #writesLeft = Number.POSITIVE_INFINITY;
  #isDurable = false;
  isReached = false;

  readonly intercept: WriteInterceptor = async (_points, commit) => {
    if (this.isReached) throw new Error('the process has ended');
    this.#writesLeft -= 1;
    if (this.#writesLeft > 0) return commit();
    this.isReached = true;
    if (this.#isDurable) await commit();
    throw new Error('the process ends');
  };

  /** @param write the coming write that the process does not get past, from 1 */
  arm(write: number, isDurable: boolean): void {
    this.#writesLeft = write;
    this.#isDurable = isDurable;
  }
}
