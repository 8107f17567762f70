import { MemoryDisk, type WriteInterceptor } from '@nervix/consensus';
import { PLACEMENT_POLICIES } from '@nervix/model';
import { expect } from 'vitest';
import { sweepTransactions } from '../../../src/control-plane/transactions/expire.ts';
import { ControlNode, START_MS } from '../control-node.ts';
import { FakeDataPlane } from '../fake-data-plane.ts';
import { type Acknowledged, answerOf, Caller, type CallerHabit, type Request } from './caller.ts';
import { BAD, LISTENING_PIPELINE } from './catalogue.ts';
import { SeededRandom } from './seeded-random.ts';
import { SimulatedEffects } from './simulated-effects.ts';

const VALIDITY_MS = 60_000;
/** One node runs a graph of all kinds, wherever its parts are to be. */
const EVERYTHING: CallerHabit = { entities: LISTENING_PIPELINE, policies: PLACEMENT_POLICIES };
/** How often a graph does not drain in time. */
const DRAIN_TIMEOUT = 0.4;

/**
 * Callers that send random statements to a node whose process ends at random writes, and what each
 * answer must mean: every acknowledged outcome stays, and the state is that of a simple model.
 */
export class ControlSimulation {
  readonly #random: SeededRandom;
  readonly #disk = new MemoryDisk();
  readonly #clock = { nowMs: START_MS };
  readonly #callers = [new Caller('d', EVERYTHING), new Caller('e')];
  readonly #acknowledged: Acknowledged[] = [];
  /** Writes until the process ends. */
  #writesLeft = Number.POSITIVE_INFINITY;
  #isCrashed = false;
  #effects: SimulatedEffects | undefined;
  crashes = 0;
  recovered = 0;
  drainTimeouts = 0;

  constructor(seed: number) {
    this.#random = new SeededRandom(seed);
  }

  get acknowledged(): number {
    return this.#acknowledged.length;
  }

  /** Runs a number of lives of the node, each ended by a crash, and a last one that checks all. */
  async run(lives: number, requestsPerLife: number): Promise<void> {
    for (let life = 0; life < lives; life += 1) {
      const node = await this.#start(this.#random.chance(0.3));
      if (node === undefined) continue;
      await this.#settle(node);
      // While nothing is under way: what is asked again was always asked within its validity.
      if (!this.#isCrashed && this.#random.chance(0.2)) this.#clock.nowMs += VALIDITY_MS;
      this.#writesLeft = 1 + this.#random.below(requestsPerLife * 2);
      await Promise.all(this.#callers.map((caller) => this.#live(node, caller, requestsPerLife)));
      await this.#end(node);
    }
    this.#writesLeft = Number.POSITIVE_INFINITY;
    const node = await this.#start(false);
    if (node === undefined) throw new Error('the last start crashed');
    await this.#settle(node);
    for (const each of this.#acknowledged) await this.#repeat(node, each);
    for (const caller of this.#callers) this.#check(node, caller);
    await this.#end(node);
  }

  async #start(mayCrash: boolean): Promise<ControlNode | undefined> {
    this.#isCrashed = false;
    this.#writesLeft = mayCrash ? 1 + this.#random.below(4) : Number.POSITIVE_INFINITY;
    const dataPlane = new FakeDataPlane();
    dataPlane.onInstall = (plan) =>
      plan.relays.some(({ name }) => name.startsWith(BAD)) ? 'refused' : undefined;
    try {
      return await ControlNode.open({
        disk: this.#disk,
        clock: this.#clock,
        dataPlane,
        intercept: this.#intercept,
        drawStoreId: () => '0'.repeat(32),
        wrapEffects: (effects) => {
          this.#effects = new SimulatedEffects(effects, this.#random, DRAIN_TIMEOUT);
          return this.#effects;
        },
        limits: {
          commandRetryValidityMs: VALIDITY_MS,
          transactionTombstoneRetentionMs: VALIDITY_MS,
        },
      });
    } catch (error) {
      if (!this.#isCrashed) throw error;
      return undefined;
    }
  }

  readonly #intercept: WriteInterceptor = async (_points, commit) => {
    this.#writesLeft -= 1;
    if (this.#isCrashed) throw new Error('the process has ended');
    if (this.#writesLeft > 0) return commit();
    const isDurable = this.#random.chance(0.5);
    if (isDurable) await commit();
    this.#isCrashed = true;
    this.crashes += 1;
    this.#disk.crash();
    throw new Error('the process ends');
  };

  #check(node: ControlNode, caller: Caller): void {
    caller.check(node);
    caller.checkRunning(node);
  }

  async #end(node: ControlNode): Promise<void> {
    this.drainTimeouts += this.#effects?.drainTimeouts ?? 0;
    this.#disk.crash();
    await node.close();
  }

  /** After a start: asks again for what got no answer, and looks at everything. */
  async #settle(node: ControlNode): Promise<void> {
    for (const caller of this.#callers) {
      const request = caller.unanswered;
      if (request !== undefined) await this.#send(node, caller, request);
      if (this.#isCrashed) return;
      this.#check(node, caller);
    }
    for (let count = 0; count < 5 && this.#acknowledged.length > 0; count += 1) {
      await this.#repeat(node, this.#random.pick(this.#acknowledged));
      if (this.#isCrashed) return;
    }
  }

  async #live(node: ControlNode, caller: Caller, requests: number): Promise<void> {
    for (let sent = 0; sent < requests && !this.#isCrashed; sent += 1) {
      this.#clock.nowMs += this.#random.below(500);
      await this.#send(node, caller, caller.nextRequest(this.#random, this.#clock.nowMs));
      if (this.#isCrashed) return;
      this.#check(node, caller);
      if (this.#random.chance(0.1)) {
        await this.#repeat(node, this.#random.pick(this.#acknowledged));
      }
      if (this.#random.chance(0.05)) await this.#keepHouse(node);
    }
  }

  async #keepHouse(node: ControlNode): Promise<void> {
    try {
      await sweepTransactions(node.context);
      await node.executor.history.reclaim();
    } catch (error) {
      if (!this.#isCrashed) throw error;
    }
  }

  async #send(node: ControlNode, caller: Caller, request: Request): Promise<void> {
    caller.unanswered = request;
    const { query, asked } = request;
    const sent = [node.execute(query, asked)];
    if (this.#random.chance(0.15)) sent.push(node.execute(query, asked));
    const [first, second] = await Promise.all(sent);
    const answer = answerOf(first);
    if (answer === undefined) return;
    const again = second === undefined ? answer : answerOf(second);
    if (again !== undefined) expect(again, `twice at once: ${query}`).toEqual(answer);
    caller.unanswered = undefined;
    this.#acknowledged.push({ ...request, answer, atMs: this.#clock.nowMs });
    caller.learn(request, answer);
  }

  /** CP-12: a repetition gets the recorded outcome, or none for ever once it was reclaimed. */
  async #repeat(node: ControlNode, { query, asked, answer, atMs }: Acknowledged): Promise<void> {
    const reply = await node.execute(query, asked);
    const again = answerOf(reply);
    if (again === undefined) return;
    if (again.code === 'EXECUTION_REFERENCE_EXPIRED') {
      expect(atMs + VALIDITY_MS, `expired early: ${query}`).toBeLessThanOrEqual(this.#clock.nowMs);
      return;
    }
    this.recovered += 1;
    const { transaction: _now, ...outcome } = again;
    const { transaction: _then, ...first } = answer;
    expect(outcome, `repeated: ${query}`).toEqual(first);
    if (reply.kind === 'completed') expect(reply.outcome.origin).toBe('Recovered');
  }
}
