import type { StartStatement, StopStatement } from '@nervix/model';
import type { DomainRecord, ReferenceRecord } from '../../replicated-state/records.js';
import type { ControlContext } from '../control-context.js';
import { domainFence, writePrepared } from '../domain-write.js';
import { completed, failed, type Outcome } from '../outcome.js';
import { domainBasis } from '../scheduling/domain-basis.js';
import { referenceRecord, type Submission } from '../submission.js';

/** Why a domain cannot be started by this statement, or undefined. */
export function startRefusal(domain: DomainRecord, statement: StartStatement): Outcome | undefined {
  if (domain.status === 'running') {
    return failed('TRANSACTION_STATE', `domain '${domain.name}' is already running`);
  }
  if (statement.at !== null && (statement.at.instant !== null || statement.at.timeRate !== 1)) {
    return failed(
      'UNSUPPORTED_CAPABILITY',
      'START AT an instant or with a TIME RATE needs a paced domain, which this release lacks',
    );
  }
  return undefined;
}

/** Why a domain cannot be stopped, or undefined. */
export function stopRefusal(domain: DomainRecord): Outcome | undefined {
  if (domain.status === 'running') return undefined;
  return failed('TRANSACTION_STATE', `domain '${domain.name}' is already stopped`);
}

/** Runs START or STOP as a command of its own. */
export async function changeLifecycle(
  context: ControlContext,
  submission: Submission,
  domain: DomainRecord,
  statement: StartStatement | StopStatement,
): Promise<Outcome> {
  const busy = context.locks.acquire(domain.name, `command '${submission.reference}'`);
  if (busy !== undefined) return failed('DOMAIN_BUSY', busy);
  try {
    const current = context.state.domain(domain.name) ?? domain;
    const record = (outcome: Outcome): ReferenceRecord =>
      referenceRecord(submission, outcome, context.nowMs());
    return statement.kind === 'start'
      ? await startDomain(context, current, statement, record)
      : await stopDomain(context, current, record);
  } finally {
    context.locks.release(domain.name);
  }
}

async function startDomain(
  context: ControlContext,
  domain: DomainRecord,
  statement: StartStatement,
  record: (outcome: Outcome) => ReferenceRecord,
): Promise<Outcome> {
  const { name } = domain;
  const refusal = startRefusal(domain, statement);
  if (refusal !== undefined) return refusal;
  const started: DomainRecord = {
    ...domain,
    status: 'running',
    generation: domain.generation + 1,
  };
  const { models, scheduling } = domainBasis(context, started);
  const unready = await context.activation.prepare(started, models, scheduling.previous);
  if (unready?.kind === 'failed') {
    return failed(unready.code, `failed to start domain '${name}': ${unready.message}`);
  }
  const outcome = completed(`starting domain '${name}'`);
  const result = await writePrepared(context, name, {
    fences: domainFence(context.state, name),
    put: [started],
    reference: record(outcome),
  });
  if (result.kind !== 'applied') return changedMeanwhile(name);
  const error = await context.activation.activate(name);
  if (error === undefined) {
    context.logger.info('domain started', { domain: name });
    return outcome;
  }
  const failure = failed('ACTIVATION_FAILED', `failed to start domain '${name}': ${error}`);
  try {
    await context.log.write({ put: [{ ...started, status: 'stopped' }, record(failure)] });
  } finally {
    // Also where the store says that the domain runs: its graph does not.
    await context.activation.deactivate(name);
  }
  return failure;
}

async function stopDomain(
  context: ControlContext,
  domain: DomainRecord,
  record: (outcome: Outcome) => ReferenceRecord,
): Promise<Outcome> {
  const refusal = stopRefusal(domain);
  if (refusal !== undefined) return refusal;
  const outcome = completed(`stopped domain '${domain.name}'`);
  const result = await context.log.write({
    fences: domainFence(context.state, domain.name),
    put: [{ ...domain, status: 'stopped' }],
    reference: record(outcome),
  });
  if (result.kind !== 'applied') return changedMeanwhile(domain.name);
  await context.activation.deactivate(domain.name);
  context.logger.info('domain stopped', { domain: domain.name });
  return outcome;
}

function changedMeanwhile(domain: string): Outcome {
  return failed('INPUTS_CHANGED', `domain '${domain}' changed while it was being prepared`);
}
