import assert from 'node:assert/strict';
import { recover } from '../../../../src/control-plane/recover.ts';
import { sweepTransactions } from '../../../../src/control-plane/transactions/expire.ts';
import { ControlNode, START_MS } from '../../control-node.ts';
import { FakeDataPlane } from '../../fake-data-plane.ts';
import { type Acknowledged, type Answer, answerOf, Caller, type Request } from '../caller.ts';
import { BAD } from '../domain-model.ts';
import { SeededRandom } from '../seeded-random.ts';
import {
  type LogProcess,
  type ProcessHost,
  SimulatedLog,
  type WriteFate,
} from './simulated-log.ts';
import { SimulatedWorld } from './simulated-world.ts';

/** What a run came to. */
export interface ClusterResult {
  /** Requests that got an answer. */
  readonly answered: number;
  /** Answers that were asked for again and had stayed. */
  readonly repeated: number;
  /** Leaders that took over. */
  readonly leaders: number;
  readonly crashes: number;
  readonly cuts: number;
  /** Transactions that a new leader found in the middle of their commit. */
  readonly resumed: number;
  /** Commits that were refused because what they were previewed from had changed. */
  readonly stale: number;
  /** Commits whose plan was read before and behind them. */
  readonly inspected: number;
  readonly events: number;
}

const VALIDITY_MS = 60_000;
/** How long a caller waits before it asks again, somewhere else. */
const PATIENCE_MS = 1_500;
const FATES: readonly WriteFate[] = ['before', 'appended', 'replicated', 'applied'];

type Pause = 'NO_PAUSE' | 'SUBGRAPH' | 'DOMAIN';

const LEVELS: Readonly<Record<Pause, string>> = {
  NO_PAUSE: 'DYNAMIC',
  SUBGRAPH: 'ENTITY_PAUSE',
  DOMAIN: 'DOMAIN_PAUSE',
};

/** A report that was read of a transaction. */
interface Inspected {
  readonly id: string;
  readonly report: Readonly<Record<string, unknown>>;
}

/** What a report says of the plan, without what became of it. */
function plannedOf({
  execution_steps: steps,
  planning_basis: basis,
}: Inspected['report']): unknown {
  const planned = (steps as readonly { readonly planned: unknown }[]).map((step) => step.planned);
  return { basis, planned };
}

/**
 * The control planes of three replicas on one log, callers that send random statements, and a world
 * that ends processes at any write or time, cuts links and delays every message. Whatever happens:
 * an outcome that was answered stays, a repeated reference gets it, no effect comes twice, nothing
 * acknowledged is lost, and the state is that of a simple model.
 */
export class ClusterSimulation implements ProcessHost {
  readonly #random: SeededRandom;
  readonly #world: SimulatedWorld;
  readonly #log: SimulatedLog;
  readonly #nodes = new Map<LogProcess, ControlNode>();
  readonly #ready = new Set<LogProcess>();
  readonly #callers = ['d', 'e', 'f'].map((domain) => new Caller(domain));
  readonly #acknowledged: Acknowledged[] = [];
  #isCalm = false;
  #counts = { repeated: 0, leaders: 0, crashes: 0, cuts: 0, resumed: 0, stale: 0, inspected: 0 };

  constructor(seed: number) {
    this.#random = new SeededRandom(seed);
    this.#world = new SimulatedWorld(new SeededRandom(seed ^ 0x5eed), START_MS);
    this.#log = new SimulatedLog(this.#world, this, ['n1', 'n2', 'n3']);
    this.#log.fateOfWrite = () =>
      !this.#isCalm && this.#random.chance(0.06) ? this.#random.pick(FATES) : 'none';
  }

  get course(): readonly string[] {
    return this.#world.course;
  }

  /** Sends a number of statements in all, then lets everything recover and looks at all of it. */
  async run(statements: number): Promise<ClusterResult> {
    this.#disturb();
    const each = Math.ceil(statements / this.#callers.length);
    await this.#world.until(Promise.all(this.#callers.map((caller) => this.#live(caller, each))));
    this.#calm();
    await this.#world.until(this.#checkAll());
    const answered = this.#acknowledged.length;
    return { answered, ...this.#counts, events: this.#world.happened };
  }

  started(process: LogProcess): void {
    const dataPlane = new FakeDataPlane();
    dataPlane.onInstall = (plan) =>
      plan.relays.some(({ name }) => name.startsWith(BAD)) ? 'refused' : undefined;
    this.#nodes.set(
      process,
      ControlNode.over(process, {
        clock: this.#world.clock,
        dataPlane,
        limits: {
          commandRetryValidityMs: VALIDITY_MS,
          transactionTombstoneRetentionMs: VALIDITY_MS,
        },
      }),
    );
  }

  led(process: LogProcess): void {
    this.#counts.leaders += 1;
    const node = this.#nodes.get(process);
    assert(node !== undefined, 'a leader has a control plane');
    const committing = node.state.transactions().filter(({ state }) => state === 'COMMITTING');
    this.#counts.resumed += committing.length;
    recover(node.context, node.commits).then(
      () => {
        if (!process.isAdmitted) return;
        const left = committing.filter(
          ({ id }) => node.state.transaction(id)?.state === 'COMMITTING',
        );
        assert.deepEqual(left, [], 'a new leader finishes what it finds under way');
        this.#ready.add(process);
      },
      // A leader that lost its place in the middle has nothing to say.
      (error: unknown) => {
        if (process.isAdmitted && !process.isDead) throw error;
      },
    );
  }

  died(process: LogProcess): void {
    this.#nodes.delete(process);
    this.#ready.delete(process);
  }

  /** What befalls replicas and links, as long as the run is not calm. */
  #disturb(): void {
    this.#world.after(50 + this.#random.below(450), () => {
      if (this.#isCalm) return;
      const { replicas } = this.#log;
      const replica = this.#random.pick(replicas);
      const dice = this.#random.below(10);
      if (dice < 3) {
        this.#counts.crashes += replica.process === undefined ? 0 : 1;
        this.#log.crash(replica);
      } else if (dice < 6) {
        const others = replicas.filter((other) => other !== replica);
        const cut = this.#random.chance(0.5) ? others : [this.#random.pick(others)];
        for (const other of cut) this.#log.setLink(replica, other, true);
        this.#counts.cuts += 1;
      } else if (dice < 9) {
        this.#log.mendAll();
      } else this.#keepHouse();
      this.#disturb();
    });
    // Whoever is down comes back some time later.
    for (const replica of this.#log.replicas) {
      if (replica.process === undefined && this.#random.chance(0.5)) {
        this.#world.after(this.#random.below(300), () => this.#log.start(replica));
      }
    }
  }

  #calm(): void {
    this.#isCalm = true;
    this.#log.mendAll();
    for (const replica of this.#log.replicas) this.#log.start(replica);
  }

  /** The leader's own work, as it does it every few seconds. */
  #keepHouse(): void {
    const process = this.#leader();
    const node = process === undefined ? undefined : this.#nodes.get(process);
    if (node === undefined) return;
    const work = async (): Promise<void> => {
      await sweepTransactions(node.context);
      await node.executor.history.reclaim();
      await node.commits.resumeAll();
    };
    work().catch((error: unknown) => {
      if (process?.isAdmitted === true && !process.isDead) throw error;
    });
  }

  /** The process that answers requests: it leads, and has recovered. */
  #leader(): LogProcess | undefined {
    const { leader } = this.#log;
    return leader !== undefined && this.#ready.has(leader) ? leader : undefined;
  }

  async #live(caller: Caller, requests: number): Promise<void> {
    for (let sent = 0; sent < requests; sent += 1) {
      await this.#world.wait(this.#random.below(200));
      // While nothing is under way: what is asked again was always asked within its validity.
      const isIdle = this.#callers.every(({ unanswered }) => unanswered === undefined);
      if (isIdle && this.#random.chance(0.03)) this.#world.leap(VALIDITY_MS);
      await this.#send(caller, caller.nextRequest(this.#random, this.#world.clock.nowMs));
      if (this.#random.chance(0.1)) await this.#repeat(this.#random.pick(this.#acknowledged));
    }
  }

  async #send(caller: Caller, request: Request): Promise<void> {
    const planned = request.kind === 'commit' ? await this.#inspected(caller) : undefined;
    caller.unanswered = request;
    const atMs = this.#world.clock.nowMs;
    const { leaders } = this.#counts;
    const answer = await this.#answered(request);
    caller.unanswered = undefined;
    if (answer.code === 'PREVIEW_STALE') this.#counts.stale += 1;
    const isDone = answer.isCompleted && planned !== undefined;
    if (isDone) await this.#compare(planned, answer, leaders === this.#counts.leaders);
    this.#world.note(`${request.query} -> ${answer.message}`);
    this.#acknowledged.push({ ...request, answer, atMs });
    caller.learn(request, answer);
    const leader = this.#leader();
    const node = leader === undefined ? undefined : this.#nodes.get(leader);
    // A leader that somebody else has succeeded may not know yet.
    const isLatest = this.#log.replicas.every(({ term }) => term <= (leader?.replica.term ?? 0));
    if (node !== undefined && isLatest) caller.check(node);
  }

  /** The report of the caller's transaction as somebody who looks before the commit reads it. */
  async #inspected(caller: Caller): Promise<Inspected | undefined> {
    const { transaction } = caller;
    if (transaction?.preview === undefined || this.#random.chance(0.3)) return undefined;
    const report = await this.#report(transaction.id);
    if (report === undefined) return undefined;
    if (caller.isDisturbed === false) {
      assert.equal(report['planning_basis'], transaction.preview.planning_basis);
    }
    return { id: transaction.id, report };
  }

  async #report(id: string): Promise<Inspected['report'] | undefined> {
    const query = `DESCRIBE TRANSACTION '${id}' FORMAT JSON;`;
    const process = this.#leader();
    const node = process === undefined ? undefined : this.#nodes.get(process);
    const reply = await node?.execute(query, { domain: null });
    if (process?.isAdmitted !== true || reply?.kind !== 'completed') return undefined;
    return reply.outcome.inspection?.report;
  }

  /** CP-61, CP-69, CP-107: what a commit did is what it was to do, and its report says so for good. */
  async #compare(before: Inspected, answer: Answer, isOneLeader: boolean): Promise<void> {
    const { kind } = (before.report['summary'] as { readonly pause: { readonly kind: Pause } })
      .pause;
    // Another leader may have had to do more to bring the step to its end.
    const isEmpty = before.report['position'] === 0;
    if (isOneLeader && !isEmpty) assert.equal(answer.message, `quiesce level: ${LEVELS[kind]}`);
    const after = await this.#report(before.id);
    if (after === undefined) return;
    assert.deepEqual(plannedOf(after), plannedOf(before.report), 'the frozen plan is the preview');
    this.#counts.inspected += 1;
  }

  /** Asks, with one reference, whoever leads, until there is a definite answer. */
  async #answered({ query, asked }: Pick<Request, 'query' | 'asked'>): Promise<Answer> {
    for (let attempt = 0; attempt < 1_000; attempt += 1) {
      const process = this.#leader();
      const node = process === undefined ? undefined : this.#nodes.get(process);
      if (node !== undefined) {
        const sent = [node.execute(query, asked)];
        if (this.#random.chance(0.15)) sent.push(node.execute(query, asked));
        const patience = this.#world.wait(PATIENCE_MS).then(() => undefined);
        const replies = await Promise.race([Promise.all(sent), patience]);
        const answers = (replies ?? []).map(answerOf).filter((answer) => answer !== undefined);
        const [answer, second] = answers;
        if (answer !== undefined) {
          if (second !== undefined) assert.deepEqual(second, answer, `twice at once: ${query}`);
          return answer;
        }
      }
      await this.#world.wait(20 + this.#random.below(100));
    }
    throw new Error(`never answered: ${query}`);
  }

  /** CP-12: a repetition gets the recorded outcome, or none for ever once it was reclaimed. */
  async #repeat({ query, asked, answer, atMs }: Acknowledged): Promise<void> {
    const again = await this.#answered({ query, asked });
    if (again.code === 'EXECUTION_REFERENCE_EXPIRED') {
      assert(atMs + VALIDITY_MS <= this.#world.clock.nowMs, `expired early: ${query}`);
      return;
    }
    this.#counts.repeated += 1;
    const { transaction: _now, ...outcome } = again;
    const { transaction: _then, ...first } = answer;
    assert.deepEqual(outcome, first, `repeated: ${query}`);
  }

  /** Everything that was answered has stayed, on the leader and on who follows. */
  async #checkAll(): Promise<void> {
    for (const each of this.#acknowledged) await this.#repeat(each);
    while (this.#leader() === undefined) await this.#world.wait(50);
    await this.#world.wait(1_000);
    const leader = this.#leader();
    const node = leader === undefined ? undefined : this.#nodes.get(leader);
    assert(node !== undefined, 'there is a leader in the end');
    for (const caller of this.#callers) {
      caller.check(node);
      for (const follower of this.#nodes.values()) {
        assert.deepEqual(
          [...follower.state.models(caller.domain)],
          [...node.state.models(caller.domain)],
          'replicas hold the same',
        );
      }
    }
    const open = node.state.transactions().filter(({ state }) => state === 'COMMITTING');
    assert.deepEqual(open, [], 'every commit has ended');
  }
}
