import type { ScheduleState } from '../computation/schedule-state.js';
import { refusal, type ScheduleRefusal } from '../errors.js';
import { infeasibilityOf } from '../feasibility/destination.js';
import type { InfeasibilityReason } from '../feasibility/infeasibility.js';

/** A relocation that cannot be planned; nothing was changed. */
export type RelocationRefusal = ScheduleRefusal<
  | 'SCHED_UNKNOWN_MEMBER'
  | 'SCHED_LISTENER_MEMBER'
  | 'SCHED_DESTINATION'
  | 'SCHED_UNFIT_DESTINATION'
  | 'SCHED_EMPTY_RELOCATION'
  | 'SCHED_FOREIGN_OVERRIDE'
  | 'SCHED_STRATEGY_CONFLICT'
  | 'SCHED_OWNER_NOT_LIVE'
>;

const DESTINATION_WORDS: Readonly<Record<InfeasibilityReason, string>> = {
  not_voter: 'not a live raft voter',
  not_live: 'not a live raft voter',
  terminating: 'terminating',
  cordoned: 'cordoned',
  quarantined: 'quarantined',
  other_incarnation: 'another incarnation than the one admitted',
  unknown_incarnation: 'of an incarnation that was not observed',
};

/** The first reason why a node cannot be a destination, if there is one. */
export function destinationRefusal(
  { cluster }: ScheduleState,
  name: string,
): RelocationRefusal | undefined {
  const node = cluster.nodes[cluster.indexOf.get(name) ?? -1];
  const reason = node === undefined ? undefined : infeasibilityOf(node);
  if (node !== undefined && reason === undefined) return undefined;
  const why = reason === undefined ? 'not a raft member' : DESTINATION_WORDS[reason];
  return refusal('SCHED_DESTINATION', { node: name, why });
}
