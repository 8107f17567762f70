import type { ExecutionPlan } from '@nervix/model';
import { widerLevel } from '@nervix/planner';
import { runtimeError } from '@nervix/runtime';
import {
  type AdmittedHold,
  executionPause,
  NOTHING_ADMITTED,
  type PauseLevel,
} from '@nervix/runtime/data-plane';
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
  /** A hold that is over before its graph is there, as a gate whose deadline passes. */
  readonly lapse: number;
  /** A start that fails once. */
  readonly failedStart: number;
}

export const NO_FAULTS: DataPlaneFaults = { drainTimeout: 0, refusal: 0, lapse: 0, failedStart: 0 };

/** What became of holds, and of starts. */
export interface DataPlaneCounts {
  held: number;
  drainTimeouts: number;
  refusals: number;
  lapses: number;
  failedStarts: number;
}

/** What a data plane of a simulation works with. */
export interface SimulatedPorts {
  readonly random: SeededRandom;
  readonly counts: DataPlaneCounts;
  faults(): DataPlaneFaults;
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
    if (level !== 'DYNAMIC') {
      if (admitted !== undefined) this.#ports.engaged(domain, level);
      await this.#ports.wait(random.below(DRAIN_MS_MAX));
      const { drainTimeout, refusal } = this.#ports.faults();
      if (random.chance(drainTimeout)) {
        counts.drainTimeouts += 1;
        this.#open(domain);
        throw runtimeError('RUNTIME_DRAIN_TIMEOUT', { domain, pending: [SIMULATED] });
      }
      if (random.chance(refusal)) {
        counts.refusals += 1;
        this.#open(domain);
        throw runtimeError('RUNTIME_ROUTE_CONFLICT', { domain, host: SIMULATED, path: '/' });
      }
    }
    await super.prepare(plan, admitted);
    this.letGo.delete(domain);
    if (level === 'DYNAMIC') return;
    counts.held += 1;
    this.holds.set(domain, level);
    if (random.chance(this.#ports.faults().lapse)) this.#lapse(domain);
  }

  override async install(plan: ExecutionPlan): Promise<void> {
    const { random, counts } = this.#ports;
    const { domain } = plan;
    // Whatever is not held any more is drained once more.
    const isUnheld =
      this.#neededBy(plan, NOTHING_ADMITTED) !== 'DYNAMIC' && !this.holds.has(domain);
    if (isUnheld) await this.#ports.wait(random.below(DRAIN_MS_MAX));
    if (!isBad(plan) && random.chance(this.#ports.faults().failedStart)) {
      counts.failedStarts += 1;
      throw random.chance(0.5)
        ? runtimeError('RUNTIME_DRAIN_TIMEOUT', { domain, pending: [SIMULATED] })
        : runtimeError('RUNTIME_INVALID_PLAN', { domain, problem: SIMULATED });
    }
    await super.install(plan);
    this.holds.delete(domain);
    this.letGo.delete(domain);
  }

  override async release(domain: string): Promise<void> {
    if (this.holds.has(domain)) this.#open(domain);
    await super.release(domain);
  }

  /** What is stopped lets nothing through that a hold would have kept back. */
  override async stopDomain(domain: string): Promise<void> {
    this.holds.delete(domain);
    this.letGo.delete(domain);
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

  #open(domain: string): void {
    this.holds.delete(domain);
    this.letGo.add(domain);
  }

  /** Who set the gate up is not asked. */
  #lapse(domain: string): void {
    const held = this.prepared.get(domain);
    void this.#ports.wait(this.#ports.random.below(DRAIN_MS_MAX)).then(() => {
      const isLeft = this.holds.has(domain) && this.prepared.get(domain) === held;
      if (isLeft) this.#ports.counts.lapses += 1;
      if (isLeft) this.holds.delete(domain);
    });
  }
}

/** Whether the simulation refuses a graph for good. */
export function isBad({ relays }: Pick<ExecutionPlan, 'relays'>): boolean {
  return relays.some(({ name }) => name.startsWith(BAD));
}
