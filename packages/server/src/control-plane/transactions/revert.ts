import { transactionKey } from '../../replicated-state/record-keys.js';
import type { TransactionRecord } from '../../replicated-state/records.js';
import type { ControlContext } from '../control-context.js';
import { completed, failed, type Outcome } from '../outcome.js';
import { referenceRecord, type Submission } from '../submission.js';
import { finished, isOverdue, notOpen } from './transaction-states.js';

/** Drops an open transaction's statements; repeating it succeeds with the same text. */
export async function revertTransaction(
  context: ControlContext,
  submission: Submission,
  record: TransactionRecord,
): Promise<Outcome> {
  const outcome = completed(
    `transaction reverted: dropped ${record.accepted} command(s); id '${record.id}'`,
  );
  if (record.state === 'REVERTED') return outcome;
  if (record.state !== 'OPEN') return notOpen(record, record.state);
  const nowMs = context.nowMs();
  if (isOverdue(record, nowMs)) return notOpen(record, 'EXPIRED');
  const key = transactionKey(record.id);
  const result = await context.log.write({
    fences: [{ key, revision: context.state.revisionOf(key) }],
    put: [finished(record, 'REVERTED', nowMs)],
    reference: referenceRecord(submission, outcome, nowMs),
  });
  if (result.kind === 'raced') {
    return failed('POSITION_CHANGED', `transaction '${record.id}' changed during the revert`);
  }
  return outcome;
}
