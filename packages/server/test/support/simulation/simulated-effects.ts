import { widerLevel } from '@nervix/planner';
import type { CompiledGraph, Effects } from '../../../src/control-plane/execution/effects.ts';
import { failed, type Outcome } from '../../../src/control-plane/outcome.ts';
import type { GuestReset } from '../../../src/replicated-state/records.ts';
import type { SeededRandom } from './seeded-random.ts';

/**
 * Effects over those of a data plane, of which some drains time out by a seed. It checks its callers
 * too: whoever holds a graph must let it go or replace it before the next change of its domain.
 */
export class SimulatedEffects implements Effects {
  readonly #inner: Effects;
  readonly #random: SeededRandom;
  readonly #drainTimeout: number;
  readonly #held = new Set<string>();
  drainTimeouts = 0;

  /** @param drainTimeout how often a graph does not drain in time, from 0 to 1 */
  constructor(inner: Effects, random: SeededRandom, drainTimeout: number) {
    this.#inner = inner;
    this.#random = random;
    this.#drainTimeout = drainTimeout;
  }

  /** Domains whose graph is held. */
  get held(): ReadonlySet<string> {
    return this.#held;
  }

  compile(...given: Parameters<Effects['compile']>): ReturnType<Effects['compile']> {
    return this.#inner.compile(...given);
  }

  prepareUdf(...given: Parameters<Effects['prepareUdf']>): ReturnType<Effects['prepareUdf']> {
    return this.#inner.prepareUdf(...given);
  }

  prepareCodec(...given: Parameters<Effects['prepareCodec']>): ReturnType<Effects['prepareCodec']> {
    return this.#inner.prepareCodec(...given);
  }

  prepareVhost(...given: Parameters<Effects['prepareVhost']>): ReturnType<Effects['prepareVhost']> {
    return this.#inner.prepareVhost(...given);
  }

  async engage(graph: CompiledGraph): Promise<Outcome | undefined> {
    const { domain } = graph.plan;
    if (this.#held.has(domain)) throw new Error(`the graph of '${domain}' is held already`);
    const isHeld = widerLevel(graph.pause, graph.admitted.level) !== 'DYNAMIC';
    if (isHeld && this.#random.chance(this.#drainTimeout)) {
      this.drainTimeouts += 1;
      return failed('QUIESCE_FAILED', `timed out draining domain '${domain}': simulated`);
    }
    const refusal = await this.#inner.engage(graph);
    if (refusal === undefined && isHeld) this.#held.add(domain);
    return refusal;
  }

  /** Generation that the state of each guest is of, by domain and processor. */
  readonly guests = new Map<string, number>();
  /** Why guests do not become usable; told by the test. */
  onReset: (reset: GuestReset) => string | undefined = () => undefined;

  async prepareReset({ domain, processor }: GuestReset): Promise<Outcome | undefined> {
    if (this.#held.has(domain)) throw new Error(`the graph of '${domain}' is held already`);
    if (this.#random.chance(this.#drainTimeout)) {
      this.drainTimeouts += 1;
      const message = `timed out draining domain '${domain}' for ${processor}: simulated`;
      return failed('QUIESCE_FAILED', message);
    }
    this.#held.add(domain);
    return undefined;
  }

  async resetGuests(reset: GuestReset): Promise<string | undefined> {
    const { domain, processor, generation } = reset;
    const guest = `${domain}/${processor}`;
    const former = this.guests.get(guest) ?? 1;
    if (former > generation) throw new Error(`${guest} goes back to generation ${generation}`);
    const cause = this.onReset(reset);
    if (cause !== undefined) return cause;
    this.guests.set(guest, generation);
    this.#held.delete(domain);
    return undefined;
  }

  async release(domain: string): Promise<void> {
    this.#held.delete(domain);
    await this.#inner.release(domain);
  }

  async activate(domain: string, graph?: CompiledGraph): Promise<string | undefined> {
    const error = await this.#inner.activate(domain, graph);
    // What cannot be installed leaves a graph that is held to whoever asked for it.
    if (error === undefined) this.#held.delete(domain);
    return error;
  }

  async deactivate(domain: string): Promise<void> {
    this.#held.delete(domain);
    await this.#inner.deactivate(domain);
  }

  async remove(domain: string): Promise<void> {
    this.#held.delete(domain);
    await this.#inner.remove(domain);
  }

  inForce(...given: Parameters<Effects['inForce']>): Promise<void> {
    return this.#inner.inForce(...given);
  }

  settled(): Promise<void> {
    return this.#inner.settled();
  }
}
