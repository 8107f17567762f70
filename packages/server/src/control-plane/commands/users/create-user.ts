import type { CreateUserStatement } from '@nervix/model';
import { userKey } from '../../../replicated-state/record-keys.js';
import type { ControlContext } from '../../control-context.js';
import { completed, failed, type Outcome } from '../../outcome.js';
import { referenceRecord, type Submission } from '../../submission.js';

/** Creates a user; an existing one keeps its password. */
export async function createUser(
  context: ControlContext,
  submission: Submission,
  statement: CreateUserStatement,
): Promise<Outcome> {
  const { name } = statement;
  const existing = (): Outcome => {
    const message = `user '${name}' already exists`;
    return statement.ifNotExists ? completed(message, true) : failed('ALREADY_EXISTS', message);
  };
  if (context.state.user(name) !== undefined) return existing();
  const passwordHash = await context.hashPassword(statement.password);
  const outcome = completed(`created user '${name}'`);
  const result = await context.log.write({
    fences: [{ key: userKey(name), revision: 0 }],
    put: [{ kind: 'user', name, incarnation: submission.reference, passwordHash }],
    reference: referenceRecord(submission, outcome, context.nowMs()),
  });
  if (result.kind === 'raced') return existing();
  context.logger.info('user created', { user: name, execution_reference: submission.reference });
  return outcome;
}
