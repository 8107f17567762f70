import type { Steps } from '../steps.js';
import type {
  DomainSchedule,
  FailoverOutcome,
  Relocation,
  StateReset,
  UnitStall,
} from './domain-schedule.js';
import { scheduleEntries } from './schedule-entries.js';
import { keyOf, type ScheduleState } from './schedule-state.js';
import type { DecisionCause } from './unit-fate.js';

/**
 * Writes down a finished computation.
 *
 * @param causes why each unit was decided, by unit index
 */
export function* summarizeSchedule(
  state: ScheduleState,
  causes: ReadonlyMap<number, DecisionCause>,
  stalls: readonly UnitStall[],
): Steps<DomainSchedule> {
  const causeOf = (id: number) => causes.get(state.table.unitOf[id] ?? -1);
  const isFailedOver = (id: number) => isMoved(state, id) && isForced(state, id);
  const moved = [...state.previous.keys()].filter((id) => isMoved(state, id));
  yield;
  const entries = scheduleEntries(state, isFailedOver);
  yield;
  return {
    domain: state.placement.domain,
    entries,
    relocations: moved.map((id) => relocationOf(state, id)),
    plannedRelocations: moved.filter((id) => causeOf(id) !== 'failover').length,
    failovers: moved.filter((id) => isForced(state, id)).map((id) => failoverOf(state, id)),
    stalls,
  };
}

/** Whether a graph node had a primary and now has another one. */
export function isMoved({ previous, primary }: ScheduleState, id: number): boolean {
  const from = previous[id]?.primary ?? -1;
  const to = primary[id] ?? -1;
  return from >= 0 && to >= 0 && from !== to;
}

/** Whether the owner that a graph node had is lost. */
function isForced(state: ScheduleState, id: number): boolean {
  return state.cluster.isLive[state.previous[id]?.primary ?? -1] !== 1;
}

function relocationOf(state: ScheduleState, id: number): Relocation {
  const { names } = state.cluster;
  const from = names[state.previous[id]?.primary ?? -1] ?? '';
  return { ...keyOf(state, id), from, to: names[state.primary[id] ?? -1] ?? '' };
}

function failoverOf(state: ScheduleState, id: number): FailoverOutcome {
  const { traits, previous, primary } = state;
  const isReplica = previous[id]?.replicas.includes(primary[id] ?? -1) === true;
  const stateful = isReplica ? 'promoted' : 'reset';
  const isStateful = traits[id]?.replication === 'state';
  const outcome = isStateful ? stateful : 'stateless';
  const resets: readonly StateReset[] =
    outcome === 'reset' ? [{ component: keyOf(state, id).kind, cause: 'no_live_replica' }] : [];
  return { ...relocationOf(state, id), state: outcome, resets };
}
