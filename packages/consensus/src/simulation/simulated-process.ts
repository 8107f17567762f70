import type { RaftNodeLimits, RetentionPolicy } from '../node/raft-node-options.ts';
import { Replica } from '../node/replica.ts';
import type { ReplicaEvent, ReplicaPorts, StoreTurn } from '../node/replica-ports.ts';
import type { ApplyContext } from '../node/state-machine.ts';
import type { Entry } from '../raft/entry.ts';
import type { FeatureLevels, LeveledProcess } from '../raft/feature-levels.ts';
import type { MemberId } from '../raft/member-id.ts';
import type { PeerMessage, SnapshotMeta } from '../raft/message.ts';
import type { EntriesRequest } from '../raft/output.ts';
import type { Raft } from '../raft/raft.ts';
import type { RaftOptions } from '../raft/raft-options.ts';
import { simulatedChain } from './chain.ts';
import type { FaultPlan } from './fault-plan.ts';
import type { InvariantWatch, WatchedProcess } from './invariants.ts';
import { RegisterMachine } from './register-machine.ts';
import type { StoreContent } from './simulated-store.ts';
import { StoreSession } from './store-session.ts';

/** Ticks of the simulated protocol. */
export const SIMULATED_TIMING = {
  heartbeatTicks: 3,
  electionTicksMin: 12,
  electionTicksMax: 24,
  writeTicksMax: 48,
} as const;

/** Batches on their way to one follower. */
export const INFLIGHT_BATCHES_MAX = 4;

/** What a process asks of the world around it. */
export interface ProcessWorld {
  startTurn(process: SimulatedProcess, turn: StoreTurn): void;
  nowMs(): number;
  wakeSoon(process: SimulatedProcess): void;
  gatherSoon(process: SimulatedProcess): void;
  send(process: SimulatedProcess, to: MemberId, message: PeerMessage): void;
  sendSnapshot(process: SimulatedProcess, to: MemberId, term: bigint, snapshot: SnapshotMeta): void;
  readEntries(process: SimulatedProcess, request: EntriesRequest): void;
  readCommitted(process: SimulatedProcess, from: bigint, through: bigint): void;
  changed(process: SimulatedProcess): void;
  event(process: SimulatedProcess, event: ReplicaEvent): void;
}

/** What makes a process. */
export interface ProcessParts {
  readonly plan: FaultPlan;
  readonly world: ProcessWorld;
  readonly watch: InvariantWatch;
  readonly self: MemberId;
  /** Feature levels of its release. */
  readonly levels: FeatureLevels;
  readonly node: number;
  /** Different for every process of a run. */
  readonly number: number;
  readonly seed: number;
  readonly content: StoreContent;
}

const LIMITS: RaftNodeLimits = {
  payloadBytesMax: 1_024,
  queuedProposalsMax: 64,
  queuedBytesMax: 65_536,
  queuedReadsMax: 64,
  groupOperationsMax: 16,
  groupBytesMax: 65_536,
};

interface UnwrittenEffect {
  readonly entry: Entry;
  readonly context: ApplyContext;
  readonly operation: number;
}

/** One run of a node's program, from its start to its crash. */
export class SimulatedProcess implements WatchedProcess {
  readonly node: number;
  readonly number: number;
  readonly self: MemberId;
  readonly levels: FeatureLevels;
  readonly name: string;
  readonly session: StoreSession;
  readonly machine: RegisterMachine;
  readonly replica: Replica;
  readonly #watch: InvariantWatch;
  /** What happened while it was stopped, as sockets and kernel keep it. */
  readonly #inbox: (() => void)[] = [];
  /** Entries that were applied and whose effects are not durable yet. */
  #unwritten: UnwrittenEffect[] = [];
  isPaused = false;
  /** While it is stopped the others give up their connections, so what they send is lost. */
  isDisconnected = false;
  isDead = false;
  /** Whether it is about to be woken. */
  isWaking = false;
  /** The turn that its store is carrying out. */
  turn: StoreTurn | undefined;
  commitSeen = 0n;
  configurationSeen = 0n;

  constructor(parts: ProcessParts) {
    const { content, node, number, self, watch } = parts;
    this.node = node;
    this.number = number;
    this.self = self;
    this.levels = parts.levels;
    this.name = `${self.nodeId}#${number}`;
    this.#watch = watch;
    this.session = new StoreSession(content);
    this.machine = new RegisterMachine(content.registers, {
      applied: (entry, context, operation) => {
        this.#unwritten.push({ entry, context, operation });
      },
      published: (position, registers) => watch.published(this, position, registers),
    });
    this.replica = new Replica(
      {
        core: coreOptions(parts),
        limits: LIMITS,
        levels: parts.levels,
        retention: retention(parts.plan),
        stateMachine: this.machine,
        deferTicksMax: parts.plan.deferTicksMax,
        writeTicksMax: SIMULATED_TIMING.writeTicksMax,
      },
      {
        hardState: content.hardState,
        purged: content.purged,
        headers: content.headers(),
        configurations: [...content.configurations],
        clusterUid: content.clusterUid,
        applied: content.applied,
        level: content.level,
        snapshot: content.snapshot?.manifest,
      },
      portsOf(this, parts),
    );
  }

  get core(): Raft {
    return this.replica.core;
  }

  get configurationIndex(): bigint {
    return this.replica.configuration?.index ?? 0n;
  }

  /** What it tells others of its release and of its cluster. */
  get leveled(): LeveledProcess {
    const { level, clusterUid } = this.session.content;
    const { nodeId } = this.self;
    return { nodeId, levels: this.levels, level: clusterUid === undefined ? undefined : level };
  }

  /** What of its store would survive a crash now. */
  get content(): StoreContent {
    return this.session.durable;
  }

  /** Lets something happen to the process, now or when it goes on. */
  enter(happen: () => void): void {
    if (this.isDead) return;
    if (this.isPaused) {
      this.#inbox.push(happen);
      return;
    }
    happen();
    this.#watch.commitAdvanced(this);
  }

  /** The effects of the entries up to `through` are on the disk, whatever becomes of the process. */
  effectsWritten(through: bigint): void {
    const written = this.#unwritten.filter(({ entry }) => entry.index <= through);
    this.#unwritten = this.#unwritten.slice(written.length);
    for (const { entry, context, operation } of written) {
      this.#watch.applied(this, entry, context);
      this.#watch.tookEffect(operation, entry.index);
    }
  }

  /** Goes on after a pause: first what has gathered, then at most two of the ticks it missed. */
  resume(): void {
    if (!this.isPaused || this.isDead) return;
    this.isPaused = false;
    this.isDisconnected = false;
    for (const happen of this.#inbox.splice(0)) this.enter(happen);
    for (let tick = 0; tick < 2; tick += 1) this.enter(() => this.replica.tick());
  }
}

function coreOptions({ plan, self, number, seed }: ProcessParts): RaftOptions {
  const { heartbeatTicks, electionTicksMin, electionTicksMax } = SIMULATED_TIMING;
  return {
    self,
    epoch: number.toString(16).padStart(32, '0'),
    seed,
    chainOf: simulatedChain,
    heartbeatTicks,
    electionTicksMin,
    electionTicksMax,
    // Simulated networks lose messages and say nothing.
    probeTicksMax: heartbeatTicks,
    answerTicksMax: electionTicksMax,
    readMode: plan.readMode,
    appendBytesMax: 1_024,
    appendEntriesMax: plan.appendEntriesMax,
    inflightBatchesMax: INFLIGHT_BATCHES_MAX,
    inflightBytesMax: 16_384,
    uncommittedBytesMax: 2_048,
    payloadBytesMax: 1_024,
    cacheBytesMax: 128,
  };
}

function retention(plan: FaultPlan): RetentionPolicy {
  return {
    entriesThreshold: plan.snapshotEvery,
    bytesThreshold: 1_048_576,
    entriesKept: plan.entriesKept,
    bytesKept: 1_048_576,
    retainedBytesMax: 1_048_576,
    admissionTicks: 100,
  };
}

function portsOf(process: SimulatedProcess, { world, plan }: ProcessParts): ReplicaPorts {
  return {
    store: process.session,
    startTurn: (turn) => world.startTurn(process, turn),
    nowMs: () => (plan.measuresVoters ? world.nowMs() : 0),
    wakeSoon: () => world.wakeSoon(process),
    gatherSoon: plan.gathers ? () => world.gatherSoon(process) : undefined,
    send: (to, message) => world.send(process, to, message),
    sendSnapshot: (to, term, snapshot) => world.sendSnapshot(process, to, term, snapshot),
    readEntries: (request) => world.readEntries(process, request),
    readCommitted: (from, through) => world.readCommitted(process, from, through),
    changed: () => world.changed(process),
    event: (event) => world.event(process, event),
  };
}
