import type { Assignment } from './schedule-input.js';

/** Why a cluster node may not receive a unit. */
export type InfeasibilityReason =
  | 'not_voter'
  | 'not_live'
  | 'terminating'
  | 'cordoned'
  | 'quarantined';

/** A node that was considered for a unit and left out. */
export interface NodeRefusal {
  readonly node: string;
  readonly reason: InfeasibilityReason;
}

/** A unit for which no cluster node was feasible. */
export interface UnitRefusal {
  readonly code: 'SCHED_NO_FEASIBLE_NODE';
  readonly message: string;
  readonly kind: string;
  readonly name: string;
  /** One entry per known node, in node name order. */
  readonly nodes: readonly NodeRefusal[];
}

/** A unit whose owner differs from the one it had. */
export interface Relocation {
  readonly kind: string;
  readonly name: string;
  readonly from: string;
  readonly to: string;
}

export interface ScheduleResult {
  /** One per unit, in key order (kind, then name). */
  readonly assignments: readonly Assignment[];
  readonly relocations: readonly Relocation[];
  readonly refusals: readonly UnitRefusal[];
}
