import type { NodeFacts } from '../feasibility/node-facts.js';

/** The process that a node was admitted as, and the one that answers in its name. */
export interface NodeIncarnation {
  readonly admitted: string;
  /** Null while no process was observed. */
  readonly observed: string | null;
}

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
  /** Given where a node is admitted as one process and not as whatever bears its name. */
  readonly incarnation?: NodeIncarnation;
  /** What declared constraints are judged by; a fact that is absent is unknown. */
  readonly facts?: NodeFacts;
}
