import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import type { LeaderView, NodeReport } from '../../../../src/cluster/activation-messages.ts';
import { ClusterHealth } from '../../../../src/cluster/cluster-health.ts';
import { hasReached, progressOf } from '../../../../src/cluster/phase-progress.ts';
import { Reconciliation } from '../../../../src/control-plane/scheduling/reconciliation.ts';
import type { ClusterSeat, ControlNode } from '../../control-node.ts';
import type { SeededRandom } from '../seeded-random.ts';
import { nodesOf, ownedNodes } from './node-part.ts';
import type { LogProcess, SimulatedLog } from './simulated-log.ts';
import type { SimulatedWorld } from './simulated-world.ts';

/** Faster than a node, so that members fail and return within a short run. */
export const LIMITS = { unavailableAfterMs: 400, staleAfterMs: 150 };
const PROBE_MS = 40;
const ROUND_MS = 50;
const DELAY_MS_MAX = 30;

/** A process among others, and what it was told. */
interface Seat {
  readonly process: LogProcess;
  readonly incarnation: string;
  readonly health: ClusterHealth;
  /** Views that it took, oldest first. */
  readonly views: LeaderView[];
  node: ControlNode | undefined;
  reconciliation: Reconciliation | undefined;
  judged: string;
}

/**
 * The members of a simulated cluster to each other: probes, and reports and views that are lost,
 * late and doubled. It watches what nodes start: everyone whom the leader required is prepared.
 */
export class SimulatedMembers {
  readonly #world: SimulatedWorld;
  readonly #random: SeededRandom;
  readonly #log: () => SimulatedLog;
  readonly #seats = new Map<LogProcess, Seat>();
  #lives = 0;
  /** Whether messages arrive, all and once. */
  isCalm = false;
  /** What nodes did that they must not; the data plane takes an error for a refusal. */
  readonly violations: string[] = [];
  /** Called when a verdict of somebody on somebody is another one. */
  onJudged: () => void = () => undefined;
  /** Every view, in the order in which leaders told them. */
  readonly #announced: LeaderView[] = [];
  starts = 0;
  lost = 0;

  constructor(world: SimulatedWorld, random: SeededRandom, log: () => SimulatedLog) {
    this.#world = world;
    this.#random = random;
    this.#log = log;
  }

  /** Gives a process its place. */
  seat(process: LogProcess): ClusterSeat {
    this.#lives += 1;
    const { name: node } = process.replica;
    const incarnation = `${node}/${this.#lives}`;
    const health = new ClusterHealth({
      local: { node, incarnation },
      limits: LIMITS,
      configured: () => ['n1', 'n2', 'n3'].map((each) => ({ node: each, isVoter: true })),
      nowMs: () => this.#world.nowMs,
    });
    const seat: Seat = {
      ...{ process, incarnation, health, views: [] },
      ...{ node: undefined, reconciliation: undefined, judged: '' },
    };
    this.#seats.set(process, seat);
    return {
      health,
      peers: {
        report: (report) => this.#post(seat, (other) => this.#report(other, report)),
        announce: (view) => {
          this.#announced.push(view);
          this.#take(seat, view);
          this.#post(seat, (other) => this.#announce(other, view));
        },
      },
      after: (delayMs, run) =>
        this.#world.after(delayMs, () => {
          if (!process.isDead) run();
        }),
    };
  }

  /** Lets a process that has its control plane take part. */
  join(process: LogProcess, node: ControlNode): void {
    const seat = this.#seats.get(process);
    assert(seat !== undefined, 'who joins has a place');
    seat.node = node;
    seat.reconciliation = new Reconciliation(node.context, node.activation);
    this.#probe(seat);
    this.#round(seat);
  }

  leave(process: LogProcess): void {
    this.#seats.delete(process);
  }

  /** Control planes of the members that a leader counts on, as far as they are alive. */
  requiredBy(leader: LogProcess): readonly ControlNode[] {
    const required = this.#seats.get(leader)?.health.required() ?? [];
    return [...this.#seats.values()].flatMap(({ node, incarnation }) =>
      node !== undefined && required.some((each) => each.incarnation === incarnation) ? [node] : [],
    );
  }

  /** CP-9: what starts on a node was prepared by everyone whom the leader required for it. */
  checkStart(process: LogProcess, domain: string, revision: number): void {
    const seat = this.#seats.get(process);
    if (seat === undefined) return;
    this.starts += 1;
    const view = seat.views.find(({ startable }) =>
      hasReached(progressOf(startable, domain), revision),
    );
    const start = `${seat.incarnation} starts '${domain}' at ${revision}`;
    if (view === undefined) this.violations.push(`${start} although no leader said so`);
    for (const { incarnation } of this.#decision(view, domain, revision)?.required ?? []) {
      const other = [...this.#seats.values()].find((each) => each.incarnation === incarnation);
      if (other?.node === undefined) continue;
      const isReady = isPrepared(other.node, domain, revision);
      if (!isReady) this.violations.push(`${start} before ${incarnation} is prepared`);
    }
  }

  /**
   * The view with which a leader let a domain start first. What was let once stays so: members that it
   * requires later, and names in further views, prepare for themselves.
   */
  #decision(
    view: LeaderView | undefined,
    domain: string,
    revision: number,
  ): LeaderView | undefined {
    return this.#announced.find(
      ({ term, leader, startable }) =>
        term === view?.term &&
        leader.incarnation === view.leader.incarnation &&
        hasReached(progressOf(startable, domain), revision),
    );
  }

  #probe(seat: Seat): void {
    if (seat.process.isDead) return;
    for (const replica of this.#log().replicas) {
      const { process } = replica;
      if (process === seat.process || this.#random.chance(this.isCalm ? 0 : 0.1)) continue;
      const isReached = !this.#log().isCut(replica, seat.process.replica);
      const other = process === undefined || !isReached ? undefined : this.#seats.get(process);
      const isBusy = !this.isCalm && this.#random.chance(0.03);
      seat.health.observe({
        node: replica.name,
        incarnation: other?.incarnation,
        outcome: isBusy ? 'capacity_exhausted' : other === undefined ? 'failure' : 'healthy',
        isTerminating: false,
        atMs: this.#world.nowMs,
      });
    }
    this.#look(seat);
    this.#world.after(PROBE_MS, () => this.#probe(seat));
  }

  /** Tells of verdicts that time alone has changed since they were last looked at. */
  lookAgain(): void {
    for (const seat of this.#seats.values()) if (!seat.process.isDead) this.#look(seat);
  }

  #look(seat: Seat): void {
    const judged = JSON.stringify(seat.health.members());
    if (judged !== seat.judged) this.onJudged();
    seat.judged = judged;
  }

  #round(seat: Seat): void {
    if (seat.process.isDead) return;
    seat.reconciliation?.round();
    this.#world.after(ROUND_MS, () => this.#round(seat));
  }

  #post(from: Seat, deliver: (to: Seat) => void): void {
    for (const replica of this.#log().replicas) {
      if (replica === from.process.replica) continue;
      const isLost = !this.isCalm && this.#random.chance(0.15);
      if (isLost) this.lost += 1;
      const copies = isLost ? 0 : !this.isCalm && this.#random.chance(0.15) ? 2 : 1;
      for (let copy = 0; copy < copies; copy += 1) {
        this.#world.after(1 + this.#random.below(DELAY_MS_MAX), () => {
          const to = replica.process === undefined ? undefined : this.#seats.get(replica.process);
          if (to !== undefined && !this.#log().isCut(replica, from.process.replica)) deliver(to);
        });
      }
    }
  }

  #report(to: Seat, report: NodeReport): void {
    to.node?.activation.receiveReport(report);
  }

  #announce(to: Seat, view: LeaderView): void {
    this.#take(to, view);
    to.node?.activation.receiveView(view);
  }

  #take({ views }: Seat, view: LeaderView): void {
    const latest = views.at(-1);
    const isOutdated =
      latest !== undefined &&
      (view.term < latest.term || (view.term === latest.term && view.sequence <= latest.sequence));
    if (!isOutdated) views.push(view);
  }
}

/** Whether a node has seen a revision of a domain and is ready to run its own part of it. */
function isPrepared(
  { state, dataPlane, context }: ControlNode,
  domain: string,
  revision: number,
): boolean {
  if ((state.revision ?? -1) < revision) return false;
  // What came since has taken the place of what was prepared.
  if (state.runtimeRevisionOf(domain) !== revision) return true;
  const owned = ownedNodes(state, domain, context.nodeId);
  // What a command holds before it is written has no revision yet.
  return (
    owned.length === 0 ||
    dataPlane.preparations.some(
      (plan) =>
        plan.domain === domain &&
        (plan.revision === revision || plan.revision === 0) &&
        isDeepStrictEqual(nodesOf(plan), owned),
    )
  );
}
