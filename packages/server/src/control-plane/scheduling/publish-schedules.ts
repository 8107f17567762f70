import { planSchedule } from '@nervix/planner';
import type { ControlContext } from '../control-context.js';
import { domainFence, domainWrite } from '../domain-write.js';
import { clusterNodes } from './domain-basis.js';
import { scheduledDomain } from './scheduled-domain.js';

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
 * The write holds only as long as the domain and its schedule are as they were read; a candidate
 * that lost that race is computed anew in the next round.
 *
 * @returns whether the schedule in force is the one that was computed
 */
async function publishSchedule(context: ControlContext, name: string): Promise<boolean> {
  const { state, log, logger } = context;
  // Read anew: earlier domains of the round were written meanwhile.
  const domain = state.domain(name);
  if (domain === undefined) return false;
  const { input, isRunning } = scheduledDomain(context, domain);
  const outcome = planSchedule(input, input, isRunning);
  if (outcome.kind === 'rejected') {
    logger.warn('a domain was not scheduled', { domain: name, cause: outcome.refusal.message });
    return true;
  }
  const { entries: schedule, delta, failovers } = outcome.schedule;
  if (delta.change === 'unchanged') return true;
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
