import type { NodeFacts } from './feasibility/node-facts.js';

/** What is known about one cluster node when a schedule is computed. */
export interface ScheduleNode {
  readonly name: string;
  /** False once the node is known to have failed; merely stale knowledge leaves it true. */
  readonly isLive: boolean;
  /** Keeps what it owns and receives nothing new. */
  readonly isCordoned: boolean;
  /** This incarnation is on its way out and receives nothing new. */
  readonly isTerminating: boolean;
  /** False for a member without a vote; absent where the caller lists voters only. */
  readonly isVoter?: boolean;
  /** True while the node waits for reconciliation; it receives nothing new. */
  readonly isQuarantined?: boolean;
  /** What declared constraints are judged by; a fact that is absent is unknown. */
  readonly facts?: NodeFacts;
}

/** A schedulable entity of a domain. */
export interface ScheduleUnit {
  /** Kind of the entity, such as `junction`. */
  readonly kind: string;
  readonly name: string;
  /** `single` has one owner; `every_node` runs on each live node, as listeners do. */
  readonly placement: 'single' | 'every_node';
}

/** Where a unit runs. A single-owner unit without an owner is waiting for a node. */
export interface Assignment {
  readonly kind: string;
  readonly name: string;
  /** Cluster node names, sorted for `every_node` units; the first one is the owner. */
  readonly nodes: readonly string[];
}

/** One frozen snapshot: everything a schedule depends on. */
export interface ScheduleInput {
  readonly nodes: readonly ScheduleNode[];
  readonly units: readonly ScheduleUnit[];
  /** Assignments in force; those of units that no longer exist are ignored. */
  readonly current: readonly Assignment[];
}
