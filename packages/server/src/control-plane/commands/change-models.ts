import type { CreateModelStatement, DropModelStatement } from '@nervix/model';
import { type DomainModels, differences, type ModelChange, planChange } from '@nervix/planner';
import { domainKey } from '../../replicated-state/record-keys.js';
import type { DomainRecord } from '../../replicated-state/records.js';
import type { ControlContext } from '../control-context.js';
import { modelWrite, writePrepared } from '../model-write.js';
import { completed, failed, type Outcome } from '../outcome.js';
import { refusalOutcome } from '../refusal-outcome.js';
import { referenceRecord, type Submission } from '../submission.js';

export type ModelStatement = CreateModelStatement | DropModelStatement;

export function modelChangeOf(statement: ModelStatement): ModelChange {
  return statement.kind === 'create_model'
    ? { op: 'create', ifNotExists: statement.ifNotExists, model: statement.model }
    : { op: 'drop', kind: statement.modelKind, name: statement.name };
}

/**
 * Creates or drops one model: plan; in a running domain make room; one durable write; activation.
 * Until the write, a refusal changes nothing.
 */
export async function changeModels(
  context: ControlContext,
  submission: Submission,
  domain: DomainRecord,
  statement: ModelStatement,
): Promise<Outcome> {
  const busy = context.locks.acquire(domain.name, `command '${submission.reference}'`);
  if (busy !== undefined) return failed('DOMAIN_BUSY', busy);
  try {
    return await changeLocked(context, submission, domain.name, statement);
  } finally {
    context.locks.release(domain.name);
  }
}

async function changeLocked(
  context: ControlContext,
  submission: Submission,
  name: string,
  statement: ModelStatement,
): Promise<Outcome> {
  const { state, log } = context;
  const domain = state.domain(name);
  if (domain === undefined) return failed('NOT_FOUND', `domain '${name}' does not exist`);
  const base: DomainModels = new Map(state.models(name));
  const planned = planChange(
    {
      domain: name,
      running: domain.status === 'running',
      revision: state.revisionOf(domainKey(name)),
      generation: domain.generation,
      models: base,
      spans: submission.parsed.spans,
    },
    [modelChangeOf(statement)],
  );
  if (planned.kind === 'rejected') return refusalOutcome(planned.refusals, submission.parsed);
  const alreadyExisted = planned.alreadyExisted[0] ?? false;
  const outcome = completed(
    resultText(name, statement, alreadyExisted, planned.level),
    alreadyExisted,
  );
  const reference = referenceRecord(submission, outcome, context.nowMs());
  if (planned.noop) {
    await log.write({ reference });
    return outcome;
  }
  const isRunning = domain.status === 'running';
  if (isRunning) {
    const refusal = await context.activation.prepare(domain, planned.next);
    if (refusal !== undefined) return refusal;
  }
  const write = modelWrite(state, domain, planned.next, planned.changed);
  const result = await writePrepared(context, name, { ...write, reference });
  if (result.kind !== 'applied') {
    return failed(
      'INPUTS_CHANGED',
      `domain '${name}' changed after the mutation batch was planned`,
    );
  }
  context.logger.info('models changed', {
    domain: name,
    execution_reference: submission.reference,
    quiesce_level: planned.level,
  });
  if (!isRunning) return outcome;
  const error = await context.activation.activate(name);
  return error === undefined
    ? outcome
    : restore(context, submission, { domain, base, cause: error });
}

/** A change that cannot be activated is taken back, so that the running graph is the stored one. */
async function restore(
  context: ControlContext,
  submission: Submission,
  former: { readonly domain: DomainRecord; readonly base: DomainModels; readonly cause: string },
): Promise<Outcome> {
  const { domain, base, cause } = former;
  const { state, log } = context;
  const changes = differences(state.models(domain.name), base);
  const outcome = failed(
    'ACTIVATION_FAILED',
    `failed to publish schedule for domain '${domain.name}': ${cause}`,
  );
  const write = modelWrite(state, domain, base, changes);
  const record = referenceRecord(submission, outcome, context.nowMs());
  await log.write({ ...write, put: [...write.put, record] });
  const again = await context.activation.activate(domain.name);
  if (again !== undefined) {
    context.logger.error('the former graph did not resume', { domain: domain.name, cause: again });
  }
  return outcome;
}

function resultText(
  domain: string,
  statement: ModelStatement,
  alreadyExisted: boolean,
  level: string,
): string {
  const effect = `quiesce level: ${level}; planned relocations: 0`;
  if (statement.kind === 'drop_model') {
    return `dropped model '${statement.name}' from domain '${domain}'; ${effect}`;
  }
  if (alreadyExisted) {
    return `model '${statement.model.name}' already exists in domain '${domain}'`;
  }
  return effect;
}
