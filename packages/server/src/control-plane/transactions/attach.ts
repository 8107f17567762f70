import type { TransactionRecord } from '../../replicated-state/records.js';
import { isSameUser, type UserIdentity } from '../../replicated-state/user-identity.js';
import type { ControlContext } from '../control-context.js';
import { failed, type Outcome } from '../outcome.js';
import type { TransactionHolder } from './transaction-bindings.js';
import {
  commitText,
  finished,
  isOverdue,
  touched,
  unknownTransaction,
} from './transaction-states.js';
import { transactionFence, writeTransaction } from './transaction-write.js';

/** A session that wants to go on with a transaction. */
export interface AttachRequest {
  readonly principal: UserIdentity;
  readonly transaction: string;
  readonly holder: TransactionHolder;
  /** The transaction that the session has so far, or null. */
  readonly attached: string | null;
}

/** What became of an attach. */
export type AttachReply =
  | {
      readonly kind: 'attached' | 'finished';
      readonly record: TransactionRecord;
      readonly message: string;
    }
  | { readonly kind: 'refused'; readonly refusal: Outcome };

/**
 * Binds a transaction to a session of its owner, whichever session had it, and counts as activity.
 * One that is over is not attached; one that is being committed is, so that a COMMIT can join it.
 *
 * @throws RaftError when the log does not take the activity
 */
export async function attachTransaction(
  context: ControlContext,
  request: AttachRequest,
): Promise<AttachReply> {
  const { state, bindings, limits } = context;
  for (;;) {
    // One instant decides whether it is over, and is what the write carries.
    const nowMs = context.nowMs();
    const id = request.transaction;
    const record = state.transaction(id);
    if (record === undefined) return refused(unknownTransaction(id));
    if (!isSameUser(record.owner, request.principal)) {
      return refused(failed('PERMISSION_DENIED', `transaction '${id}' belongs to another user`));
    }
    const current = isOverdue(record, nowMs) ? finished(record, 'EXPIRED', nowMs) : record;
    if (current.state !== 'OPEN' && current.state !== 'COMMITTING') {
      const message = `transaction '${id}' finished with outcome ${current.state}`;
      return { kind: 'finished', record: current, message };
    }
    if (current.state === 'OPEN') {
      const next = touched(current, nowMs, limits.transactionIdleTimeoutMs);
      const fence = transactionFence(context, id);
      const { kind } = await writeTransaction(context, fence, next);
      if (kind === 'raced') continue;
    }
    if (request.attached !== null) bindings.release(request.attached, request.holder);
    bindings.bind(id, request.holder);
    const bound = state.transaction(id) ?? current;
    return { kind: 'attached', record: bound, message: `attached transaction '${id}'` };
  }
}

function refused(refusal: Outcome): AttachReply {
  return { kind: 'refused', refusal };
}

/** What the commit of a finished transaction came to, where there was one. */
export function aggregateOutput(record: TransactionRecord): string | undefined {
  const text = commitText(record);
  return text === '' ? undefined : text;
}
