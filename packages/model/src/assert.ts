/** A broken invariant of the program itself. Nothing below a process's entry point catches it. */
export class InvariantError extends Error {
  override readonly name = 'InvariantError';
}

/**
 * Asserts an invariant; stays active in production.
 *
 * @param condition what must hold
 * @param invariant the invariant, stated positively
 * @throws InvariantError when `condition` is false
 */
export function assert(condition: boolean, invariant: string): asserts condition {
  if (!condition) throw new InvariantError(`invariant broken: ${invariant}`);
}

/**
 * Marks a branch that the type system proves impossible.
 *
 * @throws InvariantError always
 */
export function unreachable(value: never): never {
  throw new InvariantError(`unreachable value: ${JSON.stringify(value)}`);
}
