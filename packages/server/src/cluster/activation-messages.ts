import type { Incarnation, RequiredMember } from './cluster-health.js';
import type { PhaseProgress } from './phase-progress.js';

/** Why a node cannot bring a domain to a revision. */
export interface DomainFailure {
  readonly domain: string;
  readonly revision: number;
  readonly cause: string;
  /** Only what the domain presents at listeners is missing. */
  readonly isOfListeners?: true;
}

/**
 * All that a process says about how far it is. Each report replaces those before it, so that one
 * which is lost is made good by the next, and one that comes late or twice changes nothing.
 */
export interface NodeReport extends Incarnation {
  /** Grows with every report of the process. */
  readonly sequence: number;
  /** Newest revision that the process reads from; undefined before any. */
  readonly visible: number | undefined;
  /** What is ready to run, and holds what it replaces. */
  readonly prepared: PhaseProgress;
  /** What runs. */
  readonly ready: PhaseProgress;
  readonly failures: readonly DomainFailure[];
}

/** What a leader has made of all reports: the one view that decides for every member. */
export interface LeaderView {
  readonly leader: Incarnation;
  /** Raft term in which the leader leads. */
  readonly term: bigint;
  /** Grows with every view of the term. */
  readonly sequence: number;
  readonly required: readonly RequiredMember[];
  /** What everyone required has prepared, so that its sources may start. */
  readonly startable: PhaseProgress;
  /** Failures of required members: what they hold back does not start. */
  readonly failures: readonly DomainFailure[];
}

/** The way of reports and views between members. What is sent may be lost, late or doubled. */
export interface ActivationPeers {
  /** Sends a report to whoever leads, if that is another member. */
  report(report: NodeReport): void;
  /** Sends a view to every other member. */
  announce(view: LeaderView): void;
}
