import { assert } from '../assert.ts';
import { greater } from './big-order.ts';
import { Commitment } from './commitment.ts';
import type { Configuration } from './configuration.ts';
import { Elections } from './elections.ts';
import { Follower } from './follower.ts';
import type { Input } from './input.ts';
import type { MemberId } from './member-id.ts';
import { MemberState } from './member-state.ts';
import type { Message, SnapshotMeta } from './message.ts';
import { isFromLeader, isWithoutTerm } from './messages.ts';
import type { Output, Role, SoftState } from './output.ts';
import type { Progress } from './progress.ts';
import { Proposals } from './proposals.ts';
import type { RaftLog } from './raft-log.ts';
import type { RaftOptions, RaftState } from './raft-options.ts';
import { ReadIndex } from './read-index.ts';

/**
 * One member of a Raft cluster as a synchronous state machine. It reads no clock, no storage and no
 * network: {@link Raft.step} takes one thing that happened and returns everything to be done. The
 * same options, state and inputs make the same outputs.
 *
 * Sources: Ongaro, "Consensus: Bridging Theory and Practice" (2014), with pre-vote and check-quorum
 * (9.6, 6.2), parallel leader writes (10.2.1) and joint configurations (4.3) that act when they are
 * appended.
 *
 * The caller's duties, in this order, for each output:
 * 1. make `storeJob` durable as a whole, in order of `seq`, and report it by `persisted`; or report
 *    `storeFailed` and write nothing more;
 * 2. send `messagesNow` at any time, `messagesAfter` not before their job is durable;
 * 3. apply entries up to `commit` in order and report `applied`.
 */
export class Raft {
  readonly #state: MemberState;
  readonly #elections: Elections;
  readonly #follower: Follower;
  readonly #commitment: Commitment;
  readonly #proposals: Proposals;
  readonly #reads: ReadIndex;

  constructor(options: RaftOptions, state: RaftState) {
    this.#state = new MemberState(options, state);
    this.#elections = new Elections(this.#state);
    this.#follower = new Follower(this.#state);
    this.#commitment = new Commitment(this.#state);
    this.#proposals = new Proposals(this.#state, this.#commitment);
    this.#reads = new ReadIndex(this.#state);
  }

  /** Role, term and leader as of now. */
  get softState(): SoftState {
    return this.#state.softState;
  }

  get role(): Role {
    return this.#state.role;
  }

  get term(): bigint {
    return this.#state.term;
  }

  get votedFor(): MemberId | undefined {
    return this.#state.votedFor;
  }

  /** The leader as far as this member knows. */
  get leader(): MemberId | undefined {
    return this.#state.leader;
  }

  /** Newest index known to be committed. */
  get commit(): bigint {
    return this.#state.commit;
  }

  /** Newest index reported as applied. */
  get applied(): bigint {
    return this.#state.applied;
  }

  /** Newest index in the log, durable or not. */
  get lastIndex(): bigint {
    return this.#state.log.lastIndex;
  }

  /** The log, to be looked at only. */
  get log(): RaftLog {
    return this.#state.log;
  }

  /** The newest configuration in the log, committed or not. */
  get configuration(): Configuration | undefined {
    return this.#state.configurations.newest;
  }

  /** Index of the entry that introduced {@link configuration}. */
  get configurationIndex(): bigint {
    return this.#state.configurations.newestIndex;
  }

  /**
   * Index of the entry of the log that activated the feature level of the records at `applied`; 0
   * when the whole log is of that level.
   */
  levelIndexAt(applied: bigint): bigint {
    return this.#state.configurations.levels.indexAt(applied);
  }

  /** Whether the leader has committed an entry of its own term, and so knows all that is. */
  get hasCommittedOwnTerm(): boolean {
    return this.#state.leadership?.hasCommittedOwnTerm ?? false;
  }

  /** What a leader knows of the others, by member key; empty for everyone else. */
  get progress(): ReadonlyMap<string, Progress> {
    return this.#state.leadership?.progress ?? new Map();
  }

  /**
   * Index behind which a leader still needs its log for members that were sent a snapshot;
   * `undefined` when nobody needs it.
   */
  get heldIndex(): bigint | undefined {
    return this.#state.leadership?.heldIndex;
  }

  /** Whether this member leads others who can commit without its own write. */
  get isOthersQuorum(): boolean {
    return this.#state.leadership?.isOthersQuorum ?? false;
  }

  /** Whether this leader's own write is all that its newest entry needs to be committed. */
  get isOwnWriteMissing(): boolean {
    return this.#state.leadership?.isOwnWriteMissing ?? false;
  }

  /** Batches of entries that this leader has sent and nobody has answered yet. */
  get inflightBatches(): number {
    let count = 0;
    for (const progress of this.progress.values()) count += progress.inflightBatches;
    return count;
  }

  /** Whether a member, by its key, follows this leader closely enough to be given a vote. */
  isCaughtUp(key: string): boolean {
    const { leadership, now, options } = this.#state;
    return leadership?.progress.get(key)?.isCaughtUp(now, options.electionTicksMin) ?? false;
  }

  /** Whether this leader has heard of a member within the shortest election timeout. */
  isAlive(member: MemberId): boolean {
    return this.#state.leadership?.isAlive(member) ?? false;
  }

  /**
   * Takes one input. Never throws for what other members say. Once it has thrown for a broken
   * invariant nothing of that step is done, and the core has halted.
   */
  step(input: Input): Output {
    try {
      if (this.#state.condition === 'running') this.#take(input);
      else this.#refuse(input);
      return this.#state.finish();
    } catch (error) {
      this.#state.breakOff();
      throw error;
    }
  }

  #take(input: Input): void {
    const state = this.#state;
    const { leadership, outbox } = state;
    switch (input.kind) {
      case 'tick':
        this.#tick();
        return;
      case 'message':
        this.#receive(input.from, input.message);
        return;
      case 'propose':
        this.#proposals.propose(input.payloads);
        return;
      case 'proposeConfiguration':
        outbox.proposals.push(this.#proposals.proposeConfiguration(input.changes));
        return;
      case 'readIndex':
        this.#reads.ask(input.context);
        return;
      case 'announceCommit':
        leadership?.announceCommit();
        return;
      case 'transferLeader':
        outbox.proposals.push(this.#proposals.transferLeader(input.target));
        return;
      case 'campaign':
        if (leadership === undefined) this.#elections.campaign('preVote', false);
        return;
      case 'persisted':
        this.#persisted(input.seq);
        return;
      case 'applied':
        assert(input.index <= state.commit, 'only committed entries are applied');
        state.applied = greater(state.applied, input.index);
        return;
      case 'entriesLoaded':
        leadership?.entriesLoaded(input.request, input.entries);
        return;
      case 'peerUnreachable':
        leadership?.unreachable(input.peer);
        return;
      case 'snapshotResult':
        leadership?.snapshotEnded(input.peer, input.ok);
        return;
      case 'storeStalled':
        state.isStoreStalled = true;
        this.#elections.retire();
        return;
      case 'storeResumed':
        state.isStoreStalled = false;
        return;
      case 'storeFailed':
        state.halt('storeFailed');
        return;
      case 'stop':
        state.halt('stopped');
        return;
      default:
        this.#takeStoreChange(input);
    }
  }

  #takeStoreChange(
    input: Extract<Input, { readonly kind: 'snapshotAvailable' | 'installed' | 'purged' }>,
  ): void {
    const state = this.#state;
    switch (input.kind) {
      case 'snapshotAvailable':
        this.#keepSnapshot(input.snapshot);
        return;
      case 'installed':
        this.#follower.installed(input.snapshot);
        return;
      case 'purged':
        state.log.purge(input.through.index);
    }
  }

  /** A member that has halted answers what waits for an answer, and does nothing else. */
  #refuse(input: Input): void {
    const state = this.#state;
    const reason = state.condition === 'stopped' ? 'stopped' : 'storeFailed';
    const { proposals, readsRejected } = state.outbox;
    if (input.kind === 'propose') {
      for (const _ of input.payloads) proposals.push(this.#proposals.dropped(reason));
    } else if (input.kind === 'proposeConfiguration' || input.kind === 'transferLeader') {
      proposals.push(this.#proposals.dropped(reason));
    } else if (input.kind === 'readIndex') readsRejected.push(input.context);
    else if (input.kind === 'stop') state.condition = 'stopped';
  }

  #tick(): void {
    const state = this.#state;
    state.now += 1;
    // Whoever decided alone when a write began to hang may have got other voters since.
    this.#elections.retire();
    const { leadership } = state;
    if (leadership === undefined) {
      this.#reads.tick();
      this.#elections.tick();
      return;
    }
    leadership.tick();
    if (!leadership.isQuorumActive) state.follow(undefined, 'no quorum answers');
  }

  #receive(from: MemberId, message: Message): void {
    const state = this.#state;
    if (this.#elections.isRefusedByLease(message)) {
      this.#elections.refuse(from, message);
      return;
    }
    if (message.term > state.term && !isWithoutTerm(message)) {
      state.enterTerm(message.term, undefined);
      state.follow(isFromLeader(message) ? from : undefined, 'a higher term exists');
    } else if (message.term < state.term) {
      this.#answerOldTerm(from, message);
      return;
    }
    this.#dispatch(from, message);
  }

  #dispatch(from: MemberId, message: Message): void {
    const { leadership } = this.#state;
    switch (message.kind) {
      case 'preVote':
      case 'vote':
        this.#elections.vote(from, message);
        return;
      case 'preVoteResponse':
      case 'voteResponse':
        leadership?.contact(from);
        this.#elections.answered(from, message);
        return;
      case 'append':
        this.#follower.append(from, message);
        return;
      case 'heartbeat':
        this.#follower.heartbeat(from, message);
        return;
      case 'snapshot':
        this.#follower.snapshot(from, message.snapshot);
        return;
      case 'appendAccepted':
      case 'appendRejected':
        leadership?.appendAnswered(from, message);
        this.#commitment.advance();
        return;
      case 'heartbeatResponse':
        leadership?.heartbeatAnswered(from, message.read);
        return;
      case 'readIndex':
        this.#reads.askedBy(from, message.read);
        return;
      case 'readIndexResponse':
        this.#reads.answered(message);
        return;
      case 'timeoutNow':
        this.#elections.timeoutNow(from);
        return;
      case 'storeLost':
        if (this.#state.isLedBy(from)) this.#state.lostEntries(message.match);
        return;
      case 'termNotice':
        // Its term has been taken into account.
        return;
    }
  }

  #answerOldTerm(from: MemberId, message: Message): void {
    const { outbox, term } = this.#state;
    if (isFromLeader(message)) outbox.send(from, { kind: 'termNotice', term });
    else if (message.kind === 'vote' || message.kind === 'preVote') {
      this.#elections.refuse(from, message);
    }
  }

  #persisted(seq: bigint): void {
    const state = this.#state;
    for (const job of this.#state.jobs.persisted(seq)) {
      state.log.stabilise(job.lastIndex, job.lastTerm);
      if (job.isCommitting && state.log.termAt(job.lastIndex) === job.lastTerm) {
        // Who decided alone when this was written has decided, whoever votes since.
        state.leadership?.committing(state.commit, job.lastIndex);
        state.commitTo(job.lastIndex);
      }
      if (job.votedTerm !== undefined) this.#elections.votePersisted(job.votedTerm);
    }
    this.#commitment.advance();
  }

  #keepSnapshot(snapshot: SnapshotMeta): void {
    const state = this.#state;
    const isNewer = state.snapshot === undefined || snapshot.index >= state.snapshot.index;
    if (isNewer) state.snapshot = snapshot;
    state.leadership?.replicate();
  }
}
