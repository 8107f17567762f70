import type { ControlContext } from '../control-context.js';
import type { TransactionHolder } from './transaction-bindings.js';
import { finished, isOverdue } from './transaction-states.js';
import { transactionFence, writeTransaction } from './transaction-write.js';

/** How a session ends: with its client's consent and nothing under way, or in any other way. */
export type SessionEnd = 'clean' | 'broken';

/**
 * Lets go of the transaction of a session that ended. A clean end drops what is open; a transaction
 * that is being committed goes on, and one that somebody else took over is none of the session's.
 *
 * @throws RaftError when the log does not take the revert
 */
export async function leaveTransaction(
  context: ControlContext,
  transaction: string,
  holder: TransactionHolder,
  how: SessionEnd,
): Promise<void> {
  const { state, bindings, nowMs } = context;
  const wasHeld = bindings.release(transaction, holder);
  if (!wasHeld || how !== 'clean') return;
  for (;;) {
    const record = state.transaction(transaction);
    if (record?.state !== 'OPEN' || bindings.isBound(transaction)) return;
    const fence = transactionFence(context, transaction);
    const end = isOverdue(record, nowMs()) ? 'EXPIRED' : 'REVERTED';
    const next = finished(record, end, nowMs());
    const { kind } = await writeTransaction(context, fence, next);
    if (kind !== 'raced') return;
  }
}
