import type { ScheduleState } from '../computation/schedule-state.js';
import { keyOf } from '../computation/schedule-state.js';
import type { GraphKey } from '../placement/graph-key.js';

/** What one planned change does to one graph node. */
export interface MovedMember extends GraphKey {
  /** Owner before; `-` where there was none. */
  readonly from: string;
  /** Owner after; equal to `from` where only replicas change. */
  readonly to: string;
  /** Replicas after, in order. */
  readonly replicas: readonly string[];
  /** Whether the new owner had been a replica before. */
  readonly isPromotedReplica: boolean;
}

/** Describes what the state says of a graph node against the schedule in force. */
export function movedMember(state: ScheduleState, id: number): MovedMember {
  const before = state.previous[id];
  const primary = state.primary[id] ?? -1;
  const nameOf = (node: number) => state.cluster.names[node] ?? '-';
  return {
    ...keyOf(state, id),
    from: nameOf(before?.primary ?? -1),
    to: nameOf(primary),
    replicas: (state.replicas[id] ?? []).map(nameOf),
    isPromotedReplica: before?.primary !== primary && before?.replicas.includes(primary) === true,
  };
}

/** Whether a change gives a graph node another owner, and not only other replicas. */
export function isPrimaryMove({ from, to }: MovedMember): boolean {
  return from !== to;
}

/** `a,b`, or `-` for none: the form in which every printed block lists names. */
export function nameList(names: readonly string[]): string {
  return names.join(',') || '-';
}
