import { planScheduleSteps } from '@nervix/planner';
import { type DecisionBasis, judgeCandidate } from '@nervix/scheduler';
import type { ControlContext } from '../control-context.js';
import { domainFence, domainWrite } from '../domain-write.js';
import { clusterNodes } from './domain-basis.js';
import { scheduledDomain } from './scheduled-domain.js';
import { inSlices } from './slices.js';

/**
 * Schedules every domain again by what holds now: graph nodes that wait for a cluster node get one,
 * and lost owners are replaced. Nothing else moves. A domain under mutation is left out, because
 * the mutation plans for itself; the next round sees what is left.
 *
 * @throws RaftError when the store failed
 */
export async function publishSchedules(context: ControlContext): Promise<void> {
  const { state, locks, settledSchedules } = context;
  for (const { name } of state.domains()) {
    const inputs = inputsOf(context, name);
    if (settledSchedules.get(name) === inputs) continue;
    if (locks.acquire(name, 'automatic scheduling') !== undefined) continue;
    try {
      if (await publishSchedule(context, name)) settledSchedules.set(name, inputs);
    } finally {
      locks.release(name);
    }
  }
}

/** Everything that a domain's schedule depends on, as a text that changes whenever any of it does. */
function inputsOf(context: ControlContext, name: string): string {
  const revisions = domainFence(context.state, name).map(({ revision }) => revision);
  return JSON.stringify([revisions, clusterNodes(context)]);
}

/**
 * What the schedule was decided from has to hold when it is written: other work had its turns in
 * between. A candidate that lost that race is computed anew in the next round.
 *
 * @returns whether the schedule in force is the one that was computed
 */
async function publishSchedule(context: ControlContext, name: string): Promise<boolean> {
  const { state, log, logger } = context;
  // Read anew: earlier domains of the round were written meanwhile.
  const domain = state.domain(name);
  if (domain === undefined) return false;
  const basis = decisionBasis(context, name);
  const { input, isRunning } = await scheduledDomain(context, domain);
  const outcome = await inSlices(planScheduleSteps(input, input, isRunning));
  if (outcome.kind === 'rejected') {
    logger.warn('a domain was not scheduled', { domain: name, cause: outcome.refusal.message });
    return true;
  }
  const { entries: schedule, delta, failovers } = outcome.schedule;
  if (delta.change === 'unchanged') return true;
  const candidate = { domain: name, basis, entries: schedule };
  const verdict = judgeCandidate(candidate, decisionBasis(context, name));
  if (verdict.kind === 'stale') {
    logger.info('schedule outrun', { domain: name, reason: verdict.reason });
    return false;
  }
  const target = { domain, models: state.models(name), differences: [], schedule };
  const { kind } = await log.write(domainWrite(context, target));
  const recovered = failovers.map((node) => `${node.kind} ${node.name}: ${node.state}`);
  logger.info('schedule decided', {
    domain: name,
    outcome: kind,
    change: delta.change,
    ...(recovered.length === 0 ? {} : { failovers: recovered.join(', ') }),
  });
  return false;
}

/** Who decides, and everything that is applied, cordons of any node included. */
function decisionBasis({ state, log }: ControlContext, domain: string): DecisionBasis {
  const { leader, term, revision } = log.status();
  return { leader: leader?.nodeId ?? '', term, revision, schedule: state.schedule(domain) };
}
