import { lesser } from '../../src/raft/big-order.ts';
import type { Configuration, Member } from '../../src/raft/configuration.ts';
import {
  CHAIN_BYTES,
  type ChainedPosition,
  type ConfigurationRecord,
  type Entry,
  LOG_START,
} from '../../src/raft/entry.ts';
import { FIRST_LEVEL, FIRST_LEVELS } from '../../src/raft/feature-levels.ts';
import { type HardState, INITIAL_HARD_STATE } from '../../src/raft/hard-state.ts';
import type { Input } from '../../src/raft/input.ts';
import type { SnapshotMeta } from '../../src/raft/message.ts';
import type {
  CoreEvent,
  CoreStoreJob,
  EntriesRequest,
  GatedMessage,
  OutgoingMessage,
  Output,
  ProposalOutcome,
  ReadState,
} from '../../src/raft/output.ts';
import { Raft } from '../../src/raft/raft.ts';
import { DEFAULT_RAFT_OPTIONS, type RaftOptions } from '../../src/raft/raft-options.ts';

export const CLUSTER_UID = 'c1'.repeat(16);

/** Member `n<number>`, with a store whose identity shows the number. */
export function memberOf(number: number): Member {
  return {
    nodeId: `n${number}`,
    storeId: number.toString(16).padStart(2, '0').repeat(16),
    incarnation: 1n,
    endpoint: `127.0.0.1:${7_000 + number}`,
    levels: FIRST_LEVELS,
  };
}

export function configurationOf(voters: readonly number[], learners: readonly number[] = []) {
  return {
    clusterUid: CLUSTER_UID,
    level: 1,
    voters: voters.map(memberOf),
    outgoing: [],
    learners: learners.map(memberOf),
  } satisfies Configuration;
}

/** Where entries of the first release are applied. */
export const AT_FIRST_LEVEL = { nodeId: 'n1', levels: FIRST_LEVELS, level: FIRST_LEVEL };

/** A hash that is good enough to tell the entries of a test apart. */
export function testChain(previous: Uint8Array, entry: Omit<Entry, 'chain'>): Uint8Array {
  const chain = new Uint8Array(CHAIN_BYTES);
  let state = Number(entry.index * 31n + entry.term * 17n) | 0;
  for (const byte of entry.payload) state = Math.imul(state ^ byte, 0x01_00_01_93);
  for (let at = 0; at < CHAIN_BYTES; at += 1) {
    state = Math.imul(state ^ (previous[at] ?? 0) ^ at, 0x01_00_01_93);
    chain[at] = state >>> 24;
  }
  return chain;
}

/** Short times, so that tests need few ticks: heartbeat 2, elections 10 to 19. */
export const TEST_OPTIONS: Omit<RaftOptions, 'self' | 'epoch' | 'seed'> = {
  ...DEFAULT_RAFT_OPTIONS,
  chainOf: testChain,
  heartbeatTicks: 2,
  electionTicksMin: 10,
  electionTicksMax: 20,
  probeTicksMax: 2,
  answerTicksMax: 20,
};

/** What survives a crash. */
export class CoreDisk {
  hardState: HardState = INITIAL_HARD_STATE;
  purged: ChainedPosition = LOG_START;
  entries: Entry[] = [];
  configurations: ConfigurationRecord[] = [];
  applied = 0n;
  snapshot: SnapshotMeta | undefined;

  constructor(configuration: Configuration | undefined) {
    if (configuration !== undefined) this.configurations = [{ index: 0n, configuration }];
  }

  entryAt(index: bigint): Entry | undefined {
    return this.entries[Number(index - this.purged.index) - 1];
  }

  get lastIndex(): bigint {
    return this.entries.at(-1)?.index ?? this.purged.index;
  }

  write(job: CoreStoreJob): void {
    const { truncateFrom, entries, configurations, hardState } = job;
    if (truncateFrom !== undefined) {
      this.entries = this.entries.filter(({ index }) => index < truncateFrom);
      this.configurations = this.configurations.filter(({ index }) => index < truncateFrom);
    }
    this.entries.push(...entries);
    this.configurations.push(...configurations);
    if (hardState !== undefined) this.hardState = hardState;
  }

  purge(through: bigint): void {
    const last = this.entryAt(through);
    if (last === undefined) return;
    this.purged = { index: last.index, term: last.term, chain: last.chain };
    this.entries = this.entries.filter(({ index }) => index > through);
    const first = this.configurations.findLastIndex(({ index }) => index <= through);
    if (first > 0) this.configurations = this.configurations.slice(first);
  }

  install(snapshot: SnapshotMeta): void {
    const { index, term, chain, configuration, configurationIndex } = snapshot;
    const isKept = this.entryAt(index)?.term === term;
    this.purged = { index, term, chain };
    this.entries = isKept ? this.entries.filter((entry) => entry.index > index) : [];
    const kept = isKept ? this.configurations.filter((record) => record.index > index) : [];
    this.configurations = [{ index: configurationIndex, configuration }, ...kept];
    this.applied = index;
    this.snapshot = snapshot;
  }
}

/** One process of a member: a core, the disk it writes to, and what waits for the disk. */
export class CoreMember {
  readonly self: Member;
  readonly disk: CoreDisk;
  readonly epoch: string;
  readonly core: Raft;
  readonly jobs: CoreStoreJob[] = [];
  gated: GatedMessage[] = [];
  /** Sent and not yet taken by the network. */
  outgoing: OutgoingMessage[] = [];
  readonly snapshotsTo: { readonly to: Member; readonly snapshot: SnapshotMeta }[] = [];
  readonly requests: EntriesRequest[] = [];
  readonly readStates: ReadState[] = [];
  readonly readsRejected: bigint[] = [];
  readonly proposals: ProposalOutcome[] = [];
  readonly events: CoreEvent[] = [];
  readonly inputs: Input[] = [];
  readonly outputs: Output[] = [];
  readonly #again: () => Raft;

  constructor(self: Member, disk: CoreDisk, run: number, options: Partial<RaftOptions> = {}) {
    this.self = self;
    this.disk = disk;
    this.epoch = run.toString(16).padStart(4, '0').repeat(8);
    const seed = Number.parseInt(self.storeId.slice(0, 2), 16) * 1_000 + run;
    const { hardState, purged, applied, snapshot } = disk;
    const headers = disk.entries.map(({ payload, ...rest }) => ({
      ...rest,
      bytes: payload.length,
    }));
    const configurations = [...disk.configurations];
    const id = { nodeId: self.nodeId, storeId: self.storeId };
    const complete = { ...TEST_OPTIONS, ...options, self: id, epoch: this.epoch, seed };
    const state = { hardState, purged, headers, configurations, applied, snapshot };
    this.#again = () => new Raft(complete, state);
    this.core = this.#again();
  }

  /** What a second core says to the same inputs. */
  replay(): readonly Output[] {
    const core = this.#again();
    return this.inputs.map((input) => core.step(input));
  }

  step(input: Input): Output {
    this.inputs.push(input);
    const output = this.core.step(input);
    this.outputs.push(output);
    if (output.storeJob !== undefined) this.jobs.push(output.storeJob);
    this.outgoing.push(...output.messagesNow);
    this.gated.push(...output.messagesAfter);
    this.#release();
    for (const { to, snapshot } of output.snapshotsTo) {
      this.snapshotsTo.push({ to: to as Member, snapshot });
    }
    this.requests.push(...output.entriesRequests);
    this.readStates.push(...output.readStates);
    this.readsRejected.push(...output.readsRejected);
    this.proposals.push(...output.proposals);
    this.events.push(...output.events);
    return output;
  }

  /** Makes the oldest jobs durable, `count` of them in one write. Returns whether there was any. */
  persist(count = 1): boolean {
    const done = this.jobs.splice(0, count);
    const last = done.at(-1);
    if (last === undefined) return false;
    for (const job of done) this.disk.write(job);
    this.step({ kind: 'persisted', seq: last.seq });
    for (const { installSnapshot } of done) {
      if (installSnapshot === undefined) continue;
      this.disk.install(installSnapshot);
      this.step({ kind: 'installed', snapshot: installSnapshot });
    }
    return true;
  }

  /** Reports everything committed as applied. */
  apply(): void {
    const index = lesser(this.core.commit, this.disk.lastIndex);
    if (index <= this.disk.applied) return;
    this.disk.applied = index;
    this.step({ kind: 'applied', index });
  }

  /** Asks for notices of the commit index when somebody needs one. Returns whether anybody did. */
  announce(): boolean {
    const { commit, progress } = this.core;
    const isDue = [...progress.values()].some(
      ({ inflightBatches, match, commitSent }) =>
        inflightBatches === 0 && lesser(commit, match) > commitSent,
    );
    if (isDue) this.step({ kind: 'announceCommit' });
    return isDue;
  }

  /** Completes a snapshot of what is applied and removes the entries it covers, but for `kept`. */
  compact(kept = 0n): void {
    this.apply();
    const { applied } = this.disk;
    const last = this.disk.entryAt(applied);
    const record = this.disk.configurations.findLast(({ index }) => index <= applied);
    if (last === undefined || record === undefined) return;
    const { index, term, chain } = last;
    const generation = (this.disk.snapshot?.generation ?? 0n) + 1n;
    const members = { configuration: record.configuration, configurationIndex: record.index };
    const snapshot: SnapshotMeta = { index, term, chain, generation, ...members };
    this.disk.snapshot = snapshot;
    this.step({ kind: 'snapshotAvailable', snapshot });
    const through = applied - kept;
    const purged = this.disk.entryAt(through);
    if (purged === undefined) return;
    this.disk.purge(through);
    this.step({ kind: 'purged', through: { index: through, term: purged.term } });
  }

  /** Answers requests for stored entries. */
  load(): boolean {
    const requests = this.requests.splice(0);
    for (const { request, from, through, bytesMax } of requests) {
      let bytes = 0;
      const entries: Entry[] = [];
      for (const entry of this.disk.entries) {
        if (entry.index < from || entry.index > through) continue;
        bytes += entry.payload.length;
        if (entries.length > 0 && bytes > bytesMax) break;
        entries.push(entry);
      }
      this.step({ kind: 'entriesLoaded', request, entries });
    }
    return requests.length > 0;
  }

  #release(): void {
    const oldest = this.jobs[0]?.seq;
    const isDue = ({ seq }: GatedMessage) => oldest === undefined || seq < oldest;
    this.outgoing.push(...this.gated.filter(isDue));
    this.gated = this.gated.filter((it) => !isDue(it));
  }
}
