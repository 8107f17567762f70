import { MemoryDisk, type WriteInterceptor } from '@nervix/consensus';
import type { TransactionStatus } from '@nervix/protocol';
import { expect } from 'vitest';
import type { CommandReply } from '../../../src/control-plane/control-plane.ts';
import { sweepTransactions } from '../../../src/control-plane/transactions/expire.ts';
import { type Asked, ControlNode, START_MS } from '../control-node.ts';
import { FakeDataPlane } from '../fake-data-plane.ts';
import { BAD, type Change, DomainModel, textOf } from './domain-model.ts';
import { SeededRandom } from './seeded-random.ts';

const VALIDITY_MS = 60_000;
const NAMES = ['a', 'b', 'c'];

/** A request and, once there is one, its answer. */
interface Request {
  readonly query: string;
  readonly asked: Asked;
  readonly domain: string;
  readonly changes: readonly Change[];
  readonly kind: 'change' | 'begin' | 'append' | 'commit' | 'revert' | 'script';
}

interface Acknowledged extends Request {
  readonly answer: Answer;
  readonly atMs: number;
}

/** The definite part of a reply, without its origin. */
interface Answer {
  readonly isCompleted: boolean;
  readonly code: string | undefined;
  readonly message: string;
  readonly transaction: TransactionStatus | undefined;
}

/** One caller, who works on one domain, a request at a time. */
class Caller {
  readonly domain: string;
  readonly model = new DomainModel();
  transaction: { readonly id: string; readonly queued: Change[] } | undefined;
  /** Sent, but a crash came before its answer. */
  unanswered: Request | undefined;

  constructor(domain: string) {
    this.domain = domain;
  }
}

/**
 * Callers that send random statements to a node whose process ends at random writes, and what each
 * answer must mean: every acknowledged outcome stays, and the state is that of a simple model.
 */
export class ControlSimulation {
  readonly #random: SeededRandom;
  readonly #disk = new MemoryDisk();
  readonly #clock = { nowMs: START_MS };
  readonly #callers = [new Caller('d'), new Caller('e')];
  readonly #acknowledged: Acknowledged[] = [];
  /** Writes until the process ends. */
  #writesLeft = Number.POSITIVE_INFINITY;
  #isCrashed = false;
  crashes = 0;
  recovered = 0;

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

  async #end(node: ControlNode): Promise<void> {
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
      await this.#send(node, caller, this.#nextRequest(caller));
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
    this.#learn(caller, request, answer);
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

  #nextRequest(caller: Caller): Request {
    const random = this.#random;
    const execution_reference = random.reference(this.#clock.nowMs);
    const { domain, transaction, model } = caller;
    const request = (
      kind: Request['kind'],
      query: string,
      changes: readonly Change[] = [],
    ): Request => {
      const isInside = kind === 'append' || kind === 'commit' || kind === 'revert';
      const place = isInside ? { transaction: transaction?.id ?? '' } : { domain };
      return { kind, query, changes, domain, asked: { execution_reference, ...place } };
    };
    const change = this.#nextChange(model);
    if (change.op === 'create domain') return request('change', textOf(change, domain), [change]);
    if (transaction !== undefined && random.chance(0.6)) {
      if (random.chance(0.15)) return request('revert', 'REVERT;');
      if (random.chance(0.4)) return request('commit', 'COMMIT;', transaction.queued);
      return request('append', textOf(change, domain), [change]);
    }
    if (transaction === undefined && random.chance(0.15)) return request('begin', 'BEGIN;');
    if (random.chance(0.2)) {
      const changes = [change, this.#nextChange(model), this.#nextChange(model)].filter(
        ({ op }) => op !== 'create domain',
      );
      const texts = changes.map((each) => textOf(each, domain));
      return request('script', `BEGIN; ${texts.join(' ')} COMMIT;`, changes);
    }
    return request('change', textOf(change, domain), [change]);
  }

  #nextChange(model: DomainModel): Change {
    const random = this.#random;
    if (!model.exists) return { op: 'create domain' };
    const relay = random.chance(0.12) ? `${BAD}_relay` : `r${random.pick(NAMES)}`;
    const name = `s${random.pick(NAMES)}`;
    return random.pick<Change>([
      { op: random.chance(0.5) ? 'start' : 'stop' },
      { op: 'create schema', name },
      { op: 'create relay', name: relay, schema: name },
      { op: 'create relay', name: relay, schema: name },
      random.chance(0.5) ? { op: 'drop schema', name } : { op: 'drop relay', name: relay },
    ]);
  }

  /** Brings the model to what an answer says, and judges the answer where the model can. */
  #learn(caller: Caller, request: Request, answer: Answer): void {
    const { model } = caller;
    const { kind, changes, query } = request;
    switch (kind) {
      case 'change':
        learnChange(model, changes[0] as Change, answer);
        break;
      case 'begin':
        expect(answer.isCompleted, answer.message).toBe(true);
        caller.transaction = { id: answer.transaction?.id ?? '', queued: [] };
        break;
      case 'append':
        if (answer.isCompleted) caller.transaction?.queued.push(...changes);
        else if (answer.transaction?.state !== 'Open') caller.transaction = undefined;
        break;
      case 'revert':
        caller.transaction = undefined;
        break;
      case 'commit':
        if (answer.isCompleted || answer.transaction?.state === 'Failed') {
          learnCommit(model, changes, answer);
        }
        if (answer.transaction?.state !== 'Open') caller.transaction = undefined;
        break;
      case 'script':
        expect(answer.transaction, query).toBeDefined();
        if (answer.transaction?.state !== 'Open') learnCommit(model, changes, answer);
        break;
    }
  }

  /** State and running graph of the caller's domain are those of its model. */
  #check(node: ControlNode, { domain, model, unanswered }: Caller): void {
    if (unanswered !== undefined) return;
    const record = node.state.domain(domain);
    expect(record !== undefined, domain).toBe(model.exists);
    if (record === undefined) return;
    const names = (kind: string): string[] =>
      [...node.state.models(domain).values()]
        .filter((each) => each.kind === kind)
        .map(({ name }) => name)
        .sort();
    expect(
      {
        status: record.status,
        generation: record.generation,
        schemas: names('schema'),
        relays: names('relay'),
      },
      domain,
    ).toEqual({
      status: model.status,
      generation: model.generation,
      schemas: [...model.schemas].sort(),
      relays: [...model.relays.keys()].sort(),
    });
    // PS-30: models and their schedule are written as one.
    const placed = names('relay').map((name) => ({ kind: 'relay', name, nodes: ['n1'] }));
    expect(node.state.schedule(domain), domain).toEqual(placed);
    const runs = model.status === 'running' && !model.isBad ? names('relay') : undefined;
    if (runs !== undefined) expect(node.dataPlane.relaysOf(domain)).toEqual(runs);
    if (model.status === 'stopped') expect(node.dataPlane.plans.has(domain)).toBe(false);
    expect(node.context.locks.ownerOf(domain)).toBeUndefined();
  }
}

/** The definite part of a reply; undefined when the outcome is unknown. */
function answerOf(reply: CommandReply | undefined): Answer | undefined {
  if (reply === undefined) return undefined;
  if (reply.kind === 'failed') {
    const { code, message, transaction } = reply.error;
    expect(code, message).not.toBe('INTERNAL');
    // A store that has failed takes no commands at all: that is no outcome of this one.
    if (code === 'STORAGE_FAILED') return undefined;
    return { isCompleted: false, code, message, transaction };
  }
  const { disposition, message, transaction } = reply.outcome;
  if (disposition.t === 'OutcomeUnknown') return undefined;
  return { isCompleted: true, code: undefined, message, transaction };
}

/** CP-104, CP-24: a crash between effect and activation may leave the effect, never a part. */
function learnChange(model: DomainModel, change: Change, answer: Answer): void {
  if (answer.isCompleted) {
    expect(model.permits(change), `accepted: ${JSON.stringify(change)}`).toBe(true);
    model.apply(change);
    return;
  }
  if (answer.code === 'ACTIVATION_FAILED') {
    expect(model.verdict(change)).toBe('activation failed');
    if (change.op === 'start') model.generation += 1;
    return;
  }
  expect(model.permits(change), `${answer.message}: ${JSON.stringify(change)}`).toBe(false);
}

function learnCommit(model: DomainModel, changes: readonly Change[], answer: Answer): void {
  const { applied_operations: applied = 0 } = answer.transaction ?? {};
  if (answer.isCompleted) expect(applied).toBe(changes.length);
  for (const change of changes.slice(0, applied)) model.apply(change);
  const failing = changes[applied];
  if (failing?.op === 'start' && answer.message.startsWith('failed to start')) {
    model.generation += 1;
  }
}
