import {
  type AcceptedChange,
  differences,
  type ModelChange,
  planChangeSteps,
} from '@nervix/planner';
import type { DomainRecord, ModelStatement } from '../../replicated-state/records.js';
import type { ControlContext } from '../control-context.js';
import { domainWrite, writePrepared } from '../domain-write.js';
import { completed, failed, type Outcome } from '../outcome.js';
import { refusalOutcome } from '../refusal-outcome.js';
import {
  type DomainBasis,
  domainBasis,
  domainRevision,
  planningInput,
} from '../scheduling/domain-basis.js';
import { changesGraph } from '../scheduling/running-graph.js';
import { referenceRecord, type Submission } from '../submission.js';

export function modelChangeOf(statement: ModelStatement): ModelChange {
  switch (statement.kind) {
    case 'create_model':
      return { op: 'create', ifNotExists: statement.ifNotExists, model: statement.model };
    case 'drop_model':
      return { op: 'drop', kind: statement.modelKind, name: statement.name };
    case 'alter_model': {
      const { name, operations } = statement;
      return { op: 'alter', kind: 'placement', name, operations };
    }
  }
}

/**
 * Creates, alters or drops one model: plan; in a running domain make room; one durable write; activation.
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
  const basis = domainBasis(context, domain);
  const { spans } = submission.parsed;
  const input = { ...planningInput(basis, domainRevision(context, name)), spans };
  const planned = await context.placements.run(name, (resolver) =>
    planChangeSteps({ ...input, resolver }, [modelChangeOf(statement)]),
  );
  if (planned.kind === 'rejected') return refusalOutcome(planned.refusals, submission.parsed);
  const alreadyExisted = planned.alreadyExisted[0] ?? false;
  const outcome = completed(resultText(name, statement, planned), alreadyExisted);
  const reference = referenceRecord(submission, outcome, context.nowMs());
  if (planned.noop) {
    await log.write({ reference });
    return outcome;
  }
  const schedule = planned.schedule?.entries ?? null;
  const isReplacing = domain.status === 'running' && changesGraph(planned.changed);
  if (isReplacing) {
    const owned = schedule ?? basis.scheduling.previous;
    const refusal = await context.activation.prepare(domain, planned.next, owned);
    if (refusal !== undefined) return refusal;
  }
  const { next: models, changed } = planned;
  const write = domainWrite(context, { domain, models, differences: changed, schedule });
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
  if (!isReplacing) return outcome;
  const error = await context.activation.activate(name);
  return error === undefined ? outcome : restore(context, submission, { basis, cause: error });
}

/** A change that cannot be activated is taken back, so that the running graph is the stored one. */
async function restore(
  context: ControlContext,
  submission: Submission,
  { basis, cause }: { readonly basis: DomainBasis; readonly cause: string },
): Promise<Outcome> {
  const { domain, models, scheduling } = basis;
  const { state, log } = context;
  const changes = differences(state.models(domain.name), models);
  const outcome = failed(
    'ACTIVATION_FAILED',
    `failed to publish schedule for domain '${domain.name}': ${cause}`,
  );
  const schedule = scheduling.previous;
  const write = domainWrite(context, { domain, models, differences: changes, schedule });
  const record = referenceRecord(submission, outcome, context.nowMs());
  await log.write({ ...write, put: [...write.put, record] });
  const again = await context.activation.activate(domain.name);
  if (again !== undefined) {
    context.logger.error('the former graph did not resume', { domain: domain.name, cause: again });
  }
  return outcome;
}

function resultText(domain: string, statement: ModelStatement, planned: AcceptedChange): string {
  const { level, plannedRelocations } = planned;
  const effect = `quiesce level: ${level}; planned relocations: ${plannedRelocations}`;
  switch (statement.kind) {
    case 'drop_model':
      return `dropped model '${statement.name}' from domain '${domain}'; ${effect}`;
    case 'alter_model':
      return `altered placement '${statement.name}' in domain '${domain}'; ${effect}`;
    case 'create_model':
      return planned.alreadyExisted[0] === true
        ? `model '${statement.model.name}' already exists in domain '${domain}'`
        : effect;
  }
}
