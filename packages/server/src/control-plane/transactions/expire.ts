import { transactionKey } from '../../replicated-state/record-keys.js';
import type { ControlContext } from '../control-context.js';
import { finished, isOverdue } from './transaction-states.js';
import { transactionKeys } from './transaction-write.js';

/** Ends transactions past their deadline and forgets tombstones past their retention. */
export async function sweepTransactions(context: ControlContext): Promise<void> {
  const { state, log, limits } = context;
  const nowMs = context.nowMs();
  for (const { id } of state.transactions()) {
    // Each is read anew with its revision: an earlier write let others change it.
    const record = state.transaction(id);
    if (record === undefined) continue;
    const key = transactionKey(id);
    const fences = [{ key, revision: state.revisionOf(key) }];
    if (isOverdue(record, nowMs)) {
      await log.write({ fences, put: [finished(record, 'EXPIRED', nowMs)] });
    } else if (
      record.state !== 'OPEN' &&
      record.state !== 'COMMITTING' &&
      nowMs >= record.activeAtMs + limits.transactionTombstoneRetentionMs
    ) {
      await log.write({ fences, remove: transactionKeys(state, id) });
    }
  }
}
