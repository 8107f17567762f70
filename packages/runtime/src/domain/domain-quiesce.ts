import type { ExecutionPlan } from '@nervix/model';
import { type Clock, sleep } from '../clock/clock.js';
import { runtimeError } from '../errors.js';
import { EntityHold } from './entity-hold.js';
import type { Graph } from './graph.js';
import { type HoldScope, holdScope } from './hold-scope.js';

/** How often a drain looks whether it is done. */
const DRAIN_TURN_MS = 1;

interface Drain {
  /** When it is over, on the monotonic clock. */
  readonly endMs: number;
  readonly isGivenUp: () => boolean;
  readonly flush: () => void;
  /** What still has to move, by name. */
  readonly pending: () => readonly string[];
}

/** Holds and drains of one domain: of part of its graph, or of all of it. */
export class DomainQuiesce {
  readonly #domain: string;
  readonly #clock: Clock;
  readonly #alterationMs: number;
  readonly #isGivenUp: () => boolean;
  #hold: EntityHold | null = null;

  constructor(options: {
    readonly domain: string;
    readonly clock: Clock;
    /** Time for the drain before an alteration. */
    readonly alterationMs: number;
    /** Whether something waits that needs no drain. */
    readonly isGivenUp: () => boolean;
  }) {
    this.#domain = options.domain;
    this.#clock = options.clock;
    this.#alterationMs = options.alterationMs;
    this.#isGivenUp = options.isGivenUp;
  }

  /** The hold of part of the graph, while there is one. */
  get hold(): EntityHold | null {
    return this.#hold;
  }

  /**
   * Holds the nodes that a plan replaces and what lies downstream of them, and drains that part. A
   * hold that stands already and covers it is only drained again.
   *
   * @param admitted relays that are closed besides
   * @throws RuntimeError RUNTIME_DRAIN_TIMEOUT; nothing is held then
   */
  async holdEntities(
    graph: Graph,
    plan: ExecutionPlan,
    swapped: ReadonlySet<string>,
    admitted: readonly string[] = [],
  ): Promise<EntityHold> {
    const hold = this.#engaged(graph, holdScope(graph.plan, plan, swapped, admitted));
    const drain = {
      endMs: this.#clock.monotonicMs() + this.#alterationMs,
      isGivenUp: this.#isGivenUp,
      flush: () => {
        hold.flush();
      },
    };
    let left = await this.#empty({ ...drain, pending: () => hold.pendingRoots() });
    if (left.length === 0) {
      hold.closeGates();
      left = await this.#empty({ ...drain, pending: () => hold.pending() });
    }
    if (left.length === 0) return hold;
    this.release();
    throw runtimeError('RUNTIME_DRAIN_TIMEOUT', { domain: this.#domain, pending: left });
  }

  /** Lets go on what is held of the graph, if anything is. */
  release(): void {
    this.#hold?.release();
    this.#hold = null;
  }

  /** Forgets a hold whose graph has ended. */
  forget(): void {
    this.#hold = null;
  }

  /** Drains a whole graph before an alteration. @returns what was left in the end, by name */
  drainForAlteration(graph: Graph): Promise<readonly string[]> {
    return this.#drain(graph, this.#alterationMs, this.#isGivenUp);
  }

  /** Drains a whole graph at its end. @returns what was left in the end, by name */
  drainForEnd(graph: Graph, deadlineMs: number): Promise<readonly string[]> {
    return this.#drain(graph, deadlineMs, () => false);
  }

  #engaged(graph: Graph, scope: HoldScope): EntityHold {
    if (this.#hold?.covers(scope) === true) return this.#hold;
    this.release();
    const hold = new EntityHold(graph, scope);
    this.#hold = hold;
    hold.suspend();
    graph.flush();
    return hold;
  }

  #drain(graph: Graph, deadlineMs: number, isGivenUp: () => boolean): Promise<readonly string[]> {
    return this.#empty({
      endMs: this.#clock.monotonicMs() + deadlineMs,
      isGivenUp,
      flush: () => {
        graph.flush();
      },
      pending: () => graph.pending(),
    });
  }

  /** Flushes again and again until nothing is left to move, or the time is over. */
  async #empty({ endMs, isGivenUp, flush, pending }: Drain): Promise<readonly string[]> {
    for (;;) {
      flush();
      await sleep(this.#clock, DRAIN_TURN_MS);
      const left = pending();
      if (left.length === 0 || this.#clock.monotonicMs() >= endMs || isGivenUp()) return left;
    }
  }
}
