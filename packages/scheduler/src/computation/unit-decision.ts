import { Ranking } from '../ranking/ranking.js';
import {
  CONSOLIDATION_CHAIN,
  DECISION_CHAIN,
  type RankingChain,
  STATEFUL_FAILOVER_CHAIN,
} from '../ranking/ranking-policy.js';
import { formerOwner, liveReplicas, replicaSlots } from './replica-slots.js';
import { assign, extendReplicas, type ScheduleState } from './schedule-state.js';
import type { DecisionCause } from './unit-fate.js';
import { reserveUnit } from './unit-feasibility.js';
import type { Unit } from './unit-table.js';

/** The chain that ranks the candidates for a unit. */
export function chainFor(state: ScheduleState, unit: Unit, cause: DecisionCause): RankingChain {
  if (cause === 'consolidation') return CONSOLIDATION_CHAIN;
  const hasState = unit.members.some((id) => state.traits[id]?.replication === 'state');
  return cause === 'failover' && hasState ? STATEFUL_FAILOVER_CHAIN : DECISION_CHAIN;
}

/**
 * Gives every member of a unit the best candidate as primary and fills its replicas.
 *
 * @returns the ranking used, or undefined when there is no candidate and nothing was assigned
 */
export function decideUnit(
  state: ScheduleState,
  unit: Unit,
  cause: DecisionCause,
): Ranking | undefined {
  const ranking = new Ranking(state, unit, chainFor(state, unit, cause));
  const host = ranking.at(0);
  if (host === undefined) return undefined;
  placeUnit(state, unit, { host, slots: (id) => replicaSlots(state, id), ranking });
  state.cursor += 1;
  return ranking;
}

/** Where a unit goes and how its replicas are chosen. */
export interface UnitDestination {
  readonly host: number;
  /** Replicas a member has room for. */
  readonly slots: (id: number) => number;
  /** Fills slots that nothing former fills; undefined where there are no slots. */
  readonly ranking: Ranking | undefined;
  /** Whether a replica that the member could keep stays; absent means all do. */
  readonly isKept?: (id: number, replica: number) => boolean;
}

/**
 * Assigns a unit to a host. A member's replicas are its living former owner, the live replicas it
 * had, then candidates in ranking order.
 */
export function placeUnit(
  state: ScheduleState,
  unit: Unit,
  { host, slots, ranking, isKept = () => true }: UnitDestination,
): void {
  for (const id of unit.members) {
    const former = [...formerOwner(state, id, host), ...liveReplicas(state, id, host)];
    const kept = [...new Set(former)].filter((replica) => isKept(id, replica));
    const count = slots(id);
    const replicas = fillReplicas(kept.slice(0, count), count, host, ranking);
    assign(state, id, host, replicas);
  }
  reserveUnit(state, unit, host);
}

/** Fills the vacant replica slots of a unit that stays, without touching its primary. */
export function fillVacancies(
  state: ScheduleState,
  unit: Unit,
  vacant: readonly number[],
): Ranking {
  const ranking = new Ranking(state, unit, DECISION_CHAIN);
  for (const id of vacant) {
    const kept = state.replicas[id] ?? [];
    const host = state.primary[id] ?? -1;
    const filled = fillReplicas(kept, replicaSlots(state, id), host, ranking);
    extendReplicas(state, id, filled.slice(kept.length));
  }
  return ranking;
}

/** Adds candidates in ranking order to the replicas kept until there are enough. */
export function fillReplicas(
  kept: readonly number[],
  count: number,
  host: number,
  ranking: Ranking | undefined,
): readonly number[] {
  const replicas = [...kept];
  for (let place = 0; replicas.length < count; place += 1) {
    const node = ranking?.at(place);
    if (node === undefined) break;
    if (node !== host && !replicas.includes(node)) replicas.push(node);
  }
  return replicas;
}
