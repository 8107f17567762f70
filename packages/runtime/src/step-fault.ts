import { InvariantError } from '@nervix/model';

/** A fault that struck a node at one step of its work; what was thrown there is its cause. */
export class StepFault extends Error {
  override readonly name = 'StepFault';
}

/**
 * Does one step of a node's work. A fault of a step inside this one keeps the name of that step, and
 * a broken invariant is none of a step.
 *
 * @param failure what is said of the node when the step throws, such as `failed to update state`
 * @throws StepFault
 */
export function step<Result>(failure: string, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    if (error instanceof InvariantError || error instanceof StepFault) throw error;
    throw new StepFault(failure, { cause: error });
  }
}
