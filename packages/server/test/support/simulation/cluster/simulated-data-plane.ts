import type { ExecutionPlan } from '@nervix/model';
import { widerLevel } from '@nervix/planner';
import { runtimeError } from '@nervix/runtime';
import {
  type AdmittedHold,
  executionPause,
  NOTHING_ADMITTED,
  type PauseLevel,
} from '@nervix/runtime/data-plane';
import { drainTimeout } from '../../drain-timeout.ts';
import { FakeDataPlane } from '../../fake-data-plane.ts';
import { BAD } from '../catalogue.ts';
import { SIMULATED } from '../change-judgement.ts';
import type { SeededRandom } from '../seeded-random.ts';

/** How often something befalls a hold or a start, from 0 to 1. */
export interface DataPlaneFaults {
  /** A hold that does not drain in time. */
  readonly drainTimeout: number;
  /** A graph that the rest of the node refuses. */
  readonly refusal: number;
  /** A hold that takes about as long to drain as its gates may be closed. */
  readonly slowDrain: number;
  /** A start that fails once. */
  readonly failedStart: number;
}

export const NO_FAULTS: DataPlaneFaults = {
  ...{ drainTimeout: 0, refusal: 0, slowDrain: 0, failedStart: 0 },
};

/** How long gates are closed in a simulation, at most, in milliseconds. */
export const LEASE_MS = 400;

/** What became of holds, and of starts. */
export interface DataPlaneCounts {
  held: number;
  drainTimeouts: number;
  refusals: number;
  /** Holds that ended by themselves. */
  lapses: number;
  /** Graphs that were started although what they replaced was not held any more. */
  unheld: number;
  failedStarts: number;
}

/** What a data plane of a simulation works with. */
export interface SimulatedPorts {
  readonly random: SeededRandom;
  readonly counts: DataPlaneCounts;
  faults(): DataPlaneFaults;
  /** Milliseconds that pass for every node alike. */
  monotonicMs(): number;
  wait(delayMs: number): Promise<void>;
  /** Told of what holds a running domain because somebody is about to replace its graph. */
  engaged(domain: string, level: PauseLevel): void;
}

const DRAIN_MS_MAX = 120;

/**
 * A data plane that runs nothing, but holds what a change of a running graph needs, as long as draining
 * takes, and to which happens what may happen to one.
 */
export class SimulatedDataPlane extends FakeDataPlane {
  readonly #ports: SimulatedPorts;
  /** How much of each domain is held for the next graph; a lapsed hold is not among them. */
  readonly holds = new Map<string, PauseLevel>();
  /** Domains of which a command had gates closed, whatever became of these. */
  readonly gated = new Set<string>();
  /** When the gates of a domain open by themselves. */
  readonly #leases = new Map<string, number>();
  /** Domains whose gates have opened while they were waited for. */
  readonly #lapsed = new Set<string>();
  /** Domains whose last engagement was let go before its graph was installed. */
  readonly letGo = new Set<string>();

  constructor(ports: SimulatedPorts) {
    super();
    this.#ports = ports;
  }

  override async prepare(plan: ExecutionPlan, admitted?: AdmittedHold): Promise<void> {
    const { random, counts } = this.#ports;
    const { domain } = plan;
    const level = this.#neededBy(plan, admitted ?? NOTHING_ADMITTED);
    const endMs = this.#ports.monotonicMs() + LEASE_MS;
    if (level !== 'DYNAMIC') {
      if (admitted !== undefined) this.#ports.engaged(domain, level);
      const faults = this.#ports.faults();
      const isSlow = random.chance(faults.slowDrain);
      await this.#ports.wait(isSlow ? (LEASE_MS * (85 + random.below(20))) / 100 : drainMs(random));
      const isOver = this.#ports.monotonicMs() >= endMs;
      if (isOver || random.chance(faults.drainTimeout)) {
        counts.drainTimeouts += 1;
        this.#open(domain);
        throw drainTimeout(domain, [SIMULATED]);
      }
      if (random.chance(faults.refusal)) {
        counts.refusals += 1;
        this.#open(domain);
        throw runtimeError('RUNTIME_ROUTE_CONFLICT', { domain, host: SIMULATED, path: '/' });
      }
    }
    await super.prepare(plan, admitted);
    this.letGo.delete(domain);
    if (level === 'DYNAMIC') return;
    counts.held += 1;
    this.#lapsed.delete(domain);
    this.holds.set(domain, level);
    if (admitted !== undefined) this.gated.add(domain);
    if (level === 'ENTITY_PAUSE') this.#lease(domain, endMs);
    else this.#leases.delete(domain);
  }

  override async install(plan: ExecutionPlan): Promise<void> {
    const { random, counts } = this.#ports;
    const { domain } = plan;
    const isUnheld =
      this.#neededBy(plan, NOTHING_ADMITTED) !== 'DYNAMIC' && !this.holds.has(domain);
    // What was held is replaced at once, whatever became of the hold; anything else is drained now.
    if (isUnheld && this.#lapsed.has(domain)) counts.unheld += 1;
    else if (isUnheld) await this.#ports.wait(drainMs(random));
    if (!isBad(plan) && random.chance(this.#ports.faults().failedStart)) {
      counts.failedStarts += 1;
      throw random.chance(0.5)
        ? drainTimeout(domain, [SIMULATED])
        : runtimeError('RUNTIME_INVALID_PLAN', { domain, problem: SIMULATED });
    }
    await super.install(plan);
    this.#end(domain);
  }

  override async release(domain: string): Promise<void> {
    if (this.holds.has(domain)) this.#open(domain);
    this.#lapsed.delete(domain);
    await super.release(domain);
  }

  /** What is stopped lets nothing through that a hold would have kept back. */
  override async stopDomain(domain: string): Promise<void> {
    this.#end(domain);
    await super.stopDomain(domain);
  }

  /** What is forgotten holds nothing. */
  override async removeDomain(domain: string): Promise<void> {
    this.holds.delete(domain);
    this.letGo.delete(domain);
    this.held.delete(domain);
    await super.removeDomain(domain);
  }

  #neededBy(plan: ExecutionPlan, { level }: AdmittedHold): PauseLevel {
    const running = this.plans.get(plan.domain);
    return running === undefined ? 'DYNAMIC' : widerLevel(executionPause(running, plan), level);
  }

  /** How long the gates of a domain stay closed, in milliseconds; undefined where none are. */
  leaseLeftMs(domain: string): number | undefined {
    const endMs = this.#leases.get(domain);
    return endMs === undefined ? undefined : endMs - this.#ports.monotonicMs();
  }

  #open(domain: string): void {
    this.#end(domain);
    this.letGo.add(domain);
  }

  #end(domain: string): void {
    for (const known of [this.holds, this.letGo, this.#leases, this.#lapsed]) known.delete(domain);
  }

  /** Who had the gates closed is not asked when they open. */
  #lease(domain: string, endMs: number): void {
    this.#leases.set(domain, endMs);
    void this.#ports.wait(endMs - this.#ports.monotonicMs()).then(() => {
      if (this.#leases.get(domain) !== endMs || !this.holds.has(domain)) return;
      this.#ports.counts.lapses += 1;
      this.#end(domain);
      this.#lapsed.add(domain);
    });
  }
}

function drainMs(random: SeededRandom): number {
  return random.below(DRAIN_MS_MAX);
}

/** Whether the simulation refuses a graph for good. */
export function isBad({ relays }: Pick<ExecutionPlan, 'relays'>): boolean {
  return relays.some(({ name }) => name.startsWith(BAD));
}
