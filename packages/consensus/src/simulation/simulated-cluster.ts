import { present } from '../assert.ts';
import { isRaftError, RaftError } from '../errors.ts';
import type { ReplicaEvent, StoreTurn } from '../node/replica-ports.ts';
import type { Configuration, Member } from '../raft/configuration.ts';
import { encodeConfiguration } from '../raft/configuration-codec.ts';
import { type Entry, LOG_START } from '../raft/entry.ts';
import {
  type FeatureLevels,
  FIRST_LEVEL,
  FIRST_LEVELS,
  levelRefusal,
  supportsLevel,
} from '../raft/feature-levels.ts';
import { isSameMember, type MemberId } from '../raft/member-id.ts';
import { membersOf } from '../raft/membership.ts';
import type { PeerMessage, SnapshotMeta } from '../raft/message.ts';
import type { EntriesRequest } from '../raft/output.ts';
import { simulatedChain } from './chain.ts';
import { type Coverage, emptyCoverage } from './coverage.ts';
import { EventQueue } from './event-queue.ts';
import { type FaultPlan, TICK_UNITS } from './fault-plan.ts';
import { InvariantWatch } from './invariants.ts';
import { RandomSource } from './random-source.ts';
import { type NamedWrite, SimulatedDisk } from './simulated-disk.ts';
import { SimulatedNetwork } from './simulated-network.ts';
import { INFLIGHT_BATCHES_MAX, type ProcessWorld, SimulatedProcess } from './simulated-process.ts';
import { installFitting, newestLevel, settleRelease } from './simulated-releases.ts';
import { type FlippedPart, StoreContent } from './simulated-store.ts';
import { SnapshotTransfer } from './snapshot-transfer.ts';
import type { Trace } from './trace.ts';

/** A place where processes run, one after another, on a disk that can be replaced. */
export interface SimulatedNode {
  readonly number: number;
  readonly nodeId: string;
  content: StoreContent;
  process: SimulatedProcess | undefined;
  /** Feature levels of the release that is installed. */
  levels: FeatureLevels;
  /** Units between two ticks of its clock. */
  tickUnits: number;
}

type LevelError = RaftError<'RAFT_LEVEL_UNSUPPORTED'>;

/** Numbers of what a trace digest takes in. */
const TRACE = { tick: 1, deliver: 2, written: 3, start: 4, crash: 5, read: 6 } as const;

const CLUSTER_UID = '00000000000000000000000000c1a5e0';
/** How late a process is woken at most, in units of time. */
const WAKE_MAX = 5;

/** All nodes of a run with their disks, clocks and links, and one queue of what happens. */
export class SimulatedCluster implements ProcessWorld {
  readonly plan: FaultPlan;
  readonly queue: EventQueue = new EventQueue();
  readonly watch: InvariantWatch = new InvariantWatch();
  readonly coverage: Coverage = emptyCoverage();
  readonly trace: Trace;
  readonly network: SimulatedNetwork;
  readonly disk: SimulatedDisk;
  readonly nodes: readonly SimulatedNode[];
  readonly #byNodeId = new Map<string, SimulatedNode>();
  readonly #wiped = new Set<string>();
  /** Numbers of the processes that came upon a damaged entry. */
  readonly #damagedReaders = new Set<number>();
  readonly #random: RandomSource;
  readonly #releases: RandomSource;
  /** Configurations that may still be on their way somewhere. */
  #recent: { readonly time: number; readonly configuration: Configuration }[] = [];
  #processes = 0;
  #stores = 0;
  #isCalm = false;

  constructor(plan: FaultPlan, trace: Trace, writes: NamedWrite[] | undefined) {
    const random = new RandomSource(plan.seed);
    this.plan = plan;
    this.trace = trace;
    this.#random = random.fork(101);
    this.#releases = random.fork(104);
    const size = plan.voters + plan.spares;
    this.network = new SimulatedNetwork(plan, size, random.fork(102));
    const observed = { coverage: this.coverage, writes };
    this.disk = new SimulatedDisk(plan, random.fork(103), this.watch, observed);
    this.nodes = Array.from({ length: size }, (_, number) => this.#makeNode(number));
    this.#found();
    for (const node of this.nodes) this.start(node);
  }

  /** No more faults: clocks are right, messages and writes arrive soon. */
  calm(): void {
    this.#isCalm = true;
    this.network.isCalm = true;
    this.disk.isCalm = true;
    this.network.restoreAll();
    const newest = newestLevel(this.nodes);
    for (const node of this.nodes) {
      node.tickUnits = TICK_UNITS;
      this.#settleRelease(node, newest);
      node.process?.resume();
      this.unstall(node.process);
      const isFailed = node.process?.replica.failure !== undefined;
      if (isFailed) this.crash(node);
      if (node.process === undefined) this.start(node);
    }
  }

  /** In the end every node has a release that suits the cluster. */
  #settleRelease(node: SimulatedNode, level: number): void {
    if (settleRelease(node, level)) this.crash(node);
  }

  /** A write that hangs ends soon. */
  unstall(process: SimulatedProcess | undefined): void {
    const turn = process?.turn;
    if (process === undefined || turn === undefined) return;
    this.queue.add(this.plan.writeMax, () => {
      if (!process.isDead && process.turn === turn) this.#turnDone(process, 'done');
    });
  }

  get isCalm(): boolean {
    return this.#isCalm;
  }

  /** The process that leads the highest term, as far as an onlooker can tell. */
  leader(): SimulatedProcess | undefined {
    let newest: SimulatedProcess | undefined;
    for (const { process } of this.nodes) {
      if (process === undefined || process.core.role !== 'leader') continue;
      if (newest === undefined || process.core.term > newest.core.term) newest = process;
    }
    return newest;
  }

  memberOf(node: SimulatedNode): Member {
    const { nodeId, content } = node;
    const endpoint = `${nodeId}:1`;
    return { nodeId, storeId: content.storeId, incarnation: 1n, endpoint, levels: node.levels };
  }

  /** Starts a process on the node's disk, finishing an interrupted installation first. */
  start(node: SimulatedNode): void {
    if (node.process !== undefined) return;
    this.#processes += 1;
    const number = this.#processes;
    this.#refuseDamage(node);
    installFitting(node, this.coverage, this.#releases);
    const { content, nodeId } = node;
    content.finishInstall();
    this.trace.mix(TRACE.start, node.number, number);
    if (this.trace.isRecording) this.record(`${nodeId}#${number} starts`);
    const process = new SimulatedProcess({
      plan: this.plan,
      world: this,
      watch: this.watch,
      self: { nodeId, storeId: content.storeId },
      levels: node.levels,
      node: node.number,
      number,
      seed: this.#random.next(),
      content,
    });
    node.process = process;
    const { core } = process;
    process.commitSeen = core.log.purged.index;
    process.enter(() => {});
    this.#scheduleTick(process);
    if (process.replica.isSoleVoter) process.enter(() => process.replica.campaign());
  }

  /** Ends the node's process; a write under way may or may not have reached the disk. */
  crash(node: SimulatedNode, torn: boolean | undefined = undefined): void {
    const { process } = node;
    if (process === undefined) return;
    this.trace.mix(TRACE.crash, node.number);
    if (this.trace.isRecording) this.record(`${process.name} crashes`);
    if (process.turn !== undefined && (torn ?? this.disk.isTornWriteThere())) {
      this.disk.run(process);
    }
    process.isDead = true;
    process.turn = undefined;
    node.content = process.session.durable;
    node.process = undefined;
    this.coverage.crashes += 1;
  }

  /** Replaces the disk of a node that is down, if every configuration survives that. */
  wipe(node: SimulatedNode): boolean {
    if (node.process !== undefined || !this.#mayLose(node)) return false;
    node.content = this.#newStore(node.number);
    this.coverage.lostDisks += 1;
    return true;
  }

  /**
   * Changes a bit of what the node's disk holds. From then on the disk counts as lost, because
   * whoever finds the damage gives all of it up; a snapshot alone is made anew.
   */
  flip(node: SimulatedNode, part: FlippedPart): void {
    const content = node.process?.session.durable ?? node.content;
    // What a process has in memory it does not read again.
    if (node.process !== undefined && (part === 'hardState' || part === 'registers')) return;
    if (part !== 'snapshot' && !this.#mayLose(node)) return;
    if (content.flip(part, (bound) => this.#random.below(bound))) this.coverage.flippedBits += 1;
  }

  /** A damaged store is never opened: another one takes its place. */
  #refuseDamage(node: SimulatedNode): void {
    const { damage } = node.content;
    if (damage === undefined) return;
    if (this.trace.isRecording) this.record(`${node.nodeId} is refused its store: ${damage}`);
    this.coverage.refusedStores += 1;
    node.content = this.#newStore(node.number);
  }

  /** Whether every configuration survives the loss of this disk, which is then taken for lost. */
  #mayLose(node: SimulatedNode): boolean {
    const lost = node.content.storeId;
    if (this.#wiped.has(lost)) return true;
    this.#wiped.add(lost);
    const isSurvivable =
      this.#recent.every(({ configuration }) => this.survives(configuration)) &&
      this.nodes.every((other) => {
        if (other === node) return true;
        const newest = other.content.configurations.at(-1)?.configuration;
        return this.survives(newest) && this.survives(other.process?.core.configuration);
      });
    if (!isSurvivable) this.#wiped.delete(lost);
    return isSurvivable;
  }

  /** Lets something happen to whatever process runs on the node then. */
  later(delay: number, happen: () => void): void {
    this.queue.add(delay, happen);
  }

  record(line: string): void {
    this.trace.record(`${this.queue.now} ${line}`);
  }

  startTurn(process: SimulatedProcess, turn: StoreTurn): void {
    process.turn = turn;
    const fate = this.disk.fateOf(process);
    if (fate.delay === Number.POSITIVE_INFINITY) return;
    this.queue.add(fate.delay, () => {
      if (process.isDead || process.turn !== turn) return;
      this.#turnDone(process, fate.outcome);
    });
  }

  #turnDone(process: SimulatedProcess, outcome: string): void {
    const node = present(this.nodes[process.node], 'the node exists');
    this.trace.mix(TRACE.written, process.node, outcome.length);
    if (this.trace.isRecording) this.record(`${process.name} ${process.turn?.kind} ${outcome}`);
    if (outcome === 'crashBefore' || outcome === 'crashAfter') {
      this.coverage.crashesAtWrites += 1;
      this.crash(node, outcome === 'crashAfter');
      this.#restartLater(node);
      return;
    }
    if (outcome === 'failBefore' || outcome === 'failAfter') {
      this.#turnFailed(process, outcome === 'failAfter');
      return;
    }
    const result = this.disk.run(process);
    process.turn = undefined;
    process.enter(() => {
      if (result.kind === 'installed') process.machine.reset(process.session.content.registers);
      process.replica.turnEnded(result);
    });
  }

  #turnFailed(process: SimulatedProcess, isDurable: boolean): void {
    this.coverage.failedWrites += 1;
    if (isDurable) this.disk.run(process);
    else if (this.#random.chance(0.5)) {
      this.coverage.fullDisks += 1;
      process.session.beginToForget();
    }
    process.turn = undefined;
    process.enter(() => {
      process.replica.turnEnded({ kind: 'failed', error: new Error('the disk failed') });
    });
    this.#endFailed(process);
  }

  /** Whoever runs the node starts it anew after a while. */
  #endFailed(process: SimulatedProcess): void {
    const node = present(this.nodes[process.node], 'the node exists');
    this.queue.add(this.#random.between(50, 400), () => {
      if (node.process !== process) return;
      this.crash(node, false);
      this.#restartLater(node);
    });
  }

  #restartLater(node: SimulatedNode): void {
    const delay = this.#isCalm ? 1 : this.#random.between(1, this.plan.downMax);
    this.queue.add(delay, () => this.start(node));
  }

  nowMs(): number {
    return this.queue.now;
  }

  gatherSoon(process: SimulatedProcess): void {
    this.queue.add(this.#random.between(1, WAKE_MAX), () => {
      process.enter(() => process.replica.gathered());
    });
  }

  wakeSoon(process: SimulatedProcess): void {
    if (process.isWaking) return;
    process.isWaking = true;
    this.queue.add(this.#random.between(1, WAKE_MAX), () => {
      process.isWaking = false;
      process.enter(() => process.replica.wake());
    });
  }

  send(process: SimulatedProcess, to: MemberId, message: PeerMessage): void {
    this.watch.sent(process, to.storeId, message);
    const target = this.#byNodeId.get(to.nodeId);
    if (target === undefined) return;
    const isStream = message.kind === 'append';
    const route = this.network.route(process.node, target.number, this.queue.now, isStream);
    const isFenced = this.plan.fencesProcesses;
    const receiver = target.process;
    const { clusterUid } = process.replica;
    const envelope = { from: process.self, to, clusterUid, message };
    for (const delay of route.delays) {
      this.queue.add(delay, () => {
        const current = target.process;
        if (current === undefined || current.isDisconnected) return;
        if (isFenced && (current !== receiver || process.isDead)) return;
        if (levelRefusal(process.leveled, current.leveled) !== undefined) {
          this.coverage.refusedLevels += 1;
          return;
        }
        this.trace.mix(TRACE.deliver, process.number * 64 + target.number, message.kind.length);
        if (this.trace.isRecording) this.#recordMessage(process, current, message);
        current.enter(() => current.replica.receive(envelope));
      });
    }
    if (route.isLossNoticed) {
      this.queue.add(this.plan.delayMax, () => {
        process.enter(() => process.replica.peerUnreachable(to));
      });
    }
  }

  #recordEvent(process: SimulatedProcess, event: ReplicaEvent): void {
    if (event.kind !== 'configuration') {
      this.record(`${process.name} ${event.kind} in term ${process.core.term}`);
      return;
    }
    const { voters, outgoing, learners } = event.record.configuration;
    const groups = [voters, outgoing, learners].map((half) => half.map((it) => it.nodeId).join());
    this.record(`${process.name} configuration ${event.record.index}: ${groups.join(' | ')}`);
  }

  #recordMessage(from: SimulatedProcess, to: SimulatedProcess, message: PeerMessage): void {
    const text = JSON.stringify(message, (key, value: unknown) => {
      if (typeof value === 'bigint') return Number(value);
      if (key === 'prevChain' || key === 'payload' || key === 'chain') return undefined;
      return value;
    });
    this.record(`${from.name} > ${to.name} ${text}`);
  }

  sendSnapshot(
    process: SimulatedProcess,
    to: MemberId,
    term: bigint,
    snapshot: SnapshotMeta,
  ): void {
    const target = this.#byNodeId.get(to.nodeId);
    const stored = process.session.content.snapshot;
    const isThere = stored?.manifest.generation === snapshot.generation;
    const isWhole = stored?.registers.join() === stored?.written;
    if (target === undefined || stored === undefined || !isThere || !isWhole) {
      if (!isWhole) this.coverage.damagedSnapshots += 1;
      const damaged = isWhole ? undefined : stored?.manifest.generation;
      this.queue.add(1, () =>
        process.enter(() => process.replica.snapshotSent(to, false, damaged)),
      );
      return;
    }
    new SnapshotTransfer(this, { sender: process, target, to, term, stored }).begin();
  }

  readEntries(process: SimulatedProcess, request: EntriesRequest): void {
    const { from, through } = request;
    this.coverage.storedReads += 1;
    this.#read(process, from, through, (entries) => {
      process.replica.entriesRead(request.request, entries);
    });
  }

  readCommitted(process: SimulatedProcess, from: bigint, through: bigint): void {
    this.#read(process, from, through, (entries) => process.replica.committedRead(from, entries));
  }

  #read(
    process: SimulatedProcess,
    from: bigint,
    through: bigint,
    take: (entries: readonly Entry[]) => void,
  ): void {
    const delay = this.#random.between(1, 10);
    const entries = process.session.entries(from, through, 8);
    this.queue.add(delay, () => {
      if (entries === undefined) {
        this.#readDamage(process);
        return;
      }
      this.trace.mix(TRACE.read, process.node, entries.length);
      process.enter(() => take(entries));
    });
  }

  /** What cannot be read is not guessed: the member stops. */
  #readDamage(process: SimulatedProcess): void {
    if (process.isDead || process.replica.failure !== undefined) return;
    this.coverage.damagedReads += 1;
    this.#damagedReaders.add(process.number);
    const details = { directory: process.name, location: 'entry', problem: 'checksum differs' };
    process.enter(() => process.replica.fail(new RaftError('RAFT_STORAGE_CORRUPT', details)));
    this.#endFailed(process);
  }

  changed(process: SimulatedProcess): void {
    const { failure } = process.replica;
    if (failure === undefined || isRaftError(failure, 'RAFT_STORAGE_FAILED')) return;
    if (this.#damagedReaders.has(process.number)) return;
    if (failure.message === 'the disk failed') return;
    if (isRaftError(failure, 'RAFT_LEVEL_UNSUPPORTED') && this.#isTakenBack(process, failure)) {
      this.#endFailed(process);
      return;
    }
    this.watch.violate('halt', `${process.name} halted: ${failure.message}`);
  }

  /**
   * Whether the process runs a release that had been reported to support more before it was taken
   * back, which nobody can know in time. It stops where the activation is applied.
   */
  #isTakenBack({ self, levels, core }: SimulatedProcess, { details }: LevelError): boolean {
    const { configuration } = core;
    if (configuration === undefined || details.level < levels.oldest) return false;
    const recorded = membersOf(configuration).find((it) => isSameMember(it, self));
    return recorded !== undefined && supportsLevel(recorded.levels, details.level);
  }

  event(process: SimulatedProcess, event: ReplicaEvent): void {
    const { coverage } = this;
    if (this.trace.isRecording) this.#recordEvent(process, event);
    switch (event.kind) {
      case 'elected':
        coverage.elections += 1;
        this.watch.elected(process);
        break;
      case 'steppedDown':
        coverage.stepDowns += 1;
        break;
      case 'truncated':
        coverage.truncations += 1;
        this.watch.truncated(process, event.from);
        break;
      case 'configuration':
        coverage.configurations += 1;
        if (event.record.configuration.outgoing.length > 0) coverage.jointConfigurations += 1;
        this.watch.configured(process, event.record);
        if (event.record.configuration.level > FIRST_LEVEL) coverage.activations += 1;
        this.#remember(event.record.configuration);
        break;
      case 'invariantViolated':
        this.watch.violate('halt', `${process.name}: ${event.text}`);
        break;
      case 'memberLostEntries':
        this.watch.violate('halt', `${process.name} says that ${event.member.nodeId} lost entries`);
        break;
      case 'snapshot':
        if (event.phase === 'complete') coverage.snapshotsBuilt += 1;
        if (event.phase === 'installed') coverage.snapshotsInstalled += 1;
        break;
      case 'purged':
        coverage.purges += 1;
        break;
      default:
        break;
    }
  }

  #remember(configuration: Configuration): void {
    const { now } = this.queue;
    const horizon = now - 2 * this.plan.lateMax;
    this.#recent = this.#recent.filter(({ time }) => time >= horizon);
    this.#recent.push({ time: now, configuration });
  }

  #scheduleTick(process: SimulatedProcess): void {
    const node = present(this.nodes[process.node], 'the node exists');
    this.queue.add(node.tickUnits, () => {
      if (process.isDead) return;
      this.trace.mix(TRACE.tick, process.node);
      if (!process.isPaused) {
        process.enter(() => process.replica.tick());
        if (process.core.role === 'leader') this.watch.bounded(process, INFLIGHT_BATCHES_MAX);
      }
      this.#scheduleTick(process);
    });
  }

  #makeNode(number: number): SimulatedNode {
    const { slowShare, rateLeast, rateMost } = this.plan;
    const drawn = rateLeast + (rateMost - rateLeast) * (this.#random.below(1_000) / 1_000);
    const usual = slowShare > 0 ? 1 : drawn;
    const rate = this.#random.chance(slowShare) ? rateLeast : usual;
    const node: SimulatedNode = {
      number,
      nodeId: `n${number}`,
      content: this.#newStore(number),
      process: undefined,
      levels: FIRST_LEVELS,
      tickUnits: Math.max(1, Math.round(TICK_UNITS / rate)),
    };
    this.#byNodeId.set(node.nodeId, node);
    return node;
  }

  #newStore(node: number): StoreContent {
    this.#stores += 1;
    const storeId = (this.#stores * 256 + node).toString(16).padStart(32, '0');
    const content = new StoreContent(storeId, LOG_START);
    this.watch.storeAdded(content);
    return content;
  }

  /** Gives all first voters the same first entry, which says who they are. */
  #found(): void {
    const voters = this.nodes.slice(0, this.plan.voters).map((node) => this.memberOf(node));
    const configuration: Configuration = {
      clusterUid: CLUSTER_UID,
      level: FIRST_LEVEL,
      voters,
      outgoing: [],
      learners: [],
    };
    const payload = encodeConfiguration(configuration);
    const head = { index: 1n, term: 1n, kind: 'configuration' as const, payload };
    const entry: Entry = { ...head, chain: simulatedChain(LOG_START.chain, head) };
    for (const { content } of this.nodes.slice(0, this.plan.voters)) {
      content.write({
        clusterUid: CLUSTER_UID,
        entries: [entry],
        configurations: [{ index: 1n, configuration }],
        hardState: { term: 1n, votedFor: undefined, commit: 0n },
        writes: [],
      });
    }
  }

  /** Whether lost disks leave a majority of every half of the configuration. */
  survives(configuration: Configuration | undefined): boolean {
    if (configuration === undefined) return true;
    return [configuration.voters, configuration.outgoing].every((half) => {
      const kept = half.filter(({ storeId }) => !this.#wiped.has(storeId));
      return half.length === 0 || kept.length * 2 > half.length;
    });
  }
}
