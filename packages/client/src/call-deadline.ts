import { type CancellationStage, CancelledError } from './errors.js';

const firstBackoffMs = 100;
const lastBackoffMs = 1000;

/** The clock of one call: how long it may go on, and the growing pauses between its attempts. */
export class CallDeadline {
  readonly timeoutMs: number;
  readonly #startedMs: number = performance.now();
  readonly #callerSignal: AbortSignal | undefined;
  #backoffMs: number = firstBackoffMs;

  constructor(timeoutMs: number, callerSignal: AbortSignal | undefined) {
    this.timeoutMs = timeoutMs;
    this.#callerSignal = callerSignal;
  }

  get elapsedMs(): number {
    return performance.now() - this.#startedMs;
  }

  get remainingMs(): number {
    return Math.max(0, this.timeoutMs - this.elapsedMs);
  }

  get isCancelled(): boolean {
    return this.#callerSignal?.aborted ?? false;
  }

  /** A signal for one attempt: the caller's, or the end of the time. */
  attemptSignal(): AbortSignal {
    const timeout = AbortSignal.timeout(Math.ceil(this.remainingMs));
    return this.#callerSignal === undefined
      ? timeout
      : AbortSignal.any([timeout, this.#callerSignal]);
  }

  /**
   * Waits before the next attempt.
   *
   * @param atLeastMs a pause that the server asked for
   * @param untilMs time since the start of the call after which no attempt may begin
   * @returns false when the time does not suffice for another attempt
   */
  async pause(atLeastMs: number = 0, untilMs: number = this.timeoutMs): Promise<boolean> {
    const pauseMs = Math.max(this.#backoffMs, atLeastMs);
    this.#backoffMs = Math.min(this.#backoffMs * 2, lastBackoffMs);
    if (this.elapsedMs + pauseMs >= Math.min(untilMs, this.timeoutMs)) return false;
    await delay(pauseMs, this.#callerSignal);
    return true;
  }

  /** @throws CancelledError when the caller's signal has fired */
  throwIfCancelled(stage: CancellationStage, executionReference?: string): void {
    if (this.isCancelled) throw new CancelledError(stage, executionReference);
  }
}

/** Resolves after the time, or as soon as the signal fires. */
export function delay(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) {
      resolve();
      return;
    }
    const done = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, milliseconds);
    signal?.addEventListener('abort', done, { once: true });
  });
}
