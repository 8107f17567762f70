import { maySchedule, type ScheduleNode } from '@nervix/scheduler';
import {
  type Availability,
  type AvailabilityLimits,
  afterObservation,
  availabilityAt,
  type ObservedRun,
  type ProbeOutcome,
} from './availability.js';

/** One process of a member. */
export interface Incarnation {
  readonly node: string;
  readonly incarnation: string;
}

/** A member of the cluster by its configuration. */
export interface ConfiguredMember {
  readonly node: string;
  readonly isVoter: boolean;
}

/** A member that has to take part; of one that was never observed nobody knows the process. */
export interface RequiredMember {
  readonly node: string;
  readonly incarnation: string | undefined;
}

/** A member as the scheduler judges it, without its cordon, which is replicated state. */
export type ClusterMember = Omit<ScheduleNode, 'isCordoned'>;

/** What one probe saw. */
export interface MemberObservation extends RequiredMember {
  /** The process that answered, or was to answer; undefined where none is known. */
  readonly incarnation: string | undefined;
  readonly outcome: ProbeOutcome;
  readonly isTerminating: boolean;
  /** Monotonic milliseconds. */
  readonly atMs: number;
}

interface ObservedProcess {
  readonly incarnation: string | undefined;
  readonly isTerminating: boolean;
  readonly run: ObservedRun;
}

export interface ClusterHealthOptions {
  /** The process that observes. */
  readonly local: Incarnation;
  readonly limits: AvailabilityLimits;
  /** Voters and learners of the configuration in force; the observer may be missing. */
  configured(): readonly ConfiguredMember[];
  /** Monotonic milliseconds. */
  nowMs(): number;
}

/**
 * What one process has seen of the members of its cluster, and what it makes of it. It begins with
 * the process and outlasts changes of leadership.
 */
export class ClusterHealth {
  readonly local: Incarnation;
  readonly #options: ClusterHealthOptions;
  readonly #observed = new Map<string, ObservedProcess>();
  readonly #seenLive = new Set<string>();
  readonly #startedMs: number;
  #mayScheduleForGood = false;

  constructor(options: ClusterHealthOptions) {
    this.#options = options;
    this.local = options.local;
    this.#startedMs = options.nowMs();
    this.#seenLive.add(options.local.node);
  }

  /** Takes the result of a probe; the first of another process of a member replaces the former. */
  observe({ node, incarnation, isTerminating, outcome, atMs }: MemberObservation): void {
    if (node === this.local.node) return;
    const known = this.#observed.get(node);
    if (known !== undefined && atMs < known.run.latest.atMs) return;
    const isAnother = incarnation !== undefined && incarnation !== known?.incarnation;
    const before = isAnother ? undefined : known?.run;
    const run = afterObservation(before, { atMs, outcome }, this.#options.limits);
    const process = incarnation ?? known?.incarnation;
    this.#observed.set(node, { incarnation: process, isTerminating, run });
    if (outcome === 'healthy' && !this.#mayScheduleForGood) this.#seenLive.add(node);
  }

  /** The verdict on a member; the observer is available to itself. */
  availabilityOf(node: string): Availability {
    if (node === this.local.node) return 'available';
    return availabilityAt(
      this.#observed.get(node)?.run,
      this.#options.nowMs(),
      this.#options.limits,
    );
  }

  /**
   * Members without which nothing is complete: all that are not known to have failed, learners and
   * cordoned ones included, and the observer whatever the configuration says.
   */
  required(): readonly RequiredMember[] {
    const others = this.#options
      .configured()
      .filter(({ node }) => node !== this.local.node)
      .filter(({ node }) => this.availabilityOf(node) !== 'unavailable')
      .map(({ node }) => ({ node, incarnation: this.#observed.get(node)?.incarnation }));
    return [this.local, ...others].sort((left, right) => (left.node < right.node ? -1 : 1));
  }

  /** Members by name, as schedules are computed from them. */
  members(): readonly ClusterMember[] {
    return this.#options
      .configured()
      .map((member) => this.#scheduled(member))
      .sort((left, right) => (left.name < right.name ? -1 : 1));
  }

  /**
   * Whether the process may take members for lost by itself. A process that has just started has to
   * see every voter live first, or wait.
   */
  maySchedule(): boolean {
    if (this.#mayScheduleForGood) return true;
    const voters = this.#options.configured().filter(({ isVoter }) => isVoter);
    this.#mayScheduleForGood = maySchedule({
      elapsedMs: this.#options.nowMs() - this.#startedMs,
      voters: voters.map(({ node }) => node),
      seenLive: this.#seenLive,
    });
    if (this.#mayScheduleForGood) this.#seenLive.clear();
    return this.#mayScheduleForGood;
  }

  #scheduled({ node: name, isVoter }: ConfiguredMember): ClusterMember {
    const isLocal = name === this.local.node;
    const observed = this.#observed.get(name);
    const incarnation = (isLocal ? this.local : observed)?.incarnation ?? null;
    return {
      name,
      isVoter,
      isLive: this.availabilityOf(name) !== 'unavailable',
      isTerminating: observed?.isTerminating ?? false,
      // A member that nobody saw yet keeps what it has and receives nothing.
      incarnation: { admitted: incarnation ?? '', observed: incarnation },
    };
  }
}
