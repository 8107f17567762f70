import type { RebalanceStatement, RelocationStatement } from '@nervix/model';
import type { ParsedStatement } from '@nervix/nspl-parser';
import {
  planRebalance,
  planRelocation,
  type RebalancePlan,
  rebalanceBlock,
  rebalanceReport,
  relocationResult,
} from '@nervix/scheduler';
import type { DomainRecord } from '../../replicated-state/records.js';
import type { ControlContext } from '../control-context.js';
import { domainWrite } from '../domain-write.js';
import { completed, failed, type Outcome } from '../outcome.js';
import { capture } from '../planning/capture.js';
import { refusedMove } from '../scheduling/refused-move.js';
import { scheduledDomain } from '../scheduling/scheduled-domain.js';
import { unsupportedMove } from '../scheduling/unsupported-move.js';
import { referenceRecord, type Submission } from '../submission.js';

/**
 * `RELOCATE`: plans under the domain's lock. Of a stopped domain only the schedule changes; without
 * a move nothing is written.
 */
export async function relocate(
  context: ControlContext,
  submission: Submission,
  { name }: DomainRecord,
  statement: RelocationStatement,
): Promise<Outcome> {
  const busy = context.locks.acquire(name, `command '${submission.reference}'`);
  if (busy !== undefined) return failed('DOMAIN_BUSY', busy);
  try {
    const domain = context.state.domain(name);
    if (domain === undefined) return failed('NOT_FOUND', `domain '${name}' does not exist`);
    const base = capture(context, domain);
    const { input, isRunning } = await scheduledDomain(context, domain);
    const plan = planRelocation(input, statement, isRunning);
    if (plan.kind === 'refused') return refusedMove(plan, submission.parsed);
    const schedule = plan.entries ?? null;
    if (schedule !== null && isRunning) return unsupportedMove(submission.parsed);
    const outcome = completed(relocationResult(plan));
    const reference = referenceRecord(submission, outcome, context.nowMs());
    const write =
      schedule === null ? {} : domainWrite(context, base, { domain, transitions: [], schedule });
    const result = await context.log.write({ ...write, reference });
    if (result.kind !== 'raced') return outcome;
    return failed('INPUTS_CHANGED', `domain '${name}' changed while the move was planned`);
  } finally {
    context.locks.release(name);
  }
}

/** `REBALANCE`: evens out what the cluster nodes own, with the plan in the answer. */
export async function rebalance(
  context: ControlContext,
  submission: Submission,
  statement: RebalanceStatement,
): Promise<Outcome> {
  const plan = await rebalancePlan(context, statement, submission.parsed);
  if ('outcome' in plan) return plan.outcome;
  if (plan.moves.length > 0) return unsupportedMove(submission.parsed);
  const outcome = completed(rebalanceReport(plan, new Map()).text);
  await context.log.write({ reference: referenceRecord(submission, outcome, context.nowMs()) });
  return outcome;
}

/** Text of DESCRIBE REBALANCE. */
export async function readRebalance(
  context: ControlContext,
  statement: RebalanceStatement,
  parsed: ParsedStatement,
): Promise<Outcome> {
  const plan = await rebalancePlan(context, statement, parsed);
  return 'outcome' in plan ? plan.outcome : completed(rebalanceBlock(plan));
}

async function rebalancePlan(
  context: ControlContext,
  { domain, maxMoves }: RebalanceStatement,
  parsed: ParsedStatement,
): Promise<RebalancePlan | { readonly outcome: Outcome }> {
  const { state } = context;
  if (domain !== null && state.domain(domain) === undefined) {
    const message = `domain '${domain}' does not exist`;
    return { outcome: failed('NOT_FOUND', message, [{ message, span: { ...parsed.span } }]) };
  }
  const domains = state.domains();
  const running = domains.filter(({ status }) => status === 'running');
  const scheduled = await Promise.all(domains.map((record) => scheduledDomain(context, record)));
  return planRebalance(
    scheduled.map(({ input }) => input),
    {
      domain,
      maxMoves: maxMoves === null ? null : Number(maxMoves),
      running: new Set(running.map(({ name }) => name)),
    },
  );
}
