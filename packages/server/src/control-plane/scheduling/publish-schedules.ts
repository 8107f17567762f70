import { type PlannedSchedule, planScheduleSteps } from '@nervix/planner';
import { type DecisionBasis, judgeCandidate } from '@nervix/scheduler';
import type { DomainRecord } from '../../replicated-state/records.js';
import type { ControlContext } from '../control-context.js';
import { domainFence, domainWrite } from '../domain-write.js';
import { type Capture, capture } from '../planning/capture.js';
import { clusterNodes } from './cluster-nodes.js';
import { scheduledDomain } from './scheduled-domain.js';
import { inSlices } from './slices.js';

/**
 * Schedules every domain again by what holds now: graph nodes that wait for a cluster node get one,
 * and lost owners are replaced. Nothing else moves. A domain under mutation is left out, because
 * the mutation plans for itself; the next round sees what is left, as it does of a domain that
 * cannot be scheduled. A process that has not seen the cluster yet decides nothing.
 *
 * @throws RaftError when the store failed
 */
export async function publishSchedules(context: ControlContext): Promise<void> {
  const { state, log, logger, settledSchedules } = context;
  if (!context.maySchedule()) return;
  for (const { name } of state.domains()) {
    const inputs = inputsOf(context, name);
    if (settledSchedules.get(name) === inputs) continue;
    try {
      if (await publishSchedule(context, name)) settledSchedules.set(name, inputs);
    } catch (error) {
      if (log.status().failure !== undefined) throw error;
      logger.error('a domain was not scheduled', { domain: name }, error);
    }
  }
}

/** Everything that a domain's schedule depends on, as a text that changes whenever any of it does. */
function inputsOf(context: ControlContext, name: string): string {
  const revisions = domainFence(context.state, name).map(({ revision }) => revision);
  return JSON.stringify([revisions, levelOf(context), healthOf(context)]);
}

/** The feature level that is activated. */
function levelOf({ log }: ControlContext): number {
  return log.status().level;
}

/** Members as they are judged now, equal as long as every verdict on them is. */
function healthOf(context: ControlContext): string {
  return JSON.stringify(clusterNodes(context));
}

/**
 * Other work has its turns while a schedule is computed and written, and mutations of the domain too,
 * which are never refused for it: a candidate that anything was written before is refused, and
 * computed anew in the next round.
 *
 * @returns whether the schedule in force is the one that was computed
 */
async function publishSchedule(context: ControlContext, name: string): Promise<boolean> {
  const { state, locks, logger } = context;
  // Read anew: earlier domains of the round were written meanwhile.
  const domain = state.domain(name);
  if (domain === undefined || locks.ownerOf(name) !== undefined) return false;
  const base = capture(context, domain);
  const basis = decisionBasis(context, name);
  const health = healthOf(context);
  const level = levelOf(context);
  const { input, isRunning } = await scheduledDomain(context, domain);
  const outcome = await inSlices(planScheduleSteps(input, input, isRunning));
  if (outcome.kind === 'rejected') {
    logger.warn('a domain was not scheduled', { domain: name, cause: outcome.refusal.message });
    return true;
  }
  if (outcome.schedule.delta.change === 'unchanged') return true;
  if (locks.ownerOf(name) !== undefined) return false;
  await writeCandidate(context, { domain, base, basis, level, health }, outcome.schedule);
  return false;
}

/** A domain, and what a schedule of it was decided from. */
interface Candidate {
  readonly domain: DomainRecord;
  readonly base: Capture;
  readonly basis: DecisionBasis;
  readonly level: number;
  /** Who was live then, and whose work was to be kept. */
  readonly health: string;
}

async function writeCandidate(
  context: ControlContext,
  { domain, base, basis, level, health }: Candidate,
  { entries: schedule, delta, failovers }: PlannedSchedule,
): Promise<void> {
  const { log, logger } = context;
  const { name } = domain;
  const candidate = { domain: name, basis, entries: schedule };
  const verdict = judgeCandidate(candidate, decisionBasis(context, name));
  // A later observation that leaves everybody as they were is none.
  const [reason] = [
    ...(verdict.kind === 'stale' ? [verdict.reason] : []),
    ...(levelOf(context) === level ? [] : ['feature level']),
    ...(healthOf(context) === health ? [] : ['health']),
  ];
  if (reason !== undefined) {
    logger.info('schedule outrun', { domain: name, reason });
    return;
  }
  const target = { domain, transitions: [], schedule };
  const decision = { term: String(basis.term), revision: Number(basis.revision) };
  const { kind } = await log.write({ ...domainWrite(context, base, target), decision });
  const recovered = failovers.map((node) => `${node.kind} ${node.name}: ${node.state}`);
  logger.info('schedule decided', {
    domain: name,
    outcome: kind,
    change: delta.change,
    ...(recovered.length === 0 ? {} : { failovers: recovered.join(', ') }),
  });
}

/** Who decides, and everything that is applied, cordons of any node included. */
function decisionBasis({ state, log }: ControlContext, domain: string): DecisionBasis {
  const { leader, term, revision } = log.status();
  return { leader: leader?.nodeId ?? '', term, revision, schedule: state.schedule(domain) };
}
