import type { AlterUserStatement } from '@nervix/model';
import { userKey } from '../../../replicated-state/record-keys.js';
import type { ControlContext } from '../../control-context.js';
import { completed, type Outcome } from '../../outcome.js';
import { referenceRecord, type Submission } from '../../submission.js';
import { unknownUser } from './unknown-user.js';

/**
 * Gives a user another password. Requests that are under way stay; later ones need the new one. With
 * the one role of this release, owner, every user may do it to every other.
 */
export async function alterUser(
  context: ControlContext,
  submission: Submission,
  { name, password }: AlterUserStatement,
): Promise<Outcome> {
  const incarnation = context.state.user(name)?.incarnation;
  if (incarnation === undefined) return unknownUser(name);
  const passwordHash = await context.hashPassword(password);
  const outcome = completed(`altered user '${name}'`);
  for (;;) {
    const key = userKey(name);
    const revision = context.state.revisionOf(key);
    // Hashing takes a while: the user may have been dropped, and another one created, meanwhile.
    if (context.state.user(name)?.incarnation !== incarnation) return unknownUser(name);
    const result = await context.log.write({
      fences: [{ key, revision }],
      put: [{ kind: 'user', name, incarnation, passwordHash }],
      reference: referenceRecord(submission, outcome, context.nowMs()),
    });
    if (result.kind !== 'raced') break;
  }
  context.logger.info('user altered', { user: name, execution_reference: submission.reference });
  return outcome;
}
