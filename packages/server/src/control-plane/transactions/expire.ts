import type { ControlContext } from '../control-context.js';
import { finished, isOverdue } from './transaction-states.js';
import { transactionFence, transactionKeys, writeTransaction } from './transaction-write.js';

/** Ends transactions past their deadline and forgets tombstones past their retention. */
export async function sweepTransactions(context: ControlContext): Promise<void> {
  const { state, log, limits } = context;
  const nowMs = context.nowMs();
  for (const { id } of state.transactions()) {
    // Each is read anew with its revision: an earlier write let others change it.
    const record = state.transaction(id);
    if (record === undefined) continue;
    const fence = transactionFence(context, id);
    if (isOverdue(record, nowMs)) {
      await writeTransaction(context, fence, finished(record, 'EXPIRED', nowMs));
    } else if (
      record.state !== 'OPEN' &&
      record.state !== 'COMMITTING' &&
      nowMs >= record.activeAtMs + limits.transactionTombstoneRetentionMs
    ) {
      await log.write({ fences: [fence], remove: transactionKeys(state, id) });
    }
  }
}
