import type { TransactionState, TransactionStatus } from '@nervix/protocol';
import type { TransactionRecord, TransactionStateName } from '../../replicated-state/records.js';
import { failed, type Outcome } from '../outcome.js';

const STATE_OF: Readonly<Record<TransactionStateName, TransactionState>> = {
  OPEN: 'Open',
  COMMITTING: 'Committing',
  COMMITTED: 'Committed',
  FAILED: 'Failed',
  REVERTED: 'Reverted',
  EXPIRED: 'Expired',
};

export function transactionStatus(record: TransactionRecord): TransactionStatus {
  return {
    id: record.id,
    domain: record.domain,
    state: STATE_OF[record.state],
    accepted_operations: record.accepted,
    applied_operations: record.applied,
  };
}

/** An overdue transaction is expired, whether or not the expiry was already written. */
export function isOverdue(record: TransactionRecord, nowMs: number): boolean {
  return record.state === 'OPEN' && nowMs >= record.deadlineMs;
}

/** Records activity, which moves the deadline; activity never moves backward. */
export function touched(
  record: TransactionRecord,
  nowMs: number,
  idleTimeoutMs: number,
): TransactionRecord {
  const activeAtMs = Math.max(record.activeAtMs, nowMs);
  return { ...record, activeAtMs, deadlineMs: activeAtMs + idleTimeoutMs };
}

/** Ends a transaction: its statements go, its counts and its outcome stay. */
export function finished(
  record: TransactionRecord,
  state: 'COMMITTED' | 'FAILED' | 'REVERTED' | 'EXPIRED',
  nowMs: number,
): TransactionRecord {
  return { ...record, state, operations: [], sourceBytes: 0, activeAtMs: nowMs };
}

export function unknownTransaction(id: string): Outcome {
  return failed('NOT_FOUND', `transaction '${id}' is unknown`);
}

export function notOpen(record: TransactionRecord, state: TransactionStateName): Outcome {
  return failed('TRANSACTION_STATE', `transaction '${record.id}' is not open (state ${state})`);
}

/** What COMMIT of a finished transaction answers. */
export function finishedOutcome(record: TransactionRecord): Outcome {
  switch (record.state) {
    case 'COMMITTED':
      return { kind: 'completed', message: commitText(record), alreadyExisted: false };
    case 'FAILED':
      return failed(
        record.error?.code ?? 'INVALID_MODEL',
        commitText(record),
        record.error?.diagnostics,
      );
    default:
      return notOpen(record, record.state);
  }
}

/** Result text of a commit: the error, then the level that was really engaged. */
export function commitText(record: TransactionRecord): string {
  const parts: string[] = [];
  if (record.error !== null) parts.push(record.error.message);
  if (record.quiesceLevel !== null) parts.push(`quiesce level: ${record.quiesceLevel}`);
  return parts.join('; ');
}
