import type { TransactionState, TransactionStatus } from '@nervix/protocol';
import type { TransactionRecord, TransactionStateName } from '../../replicated-state/records.js';
import { actualLevelOf } from '../execution/step-progress.js';
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

/** The record as everybody is to see it at a time: an overdue transaction shows as expired. */
export function asOf(record: TransactionRecord, nowMs: number): TransactionRecord {
  return isOverdue(record, nowMs) ? { ...record, state: 'EXPIRED' } : record;
}

/** Whether a transaction may still change its domain. */
export function isLive(record: TransactionRecord, nowMs: number): boolean {
  return record.state === 'COMMITTING' || (record.state === 'OPEN' && !isOverdue(record, nowMs));
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

/** Ends a transaction: its decisions go with its statements, its counts, outcome and report stay. */
export function finished(
  record: TransactionRecord,
  state: 'COMMITTED' | 'FAILED' | 'REVERTED' | 'EXPIRED',
  nowMs: number,
): TransactionRecord {
  const { progress } = record;
  const kept = progress === null ? null : { ...progress, plan: [] };
  return { ...record, state, sourceBytes: 0, activeAtMs: nowMs, progress: kept };
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
        record.error?.code ?? 'INTERNAL',
        commitText(record),
        record.error?.diagnostics,
      );
    default:
      return notOpen(record, record.state);
  }
}

/** Result text of a commit: the error, then what was really engaged, moved and resolved. */
export function commitText({ error, progress }: TransactionRecord): string {
  const steps = progress?.steps ?? [];
  const level = progress === null ? undefined : actualLevelOf(progress);
  const applied = steps.filter(({ outcome }) => outcome === 'APPLIED');
  const relocations = applied.reduce((sum, step) => sum + step.relocations, 0);
  return [
    ...(error === null ? [] : [error.message]),
    ...(level === undefined ? [] : [`quiesce level: ${level}`]),
    ...(relocations === 0 ? [] : [`planned relocations: ${relocations}`]),
    ...applied.flatMap(({ resolved }) => resolved),
  ].join('; ');
}
