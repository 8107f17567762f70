import { domainPlacementSteps, planScheduleSteps, type ScheduleOutcome } from '@nervix/planner';
import { DomainResolver, type Steps } from '@nervix/scheduler';
import type { DomainRecord, SetDomainPlacementStatement } from '../../replicated-state/records.js';
import type { ControlContext } from '../control-context.js';
import { domainWrite } from '../domain-write.js';
import { completed, failed, type Outcome } from '../outcome.js';
import { refusalOutcome } from '../refusal-outcome.js';
import { type DomainBasis, domainBasis } from '../scheduling/domain-basis.js';
import { referenceRecord, type Submission } from '../submission.js';

/** Plans the schedule of a domain under another default policy, in steps. */
export function* domainPolicySteps(
  { domain, models, scheduling }: DomainBasis,
  defaultPolicy: DomainRecord['placement'],
  resolver: DomainResolver = new DomainResolver(),
): Steps<ScheduleOutcome> {
  const rules = { domain: domain.name, models, defaultPolicy, resolver };
  const resolved = yield* domainPlacementSteps(rules);
  if (resolved.kind === 'rejected') return resolved;
  return yield* planScheduleSteps(resolved, scheduling, domain.status === 'running');
}

/** `ALTER DOMAIN SET PLACEMENT`: the domain record and its schedule change in one write. */
export async function setDomainPlacement(
  context: ControlContext,
  submission: Submission,
  { name }: DomainRecord,
  { setting: { policy } }: SetDomainPlacementStatement,
): Promise<Outcome> {
  const busy = context.locks.acquire(name, `command '${submission.reference}'`);
  if (busy !== undefined) return failed('DOMAIN_BUSY', busy);
  try {
    const domain = context.state.domain(name);
    if (domain === undefined) return failed('NOT_FOUND', `domain '${name}' does not exist`);
    if (domain.placement === policy) return unchanged(context, submission, domain);
    return await changePolicy(context, submission, { ...domain, placement: policy });
  } finally {
    context.locks.release(name);
  }
}

async function unchanged(
  context: ControlContext,
  submission: Submission,
  { name, placement }: DomainRecord,
): Promise<Outcome> {
  const text = `domain '${name}' placement is already ${placement}`;
  const outcome = completed(`${text}; quiesce level: DYNAMIC\nplanned relocations: 0`);
  await context.log.write({ reference: referenceRecord(submission, outcome, context.nowMs()) });
  return outcome;
}

async function changePolicy(
  context: ControlContext,
  submission: Submission,
  domain: DomainRecord,
): Promise<Outcome> {
  const { name, placement } = domain;
  const basis = domainBasis(context, domain);
  const planned = await context.placements.run(name, (resolver) =>
    domainPolicySteps(basis, placement, resolver),
  );
  if (planned.kind === 'rejected') return refusalOutcome([planned.refusal], submission.parsed);
  const { entries, level, plannedRelocations } = planned.schedule;
  const outcome = completed(
    `set domain '${name}' placement to ${placement}; quiesce level: ${level}\n` +
      `planned relocations: ${plannedRelocations}`,
  );
  const target = { domain, models: basis.models, differences: [], schedule: entries };
  const reference = referenceRecord(submission, outcome, context.nowMs());
  const write = domainWrite(context, target);
  const result = await context.log.write({ ...write, reference });
  if (result.kind === 'applied') return outcome;
  return failed('INPUTS_CHANGED', `domain '${name}' changed while its placement was planned`);
}
