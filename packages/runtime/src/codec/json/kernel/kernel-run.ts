import type { BatchBuilder } from '../../../batch/batch-builder.js';
import type { RecordKernel } from './record-kernel.js';

/** Lines a call below which a kernel does not pay, and calls after which that is known. */
const LINES_MIN = 8;
const TRIAL_CALLS = 16;

/** What a kernel does for one body of lines; it gives up where most lines are not for it. */
export class KernelRun {
  #kernel: RecordKernel | null;
  #calls = 0;
  #lines = 0;

  constructor(kernel: RecordKernel | null) {
    this.#kernel = kernel;
    kernel?.enter();
  }

  /** Decodes lines from the one at `start` on, and answers the start of the first that is left. */
  decode(body: Uint8Array, start: number, into: BatchBuilder): number {
    const kernel = this.#kernel;
    if (kernel === null) return start;
    const row = into.rowCount;
    const next = kernel.decode(body, start, into);
    this.#calls += 1;
    this.#lines += into.rowCount - row;
    if (this.#calls % TRIAL_CALLS === 0) {
      if (this.#lines < TRIAL_CALLS * LINES_MIN) this.#kernel = null;
      this.#lines = 0;
    }
    return next;
  }

  /** Whether the last call took all of its input, and not up to a line that is not for it. */
  isAtEndOfInput(position: number): boolean {
    return this.#kernel?.inputEnd === position;
  }
}
