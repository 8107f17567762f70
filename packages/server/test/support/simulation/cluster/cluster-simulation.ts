import assert from 'node:assert/strict';
import { OBSERVATION_GRACE_MS } from '@nervix/scheduler';
import type { CommandReply } from '../../../../src/control-plane/control-plane.ts';
import { recover } from '../../../../src/control-plane/recover.ts';
import { sweepTransactions } from '../../../../src/control-plane/transactions/expire.ts';
import type { WriteCommand } from '../../../../src/replicated-state/write-command.ts';
import { ControlNode, START_MS } from '../../control-node.ts';
import {
  type Acknowledged,
  type Actor,
  type Answer,
  answerOf,
  Caller,
  isRecorded,
  type Request,
} from '../caller.ts';
import { SeededRandom } from '../seeded-random.ts';
import { Administrator } from './administrator.ts';
import { APART, TOGETHER, WHOLE } from './cluster-habits.ts';
import type { ClusterResult } from './cluster-result.ts';
import { EngagementInvariants, engagementViolations } from './engagement-invariants.ts';
import { GuestKeeper, SimulatedGuests } from './guests.ts';
import { checkFrozen, checkTold, type Inspected } from './inspected-report.ts';
import { partViolation } from './node-part.ts';
import { RecordInvariants } from './record-invariants.ts';
import {
  type DataPlaneCounts,
  type DataPlaneFaults,
  isBad,
  LEASE_MS,
  NO_FAULTS,
  SimulatedDataPlane,
} from './simulated-data-plane.ts';
import {
  type LogProcess,
  type LogReplica,
  type ProcessHost,
  SimulatedLog,
  type WriteFate,
} from './simulated-log.ts';
import { SimulatedMembers } from './simulated-members.ts';
import { SimulatedWorld } from './simulated-world.ts';

const VALIDITY_MS = 60_000;
/** How often a new leader looks, every 20 ms, for what a former execution of its own left to it. */
const RESUMPTIONS_MAX = 250;
/** How long a caller waits before it asks again, somewhere else. */
const PATIENCE_MS = 1_500;
/** How often something befalls a data plane as long as the run is not calm. */
const FAULTS: DataPlaneFaults = {
  drainTimeout: 0.12,
  refusal: 0.03,
  slowDrain: 0.15,
  failedStart: 0.03,
};
const FATES: readonly WriteFate[] = ['before', 'appended', 'replicated', 'applied'];

const WRITTEN: Answer = {
  ...{ isCompleted: true, code: undefined, message: 'written' },
  ...{ transaction: undefined, preview: undefined },
};

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
  readonly #members: SimulatedMembers;
  readonly #nodes = new Map<LogProcess, ControlNode>();
  readonly #ready = new Set<LogProcess>();
  readonly #administrator = new Administrator();
  readonly #guests: SimulatedGuests;
  readonly #keeper: GuestKeeper;
  readonly #callers = [
    ...[['d', TOGETHER] as const, ['e', WHOLE] as const, ['f', APART] as const],
  ].map(([domain, habit]) => new Caller(domain, habit, () => this.#administrator.mayWait));
  readonly #records = new RecordInvariants();
  readonly #holds: DataPlaneCounts = {
    ...{ held: 0, drainTimeouts: 0, refusals: 0, lapses: 0, unheld: 0, failedStarts: 0 },
  };
  readonly #engagements = new EngagementInvariants();
  readonly #levels: Record<string, number> = {};
  readonly #kinds: Record<string, number> = {};
  /** Drawn from by data planes alone. */
  readonly #chances: SeededRandom;
  readonly #acknowledged: Acknowledged[] = [];
  /** A replica that never starts again. */
  #buried: LogReplica | undefined;
  #isCalm = false;
  #doubts = 0;
  #counts = {
    ...{ repeated: 0, leaders: 0, crashes: 0, cuts: 0, resumed: 0, stale: 0, inspected: 0 },
    ...{ answered: 0, late: 0, activations: 0, moved: 0, outrun: 0, buried: 0 },
  };

  constructor(seed: number) {
    this.#random = new SeededRandom(seed);
    this.#chances = new SeededRandom(seed ^ 0xd1a);
    this.#world = new SimulatedWorld(new SeededRandom(seed ^ 0x5eed), START_MS);
    this.#guests = new SimulatedGuests(new SeededRandom(seed ^ 0x9e57), () => this.#isCalm);
    this.#keeper = new GuestKeeper(this.#guests);
    const chances = new SeededRandom(seed ^ 0xfade);
    this.#members = new SimulatedMembers(this.#world, chances, () => this.#log);
    this.#members.onJudged = () => this.#doubt();
    this.#log = new SimulatedLog(this.#world, this, ['n1', 'n2', 'n3']);
    this.#log.startAll();
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
    const others = [this.#administrator, this.#keeper].map((actor) => this.#live(actor, each, 3));
    const lives = [...this.#callers.map((caller) => this.#live(caller, each)), ...others];
    await this.#world.until(Promise.all(lives));
    this.#calm();
    await this.#world.until(this.#checkAll());
    const { starts } = this.#members;
    return {
      ...{ ...this.#counts, starts, margins: this.#engagements.margins },
      events: this.#world.happened,
      ...{ holds: this.#holds, engagements: this.#records.counts, levels: this.#levels },
      kinds: this.#kinds,
    };
  }

  started(process: LogProcess): void {
    const dataPlane = new SimulatedDataPlane({
      random: this.#chances,
      counts: this.#holds,
      faults: () => (this.#isCalm ? NO_FAULTS : FAULTS),
      monotonicMs: () => this.#world.nowMs,
      wait: (delayMs) => this.#world.wait(delayMs),
      engaged: (domain, level) => {
        this.#members.violations.push(...engagementViolations(process, domain, level));
      },
    });
    const started = new Set<string>();
    dataPlane.onInstall = (plan) => {
      const { domain, revision } = plan;
      this.#members.checkStart(process, domain, revision);
      if (isBad(plan)) return 'refused';
      // CP-5: a revision that was applied is not applied again.
      if (started.has(`${domain}/${revision}`)) {
        this.#members.violations.push(`'${domain}' is started twice at ${revision}`);
      }
      started.add(`${domain}/${revision}`);
      return undefined;
    };
    const node = ControlNode.over(
      process,
      {
        clock: this.#world.clock,
        dataPlane,
        gates: { leaseMs: LEASE_MS, monotonicMs: () => this.#world.nowMs },
        limits: {
          commandRetryValidityMs: VALIDITY_MS,
          transactionTombstoneRetentionMs: VALIDITY_MS,
        },
      },
      this.#members.seat(process),
    );
    this.#checkActivations(process, node);
    this.#guests.join(process, node.context.effects, (delayMs) => this.#world.wait(delayMs));
    // Every replica has every version, and nobody looks into one.
    const content = { directory: '/nowhere', entries: [], readFile: async () => undefined };
    node.context.resources.installed.open = async () => ({ kind: 'installed', ...content });
    this.#nodes.set(process, node);
    this.#members.join(process, node);
  }

  applied(process: LogProcess, index: number, command: WriteCommand): void {
    this.#records.applied(index, command, process.state);
    this.#guests.published(index, command);
    const isCordon = command.put.some(({ kind }) => kind === 'cordon');
    if (isCordon || command.remove.some((key) => key.startsWith('cordon'))) this.#doubt();
  }

  proposed(process: LogProcess, command: WriteCommand): void {
    const { dataPlane } = this.#nodes.get(process) ?? {};
    if (!(dataPlane instanceof SimulatedDataPlane)) return;
    this.#members.violations.push(...this.#engagements.proposed(dataPlane, command));
  }

  decided(process: LogProcess, isInForce: boolean): void {
    if (process !== this.#log.leader) return;
    if (isInForce) this.#counts.moved += 1;
    else this.#counts.outrun += 1;
    this.#doubt();
  }

  /** What plans depend on besides the domains themselves is another, or is seen by another. */
  #doubt(): void {
    this.#doubts += 1;
    for (const { transaction } of this.#callers) {
      if (transaction !== undefined) transaction.basis = undefined;
    }
  }

  led(process: LogProcess): void {
    this.#counts.leaders += 1;
    this.#doubt();
    const node = this.#nodes.get(process);
    assert(node !== undefined, 'a leader has a control plane');
    const committing = node.state.transactions().filter(({ state }) => state === 'COMMITTING');
    this.#counts.resumed += committing.length;
    const { term } = process.replica;
    const finish = async (): Promise<void> => {
      await recover(node.context, node.commits);
      // What the process itself began in an earlier term may have to fail first, drains and all.
      for (let pass = 0; pass < RESUMPTIONS_MAX; pass += 1) {
        const left = committing.filter(
          ({ id }) => node.state.transaction(id)?.state === 'COMMITTING',
        );
        // Who lost its place in the middle, and has it again, begins anew.
        if (!process.isAdmitted || process.replica.term !== term) return;
        if (left.length === 0) break;
        assert(pass < RESUMPTIONS_MAX - 1, 'a new leader finishes what it finds under way');
        await this.#world.wait(20);
        await node.commits.resumeAll();
      }
      this.#ready.add(process);
    };
    finish().catch(
      // A leader that lost its place in the middle has nothing to say.
      (error: unknown) => {
        const isLeading = process.isAdmitted && process.replica.term === term;
        if (isLeading && !process.isDead) this.#members.violations.push(String(error));
      },
    );
  }

  died(process: LogProcess): void {
    this.#nodes.delete(process);
    this.#ready.delete(process);
    this.#guests.leave(process);
    this.#members.leave(process);
  }

  /** What befalls replicas and links, as long as the run is not calm. */
  #disturb(): void {
    // Two replicas have to be up together for anything to go on.
    const pace = this.#buried === undefined ? 1 : 4;
    this.#world.after(pace * (50 + this.#random.below(450)), () => {
      if (this.#isCalm) return;
      const { replicas } = this.#log;
      const replica = this.#random.pick(replicas);
      if (this.#buried === undefined && this.#random.chance(0.02)) {
        this.#buried = replica;
        this.#counts.buried += 1;
        this.#world.note(`${replica.name} dies for good`);
        this.#log.crash(replica);
      }
      const dice = this.#random.below(10);
      if (dice < 3) {
        this.#counts.crashes += replica.process === undefined ? 0 : 1;
        this.#log.crash(replica);
      } else if (dice < 6 && this.#buried === undefined) {
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
        this.#world.after(this.#random.below(300), () => this.#start(replica));
      }
    }
  }

  #start(replica: LogReplica): void {
    if (replica !== this.#buried) this.#log.start(replica);
  }

  #calm(): void {
    this.#isCalm = true;
    this.#members.isCalm = true;
    this.#log.mendAll();
    for (const replica of this.#log.replicas) this.#start(replica);
  }

  /** The leader's own work, as it does it every few seconds. */
  #keepHouse(): void {
    const process = this.#leader();
    const node = this.#leading();
    if (node === undefined) return;
    const work = async (): Promise<void> => {
      await sweepTransactions(node.context);
      await node.executor.history.reclaim();
      await node.commits.resumeAll();
    };
    work().catch((error: unknown) => {
      const isLeading = process?.isAdmitted === true && !process.isDead;
      if (isLeading) this.#members.violations.push(String(error));
    });
  }

  /** The process that answers requests: it leads, and has recovered. */
  #leader(): LogProcess | undefined {
    const { leader } = this.#log;
    return leader !== undefined && this.#ready.has(leader) ? leader : undefined;
  }

  get #actors(): readonly Actor[] {
    return [...this.#callers, this.#administrator, this.#keeper];
  }

  /** @param pace how much longer than others somebody waits before each request */
  async #live(caller: Actor, requests: number, pace = 1): Promise<void> {
    for (let sent = 0; sent < requests; sent += pace) {
      await this.#world.wait(this.#random.below(200 * pace));
      // While nothing is under way: what is asked again was always asked within its validity.
      const isIdle = this.#actors.every(({ unanswered }) => unanswered === undefined);
      if (isIdle && this.#random.chance(0.03)) this.#world.leap(VALIDITY_MS);
      await this.#send(caller, caller.nextRequest(this.#random, this.#world.clock.nowMs));
      const isRepeated = this.#random.chance(0.1) && this.#acknowledged.length > 0;
      if (isRepeated) await this.#repeat(this.#random.pick(this.#acknowledged));
    }
  }

  async #send(caller: Actor, request: Request): Promise<void> {
    const isInspected = request.kind === 'commit' && caller instanceof Caller;
    const planned = isInspected ? await this.#inspected(caller) : undefined;
    caller.unanswered = request;
    const atMs = this.#world.clock.nowMs;
    const { leaders } = this.#counts;
    const doubts = this.#doubts;
    const answer = await this.#answered(request);
    caller.unanswered = undefined;
    assert.deepEqual(this.#members.violations, [], 'nodes keep to the order of activations');
    if (answer.code === 'PREVIEW_STALE') this.#counts.stale += 1;
    if (answer.message.includes('of the gate lease')) this.#counts.late += 1;
    const isDone = answer.isCompleted && planned !== undefined;
    if (isDone) await this.#compare(planned, answer, leaders === this.#counts.leaders);
    this.#world.note(`${request.query} -> ${answer.message}`);
    if (isRecorded(request, answer)) this.#acknowledged.push({ ...request, answer, atMs });
    this.#counts.answered += 1;
    this.#count(request, answer);
    if (request.kind === 'change') this.#countLevel(answer);
    this.#members.lookAgain();
    caller.learn(request, answer);
    // Nobody can tell what the preview was made from that was on its way meanwhile.
    if (doubts !== this.#doubts && caller.transaction !== undefined) {
      caller.transaction.basis = undefined;
    }
    const leader = this.#leader();
    const node = leader && this.#nodes.get(leader);
    // A leader that somebody else has succeeded may not know yet.
    const isLatest = this.#log.replicas.every(({ term }) => term <= (leader?.replica.term ?? 0));
    if (leader === undefined || node === undefined || !isLatest) return;
    caller.check(node);
  }

  /** How often each kind of request was granted, and how often refused. */
  #count({ kind, query }: Request, { isCompleted }: Answer): void {
    const word =
      kind === 'write'
        ? 'UPLOAD'
        : /^(EXPLAIN|[A-Z]+ (IF NOT EXISTS )?[A-Z]+|[A-Z]+)/u.exec(query)?.[0];
    const name = `${isCompleted ? 'granted' : 'refused'} ${word}`;
    this.#kinds[name] = (this.#kinds[name] ?? 0) + 1;
  }

  #countLevel({ message }: Answer): void {
    const level = /quiesce level: (\w+)/u.exec(message)?.[1];
    if (level !== undefined) this.#levels[level] = (this.#levels[level] ?? 0) + 1;
  }

  /** Sends a request to a process, and looks at its members at the moment of the answer. */
  async #ask(
    process: LogProcess,
    request: Pick<Request, 'query' | 'asked' | 'domain'>,
  ): Promise<CommandReply | undefined> {
    const node = this.#nodes.get(process);
    if (node === undefined) return undefined;
    const reply = await node.execute(request.query, request.asked);
    const isOver = !process.isDead && process.isAdmitted && answerOf(reply)?.isCompleted === true;
    if (isOver) {
      this.#checkSeen(process, node, request.asked.execution_reference ?? '');
      // What is asked for again says nothing of what its caller has under way meanwhile.
      const isItsOwn = this.#callers.some(({ unanswered }) => unanswered?.asked === request.asked);
      if (isItsOwn) checkLetGo(node, request.domain);
    }
    return reply;
  }

  /** CP-7, CP-8: what is answered is seen wherever the leader counts on it. */
  #checkSeen(leader: LogProcess, { state: own }: ControlNode, reference: string): void {
    const recorded = own.revisionOf(`reference/${reference}`);
    for (const { state, context } of this.#members.requiredBy(leader)) {
      const isSeen = (state.revision ?? -1) >= recorded;
      assert(isSeen, `${context.nodeId} sees what ${reference} came to`);
    }
  }

  /** CP-8, CP-9: what a command waited for runs wherever its leader counts on it. */
  #checkActivations(process: LogProcess, node: ControlNode): void {
    const { effects, state } = node.context;
    const activate = effects.activate.bind(effects);
    effects.activate = async (domain, graph) => {
      const target = state.runtimeRevisionOf(domain);
      const failure = await activate(domain, graph);
      // What was published since takes its place, and whoever does not lead any more counts on nobody.
      const isLatest = state.runtimeRevisionOf(domain) === target && process.isAdmitted;
      if (failure !== undefined || !isLatest || process.isDead) return failure;
      for (const member of this.#members.requiredBy(process)) {
        const violation = partViolation(member, state, domain);
        if (violation !== undefined) this.#members.violations.push(violation);
      }
      this.#counts.activations += 1;
      return failure;
    };
  }

  /** The report of the caller's transaction as somebody who looks before the commit reads it. */
  async #inspected(caller: Caller): Promise<Inspected | undefined> {
    const { transaction } = caller;
    if (transaction?.preview === undefined || this.#random.chance(0.3)) return undefined;
    const report = await this.#report(transaction.id);
    if (report === undefined) return undefined;
    this.#members.lookAgain();
    if (caller.isDisturbed === false) {
      assert.equal(report['planning_basis'], transaction.preview.planning_basis);
    }
    const { activation } = this.#leading()?.context ?? {};
    const isCurrent = activation?.failureOf(caller.domain) === undefined;
    return { id: transaction.id, report, isCurrent };
  }

  /** The control plane of the leader. */
  #leading(): ControlNode | undefined {
    const leader = this.#leader();
    return leader && this.#nodes.get(leader);
  }

  async #report(id: string): Promise<Inspected['report'] | undefined> {
    const query = `DESCRIBE TRANSACTION '${id}' FORMAT JSON;`;
    const process = this.#leader();
    const reply = await this.#leading()?.execute(query, { domain: null });
    if (process?.isAdmitted !== true || reply?.kind !== 'completed') return undefined;
    return reply.outcome.inspection?.report;
  }

  /** CP-61, CP-69, CP-107: what a commit did is what it was to do, and its report says so for good. */
  async #compare(before: Inspected, answer: Answer, isOneLeader: boolean): Promise<void> {
    const after = await this.#report(before.id);
    checkTold(before, answer, isOneLeader);
    if (after === undefined) return;
    checkFrozen(before, after);
    this.#counts.inspected += 1;
  }

  /** Asks, with one reference, whoever leads, until there is a definite answer. */
  async #answered(request: Pick<Request, 'query' | 'asked' | 'domain' | 'write'>): Promise<Answer> {
    if (request.write !== undefined) return this.#written(request.write);
    for (let attempt = 0; attempt < 1_000; attempt += 1) {
      const process = this.#leader();
      if (process !== undefined) {
        const sent = [this.#ask(process, request)];
        if (this.#random.chance(0.15)) sent.push(this.#ask(process, request));
        const patience = this.#world.wait(PATIENCE_MS).then(() => undefined);
        const replies = await Promise.race([Promise.all(sent), patience]);
        const answers = (replies ?? []).map(answerOf).filter((answer) => answer !== undefined);
        const [answer, second] = answers;
        if (answer !== undefined) {
          if (second !== undefined)
            assert.deepEqual(second, answer, `twice at once: ${request.query}`);
          return answer;
        }
      }
      await this.#world.wait(20 + this.#random.below(100));
    }
    throw new Error(`never answered: ${request.query}`);
  }

  /** Writes as a part of the leading node would, until it is written. */
  async #written(write: NonNullable<Request['write']>): Promise<Answer> {
    for (let attempt = 0; attempt < 1_000; attempt += 1) {
      const process = this.#leader();
      const command = process && write(process.state);
      if (process !== undefined && command === undefined) return WRITTEN;
      // Whatever becomes of it is seen in the state of whoever leads next.
      const sent = process?.write(command ?? {}).catch(() => undefined);
      await Promise.race([sent, this.#world.wait(PATIENCE_MS)]);
      await this.#world.wait(20 + this.#random.below(100));
    }
    throw new Error('never written');
  }

  /** CP-12: a repetition gets the recorded outcome, or none for ever once it was reclaimed. */
  async #repeat({ answer, atMs, ...request }: Acknowledged): Promise<void> {
    const { query } = request;
    const again = await this.#answered(request);
    if (again.code === 'EXECUTION_REFERENCE_EXPIRED') {
      assert(atMs + VALIDITY_MS <= this.#world.clock.nowMs, `expired early: ${query}`);
      return;
    }
    this.#counts.repeated += 1;
    const { transaction: _now, ...outcome } = again;
    const { transaction: _then, ...first } = answer;
    assert.deepEqual(outcome, first, `repeated: ${query}`);
  }

  /** CP-129: the work of a replica that died for good has another owner, and runs there. */
  #checkOwners({ state }: ControlNode): void {
    for (const { domain } of this.#callers) {
      const owners = state.schedule(domain).flatMap(({ nodes }) => nodes);
      assert(!owners.includes(this.#buried?.name ?? ''), `'${domain}' is left to who died`);
    }
  }

  /** Everything that was answered has stayed, on the leader and on who follows. */
  async #checkAll(): Promise<void> {
    for (const each of this.#acknowledged) await this.#repeat(each);
    // Long enough for a leader that has never seen who died to take it for lost.
    await this.#world.wait(this.#buried === undefined ? 1_000 : OBSERVATION_GRACE_MS + 2_000);
    while (this.#leader() === undefined) await this.#world.wait(50);
    const node = this.#leading();
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
    for (const actor of [this.#administrator, this.#keeper]) actor.check(node);
    assert.equal(this.#guests.held.size, 0, 'CP-105: no guest is held in the end');
    this.#checkOwners(node);
    for (const member of this.#nodes.values()) {
      for (const { domain } of this.#callers) {
        assert.equal(partViolation(member, node.state, domain), undefined);
      }
      assert.deepEqual([...member.dataPlane.held], [], 'CP-105: nothing is held in the end');
    }
    assert.deepEqual(this.#members.violations, [], 'nodes keep to the order of activations');
    const open = node.state.transactions().filter(({ state }) => state === 'COMMITTING');
    assert.deepEqual(open, [], 'every commit has ended');
  }
}

/** CP-105: behind an answer its leader holds nothing of what runs as it is published. */
function checkLetGo({ state, dataPlane }: ControlNode, domain: string): void {
  const isLatest = dataPlane.plans.get(domain)?.revision === state.runtimeRevisionOf(domain);
  if (isLatest) assert(!dataPlane.held.has(domain), `'${domain}' is held behind an answer`);
}
