import { domainKey, transactionKey, userKey } from '../../replicated-state/record-keys.js';
import type { DomainRecord, TransactionRecord } from '../../replicated-state/records.js';
import type { ControlContext } from '../control-context.js';
import { completed, failed, type Outcome } from '../outcome.js';
import { referenceRecord, type Submission } from '../submission.js';
import { isLive } from './transaction-states.js';

/**
 * Opens a transaction bound to one domain and one owner. Its id is the reference of the BEGIN, so
 * repeating that BEGIN names the same transaction.
 *
 * @param underWay BEGINs whose transaction may not be readable yet
 */
export async function beginTransaction(
  context: ControlContext,
  submission: Submission,
  domain: DomainRecord,
  underWay: number,
): Promise<Outcome> {
  const { state, limits, log } = context;
  const live = state.transactions().filter((record) => isLive(record, context.nowMs())).length;
  if (live + underWay >= limits.transactionMaxOpen) {
    return failed(
      'LIMIT_REACHED',
      `concurrent open transaction limit ${limits.transactionMaxOpen} reached`,
    );
  }
  const { user, incarnation } = submission.owner;
  const stored = state.user(user);
  if (stored !== undefined && stored.incarnation !== incarnation) return unknownUser(user);
  const id = submission.reference;
  const nowMs = context.nowMs();
  const record: TransactionRecord = {
    kind: 'transaction',
    id,
    owner: submission.owner,
    domain: domain.name,
    state: 'OPEN',
    sourceBytes: 0,
    accepted: 0,
    applied: 0,
    preview: null,
    progress: null,
    error: null,
    createdAtMs: nowMs,
    activeAtMs: nowMs,
    deadlineMs: nowMs + limits.transactionIdleTimeoutMs,
  };
  const outcome = completed(`transaction started: id '${id}'`);
  // Fenced with its owner and its domain: neither leaves one behind that is dropped meanwhile.
  const [owner, bound] = [userKey(user), domainKey(domain.name)];
  const result = await log.write({
    fences: [
      { key: transactionKey(id), revision: 0 },
      { key: owner, revision: state.revisionOf(owner) },
      { key: bound, revision: state.revisionOf(bound) },
    ],
    put: [record, { kind: 'latest_begin', domain: domain.name, transaction: id }],
    reference: referenceRecord(submission, outcome, nowMs),
  });
  if (result.kind !== 'raced') return outcome;
  if (result.key === owner && state.user(user) === undefined) return unknownUser(user);
  const current = state.domain(domain.name);
  return current === undefined
    ? failed('NOT_FOUND', `domain '${domain.name}' does not exist`)
    : beginTransaction(context, submission, current, underWay);
}

/** Who was dropped after the request was let in has no transactions, whoever has the name now. */
function unknownUser(user: string): Outcome {
  return failed('PERMISSION_DENIED', `user '${user}' does not exist`);
}
