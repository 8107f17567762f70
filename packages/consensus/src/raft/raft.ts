import { assert } from '../assert.ts';
import { greater, lesser } from './big-order.ts';
import type { Configuration, MemberChange } from './configuration.ts';
import { encodeConfiguration } from './configuration-codec.ts';
import { ConfigurationLog } from './configuration-log.ts';
import type { Entry, EntryKind } from './entry.ts';
import { ForwardedReads } from './forwarded-reads.ts';
import type { Input } from './input.ts';
import { JobSequence } from './job-sequence.ts';
import { Leader, type LeaderContext } from './leader.ts';
import { LogWriter } from './log-writer.ts';
import { isSameMember, type MemberId, memberKey } from './member-id.ts';
import { changeConfiguration, leaveJoint } from './membership.ts';
import type { Message, ReadContext, SnapshotMeta } from './message.ts';
import { isFromLeader, isWithoutTerm } from './messages.ts';
import { Outbox } from './outbox.ts';
import type {
  CoreStoreJob,
  Output,
  ProposalOutcome,
  ProposalRefusal,
  Role,
  SoftState,
} from './output.ts';
import type { Progress } from './progress.ts';
import { RaftLog } from './raft-log.ts';
import type { RaftOptions, RaftState } from './raft-options.ts';
import { isSameSoftState } from './soft-state.ts';
import { Tenure, type TenureContext } from './tenure.ts';

type Of<K extends Message['kind']> = Message & { readonly kind: K };

const NO_PAYLOAD = new Uint8Array(0);

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
  readonly #options: RaftOptions;
  readonly #log: RaftLog;
  readonly #configurations: ConfigurationLog;
  readonly #forwarded = new ForwardedReads();
  readonly #context: LeaderContext & TenureContext;
  #commit: bigint;
  #applied: bigint;
  #leadership: Leader | undefined;
  readonly #tenure: Tenure;
  #condition: 'running' | 'storeFailed' | 'stopped' = 'running';
  #snapshot: SnapshotMeta | undefined;
  #installing: { readonly snapshot: SnapshotMeta; readonly from: MemberId } | undefined;
  #now = 0;
  #request = 0n;
  readonly #jobs: JobSequence;
  readonly #writer: LogWriter;
  #softStateTold: SoftState;
  #commitTold: bigint;
  #outbox = new Outbox();

  constructor(options: RaftOptions, state: RaftState) {
    this.#options = options;
    this.#log = new RaftLog(state.purged, state.headers, options.cacheBytesMax);
    this.#configurations = new ConfigurationLog(options.self, state.configurations);
    const { hardState, applied, snapshot } = state;
    this.#commit = greater(greater(hardState.commit, applied), this.#log.purged.index);
    this.#applied = applied;
    this.#snapshot = snapshot;
    this.#jobs = new JobSequence(hardState);
    assert(this.#commit <= this.#log.lastIndex, 'committed entries are in the log');
    assert(this.#log.lastTerm <= hardState.term, 'no entry is newer than the term');
    this.#commitTold = this.#commit;
    this.#context = this.#makeContext();
    this.#tenure = new Tenure(this.#context, hardState);
    this.#softStateTold = this.softState;
    this.#writer = new LogWriter(this.#context);
  }

  /** Role, term and leader as of now. */
  get softState(): SoftState {
    return this.#tenure.softState;
  }

  get role(): Role {
    return this.#tenure.role;
  }

  get term(): bigint {
    return this.#tenure.term;
  }

  get votedFor(): MemberId | undefined {
    return this.#tenure.votedFor;
  }

  /** The leader as far as this member knows. */
  get leader(): MemberId | undefined {
    return this.#tenure.leader;
  }

  /** Newest index known to be committed. */
  get commit(): bigint {
    return this.#commit;
  }

  /** Newest index reported as applied. */
  get applied(): bigint {
    return this.#applied;
  }

  /** Newest index in the log, durable or not. */
  get lastIndex(): bigint {
    return this.#log.lastIndex;
  }

  /** The log, to be looked at only. */
  get log(): RaftLog {
    return this.#log;
  }

  /** The newest configuration in the log, committed or not. */
  get configuration(): Configuration | undefined {
    return this.#configurations.newest;
  }

  /** Whether the leader has committed an entry of its own term, and so knows all that is. */
  get hasCommittedOwnTerm(): boolean {
    return this.#leadership?.hasCommittedOwnTerm ?? false;
  }

  /** What a leader knows of the others, by member key; empty for everyone else. */
  get progress(): ReadonlyMap<string, Progress> {
    return this.#leadership?.progress ?? new Map();
  }

  /** Whether a member, by its key, follows this leader closely enough to be given a vote. */
  isCaughtUp(key: string): boolean {
    const progress = this.#leadership?.progress.get(key);
    return progress?.isCaughtUp === true && progress.state === 'replicate';
  }

  /** Takes one input. Never throws for what other members say. */
  step(input: Input): Output {
    if (this.#condition === 'running') this.#take(input);
    else this.#refuse(input);
    return this.#finish();
  }

  #take(input: Input): void {
    switch (input.kind) {
      case 'tick':
        this.#tick();
        return;
      case 'message':
        this.#receive(input.from, input.message);
        return;
      case 'propose':
        this.#propose(input.payloads);
        return;
      case 'proposeConfiguration':
        this.#outbox.proposals.push(this.#proposeConfiguration(input.changes));
        return;
      case 'readIndex':
        this.#readIndex(input.context);
        return;
      case 'transferLeader':
        this.#outbox.proposals.push(this.#transferLeader(input.target));
        return;
      case 'campaign':
        if (this.role !== 'leader') this.#tenure.campaign('preVote', false);
        return;
      case 'persisted':
        this.#persisted(input.seq);
        return;
      case 'applied':
        assert(input.index <= this.#commit, 'only committed entries are applied');
        this.#applied = greater(this.#applied, input.index);
        return;
      case 'snapshotAvailable':
        this.#snapshot = input.snapshot;
        this.#leadership?.replicate();
        return;
      case 'entriesLoaded':
        this.#leadership?.entriesLoaded(input.request, input.entries);
        return;
      case 'installed':
        this.#installed(input.snapshot);
        return;
      case 'installFailed':
        this.#installing = undefined;
        return;
      case 'purged':
        this.#log.purge(input.through.index);
        return;
      case 'peerUnreachable':
        this.#leadership?.unreachable(input.peer);
        return;
      case 'snapshotResult':
        this.#leadership?.snapshotEnded(input.peer, input.ok);
        return;
      case 'storeFailed':
      case 'stop':
        this.#halt(input.kind === 'stop' ? 'stopped' : 'storeFailed');
    }
  }

  /** A member that has halted answers what waits for an answer, and does nothing else. */
  #refuse(input: Input): void {
    const reason = this.#condition === 'stopped' ? 'stopped' : 'storeFailed';
    if (input.kind === 'propose') {
      for (const _ of input.payloads) this.#outbox.proposals.push(this.#dropped(reason));
    }
    if (input.kind === 'proposeConfiguration' || input.kind === 'transferLeader') {
      this.#outbox.proposals.push(this.#dropped(reason));
    }
    if (input.kind === 'readIndex') this.#outbox.readsRejected.push(input.context);
    if (input.kind === 'stop') this.#condition = 'stopped';
  }

  #tick(): void {
    this.#now += 1;
    const leadership = this.#leadership;
    if (leadership !== undefined) {
      leadership.tick();
      if (!leadership.isQuorumActive) this.#tenure.follow(undefined, 'no quorum answers');
      return;
    }
    const { electionTicksMax } = this.#options;
    this.#outbox.readsRejected.push(...this.#forwarded.expire(this.#now - electionTicksMax));
    this.#tenure.tick();
  }

  #receive(from: MemberId, message: Message): void {
    const tenure = this.#tenure;
    if (tenure.isRefusedByLease(message)) {
      tenure.refuse(from, message);
      return;
    }
    if (message.term > tenure.term && !isWithoutTerm(message)) {
      tenure.enter(message.term, isFromLeader(message) ? from : undefined);
    } else if (message.term < tenure.term) {
      this.#answerOldTerm(from, message);
      return;
    }
    this.#leadership?.contact(from);
    this.#dispatch(from, message);
  }

  #dispatch(from: MemberId, message: Message): void {
    switch (message.kind) {
      case 'preVote':
      case 'vote':
        this.#tenure.vote(from, message);
        return;
      case 'preVoteResponse':
      case 'voteResponse':
        this.#tenure.voteAnswered(from, message);
        return;
      case 'append':
        if (this.#hears(from)) this.#takeAppend(from, message);
        return;
      case 'heartbeat':
        if (this.#hears(from)) this.#takeHeartbeat(from, message);
        return;
      case 'snapshot':
        if (this.#hears(from)) this.#takeSnapshot(from, message.snapshot);
        return;
      case 'appendAccepted':
      case 'appendRejected':
        this.#leadership?.appendAnswered(from, message);
        this.#advanceCommit();
        return;
      case 'heartbeatResponse':
        this.#leadership?.heartbeatAnswered(from, message.read);
        return;
      case 'readIndex':
        this.#readForOther(from, message.read);
        return;
      case 'readIndexResponse':
        this.#readAnswered(message);
        return;
      case 'timeoutNow':
        if (this.#isLeader(from) && this.#configurations.isSelfVoter) {
          this.#tenure.campaign('vote', true);
        }
        return;
      case 'storeLost':
        this.#violated(`this member lost entries up to ${message.match} that it had confirmed`);
        return;
      case 'termNotice':
        // Its term has been taken into account.
        return;
    }
  }

  #answerOldTerm(from: MemberId, message: Message): void {
    if (isFromLeader(message)) {
      this.#outbox.sendAfter(from, { kind: 'termNotice', term: this.term });
    } else if (message.kind === 'vote' || message.kind === 'preVote') {
      this.#tenure.refuse(from, message);
    }
  }

  /** Takes note of the leader of the present term; `false` for a message that cannot be true. */
  #hears(from: MemberId): boolean {
    if (this.role === 'leader') {
      this.#violated(`member '${from.nodeId}' claims to lead term ${this.term} too`);
      return false;
    }
    this.#tenure.hears(from);
    return true;
  }

  #isLeader(member: MemberId): boolean {
    return this.leader !== undefined && isSameMember(this.leader, member);
  }

  #takeHeartbeat(from: MemberId, message: Of<'heartbeat'>): void {
    this.#commitTo(lesser(message.commit, this.#log.lastIndex));
    const { read } = message;
    this.#outbox.sendAfter(from, { kind: 'heartbeatResponse', term: this.term, read });
  }

  #takeAppend(from: MemberId, message: Of<'append'>): void {
    if (this.#installing !== undefined) return;
    const { generation, batch } = message;
    const outcome = this.#writer.take(message);
    if (outcome.kind === 'violated') {
      this.#violated(outcome.text);
      return;
    }
    const term = this.term;
    if (outcome.kind === 'rejected') {
      const { rejectIndex, hintIndex, hintTerm } = outcome;
      const hint = { rejectIndex, hintIndex, hintTerm };
      this.#outbox.sendAfter(from, { kind: 'appendRejected', term, ...hint, generation, batch });
      return;
    }
    const { match } = outcome;
    this.#commitTo(lesser(message.commit, match));
    this.#outbox.sendAfter(from, { kind: 'appendAccepted', term, match, generation, batch });
  }

  #takeSnapshot(from: MemberId, snapshot: SnapshotMeta): void {
    if (this.#installing !== undefined) return;
    const isMatching = this.#log.termAt(snapshot.index) === snapshot.term;
    if (snapshot.index > this.#commit && !isMatching) {
      this.#installing = { snapshot, from };
      this.#outbox.installSnapshot = snapshot;
      return;
    }
    // A log that has the entry needs no records, only to know that it is committed.
    if (isMatching) this.#commitTo(lesser(snapshot.index, this.#log.lastIndex));
    this.#acceptTo(from, this.#commit);
  }

  #installed(snapshot: SnapshotMeta): void {
    const from = this.#installing?.from;
    this.#installing = undefined;
    const { index, term, configuration, configurationIndex } = snapshot;
    const isKept = this.#log.termAt(index) === term;
    if (isKept) this.#log.purge(lesser(index, this.#log.lastIndex));
    else this.#log.reset(snapshot);
    const record = { index: configurationIndex, configuration };
    this.#configurations.replaced(record, index, isKept);
    this.#commit = greater(this.#commit, index);
    this.#applied = greater(this.#applied, index);
    this.#snapshot = snapshot;
    this.#outbox.events.push({ kind: 'configuration', record });
    if (from !== undefined && this.#isLeader(from)) this.#acceptTo(from, index);
  }

  /** Tells the leader what is confirmed, outside of any stream. */
  #acceptTo(leader: MemberId, match: bigint): void {
    const answer = { kind: 'appendAccepted', match, generation: 0n, batch: 0n } as const;
    this.#outbox.sendAfter(leader, { ...answer, term: this.term });
  }

  #commitTo(index: bigint): void {
    if (this.#installing !== undefined || index <= this.#commit) return;
    this.#commit = index;
    this.#configurations.committed(index);
  }

  #append(kind: EntryKind, payload: Uint8Array): Entry {
    const entry = this.#writer.append(this.term, kind, payload);
    if (this.#leadership !== undefined) this.#leadership.uncommittedBytes += payload.length;
    return entry;
  }

  #propose(payloads: readonly Uint8Array[]): void {
    const leadership = this.#leadership;
    for (const payload of payloads) {
      const refusal = leadership === undefined ? 'notLeader' : leadership.refusalOf(payload);
      if (refusal !== undefined) {
        this.#outbox.proposals.push(this.#dropped(refusal));
        continue;
      }
      const { index, term } = this.#append('normal', payload);
      this.#outbox.proposals.push({ kind: 'accepted', index, term });
    }
    leadership?.replicate();
  }

  #dropped(reason: ProposalRefusal, text?: string): ProposalOutcome {
    return { kind: 'dropped', reason, leader: this.leader, text };
  }

  #proposeConfiguration(changes: readonly MemberChange[]): ProposalOutcome {
    const leadership = this.#leadership;
    const newest = this.#configurations.newest;
    if (leadership === undefined || newest === undefined) return this.#dropped('notLeader');
    const isSettled = this.#configurations.newestIndex <= this.#commit;
    if (!isSettled || this.#configurations.isJoint || !leadership.hasCommittedOwnTerm) {
      return this.#dropped('changePending');
    }
    const outcome = changeConfiguration(newest, changes, this.#options.self);
    if (outcome.kind === 'refused') return this.#dropped('invalidChange', outcome.problem);
    const { index, term } = this.#appendConfiguration(outcome.configuration);
    return { kind: 'accepted', index, term };
  }

  #appendConfiguration(configuration: Configuration): Entry {
    const entry = this.#append('configuration', encodeConfiguration(configuration));
    this.#writer.configure({ index: entry.index, configuration });
    this.#leadership?.syncMembers();
    this.#leadership?.replicate();
    return entry;
  }

  #readIndex(context: bigint): void {
    if (this.#leadership !== undefined) {
      this.#leadership.read({ kind: 'local', context });
      return;
    }
    const leader = this.leader;
    if (leader === undefined) {
      this.#outbox.readsRejected.push(context);
      return;
    }
    this.#forwarded.add(context, this.#now);
    const read = { epoch: this.#options.epoch, context };
    this.#outbox.send(leader, { kind: 'readIndex', term: this.term, read });
  }

  #readForOther(from: MemberId, read: ReadContext): void {
    if (this.#leadership !== undefined) {
      this.#leadership.read({ kind: 'remote', from, read });
      return;
    }
    const term = this.term;
    this.#outbox.send(from, { kind: 'readIndexResponse', term, read, index: undefined });
  }

  #readAnswered(message: Of<'readIndexResponse'>): void {
    const { read, index } = message;
    if (read.epoch !== this.#options.epoch || !this.#forwarded.take(read.context)) return;
    if (index === undefined) this.#outbox.readsRejected.push(read.context);
    else this.#outbox.readStates.push({ context: read.context, index });
  }

  #transferLeader(target: MemberId): ProposalOutcome {
    const leadership = this.#leadership;
    if (leadership === undefined) return this.#dropped('notLeader');
    if (leadership.transfer !== undefined) return this.#dropped('transferring');
    const isVoter = this.#configurations.halves.flat().includes(memberKey(target));
    if (!isVoter || isSameMember(target, this.#options.self)) {
      return this.#dropped('invalidChange', `node '${target.nodeId}' is no other voter`);
    }
    leadership.beginTransfer(target);
    return { kind: 'accepted', index: this.#log.lastIndex, term: this.term };
  }

  #persisted(seq: bigint): void {
    for (const { lastIndex, lastTerm, votedTerm } of this.#jobs.persisted(seq)) {
      this.#log.stabilise(lastIndex, lastTerm);
      if (votedTerm !== undefined) this.#tenure.ownVotePersisted(votedTerm);
    }
    this.#advanceCommit();
  }

  /** As leader, commits what a quorum has, and does what follows from that. */
  #advanceCommit(): void {
    const leadership = this.#leadership;
    if (leadership === undefined) return;
    const { reached } = leadership;
    // Only entries of the own term are committed by counting; those before go along.
    if (reached > this.#commit && this.#log.termAt(reached) === this.term) {
      for (let index = this.#commit + 1n; index <= reached; index += 1n) {
        if (index >= leadership.ownTermIndex) {
          leadership.uncommittedBytes -= this.#log.sizeAt(index);
        }
      }
      this.#commitTo(reached);
      leadership.announceCommit();
    }
    leadership.serveReads();
    this.#afterCommit(leadership);
  }

  #afterCommit(leadership: Leader): void {
    const isSettled = this.#configurations.newestIndex <= this.#commit;
    if (!isSettled || !leadership.hasCommittedOwnTerm) return;
    const newest = this.#configurations.newest;
    if (this.#configurations.isJoint && newest !== undefined) {
      this.#appendConfiguration(leaveJoint(newest));
    } else if (!this.#configurations.isSelfVoter) {
      leadership.broadcastCommit();
      this.#tenure.follow(undefined, 'this member has no vote any more');
    }
  }

  #violated(text: string): void {
    this.#outbox.events.push({ kind: 'invariantViolated', text });
    this.#halt('storeFailed');
  }

  #halt(condition: 'storeFailed' | 'stopped'): void {
    this.#condition = condition;
    this.#tenure.follow(undefined, condition);
    this.#outbox.discard();
  }

  #finish(): Output {
    const outbox = this.#outbox;
    this.#outbox = new Outbox();
    const storeJob = this.#makeStoreJob(outbox);
    const { softState } = this;
    const isSoftStateNew = !isSameSoftState(softState, this.#softStateTold);
    this.#softStateTold = softState;
    const isCommitNew = this.#commit > this.#commitTold;
    this.#commitTold = this.#commit;
    return outbox.finish({
      seq: this.#jobs.seq,
      storeJob,
      commit: isCommitNew ? this.#commit : undefined,
      softState: isSoftStateNew ? softState : undefined,
    });
  }

  #makeStoreJob(outbox: Outbox): CoreStoreJob | undefined {
    if (this.#condition !== 'running') return undefined;
    const hardState = { term: this.term, votedFor: this.votedFor, commit: this.#commit };
    const isCommitting = this.role === 'leader' && this.#configurations.isSelfSoleVoter;
    return this.#jobs.next(outbox, hardState, this.#log, isCommitting);
  }

  /** What the parts of this member see of it. */
  #makeContext(): LeaderContext & TenureContext {
    const raft = this;
    return {
      options: raft.#options,
      log: raft.#log,
      configurations: raft.#configurations,
      get term() {
        return raft.term;
      },
      get commit() {
        return raft.#commit;
      },
      get now() {
        return raft.#now;
      },
      get outbox() {
        return raft.#outbox;
      },
      get snapshot() {
        return raft.#snapshot;
      },
      get isInstalling() {
        return raft.#installing !== undefined;
      },
      nextRequest: () => {
        raft.#request += 1n;
        return raft.#request;
      },
      elected: () => {
        raft.#leadership = new Leader(raft.#context);
        raft.#append('empty', NO_PAYLOAD);
        raft.#leadership.replicate();
      },
      deposed: () => {
        raft.#leadership?.end();
        raft.#leadership = undefined;
      },
      leaderChanged: () => {
        raft.#outbox.readsRejected.push(...raft.#forwarded.takeAll());
      },
    };
  }
}
