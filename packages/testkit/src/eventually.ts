import { setTimeout as delay } from 'node:timers/promises';

const POLL_MS = 20;

/**
 * Waits until a reading satisfies a condition and gives that reading.
 *
 * @param what words for the failure: what was waited for
 * @throws Error when the bound passes; it shows the last reading
 */
export async function eventually<T>(
  what: string,
  read: () => T | Promise<T>,
  isReached: (value: T) => boolean,
  boundMs = 20_000,
): Promise<T> {
  const end = performance.now() + boundMs;
  for (;;) {
    const value = await read();
    if (isReached(value)) return value;
    if (performance.now() > end) {
      throw new Error(`${what}: not reached within ${boundMs} ms; last ${JSON.stringify(value)}`);
    }
    await delay(POLL_MS);
  }
}
