import type { TransactionEntry } from '@nervix/protocol';
import type { TransactionRecord } from '../../replicated-state/records.js';
import type { ReplicatedState } from '../../replicated-state/replicated-state.js';
import { isOverdue, transactionStatus } from '../transactions/transaction-states.js';

/** What `SHOW TRANSACTIONS` prints, as data: every transaction that is known. */
export function listTransactions(
  state: Pick<ReplicatedState, 'transactions'>,
  nowMs: number,
): readonly TransactionEntry[] {
  return state.transactions().map((record) => {
    // An overdue one is expired whether or not that was written.
    const current: TransactionRecord = isOverdue(record, nowMs)
      ? { ...record, state: 'EXPIRED' }
      : record;
    return {
      ...transactionStatus(current),
      owner: record.owner,
      created_at: new Date(record.createdAtMs).toISOString(),
      active_at: new Date(record.activeAtMs).toISOString(),
    };
  });
}
