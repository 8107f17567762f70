import type { FrameTransaction, FrameTransactionState } from '@nervix/protocol/session';
import { transactionStatus } from '../../control-plane/transactions/transaction-states.js';
import type { TransactionRecord } from '../../replicated-state/records.js';

/** Where a transaction stands. */
export function transactionFrame(record: TransactionRecord): FrameTransaction {
  const { id, domain, state, accepted_operations, applied_operations } = transactionStatus(record);
  return {
    id,
    domain,
    state: state === 'Failed' ? failedState(record) : { t: state },
    accepted_operations: BigInt(accepted_operations),
    applied_operations: BigInt(applied_operations),
  };
}

function failedState({ error }: TransactionRecord): FrameTransactionState {
  return error === null
    ? { t: 'Failed' }
    : { t: 'Failed', failing_operation: BigInt(error.operation), error: error.message };
}
