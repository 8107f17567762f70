import type { ScheduleRefusal } from '../errors.js';
import type { NodeRejection } from '../feasibility/constraint-check.js';
import type { GraphKey } from '../placement/graph-key.js';
import type { ScheduleEntry } from '../schedule-entry.js';

/** A unit that could not be given an owner, or not the owner it should have. */
export interface UnitStall
  extends ScheduleRefusal<
    'SCHED_NO_FEASIBLE_NODE' | 'SCHED_NO_CONSOLIDATION_HOST' | 'SCHED_FAILOVER_BUDGET_EXHAUSTED'
  > {
  /** In key order. */
  readonly members: readonly GraphKey[];
  /** Why each cluster node was left out, by name; empty where a budget is the reason. */
  readonly nodes: readonly NodeRejection[];
}

/** A graph node whose owner differs from the one it had. */
export interface Relocation extends GraphKey {
  readonly from: string;
  readonly to: string;
}

/** State that a failover starts anew, and why. */
export interface StateReset {
  /** Kind of the graph node that keeps the state. */
  readonly component: string;
  /** `no_live_replica`: no living node held a copy. */
  readonly cause: 'no_live_replica';
}

/** What became of a graph node whose owner was lost. */
export interface FailoverOutcome extends Relocation {
  /**
   * `promoted` where the new owner had been a live replica, `reset` where the state starts anew,
   * `stateless` where there is none to lose.
   */
  readonly state: 'promoted' | 'reset' | 'stateless';
  /** One for each component whose state is reset. */
  readonly resets: readonly StateReset[];
}

/** The schedule of one domain with everything that was decided on the way. */
export interface DomainSchedule {
  readonly domain: string;
  /** One per graph node, in key order. An entry without nodes waits for a candidate. */
  readonly entries: readonly ScheduleEntry[];
  /** Graph nodes whose primary differs from the one they had, in key order. */
  readonly relocations: readonly Relocation[];
  /** How many of the relocations are planned: all but those of units that failed over whole. */
  readonly plannedRelocations: number;
  /** In key order. */
  readonly failovers: readonly FailoverOutcome[];
  /** In decision order. */
  readonly stalls: readonly UnitStall[];
}
