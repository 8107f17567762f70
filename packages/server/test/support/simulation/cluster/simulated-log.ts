import assert from 'node:assert/strict';
import { RaftError } from '@nervix/consensus';
import { ReplicatedState } from '../../../../src/replicated-state/replicated-state.ts';
import type { StateLog } from '../../../../src/replicated-state/state-log.ts';
import {
  decodeCommand,
  encodeCommand,
  type WriteCommand,
  type WriteResult,
} from '../../../../src/replicated-state/write-command.ts';
import type { SimulatedWorld } from './simulated-world.ts';

/** An entry of the log; a new leader begins with one that holds no command. */
interface LogEntry {
  readonly term: number;
  readonly command: Uint8Array | null;
}

/** A waiting writer. */
interface Waiter {
  readonly term: number;
  resolve(result: WriteResult): void;
  reject(error: Error): void;
}

/** Told of the turns in the life of a process. */
export interface ProcessHost {
  /** A process started; it follows. */
  started(process: LogProcess): void;
  /** All entries of earlier leaders are applied: the process may decide. */
  led(process: LogProcess): void;
  /** The process is no more. */
  died(process: LogProcess): void;
  /** The process is about to write as a leader. */
  proposed(process: LogProcess, command: WriteCommand): void;
  /** The process applied an entry, which took effect. */
  applied(process: LogProcess, index: number, command: WriteCommand): void;
  /** The process applied a schedule that nobody asked for, or refused it. */
  decided(process: LogProcess, isInForce: boolean): void;
}

/** What may befall a write of the leader. */
export type WriteFate = 'none' | 'before' | 'appended' | 'replicated' | 'applied';

const HEARTBEAT_MS = 40;
const DELAY_MS_MAX = 8;
const ELECTION_MS = 150;
/** A leader that hears no majority for so long gives up. */
const QUORUM_MS = 300;

/** The disk of a replica: what outlives its processes. */
export class LogReplica {
  readonly name: string;
  term = 0;
  log: LogEntry[] = [];
  /** How many entries are known to be committed. */
  commit = 0;
  process: LogProcess | undefined;

  constructor(name: string) {
    this.name = name;
  }

  get lastTerm(): number {
    return this.log.at(-1)?.term ?? 0;
  }
}

/** One life of a replica: its state in memory, its role, who waits for what. */
export class LogProcess implements StateLog {
  readonly replica: LogReplica;
  readonly state: ReplicatedState = new ReplicatedState();
  role: 'follower' | 'leader' = 'follower';
  isDead = false;
  /** Whether entries of earlier leaders are applied. */
  isAdmitted = false;
  /** Entries each replica is known to hold of this leader's log. */
  readonly matched = new Map<LogReplica, number>();
  /** When each replica was heard last, in milliseconds. */
  readonly heardMs = new Map<LogReplica, number>();
  readonly #log: SimulatedLog;
  readonly #waiters = new Map<number, Waiter>();
  #applied = 0;
  /** Counts entries that changed something, as consensus does. */
  #revision = 0;

  constructor(log: SimulatedLog, replica: LogReplica) {
    this.#log = log;
    this.replica = replica;
    this.state.restored(0);
    this.applyCommitted();
  }

  /** Replicas of a simulation are of one release, which has one level. */
  activateLevel(level: number): Promise<never> {
    const problem = `cannot activate feature level ${level}`;
    return Promise.reject(new RaftError('RAFT_INVALID_CHANGE', { problem }));
  }

  write(partial: Partial<WriteCommand>): Promise<WriteResult> {
    const command = { fences: [], put: [], remove: [], reference: null, ...partial };
    // Nobody hears what a process does after its end.
    if (this.isDead) return new Promise(() => undefined);
    if (this.role !== 'leader')
      return Promise.reject(new RaftError('RAFT_NOT_LEADER', { leader: undefined }));
    this.#log.host.proposed(this, command);
    const fate = this.#log.fateOfWrite();
    if (fate === 'before') {
      this.#log.crash(this.replica);
      return new Promise(() => undefined);
    }
    return new Promise((resolve, reject) => {
      this.replica.log.push({ term: this.replica.term, command: encodeCommand(command) });
      this.#waiters.set(this.replica.log.length, { term: this.replica.term, resolve, reject });
      this.#log.appended(this, fate);
    });
  }

  status(): ReturnType<StateLog['status']> {
    const isLeading = !this.isDead && this.isAdmitted;
    return {
      role: isLeading ? 'leader' : 'follower',
      term: BigInt(this.replica.term),
      leader: isLeading ? { nodeId: this.replica.name, storeId: '' } : undefined,
      revision: BigInt(this.#revision),
      identity: { nodeId: this.replica.name },
      level: 1,
      lastIndex: BigInt(this.replica.log.length),
      appliedIndex: BigInt(this.#applied),
    } as ReturnType<StateLog['status']>;
  }

  /** Applies what is committed and answers those who waited for it. */
  applyCommitted(): void {
    while (this.#applied < this.replica.commit) {
      const entry = this.replica.log[this.#applied];
      assert(entry !== undefined, 'a committed entry is there');
      this.#applied += 1;
      const index = this.#applied;
      if (entry.command === null) {
        if (this.role === 'leader' && entry.term === this.replica.term) this.#admit();
        continue;
      }
      const command = decodeCommand(entry.command);
      const next = this.#revision + 1;
      const applied = this.state.apply(command, BigInt(index), next, BigInt(entry.term));
      const { result } = applied;
      if (command.decision !== undefined) {
        const { term, revision } = command.decision;
        const isCurrent = term === String(entry.term) && revision + 1 === next;
        assert(
          isCurrent || result.kind !== 'applied',
          'no decision outlives what it was made from',
        );
        this.#log.host.decided(this, result.kind === 'applied');
      }
      if (applied.changed.size > 0) this.#revision = next;
      if (result.kind === 'applied') this.#log.host.applied(this, index, command);
      this.state.publish(BigInt(index));
      const waiter = this.#waiters.get(index);
      this.#waiters.delete(index);
      if (waiter?.term === entry.term) waiter.resolve(result);
      else waiter?.reject(new RaftError('RAFT_LEADERSHIP_LOST', 'lost'));
    }
  }

  #admit(): void {
    this.isAdmitted = true;
    this.#log.host.led(this);
  }

  /** Gives up leading; what was not committed yet has an unknown outcome. */
  stepDown(): void {
    this.role = 'follower';
    this.isAdmitted = false;
    const waiters = [...this.#waiters.values()];
    this.#waiters.clear();
    for (const { reject } of waiters) reject(new RaftError('RAFT_LEADERSHIP_LOST', 'lost'));
  }
}

/**
 * A replicated log as Raft keeps it, told with events of a world: terms, elections by the
 * up-to-date rule, conflicting tails cut, entries of the leader's own term counted for commitment.
 * Processes end and links are cut whenever the run says so.
 */
export class SimulatedLog {
  readonly replicas: readonly LogReplica[];
  readonly host: ProcessHost;
  /** Decides what befalls the next write. */
  fateOfWrite: () => WriteFate = () => 'none';
  readonly #world: SimulatedWorld;
  readonly #cut = new Set<string>();

  constructor(world: SimulatedWorld, host: ProcessHost, names: readonly string[]) {
    this.#world = world;
    this.host = host;
    this.replicas = names.map((name) => new LogReplica(name));
  }

  /** Begins the first life of every replica, and time. */
  startAll(): void {
    for (const replica of this.replicas) this.start(replica);
    this.#watch();
  }

  /** The admitted leader of the highest term, or undefined. */
  get leader(): LogProcess | undefined {
    const leaders = this.replicas.flatMap(({ process }) => (process?.isAdmitted ? [process] : []));
    return leaders.sort((a, b) => b.replica.term - a.replica.term)[0];
  }

  start(replica: LogReplica): void {
    if (replica.process !== undefined) return;
    this.#world.note(`${replica.name} starts`);
    const process = new LogProcess(this, replica);
    replica.process = process;
    this.host.started(process);
  }

  crash(replica: LogReplica): void {
    const { process } = replica;
    if (process === undefined) return;
    this.#world.note(`${replica.name} dies${process.role === 'leader' ? ', the leader' : ''}`);
    process.isDead = true;
    replica.process = undefined;
    this.host.died(process);
  }

  /** Cuts or mends the link between two replicas. */
  setLink(left: LogReplica, right: LogReplica, isCut: boolean): void {
    const link = linkOf(left, right);
    if (isCut) this.#cut.add(link);
    else this.#cut.delete(link);
    this.#world.note(`link ${link} ${isCut ? 'cut' : 'mended'}`);
  }

  mendAll(): void {
    this.#cut.clear();
  }

  /** A leader has a new entry; the fate of its write takes its course. */
  appended(leader: LogProcess, fate: WriteFate): void {
    const { replica } = leader;
    if (fate === 'appended') {
      this.crash(replica);
      return;
    }
    for (const follower of this.replicas) {
      if (follower !== replica) this.#send(leader, follower, fate === 'replicated');
    }
    if (fate === 'applied') {
      const index = replica.log.length;
      this.#whenApplied(leader, index);
    }
  }

  /** Ends a leader between the application of its entry and what it does about it. */
  #whenApplied(leader: LogProcess, index: number): void {
    this.#world.after(1, () => {
      if (leader.isDead || leader.role !== 'leader') return;
      if (leader.replica.commit >= index) this.crash(leader.replica);
      else this.#whenApplied(leader, index);
    });
  }

  #send(leader: LogProcess, follower: LogReplica, thenDies = false): void {
    const { replica } = leader;
    const { term } = replica;
    const entries = replica.log.slice();
    const { commit } = replica;
    this.#world.after(1 + this.#world.random.below(DELAY_MS_MAX), () => {
      const { process } = follower;
      if (process === undefined || this.isCut(replica, follower)) return;
      if (follower.term > term) {
        if (!leader.isDead && leader.role === 'leader') leader.stepDown();
        return;
      }
      if (process.role === 'leader' && follower.term < term) process.stepDown();
      follower.term = term;
      take(follower, entries);
      if (commit > follower.commit) follower.commit = Math.min(commit, follower.log.length);
      process.applyCommitted();
      if (thenDies) {
        this.crash(replica);
        return;
      }
      this.#acknowledge(leader, follower, term, entries.length);
    });
  }

  #acknowledge(leader: LogProcess, follower: LogReplica, term: number, length: number): void {
    this.#world.after(1 + this.#world.random.below(DELAY_MS_MAX), () => {
      const { replica } = leader;
      const isHeard = !leader.isDead && leader.role === 'leader' && replica.term === term;
      if (!isHeard || this.isCut(replica, follower)) return;
      leader.heardMs.set(follower, this.#world.nowMs);
      leader.matched.set(follower, Math.max(leader.matched.get(follower) ?? 0, length));
      const held = this.replicas
        .map((each) => (each === replica ? replica.log.length : (leader.matched.get(each) ?? 0)))
        .sort((a, b) => b - a);
      const committed = held[Math.floor(this.replicas.length / 2)] ?? 0;
      if (committed <= replica.commit || replica.log[committed - 1]?.term !== term) return;
      replica.commit = committed;
      leader.applyCommitted();
    });
  }

  /** Heartbeats, and elections where a majority hears no leader. */
  #watch(): void {
    this.#world.after(HEARTBEAT_MS, () => {
      for (const { process } of this.replicas) {
        if (process?.role !== 'leader') continue;
        if (!this.#hasQuorum(process)) {
          process.stepDown();
          continue;
        }
        for (const follower of this.replicas) {
          if (follower !== process.replica) this.#send(process, follower);
        }
      }
      this.#watch();
    });
    if (this.#world.random.chance(HEARTBEAT_MS / ELECTION_MS)) this.#elect();
  }

  #hasQuorum({ replica, heardMs }: LogProcess): boolean {
    const since = this.#world.nowMs - QUORUM_MS;
    const heard = this.replicas.filter(
      (each) => each === replica || (heardMs.get(each) ?? 0) >= since,
    );
    return heard.length > this.replicas.length / 2;
  }

  #elect(): void {
    const live = this.replicas.filter(({ process }) => process !== undefined);
    const candidate = live[this.#world.random.below(Math.max(live.length, 1))];
    if (candidate?.process === undefined || candidate.process.role === 'leader') return;
    const voters = live.filter(
      (voter) =>
        voter === candidate ||
        (!this.isCut(voter, candidate) &&
          isUpToDate(candidate, voter) &&
          !this.#hearsLeader(voter)),
    );
    if (voters.length <= this.replicas.length / 2 || this.#hearsLeader(candidate)) return;
    const term = Math.max(...this.replicas.map((replica) => replica.term)) + 1;
    for (const voter of voters) {
      if (voter.process?.role === 'leader') voter.process.stepDown();
      voter.term = term;
    }
    this.#world.note(`${candidate.name} leads term ${term}`);
    const { process } = candidate;
    process.role = 'leader';
    process.isAdmitted = false;
    process.matched.clear();
    for (const other of this.replicas) process.heardMs.set(other, this.#world.nowMs);
    candidate.log.push({ term, command: null });
    this.appended(process, 'none');
  }

  #hearsLeader(replica: LogReplica): boolean {
    return this.replicas.some(
      (other) =>
        other.process?.role === 'leader' &&
        other.term >= replica.term &&
        (other === replica || !this.isCut(other, replica)),
    );
  }

  /** Whether nothing gets from one replica to the other. */
  isCut(left: LogReplica, right: LogReplica): boolean {
    return this.#cut.has(linkOf(left, right));
  }
}

/** The follower's log becomes the leader's as far as that was sent. */
function take(follower: LogReplica, entries: readonly LogEntry[]): void {
  let same = 0;
  while (same < entries.length && follower.log[same]?.term === entries[same]?.term) same += 1;
  if (same === entries.length) return;
  assert(same >= follower.commit, 'no committed entry is cut');
  follower.log = [...entries];
}

function isUpToDate(candidate: LogReplica, voter: LogReplica): boolean {
  if (candidate.lastTerm !== voter.lastTerm) return candidate.lastTerm > voter.lastTerm;
  return candidate.log.length >= voter.log.length;
}

function linkOf(left: LogReplica, right: LogReplica): string {
  return [left.name, right.name].sort().join('-');
}
