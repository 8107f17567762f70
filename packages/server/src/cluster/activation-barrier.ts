import { RaftError } from '@nervix/consensus';
import type { DomainFailure, LeaderView, NodeReport } from './activation-messages.js';
import type { Incarnation, RequiredMember } from './cluster-health.js';
import {
  commonProgress,
  hasReached,
  isSameProgress,
  latestProgress,
  NO_PROGRESS,
  type PhaseProgress,
  progressOf,
} from './phase-progress.js';

export interface ActivationBarrierOptions {
  readonly local: Incarnation;
  /** Members without which nothing is complete, as of now. */
  required(): readonly RequiredMember[];
  /** The term in which this process leads, or undefined. */
  tenure(): bigint | undefined;
  announce(view: LeaderView): void;
}

/** A caller that waits for every required member. */
interface Wait {
  /** Undefined while somebody is missing; a text says why it will not come to it. */
  look(): { readonly failure: string | undefined } | undefined;
  readonly resolve: (failure: string | undefined) => void;
  readonly reject: (error: Error) => void;
}

/** Reports of one node that are kept: of its process, and of those that may have followed it. */
const PROCESSES_KEPT = 4;

/**
 * Where the leader gathers how far every member is, tells all of them what may start, and lets its
 * commands wait. Who has to take part is looked up anew each time: a member that joins is waited for,
 * a process that was started again counts as another one, and only the verdict of the leader's health
 * checks takes a member out. What may start never shrinks within a term.
 */
export class ActivationBarrier {
  readonly #options: ActivationBarrierOptions;
  readonly #reports = new Map<string, Map<string, NodeReport>>();
  readonly #waits = new Set<Wait>();
  #term: bigint | undefined;
  #startable: PhaseProgress = NO_PROGRESS;
  #view: LeaderView | undefined;
  #isClosed = false;

  constructor(options: ActivationBarrierOptions) {
    this.#options = options;
  }

  /** Takes the report of a member, itself included. */
  receive(report: NodeReport): void {
    const { node, incarnation, sequence } = report;
    const processes = this.#reports.get(node) ?? new Map<string, NodeReport>();
    if (sequence <= (processes.get(incarnation)?.sequence ?? -1)) return;
    processes.delete(incarnation);
    processes.set(incarnation, report);
    const [oldest] = processes.keys();
    if (processes.size > PROCESSES_KEPT && oldest !== undefined) processes.delete(oldest);
    this.#reports.set(node, processes);
    this.reevaluate();
  }

  /** Looks again who leads, who is required and how far they are. */
  reevaluate(): void {
    this.#follow(this.#options.tenure());
    if (this.#term === undefined) return;
    const required = this.#options.required();
    const reports = required.map((member) => this.#reportOf(member));
    const prepared = commonProgress(reports.map((report) => report?.prepared ?? NO_PROGRESS));
    this.#startable = latestProgress([this.#startable, prepared]);
    this.#tell(
      this.#term,
      required,
      reports.flatMap((report) => report?.failures ?? []),
    );
    for (const wait of [...this.#waits]) this.#settle(wait);
  }

  /** Tells the members again: what was told before may have been lost. */
  repeat(): void {
    this.reevaluate();
    if (this.#term !== undefined && this.#view !== undefined) this.#options.announce(this.#view);
  }

  /**
   * Resolves when every required member reads from a revision or a later one.
   *
   * @throws RaftError when the process does not lead, or not any more
   */
  async visible(revision: number): Promise<void> {
    await this.#wait(() => {
      const isVisible = this.#required().every((report) => hasReached(report?.visible, revision));
      return isVisible ? { failure: undefined } : undefined;
    });
  }

  /**
   * Resolves when every required member runs a domain at a revision or a later one, or with the
   * reason why one of them cannot.
   *
   * @throws RaftError when the process does not lead, or not any more
   */
  ready(domain: string, revision: number): Promise<string | undefined> {
    return this.#wait(() => this.#verdict(domain, revision, () => false));
  }

  /**
   * Resolves when no required member runs anything of a domain, or with the reason why one of them
   * cannot end it. What the domain presents at listeners has nothing to do with that.
   *
   * @throws RaftError when the process does not lead, or not any more
   */
  ended(domain: string, revision: number): Promise<string | undefined> {
    return this.#wait(() =>
      this.#verdict(domain, revision, ({ isOfListeners }) => isOfListeners === true),
    );
  }

  #verdict(
    domain: string,
    revision: number,
    isHarmless: (failure: DomainFailure) => boolean,
  ): ReturnType<Wait['look']> {
    let isMissing = false;
    for (const report of this.#required()) {
      if (report !== undefined && hasReached(progressOf(report.ready, domain), revision)) continue;
      const failure = report?.failures.find(
        (each) => each.domain === domain && each.revision >= revision,
      );
      if (failure === undefined) isMissing = true;
      else if (!isHarmless(failure)) return { failure: this.#causeOf(report, failure) };
    }
    return isMissing ? undefined : { failure: undefined };
  }

  /** Ends every wait; what they waited for may still come. */
  close(): void {
    this.#isClosed = true;
    this.#abandon();
  }

  #wait(look: Wait['look']): Promise<string | undefined> {
    // Before the wait is there: another term ends those of the former one alone.
    this.#follow(this.#options.tenure());
    return new Promise((resolve, reject) => {
      const wait: Wait = { look, resolve, reject };
      this.#waits.add(wait);
      if (this.#isClosed || this.#term === undefined) this.#abandon();
      else this.#settle(wait);
    });
  }

  #settle(wait: Wait): void {
    const end = wait.look();
    if (end === undefined || !this.#waits.delete(wait)) return;
    wait.resolve(end.failure);
  }

  /** Another term knows nothing of what an earlier one let start, or waited for. */
  #follow(term: bigint | undefined): void {
    if (term === this.#term) return;
    this.#term = term;
    this.#startable = NO_PROGRESS;
    this.#view = undefined;
    this.#abandon();
  }

  #abandon(): void {
    const waits = [...this.#waits];
    this.#waits.clear();
    for (const { reject } of waits) {
      reject(
        this.#isClosed
          ? new RaftError('RAFT_CLOSED', {})
          : new RaftError('RAFT_NOT_LEADER', { leader: undefined }),
      );
    }
  }

  #required(): readonly (NodeReport | undefined)[] {
    return this.#options.required().map((member) => this.#reportOf(member));
  }

  #reportOf({ node, incarnation }: RequiredMember): NodeReport | undefined {
    return incarnation === undefined ? undefined : this.#reports.get(node)?.get(incarnation);
  }

  #tell(
    term: bigint,
    required: readonly RequiredMember[],
    failures: readonly DomainFailure[],
  ): void {
    const former = this.#view;
    const isKnown =
      former !== undefined &&
      isSameProgress(former.startable, this.#startable) &&
      JSON.stringify([former.required, former.failures]) === JSON.stringify([required, failures]);
    if (isKnown) return;
    this.#view = {
      leader: this.#options.local,
      term,
      sequence: (former?.sequence ?? 0) + 1,
      required,
      startable: this.#startable,
      failures,
    };
    this.#options.announce(this.#view);
  }

  #causeOf(report: NodeReport | undefined, { cause }: DomainFailure): string {
    const { node } = report ?? this.#options.local;
    return node === this.#options.local.node ? cause : `node '${node}': ${cause}`;
  }
}
