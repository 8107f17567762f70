import { isLive, keyOf, type ScheduleState } from './schedule-state.js';
import type { Unit } from './unit-table.js';

const NONE: readonly number[] = [];

/** How many replicas a graph node has room for: what it had is never taken from it unasked. */
export function replicaSlots(state: ScheduleState, id: number): number {
  if (state.traits[id]?.replication === 'none') return 0;
  return Math.max(state.previous[id]?.replicas.length ?? 0, state.replicaCount);
}

/** The replicas that a graph node had and that still live, in their order, without its primary. */
export function liveReplicas(state: ScheduleState, id: number, primary: number): readonly number[] {
  const replicas = state.previous[id]?.replicas ?? NONE;
  if (replicas.length === 0 || state.traits[id]?.replication === 'none') return NONE;
  return replicas.filter(
    (node, place) => node !== primary && isLive(state, node) && replicas.indexOf(node) === place,
  );
}

/**
 * The owner that a planned move leaves, if it can be a replica. It holds the newest state, so a
 * cordon does not keep it from the role; a process that is about to end does.
 */
export function formerOwner(state: ScheduleState, id: number, primary: number): number[] {
  const former = state.previous[id]?.primary;
  if (former === undefined || former === primary || !isLive(state, former)) return [];
  return state.cluster.nodes[former]?.isTerminating === true ? [] : [former];
}

/** Whether a kept graph node is left with the replicas it has, even if there is room for more. */
export function isLeftAlone(state: ScheduleState, unit: Unit, id: number): boolean {
  const before = state.previous[id];
  if (before === undefined || unit.members.length > 1) return false;
  const isWhole = [before.primary, ...before.replicas].every((node) => isLive(state, node));
  return isWhole && keyOf(state, id).kind === 'ingestor';
}
