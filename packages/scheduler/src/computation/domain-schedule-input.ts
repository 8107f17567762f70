import type { ScheduleNode } from '../cluster/schedule-node.js';
import type { ResolvedPlacement } from '../placement/resolved-placement.js';
import type { RankingPolicy } from '../ranking/ranking-policy.js';
import type { ScheduleEntry } from '../schedule-entry.js';
import type { MemberTraits } from './member-traits.js';

/** Everything the schedule of one domain depends on. The order of its lists does not matter. */
export interface DomainScheduleInput {
  /** The candidate graph with its effective placement rules. */
  readonly placement: ResolvedPlacement;
  /** One per graph node; a missing one is derived from the kind alone. */
  readonly traits: readonly MemberTraits[];
  /** Members of the cluster. */
  readonly nodes: readonly ScheduleNode[];
  /** Replicas that a graph node should have where its kind allows them. */
  readonly replicaCount: number;
  /** The schedule in force; entries of graph nodes that are gone are ignored. */
  readonly previous: readonly ScheduleEntry[];
  /**
   * Graph nodes that one computation may fail over; absent means all of them. A unit that fits in
   * part fails over whole.
   */
  readonly failoverBudget?: number;
  /** Version of the ranking; absent means `score/1`. */
  readonly policy?: RankingPolicy;
}
