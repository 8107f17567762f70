import type { ConstraintCheck } from './constraint-check.js';
import type { Capacity, NodeFacts } from './node-facts.js';
import type { Requirements } from './requirements.js';

/** What the computation under way has already put on a node or around it. */
export interface PlannedUse {
  /** Reserved for units decided earlier. */
  readonly reserved: Capacity;
  /** Ports of units decided earlier. */
  readonly ports: ReadonlySet<number>;
  /** Graph nodes of a spread set by whether they run in a failure domain. */
  readonly spreadCount: (set: string, failureDomain: string, ageMsMax: number) => SpreadCount;
  /** Graph nodes of an availability set that would not be on the node, the unit being there. */
  readonly elsewhereCount: (set: string) => number;
  /** Members of the unit at hand that listen on a port. */
  readonly listenerCount: (port: number) => number;
}

/** How many of a set run in a failure domain. */
export interface SpreadCount {
  readonly there: number;
  /** On nodes whose failure domain is not known, or by an observation older than allowed. */
  readonly perhaps: number;
}

/** One member of a unit in front of one node. */
export interface FeasibilitySubject {
  readonly facts: NodeFacts;
  readonly requirements: Requirements;
  readonly use: PlannedUse;
}

/** Judges one declared constraint; undefined where it is not declared. */
export type FeasibilityRule = (subject: FeasibilitySubject) => ConstraintCheck | undefined;
