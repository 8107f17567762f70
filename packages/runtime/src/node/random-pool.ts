import { randomFillSync } from 'node:crypto';

const POOL_BYTES = 16_384;

/**
 * Cryptographic random bytes taken from a pool that is filled in one call, which costs a small
 * fraction of asking the system for every value.
 */
export function randomPool(): (count: number) => Uint8Array {
  let pool = new Uint8Array(POOL_BYTES);
  let used = POOL_BYTES;
  return (count) => {
    if (used + count > pool.length) {
      pool = new Uint8Array(Math.max(POOL_BYTES, count));
      randomFillSync(pool);
      used = 0;
    }
    const bytes = pool.subarray(used, used + count);
    used += count;
    return bytes;
  };
}
