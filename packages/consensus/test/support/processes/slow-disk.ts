import type { WriteInterceptor } from '../../../src/storage/log-storage.ts';

/** Makes every write of a store take longer, as a disk that is worn out or shared does. */
export class SlowDisk {
  #minMs = 0;
  #maxMs = 0;
  #writes = 0;

  /** From now on; two zeros take nothing longer. */
  delay(minMs: number, maxMs: number): void {
    this.#minMs = minMs;
    this.#maxMs = maxMs;
  }

  readonly intercept: WriteInterceptor = async (points, commit) => {
    // The anchor follows every write and belongs to it.
    if (this.#maxMs > 0 && !points.includes('anchor')) {
      this.#writes += 1;
      const part = ((this.#writes * 7_919) % 1_009) / 1_009;
      const delayMs = this.#minMs + (this.#maxMs - this.#minMs) * part;
      await new Promise((resolve) => setTimeout(resolve, delayMs));
    }
    await commit();
  };
}
