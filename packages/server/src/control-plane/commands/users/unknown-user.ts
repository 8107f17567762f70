import { failed, type Outcome } from '../../outcome.js';

/** Refusal of a statement about a user that is not there. */
export function unknownUser(name: string): Outcome {
  return failed('NOT_FOUND', `user '${name}' does not exist`);
}
