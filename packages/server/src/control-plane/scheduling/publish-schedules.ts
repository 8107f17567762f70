import { planSchedule } from '@nervix/planner';
import type { ControlContext } from '../control-context.js';
import { domainWrite } from '../domain-write.js';
import { scheduledDomain } from './scheduled-domain.js';

/**
 * Schedules every domain again by what holds now: graph nodes that wait for a cluster node get one,
 * and lost owners are replaced. Nothing else moves. A domain under mutation is left out, because
 * the mutation plans for itself; the next round sees what is left.
 *
 * @throws RaftError when the store failed
 */
export async function publishSchedules(context: ControlContext): Promise<void> {
  for (const { name } of context.state.domains()) {
    if (context.locks.acquire(name, 'automatic scheduling') !== undefined) continue;
    try {
      await publishSchedule(context, name);
    } finally {
      context.locks.release(name);
    }
  }
}

/**
 * The write holds only as long as the domain and its schedule are as they were read; a candidate
 * that lost that race is computed anew in the next round.
 */
async function publishSchedule(context: ControlContext, name: string): Promise<void> {
  const { state, log, logger } = context;
  // Read anew: earlier domains of the round were written meanwhile.
  const domain = state.domain(name);
  if (domain === undefined) return;
  const { input, isRunning } = scheduledDomain(context, domain);
  const outcome = planSchedule(input, input, isRunning);
  if (outcome.kind === 'rejected') {
    logger.warn('a domain was not scheduled', { domain: name, cause: outcome.refusal.message });
    return;
  }
  const { entries: schedule, delta, failovers } = outcome.schedule;
  if (delta.change === 'unchanged') return;
  const target = { domain, models: state.models(name), differences: [], schedule };
  const { kind } = await log.write(domainWrite(context, target));
  const recovered = failovers.map((node) => `${node.kind} ${node.name}: ${node.state}`);
  logger.info('schedule decided', {
    domain: name,
    outcome: kind,
    change: delta.change,
    ...(recovered.length === 0 ? {} : { failovers: recovered.join(', ') }),
  });
}
