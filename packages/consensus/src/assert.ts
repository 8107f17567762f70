/**
 * A broken invariant of this package: a programming error, never an operating failure. Nobody
 * below the process entry point should catch it.
 */
export class InvariantError extends Error {
  override readonly name = 'InvariantError';
}

/**
 * Throws {@link InvariantError} unless `condition` holds. `invariant` states what must be true, in
 * the positive.
 */
export function assert(condition: boolean, invariant: string): asserts condition {
  if (!condition) throw new InvariantError(`invariant does not hold: ${invariant}`);
}

/** Narrows away `undefined` where the surrounding code has already established presence. */
export function present<T>(value: T | undefined, invariant: string): T {
  assert(value !== undefined, invariant);
  return value;
}
