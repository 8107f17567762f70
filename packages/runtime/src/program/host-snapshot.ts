import type { ExecutionSnapshot } from './row-set.js';

/** The present of the host, for those who run programs outside a graph. */
export function hostSnapshot(): ExecutionSnapshot {
  return {
    generation: 0,
    nowNanos: BigInt(Date.now()) * 1_000_000n,
    randomBytes: (count) => globalThis.crypto.getRandomValues(new Uint8Array(count)),
  };
}
