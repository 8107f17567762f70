import type { PlacementPolicy } from '@nervix/model';
import type { ScheduleRefusal } from '../errors.js';
import type { Steps } from '../steps.js';
import type { BitMatrix } from './bit-matrix.js';
import type { Adjacency, PlacementGraph } from './placement-graph.js';
import type { PlacementRule } from './placement-rule.js';
import type { NodeSet } from './reach-sets.js';

/** How much of a rule's claims decides. */
export type CoverageState = 'empty' | 'overridden' | 'effective' | 'partial';

/** What one rule covers in the graph as it is. */
export interface RuleCoverage {
  readonly rule: PlacementRule;
  /** Position of its rank among the ranks in use, 0 for the strongest; unranked rules are last. */
  readonly tier: number;
  readonly state: CoverageState;
  /** Whether the rule decides a pair. */
  readonly hasWon: boolean;
  /** Whether a stronger rule takes a pair from it. */
  readonly hasLost: boolean;
  /** Endpoint pairs, FROM times TO. */
  readonly endpointPairs: number;
  /** Those of them that are connected. */
  readonly connectedPairs: number;
}

/** Graph nodes that share one owner. */
export interface HardGroup {
  /** At least two graph node ids, ascending. */
  readonly members: readonly number[];
}

/** What rules give the pairs of classes with each other. */
export interface PairRows {
  /**
   * Classes whose pairs with one class rules give a policy, as bits; the bit of the class itself
   * stands for pairs of its members. Worked out when it is asked for, and not to be changed.
   */
  row(policy: PlacementPolicy, index: number): NodeSet;
  /** Gets everything ready that many rows need; what is asked for before is made ready then. */
  prepare(): Steps<void>;
}

/** What rules claim. Graph nodes that the deciding corridors treat alike form a class. */
export interface ClaimTable {
  /** Class of each graph node, or -1 outside every corridor. */
  readonly classOf: Int32Array;
  /** Members of each class, ascending; classes are numbered by their smallest member. */
  readonly members: Adjacency;
  readonly pairs: PairRows;
  /** Bit (corridor, graph node), over the corridors of all rules. */
  readonly corridors: BitMatrix;
  /** Of each corridor the index into `coverage` of its rule; strongest tier first, then by name. */
  readonly corridorRule: Uint32Array;
}

/** What the rules of a domain amount to. All numbers are graph node ids unless said otherwise. */
export interface ResolvedPlacement {
  readonly domain: string;
  readonly graph: PlacementGraph;
  readonly defaultPolicy: PlacementPolicy;
  /** One per rule, by name. */
  readonly coverage: readonly RuleCoverage[];
  /** Ordered by their first members. */
  readonly groups: readonly HardGroup[];
  /** Index into `groups` of each graph node, or -1. */
  readonly groupOf: Int32Array;
  readonly claims: ClaimTable;
  /**
   * Direct neighbours of each node, in either direction, whose pair no rule claims; empty under a
   * neutral default, which decides nothing.
   */
  readonly defaultNeighbours: Adjacency;
}

/** Two rules of equal rank that ask different things of one pair. */
export type PlacementConflict = ScheduleRefusal<'SCHED_PLACEMENT_CONFLICT'>;

/** Outcome of resolving a domain's rules. */
export type PlacementOutcome =
  | { readonly kind: 'resolved'; readonly placement: ResolvedPlacement }
  | PlacementConflict;
