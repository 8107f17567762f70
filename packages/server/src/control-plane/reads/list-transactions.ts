import type { TransactionEntry } from '@nervix/protocol';
import type { ReplicatedState } from '../../replicated-state/replicated-state.js';
import { asOf, transactionStatus } from '../transactions/transaction-states.js';

/** What `SHOW TRANSACTIONS` prints, as data: every transaction that is known. */
export function listTransactions(
  state: Pick<ReplicatedState, 'transactions'>,
  nowMs: number,
): readonly TransactionEntry[] {
  return state.transactions().map((record) => ({
    ...transactionStatus(asOf(record, nowMs)),
    owner: record.owner.user,
    created_at: new Date(record.createdAtMs).toISOString(),
    active_at: new Date(record.activeAtMs).toISOString(),
  }));
}
