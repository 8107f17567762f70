import type { DropDomainStatement } from '@nervix/model';
import {
  assignmentKey,
  domainKey,
  latestBeginKey,
  modelRecordKey,
  scheduleKey,
} from '../../replicated-state/record-keys.js';
import type { DomainRecord, TransactionRecord } from '../../replicated-state/records.js';
import type { WriteCommand } from '../../replicated-state/write-command.js';
import { resourceKeysOf } from '../../resources/resource-catalog.js';
import { secretKeysOf } from '../../secrets/secret-catalog.js';
import type { ControlContext } from '../control-context.js';
import { domainFence } from '../domain-write.js';
import { completed, failed, type Outcome } from '../outcome.js';
import { referenceRecord, type Submission } from '../submission.js';
import { isLive } from '../transactions/transaction-states.js';
import { transactionFence, transactionKeys } from '../transactions/transaction-write.js';

/**
 * Removes a stopped domain; with CASCADE also what it holds. A stopped domain has no state in the
 * data plane, and a new one of its name begins with nothing of it.
 */
export async function dropDomain(
  context: ControlContext,
  submission: Submission,
  statement: DropDomainStatement,
): Promise<Outcome> {
  const name = statement.domain;
  const busy = context.locks.acquire(name, `command '${submission.reference}'`);
  if (busy !== undefined) return failed('DOMAIN_BUSY', busy);
  try {
    const domain = context.state.domain(name);
    if (domain === undefined) return failed('NOT_FOUND', `domain '${name}' does not exist`);
    const refusal = dropRefusal(context, domain, statement);
    if (refusal !== undefined) return refusal;
    const outcome = completed(`dropped domain '${name}'`);
    const result = await context.log.write({
      ...removal(context, name, statement.cascade),
      reference: referenceRecord(submission, outcome, context.nowMs()),
    });
    if (result.kind === 'raced') {
      return failed('INPUTS_CHANGED', `domain '${name}' changed while it was being dropped`);
    }
    context.settledSchedules.delete(name);
    await context.effects.remove(name);
    const { reference } = submission;
    context.logger.info('domain dropped', { domain: name, execution_reference: reference });
    return outcome;
  } finally {
    context.locks.release(name);
  }
}

function dropRefusal(
  { state, nowMs }: ControlContext,
  { name, status }: DomainRecord,
  { cascade }: DropDomainStatement,
): Outcome | undefined {
  if (status === 'running') {
    return failed('TRANSACTION_STATE', `domain '${name}' is running; STOP it first`);
  }
  const live = ofDomain(state.transactions(), name).find((each) => isLive(each, nowMs()));
  if (live !== undefined) {
    return failed('IN_USE', `domain '${name}' has an open transaction '${live.id}'`);
  }
  if (cascade) return undefined;
  const { size } = state.models(name);
  if (size > 0) {
    const message = `domain '${name}' still has ${size} model(s); drop them or use CASCADE`;
    return failed('IN_USE', message);
  }
  const versions = versionCount(state, name);
  const secrets = state.secrets.of(name).length;
  if (versions === 0 && secrets === 0) return undefined;
  const kept = versions > 0 ? `${versions} resource version(s)` : `${secrets} secret value(s)`;
  return failed('IN_USE', `domain '${name}' still has ${kept}; use CASCADE`);
}

function removal(
  { state }: ControlContext,
  domain: string,
  cascade: boolean,
): Omit<WriteCommand, 'put' | 'reference'> {
  const begun = latestBeginKey(domain);
  const transactions = ofDomain(state.transactions(), domain);
  const tombstones = cascade ? transactions : [];
  // One whose time is over may have been renewed by an append that nothing here has seen yet.
  const open = transactions.filter((record) => record.state === 'OPEN');
  return {
    // No BEGIN changes the domain: one that nothing here has seen yet moves a record of its own.
    // Uploads move the record of their resource alone.
    fences: [
      ...domainFence(state, domain),
      { key: begun, revision: state.revisionOf(begun) },
      ...open.map(({ id }) => transactionFence({ state }, id)),
      ...[...resourceKeysOf(state, domain), ...secretKeysOf(state, domain)].map((key) => ({
        key,
        revision: state.revisionOf(key),
      })),
    ],
    remove: [
      domainKey(domain),
      scheduleKey(domain),
      begun,
      ...[...state.models(domain).values()].map(({ kind, name }) =>
        modelRecordKey(domain, kind, name),
      ),
      ...state.schedule(domain).map((entry) => assignmentKey(domain, entry)),
      ...tombstones.flatMap(({ id }) => transactionKeys(state, id)),
      ...resourceKeysOf(state, domain),
      ...secretKeysOf(state, domain),
    ],
  };
}

function versionCount({ resources }: ControlContext['state'], domain: string): number {
  return resources
    .declared(domain)
    .reduce((count, { name }) => count + resources.versions(domain, name).length, 0);
}

function ofDomain(
  transactions: readonly TransactionRecord[],
  domain: string,
): readonly TransactionRecord[] {
  return transactions.filter((record) => record.domain === domain);
}
