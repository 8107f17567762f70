import type { ActivationPeers, LeaderView, NodeReport } from '../../cluster/activation-messages.js';
import type { Incarnation } from '../../cluster/cluster-health.js';
import {
  type DomainProgress,
  hasReached,
  latestProgress,
  NO_PROGRESS,
  type PhaseProgress,
  progressOf,
} from '../../cluster/phase-progress.js';
import { type ApplierPorts, DomainApplier } from './domain-applier.js';

/**
 * Follows what is published on one node, domain by domain, so that one which takes its time keeps no
 * other waiting, and reports how far it is. What it may start it learns from the leader alone.
 */
export class NodeApplier {
  readonly #ports: ApplierPorts;
  readonly #local: Incarnation;
  readonly #send: ActivationPeers['report'];
  readonly #domains = new Map<string, DomainApplier>();
  /** Those that are not where they are to be; all others are as far as what is published. */
  readonly #pending = new Set<DomainApplier>();
  #startable: PhaseProgress = NO_PROGRESS;
  #view: Pick<LeaderView, 'term' | 'sequence'> | undefined;
  #report: NodeReport | undefined;

  /** @param send takes every report of the node */
  constructor(ports: ApplierPorts, local: Incarnation, send: ActivationPeers['report']) {
    this.#ports = ports;
    this.#local = local;
    this.#send = send;
    ports.state.onPublished(({ domains }) => {
      for (const domain of domains) this.#begin(domain);
      this.report();
    });
  }

  /** Begins with what is published already. */
  start(): void {
    for (const { name } of this.#ports.state.domains()) this.#begin(name);
    this.report();
  }

  /** The applier of a domain. */
  of(domain: string): DomainApplier {
    const known = this.#domains.get(domain);
    if (known !== undefined) return known;
    const applier = new DomainApplier(
      domain,
      this.#ports,
      (revision) => hasReached(progressOf(this.#startable, domain), revision),
      () => this.report(),
    );
    this.#domains.set(domain, applier);
    return applier;
  }

  /** Takes the view of a leader, unless a later one is known. */
  receive({ term, sequence, startable, failures }: LeaderView): void {
    const known = this.#view;
    if (known !== undefined && term < known.term) return;
    if (known?.term === term && sequence <= known.sequence) return;
    this.#view = { term, sequence };
    this.#startable = latestProgress([this.#startable, startable]);
    for (const { domain, revision } of failures) {
      void this.#domains.get(domain)?.waitUnheld(revision);
    }
    for (const applier of this.#pending) applier.kick();
  }

  /** Says how far the node is if that is another place than before. */
  report(): void {
    const { state } = this.#ports;
    const { revision: visible } = state;
    if (visible === undefined) return;
    const prepared: DomainProgress[] = [];
    const ready: DomainProgress[] = [];
    const failures = [];
    for (const applier of this.#pending) {
      const { domain, failure } = applier;
      const progress = applier.progress(visible);
      if (progress.prepared !== visible) prepared.push({ domain, revision: progress.prepared });
      if (progress.ready !== visible) ready.push({ domain, revision: progress.ready });
      else this.#pending.delete(applier);
      if (failure !== undefined) failures.push(failure);
      if (applier.isOver) this.#domains.delete(domain);
    }
    const content = {
      visible,
      prepared: { revision: visible, behind: prepared },
      ready: { revision: visible, behind: ready },
      failures,
    };
    const former = this.#report;
    const { node, incarnation } = this.#local;
    const report = { ...content, node, incarnation, sequence: former?.sequence ?? 0 };
    if (JSON.stringify(report) === JSON.stringify(former)) return;
    this.#report = { ...report, sequence: report.sequence + 1 };
    this.#send(this.#report);
  }

  /** Reports again: what was sent before may have been lost. */
  repeat(): void {
    if (this.#report !== undefined) this.#send(this.#report);
  }

  #begin(domain: string): void {
    const applier = this.of(domain);
    const { visible } = this.#report ?? {};
    // Until now it was where everything was.
    if (visible !== undefined && !this.#pending.has(applier)) applier.progressed(visible);
    this.#pending.add(applier);
    applier.kick();
  }

  /** Resolves when every domain is where it is to be, failed, or waits for other members. */
  async settled(): Promise<void> {
    for (;;) {
      const works = [...this.#pending].flatMap(({ work }) => work ?? []);
      if (works.length === 0) return;
      await Promise.all(works);
    }
  }
}
