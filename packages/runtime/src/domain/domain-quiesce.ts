import type { ExecutionPlan } from '@nervix/model';
import { type Clock, sleep, type Timer } from '../clock/clock.js';
import { type RuntimeError, runtimeError } from '../errors.js';
import { EntityHold } from './entity-hold.js';
import type { Graph } from './graph.js';
import { coversScope, type HoldScope, holdScope } from './hold-scope.js';
import type { PendingWork } from './pending-work.js';

/** How often a drain looks whether it is done. */
const DRAIN_TURN_MS = 1;

interface Drain {
  /** When it is over, on the monotonic clock. */
  readonly endMs: number;
  /** Whether it is no use any more. */
  readonly isGivenUp: () => boolean;
  readonly flush: () => void;
  /** What still has to move, by name. */
  readonly pending: () => readonly string[];
}

export interface QuiesceOptions {
  readonly domain: string;
  /** Name of the cluster node. */
  readonly nodeId: string;
  readonly clock: Clock;
  /** Time for the drain before an alteration, and for which a hold of part of the graph stands. */
  readonly alterationMs: number;
  /** Whether something waits that needs no drain. */
  readonly isGivenUp: () => boolean;
  /** Told of a hold that ended by itself. */
  readonly lapsed: () => void;
}

/** Holds and drains of one domain: of part of its graph, or of all of it. */
export class DomainQuiesce {
  readonly #options: QuiesceOptions;
  readonly #clock: Clock;
  #hold: EntityHold | null = null;
  /** When the hold is over, on the monotonic clock. */
  #endMs = 0;
  #lease: Timer | undefined;
  /** What a hold that lapsed was for, until its change comes or is given up. */
  #lapsed: HoldScope | null = null;

  constructor(options: QuiesceOptions) {
    this.#options = options;
    this.#clock = options.clock;
  }

  /** The hold of part of the graph, while there is one. */
  get hold(): EntityHold | null {
    return this.#hold;
  }

  /**
   * Holds the nodes that a plan replaces and what lies downstream of them, and drains that part. A
   * hold that stands already and covers it is only drained again, and lapses no later.
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
    const left = await this.#drainHeld(hold);
    if (left === undefined) {
      this.#armLapse(hold);
      return hold;
    }
    this.release();
    throw this.#timeout(left, [...swapped]);
  }

  /**
   * Holds what a plan replaces while it is replaced. What was held for that before and has lapsed
   * since is not drained again, since the change cannot be put off any more: see `isDrained`.
   *
   * @throws RuntimeError RUNTIME_DRAIN_TIMEOUT, where nothing was held before; nothing is then
   */
  async holdForSwap(
    graph: Graph,
    plan: ExecutionPlan,
    swapped: ReadonlySet<string>,
  ): Promise<{ readonly hold: EntityHold; readonly isDrained: boolean }> {
    const scope = holdScope(graph.plan, plan, swapped);
    const standing = this.#hold?.covers(scope) === true ? this.#hold : null;
    if (standing !== null) {
      const left = await this.#drainHeld(standing);
      if (left === undefined) return { hold: standing, isDrained: true };
    }
    if (this.#lapsed !== null && coversScope(this.#lapsed, scope)) {
      return { hold: this.#brokenInto(graph, scope, swapped), isDrained: false };
    }
    return { hold: await this.holdEntities(graph, plan, swapped), isDrained: true };
  }

  /** Lets go on what is held of the graph, if anything is. */
  release(): void {
    this.#hold?.release();
    this.forget();
  }

  /** Forgets a hold whose graph has ended. */
  forget(): void {
    this.#lease?.cancel();
    this.#hold = null;
    this.#lapsed = null;
  }

  /** Drains a whole graph before an alteration. @returns the failure, if anything was left */
  async drainForAlteration(graph: Graph): Promise<RuntimeError | undefined> {
    const { alterationMs, isGivenUp } = this.#options;
    const left = await this.#drain(graph, alterationMs, isGivenUp);
    return left.length === 0 ? undefined : this.#timeout(graph.pendingWork(), null);
  }

  /** Drains a whole graph at its end. @returns what was left in the end, by name */
  drainForEnd(graph: Graph, deadlineMs: number): Promise<readonly string[]> {
    return this.#drain(graph, deadlineMs, () => false);
  }

  #engaged(graph: Graph, scope: HoldScope): EntityHold {
    if (this.#hold?.covers(scope) === true) return this.#hold;
    this.release();
    const hold = this.#newHold(graph, scope);
    hold.suspend();
    graph.flush();
    return hold;
  }

  #newHold(graph: Graph, scope: HoldScope): EntityHold {
    const hold = new EntityHold(graph, scope);
    this.#hold = hold;
    this.#endMs = this.#clock.monotonicMs() + this.#options.alterationMs;
    return hold;
  }

  /** Lets a hold go at its end if its change has not come by then. */
  #armLapse(hold: EntityHold): void {
    this.#lease?.cancel();
    const leftMs = Math.max(0, this.#endMs - this.#clock.monotonicMs());
    this.#lease = this.#clock.after(leftMs, () => {
      this.release();
      this.#lapsed = hold.scope;
      this.#options.lapsed();
    });
  }

  /** Closes what the replaced nodes read, for as long as it takes to replace them. */
  #brokenInto(graph: Graph, scope: HoldScope, swapped: ReadonlySet<string>): EntityHold {
    const read = graph.relaysReadBy(swapped).map(({ name }) => name);
    this.release();
    const hold = this.#newHold(graph, { ...scope, gates: new Set(read) });
    hold.suspend();
    hold.flush();
    hold.closeGates();
    return hold;
  }

  /** Empties what is held, as long as it is. @returns what was left in the end, if anything was */
  async #drainHeld(hold: EntityHold): Promise<PendingWork | undefined> {
    const isOver = (): boolean => this.#hold !== hold;
    const drain = {
      endMs: this.#endMs,
      isGivenUp: () => isOver() || this.#options.isGivenUp(),
      flush: () => {
        hold.flush();
      },
    };
    let left = await this.#empty({ ...drain, pending: () => hold.pendingRoots() });
    if (left.length === 0 && !isOver()) {
      hold.closeGates();
      left = await this.#empty({ ...drain, pending: () => hold.pending() });
    }
    return left.length === 0 && !isOver() ? undefined : hold.pendingWork();
  }

  #timeout(left: PendingWork, replaced: readonly string[] | null): RuntimeError {
    const { domain, nodeId: node } = this.#options;
    return runtimeError('RUNTIME_DRAIN_TIMEOUT', { domain, node, replaced, ...left });
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
