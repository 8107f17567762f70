import type { TransactionRecord } from '../../replicated-state/records.js';
import type { ControlContext } from '../control-context.js';
import { completed, failed, type Outcome } from '../outcome.js';
import { referenceRecord, type Submission } from '../submission.js';
import { finished, isOverdue, notOpen } from './transaction-states.js';
import { transactionFence, writeTransaction } from './transaction-write.js';

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
  const fence = transactionFence(context, record.id);
  const reference = referenceRecord(submission, outcome, nowMs);
  const next = finished(record, 'REVERTED', nowMs);
  const result = await writeTransaction(context, fence, next, { reference });
  if (result.kind === 'raced') {
    return failed('POSITION_CHANGED', `transaction '${record.id}' changed during the revert`);
  }
  return outcome;
}
