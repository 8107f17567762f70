import { assert } from '../assert.ts';
import { greater } from './big-order.ts';
import { ConfigurationLog } from './configuration-log.ts';
import type { Election } from './election.ts';
import type { Entry, EntryKind } from './entry.ts';
import { ForwardedReads } from './forwarded-reads.ts';
import { JobSequence } from './job-sequence.ts';
import type { Leader } from './leader.ts';
import { LogWriter } from './log-writer.ts';
import { isSameMember, type MemberId } from './member-id.ts';
import type { SnapshotMeta } from './message.ts';
import { Outbox } from './outbox.ts';
import { type CoreStoreJob, NO_OUTPUT, type Output, type Role, type SoftState } from './output.ts';
import { RaftLog } from './raft-log.ts';
import type { RaftOptions, RaftState } from './raft-options.ts';
import { SeededRandom } from './seeded-random.ts';
import { isSameSoftState } from './soft-state.ts';

/** A snapshot that is taking the place of this member's state and log. */
export interface Installation {
  readonly snapshot: SnapshotMeta;
  /** The leader that sent it and waits for the answer. */
  readonly from: MemberId;
  /** Newest append that came meanwhile and was not taken. */
  dropped?: DroppedAppend | undefined;
}

/** Place of an append in the stream of the leader of `term`. */
export interface DroppedAppend {
  readonly term: bigint;
  readonly generation: bigint;
  readonly batch: bigint;
}

/** What the parts of one member share, with the few changes that all of them make alike. */
export class MemberState {
  readonly options: RaftOptions;
  readonly self: MemberId;
  readonly log: RaftLog;
  readonly configurations: ConfigurationLog;
  readonly writer: LogWriter;
  readonly jobs: JobSequence;
  readonly forwarded: ForwardedReads = new ForwardedReads();
  term: bigint;
  votedFor: MemberId | undefined;
  commit: bigint;
  applied: bigint;
  role: Role = 'follower';
  leader: MemberId | undefined;
  leadership: Leader | undefined;
  election: Election | undefined;
  condition: 'running' | 'storeFailed' | 'stopped' = 'running';
  /** A write takes so long that it may never return. */
  isStoreStalled = false;
  /** Newest complete snapshot, here or received. */
  snapshot: SnapshotMeta | undefined;
  installation: Installation | undefined;
  outbox: Outbox = new Outbox();
  /** Ticks since the process began. */
  now = 0;
  /** Tick of the last sign of a leader; the lease in which elections are refused. */
  contactTick: number = Number.NEGATIVE_INFINITY;
  readonly #random: SeededRandom;
  #electionTick = 0;
  #electionTimeout = 0;
  #request = 0n;
  #softStateTold: SoftState;
  #commitTold: bigint;

  constructor(options: RaftOptions, state: RaftState) {
    this.options = options;
    this.self = options.self;
    this.#random = new SeededRandom(options.seed);
    this.log = new RaftLog(state.purged, state.headers, options.cacheBytesMax);
    this.configurations = new ConfigurationLog(options.self, state.configurations);
    const { hardState, applied, snapshot } = state;
    this.term = hardState.term;
    this.votedFor = hardState.votedFor;
    this.commit = greater(greater(hardState.commit, applied), this.log.purged.index);
    this.applied = applied;
    this.snapshot = snapshot;
    this.jobs = new JobSequence(hardState);
    this.writer = new LogWriter(this);
    assert(this.commit <= this.log.lastIndex, 'committed entries are in the log');
    assert(this.log.lastTerm <= this.term, 'no entry is newer than the term');
    // Nobody knows how long ago a former process heard of a leader.
    if (options.readMode === 'lease') this.contactTick = 0;
    this.resetElectionTimer();
    this.#softStateTold = this.softState;
    this.#commitTold = this.commit;
  }

  get softState(): SoftState {
    return { role: this.role, term: this.term, leader: this.leader };
  }

  /** Whether a leader has been heard of within the shortest election timeout. */
  get hasLeader(): boolean {
    if (this.role === 'leader') return true;
    return this.now - this.contactTick < this.options.electionTicksMin;
  }

  get isElectionDue(): boolean {
    return this.now - this.#electionTick >= this.#electionTimeout;
  }

  /** Whether another member leads the present term, as far as this one knows. */
  isLedBy(other: MemberId): boolean {
    return this.leader !== undefined && isSameMember(this.leader, other);
  }

  /** Whether this member could store what it would decide, or nobody else can decide anything. */
  get isFitToLead(): boolean {
    return !this.isStoreStalled || this.configurations.isSelfSoleVoter;
  }

  /** Whether the newest configuration is known to be committed. */
  get isConfigurationSettled(): boolean {
    return this.configurations.newestIndex <= this.commit;
  }

  /** Number for the next request of stored entries. */
  nextRequest(): bigint {
    this.#request += 1n;
    return this.#request;
  }

  resetElectionTimer(): void {
    const { electionTicksMin, electionTicksMax } = this.options;
    this.#electionTick = this.now;
    this.#electionTimeout = this.#random.between(electionTicksMin, electionTicksMax);
  }

  enterTerm(term: bigint, votedFor: MemberId | undefined): void {
    this.term = term;
    this.votedFor = votedFor;
  }

  /** Becomes a follower in the present term, of `leader` if one is known. */
  follow(leader: MemberId | undefined, reason: string): void {
    if (this.role === 'leader') {
      this.outbox.events.push({ kind: 'steppedDown', term: this.term, reason });
      this.resetElectionTimer();
    }
    this.endLeadership();
    this.endElection(reason);
    this.role = 'follower';
    const isSame =
      leader !== undefined && this.leader !== undefined && isSameMember(leader, this.leader);
    if (!isSame) this.changeLeader(leader);
  }

  /** The election in progress, if there is one, has failed. */
  endElection(reason: string): void {
    const { election } = this;
    if (election === undefined) return;
    const { phase, term } = election;
    this.outbox.events.push({ kind: 'campaignFailed', phase, term, reason });
    this.election = undefined;
  }

  /** Whoever asked the former leader for a read must ask again. */
  changeLeader(leader: MemberId | undefined): void {
    this.leader = leader;
    this.outbox.readsRejected.push(...this.forwarded.takeAll());
  }

  endLeadership(): void {
    this.leadership?.end();
    this.leadership = undefined;
  }

  commitTo(index: bigint): void {
    if (this.installation !== undefined || index <= this.commit) return;
    this.commit = index;
    this.configurations.committed(index);
  }

  append(kind: EntryKind, payload: Uint8Array): Entry {
    const entry = this.writer.append(this.term, kind, payload);
    if (this.leadership !== undefined) this.leadership.uncommittedBytes += payload.length;
    return entry;
  }

  /** The log of another member contradicts what is committed here: one of the two is damaged. */
  violated(text: string): void {
    this.outbox.events.push({ kind: 'invariantViolated', text });
    this.halt('storeFailed');
  }

  /** The leader knows that entries up to `through` were confirmed here, and they are gone. */
  lostEntries(through: bigint): void {
    const text = `this member lost entries up to ${through} it had confirmed`;
    this.outbox.events.push({ kind: 'invariantViolated', text, lostThrough: through });
    this.halt('storeFailed');
  }

  /** Ends all participation. Nothing of the present step is stored or asserted. */
  halt(condition: 'storeFailed' | 'stopped'): void {
    this.condition = condition;
    this.follow(undefined, condition);
    this.outbox.dropDurable();
  }

  /** The step broke an invariant: nothing of it is done, and no other follows. */
  breakOff(): void {
    this.halt('storeFailed');
    this.outbox = new Outbox();
  }

  /** Everything that the step which ends here wants done. */
  finish(): Output {
    const { outbox } = this;
    const storeJob = this.condition === 'running' ? this.#storeJob(outbox) : undefined;
    const softState = this.#takeSoftState();
    const commit = this.commit > this.#commitTold ? this.commit : undefined;
    this.#commitTold = this.commit;
    const isIdle = storeJob === undefined && softState === undefined && commit === undefined;
    // Most steps do nothing, and what they would make for that is not for nothing.
    if (isIdle && outbox.isEmpty) return NO_OUTPUT;
    this.outbox = new Outbox();
    return outbox.finish({ seq: this.jobs.seq, storeJob, commit, softState });
  }

  /** The soft state if it is another one than was told last. */
  #takeSoftState(): SoftState | undefined {
    const told = this.#softStateTold;
    if (told.role === this.role && told.term === this.term && told.leader === this.leader) {
      return undefined;
    }
    const { softState } = this;
    this.#softStateTold = softState;
    return isSameSoftState(softState, told) ? undefined : softState;
  }

  #storeJob(outbox: Outbox): CoreStoreJob | undefined {
    if (!outbox.hasStoreWork && this.jobs.holdsVote(this.term, this.votedFor)) return undefined;
    const hardState = { term: this.term, votedFor: this.votedFor, commit: this.commit };
    const isCommitting = this.role === 'leader' && this.configurations.isSelfSoleVoter;
    return this.jobs.next(outbox, hardState, this.log, isCommitting);
  }
}
