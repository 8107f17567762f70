import type { ProposalResult } from '../../src/node/proposal-queue.ts';
import {
  type RaftNodeLimits,
  type RetentionPolicy,
  resolveLimits,
  resolveRetention,
} from '../../src/node/raft-node-options.ts';
import type { ReadBarrier } from '../../src/node/read-queue.ts';
import { Replica } from '../../src/node/replica.ts';
import type {
  ReplicaEvent,
  ReplicaPorts,
  StoreTurn,
  StoreTurnResult,
} from '../../src/node/replica-ports.ts';
import type { Configuration, MemberChange } from '../../src/raft/configuration.ts';
import { encodeConfiguration } from '../../src/raft/configuration-codec.ts';
import { type Entry, type EntryBody, LOG_START } from '../../src/raft/entry.ts';
import { type FeatureLevels, FIRST_LEVELS } from '../../src/raft/feature-levels.ts';
import type { MemberId } from '../../src/raft/member-id.ts';
import type { PeerMessage, SnapshotMeta } from '../../src/raft/message.ts';
import type { EntriesRequest } from '../../src/raft/output.ts';
import type { RaftOptions } from '../../src/raft/raft-options.ts';
import { simulatedChain } from '../../src/simulation/chain.ts';
import { encodeCommand } from '../../src/simulation/command.ts';
import { RegisterMachine } from '../../src/simulation/register-machine.ts';
import { StoreContent, type StoredSnapshot } from '../../src/simulation/simulated-store.ts';
import { SNAPSHOT_SECTIONS, StoreSession } from '../../src/simulation/store-session.ts';
import type { SnapshotManifest, StoreJob } from '../../src/storage/log-storage.ts';
import { CLUSTER_UID, configurationOf, memberOf, TEST_OPTIONS } from './core-member.ts';

/** What became of a call. */
export interface Outcome<T> {
  value: T | undefined;
  error: Error | undefined;
}

export interface ReplicaFixtureOptions {
  /** Three voters by default; `undefined` is a store that belongs to no cluster. */
  readonly configuration?: Configuration | undefined;
  readonly limits?: Partial<RaftNodeLimits>;
  readonly retention?: Partial<RetentionPolicy>;
  readonly core?: Partial<RaftOptions>;
  readonly writeTicksMax?: number;
  /** Those of the first release by default. */
  readonly levels?: FeatureLevels;
  /** 0 by default: what is appended is written at once. */
  readonly deferTicksMax?: number;
}

/** Where a snapshot that arrives stands, and what it holds. */
export interface SnapshotPlace {
  readonly index: bigint;
  readonly term: bigint;
  readonly configuration?: Configuration;
  readonly registers?: readonly number[];
}

const SELF = memberOf(1);

/** The command that sets a register; equal numbers make equal commands. */
export const put = (value: number, key = 0): Uint8Array =>
  encodeCommand({ kind: 'put', key, operation: value, value, expected: 0 });

/** The same as an entry of a leader. */
export const putEntry = (term: bigint, value: number): EntryBody => ({
  term,
  kind: 'normal',
  payload: put(value),
});

/**
 * Replica `n1` behind ports that do nothing by themselves: the test ends turns of the store, answers
 * reads and speaks for the other members. Its store is the one of simulations.
 */
export class ReplicaFixture {
  readonly content: StoreContent;
  readonly session: StoreSession;
  readonly machine: RegisterMachine;
  readonly replica: Replica;
  readonly sent: { readonly to: string; readonly message: PeerMessage }[] = [];
  readonly events: ReplicaEvent[] = [];
  /** Every job of the store that was begun. */
  readonly jobs: StoreJob[] = [];
  /** Kinds of all turns that were begun. */
  readonly turns: StoreTurn['kind'][] = [];
  readonly snapshotsSent: { readonly to: MemberId; readonly snapshot: SnapshotMeta }[] = [];
  readonly published: bigint[] = [];
  readonly applied: bigint[] = [];
  /** At which feature level each of them was applied. */
  readonly appliedLevels: number[] = [];
  readonly #requests: EntriesRequest[] = [];
  #committedRead: readonly [from: bigint, through: bigint] | undefined;
  /** The turn that the store is taking. */
  turn: StoreTurn | undefined;
  /** What the store says about itself in place of the truth. */
  retainedBytes: number | undefined;
  digest: string | undefined;
  changes = 0;
  /** What its clock shows. */
  nowMs = 0;
  /** Whether the replica has asked to be woken. */
  isWakeWanted = false;
  /** Commands are kept back until `gathered` is called, by {@link settle} for example. */
  isGatherWanted = false;

  constructor(options: ReplicaFixtureOptions = {}) {
    this.content = new StoreContent(SELF.storeId, LOG_START);
    const configuration =
      'configuration' in options ? options.configuration : configurationOf([1, 2, 3]);
    if (configuration !== undefined) found(this.content, configuration);
    this.session = new StoreSession(this.content);
    this.machine = new RegisterMachine([], {
      applied: ({ index }, { level }) => {
        this.applied.push(index);
        this.appliedLevels.push(level);
      },
      published: ({ index }) => this.published.push(index),
    });
    const { content } = this;
    this.replica = new Replica(
      {
        core: {
          ...TEST_OPTIONS,
          chainOf: simulatedChain,
          ...options.core,
          self: { nodeId: SELF.nodeId, storeId: SELF.storeId },
          epoch: 'e'.repeat(32),
          seed: 1,
        },
        limits: resolveLimits(options.limits),
        levels: options.levels ?? FIRST_LEVELS,
        retention: resolveRetention(options.retention),
        stateMachine: this.machine,
        deferTicksMax: options.deferTicksMax ?? 0,
        writeTicksMax: options.writeTicksMax ?? 40,
      },
      {
        hardState: content.hardState,
        purged: content.purged,
        headers: content.headers(),
        configurations: [...content.configurations],
        clusterUid: content.clusterUid,
        applied: content.applied,
        level: content.level,
        snapshot: undefined,
      },
      this.#ports(),
    );
  }

  get core() {
    return this.replica.core;
  }

  /** Messages of one kind that were sent, with their receivers. */
  sentOf<K extends PeerMessage['kind']>(kind: K) {
    return this.sent.flatMap(({ to, message }) =>
      isOfKind(message, kind) ? [{ to, message }] : [],
    );
  }

  eventsOf<K extends ReplicaEvent['kind']>(kind: K) {
    return this.events.filter(
      (event): event is Extract<ReplicaEvent, { readonly kind: K }> => event.kind === kind,
    );
  }

  tick(count = 1): void {
    for (let done = 0; done < count; done += 1) this.replica.tick();
  }

  /** Ticks of a leader while these members show that they live. */
  tickAmong(others: readonly number[], count = 1): void {
    for (let done = 0; done < count; done += 1) {
      for (const from of others) {
        this.receive(from, { kind: 'heartbeatResponse', term: this.core.term, read: undefined });
      }
      this.replica.tick();
    }
  }

  /** A message of member `n<from>`. */
  receive(from: number, message: PeerMessage, clusterUid: string | undefined = CLUSTER_UID): void {
    const to = { nodeId: SELF.nodeId, storeId: SELF.storeId };
    this.replica.receive({ from: memberOf(from), to, clusterUid, message });
  }

  /** An append of leader `n<from>` directly behind what is in the log. */
  append(
    from: number,
    term: bigint,
    entries: readonly EntryBody[] = [],
    rest: { readonly commit?: bigint; readonly prevIndex?: bigint } = {},
  ): void {
    const { log } = this.core;
    const { commit = 0n, prevIndex = log.lastIndex } = rest;
    this.receive(from, {
      kind: 'append',
      term,
      prevIndex,
      prevTerm: log.termAt(prevIndex) ?? 0n,
      prevChain: log.chainAt(prevIndex),
      commit,
      entries,
      generation: 1n,
      batch: 1n,
    });
  }

  heartbeat(from: number, term: bigint, commit = 0n): void {
    this.receive(from, { kind: 'heartbeat', term, commit, read: undefined });
  }

  /** Member `n<from>` has the log up to `match`, or all of it. */
  accept(from: number, match = this.core.lastIndex): void {
    const { term } = this.core;
    this.receive(from, { kind: 'appendAccepted', term, match, generation: 1n, batch: 0n });
  }

  /** These members have taken the newest append that each of them was sent. */
  acceptNewest(...members: readonly number[]): void {
    for (const member of members) {
      const append = this.sentOf('append').findLast(({ to }) => to === `n${member}`)?.message;
      if (append === undefined) throw new Error(`n${member} was sent nothing`);
      const { term, generation, batch, prevIndex, entries } = append;
      const match = prevIndex + BigInt(entries.length);
      this.receive(member, { kind: 'appendAccepted', term, match, generation, batch });
    }
  }

  /** Carries the turn of the store out. */
  endTurn(): void {
    const { turn } = this;
    if (turn === undefined) throw new Error('the store is taking no turn');
    const result = this.session.run(turn);
    this.turn = undefined;
    if (result.kind === 'installed') this.machine.reset(this.session.content.registers);
    this.replica.turnEnded(result);
  }

  /** The turn of the store fails. */
  failTurn(error: unknown = new Error('input/output error')): void {
    this.turn = undefined;
    const result: StoreTurnResult = { kind: 'failed', error };
    this.replica.turnEnded(result);
  }

  /** Ends turns and answers reads until nothing is under way. */
  settle(): void {
    for (let steps = 0; steps < 10_000; steps += 1) {
      if (this.turn !== undefined) this.endTurn();
      else if (!this.answerReads() && !this.#wake()) return;
    }
    throw new Error('the replica does not come to rest');
  }

  #wake(): boolean {
    if (this.isGatherWanted) {
      this.isGatherWanted = false;
      this.replica.gathered();
      return true;
    }
    if (!this.isWakeWanted) return false;
    this.isWakeWanted = false;
    this.replica.wake();
    return true;
  }

  /** Answers what was asked of the stored log; whether anything was. */
  answerReads(): boolean {
    const committed = this.#committedRead;
    this.#committedRead = undefined;
    const requests = this.#requests.splice(0);
    if (committed !== undefined) {
      this.replica.committedRead(committed[0], this.#stored(committed[0], committed[1]));
    }
    for (const { request, from, through } of requests) {
      this.replica.entriesRead(request, this.#stored(from, through));
    }
    return committed !== undefined || requests.length > 0;
  }

  #stored(from: bigint, through: bigint): readonly Entry[] {
    const entries = this.session.entries(from, through, 100);
    if (entries === undefined) throw new Error('the store of the test is damaged');
    return entries;
  }

  /** Puts a snapshot into the staging area at once. */
  stage(at: SnapshotPlace): SnapshotManifest {
    const stored = snapshotAt(at);
    this.session.beginReceipt(stored).sectionsStored = SNAPSHOT_SECTIONS;
    return stored.manifest;
  }

  /** A snapshot arrives whole from member `n<from>`; it is not installed yet. */
  receiveSnapshot(from: number, term: bigint, at: SnapshotPlace): SnapshotManifest {
    const stored = snapshotAt(at);
    const incoming = this.session.beginReceipt(stored);
    for (let section = 0; section < SNAPSHOT_SECTIONS; section += 1) {
      this.session.queueSection(incoming, () => {});
      this.replica.sectionArrived();
      this.settle();
    }
    this.replica.snapshotArrived(memberOf(from), term, stored.manifest);
    return stored.manifest;
  }

  /** Becomes leader with the votes of the others, who have its empty entry. */
  lead(others: readonly number[] = [2, 3]): void {
    const term = this.core.term + 1n;
    this.replica.campaign();
    for (const from of others) {
      this.receive(from, { kind: 'preVoteResponse', term, granted: true });
    }
    this.settle();
    for (const from of others) this.receive(from, { kind: 'voteResponse', term, granted: true });
    if (this.core.role !== 'leader') throw new Error('the replica is not elected');
    for (const from of others) this.accept(from);
    this.settle();
  }

  propose(...payloads: readonly Uint8Array[]): readonly Outcome<ProposalResult>[] {
    const outcomes = payloads.map((payload) => {
      const { outcome, resolve, reject } = newOutcome<ProposalResult>();
      this.replica.propose({ payload, resolve, reject });
      return outcome;
    });
    this.replica.flush();
    return outcomes;
  }

  read(): Outcome<ReadBarrier> {
    const { outcome, resolve, reject } = newOutcome<ReadBarrier>();
    this.replica.read({ resolve, reject });
    return outcome;
  }

  changeMembers(...changes: readonly MemberChange[]): Outcome<ProposalResult> {
    const { outcome, resolve, reject } = newOutcome<ProposalResult>();
    this.replica.changeMembers(changes, { resolve, reject });
    return outcome;
  }

  #ports(): ReplicaPorts {
    return {
      store: this.#storeView(),
      startTurn: (turn) => {
        if (this.turn !== undefined) throw new Error('turns of the store overlap');
        this.turn = turn;
        this.turns.push(turn.kind);
        if (turn.kind === 'job') this.jobs.push(turn.job);
      },
      nowMs: () => this.nowMs,
      wakeSoon: () => {
        this.isWakeWanted = true;
      },
      gatherSoon: () => {
        this.isGatherWanted = true;
      },
      send: (to, message) => this.sent.push({ to: to.nodeId, message }),
      sendSnapshot: (to, _, snapshot) => this.snapshotsSent.push({ to, snapshot }),
      readEntries: (request) => this.#requests.push(request),
      readCommitted: (from, through) => {
        this.#committedRead = [from, through];
      },
      changed: () => {
        this.changes += 1;
      },
      event: (event) => this.events.push(event),
    };
  }

  #storeView(): ReplicaPorts['store'] {
    const { session } = this;
    const retainedBytes = () => this.retainedBytes;
    return {
      get bounds() {
        const { bounds } = session;
        return { ...bounds, retainedBytes: retainedBytes() ?? bounds.retainedBytes };
      },
      indexBehind: (entriesKept, bytesKept) => session.indexBehind(entriesKept, bytesKept),
      stateDigest: () => this.digest ?? session.stateDigest(),
    };
  }
}

function snapshotAt({ index, term, configuration, registers = [] }: SnapshotPlace): StoredSnapshot {
  const manifest: SnapshotManifest = {
    index,
    term,
    chain: new Uint8Array(16).fill(7),
    generation: 9n,
    configuration: configuration ?? configurationOf([1, 2, 3]),
    configurationIndex: 1n,
    stateDigest: 0n,
    recordCount: BigInt(registers.length),
    revision: index - 1n,
    sections: Array.from({ length: SNAPSHOT_SECTIONS }, () => ''),
    bytes: 0,
  };
  return { manifest, registers, written: registers.join() };
}

function isOfKind<K extends PeerMessage['kind']>(
  message: PeerMessage,
  kind: K,
): message is Extract<PeerMessage, { readonly kind: K }> {
  return message.kind === kind;
}

function newOutcome<T>() {
  const outcome: Outcome<T> = { value: undefined, error: undefined };
  const resolve = (value: T) => {
    outcome.value = value;
  };
  const reject = (error: unknown) => {
    outcome.error = error instanceof Error ? error : new Error(String(error));
  };
  return { outcome, resolve, reject };
}

/** The first entry says who the members are, as a founded store has it. */
function found(content: StoreContent, configuration: Configuration): void {
  const payload = encodeConfiguration(configuration);
  const head = { index: 1n, term: 1n, kind: 'configuration' as const, payload };
  content.write({
    clusterUid: configuration.clusterUid,
    entries: [{ ...head, chain: simulatedChain(LOG_START.chain, head) }],
    configurations: [{ index: 1n, configuration }],
    hardState: { term: 1n, votedFor: undefined, commit: 0n },
    writes: [],
  });
}
