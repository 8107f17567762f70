import type { DropUserStatement } from '@nervix/model';
import { latestBeginKey, transactionKey, userKey } from '../../../replicated-state/record-keys.js';
import type { WriteCommand } from '../../../replicated-state/write-command.js';
import type { ControlContext } from '../../control-context.js';
import { completed, failed, type Outcome } from '../../outcome.js';
import { referenceRecord, type Submission } from '../../submission.js';
import { finished } from '../../transactions/transaction-states.js';
import { operationKeys } from '../../transactions/transaction-write.js';
import { unknownUser } from './unknown-user.js';

/**
 * Removes a user and reverts its open transactions in one write; what it has set going goes on. The
 * row streams that it reads end when the removal is applied. The last user stays, for without one
 * nobody could create another.
 */
export async function dropUser(
  context: ControlContext,
  submission: Submission,
  { name }: DropUserStatement,
): Promise<Outcome> {
  const outcome = completed(`dropped user '${name}'`);
  for (;;) {
    if (context.state.user(name) === undefined) return unknownUser(name);
    const write = removal(context, name);
    if (write === undefined) {
      const message = `user '${name}' is the last one with every capability on the cluster`;
      return failed('IN_USE', message);
    }
    const result = await context.log.write({
      ...write,
      reference: referenceRecord(submission, outcome, context.nowMs()),
    });
    if (result.kind !== 'raced') break;
  }
  context.logger.info('user dropped', { user: name, execution_reference: submission.reference });
  return outcome;
}

/** The removal of a user as the state stands; undefined where nobody else is left. */
function removal(
  { state, nowMs }: ControlContext,
  name: string,
): Omit<WriteCommand, 'reference'> | undefined {
  // Fenced with one who stays: of two users that drop each other at once one remains.
  const witness = state.users().find((user) => user.name !== name);
  if (witness === undefined) return undefined;
  const open = state
    .transactions()
    .filter((record) => record.owner.user === name && record.state === 'OPEN');
  const keys = [
    userKey(name),
    userKey(witness.name),
    ...open.map(({ id }) => transactionKey(id)),
    // A BEGIN that nothing here has seen yet moves a record of its domain.
    ...state.domains().map((domain) => latestBeginKey(domain.name)),
  ];
  return {
    fences: keys.map((key) => ({ key, revision: state.revisionOf(key) })),
    put: open.map((record) => finished(record, 'REVERTED', nowMs())),
    remove: [userKey(name), ...open.flatMap(({ id }) => operationKeys(state, id))],
  };
}
