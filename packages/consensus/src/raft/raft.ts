import { assert } from '../assert.ts';
import { greater, lesser } from './big-order.ts';
import type { Configuration, MemberChange } from './configuration.ts';
import { encodeConfiguration } from './configuration-codec.ts';
import { ConfigurationLog } from './configuration-log.ts';
import { Election } from './election.ts';
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
import { SeededRandom } from './seeded-random.ts';

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
  readonly #self: MemberId;
  readonly #random: SeededRandom;
  readonly #log: RaftLog;
  readonly #configurations: ConfigurationLog;
  readonly #forwarded = new ForwardedReads();
  readonly #leaderContext: LeaderContext;
  #term: bigint;
  #votedFor: MemberId | undefined;
  #commit: bigint;
  #applied: bigint;
  #role: Role = 'follower';
  #leader: MemberId | undefined;
  #leadership: Leader | undefined;
  #election: Election | undefined;
  #condition: 'running' | 'storeFailed' | 'stopped' = 'running';
  #snapshot: SnapshotMeta | undefined;
  #installing: SnapshotMeta | undefined;
  #installingFrom: MemberId | undefined;
  #now = 0;
  /** Tick of the last sign of a leader; the lease in which elections are refused. */
  #contactTick = Number.NEGATIVE_INFINITY;
  #electionTick = 0;
  #electionTimeout = 0;
  /** Until this tick a member without a vote may campaign, because it alone has the newest log. */
  #standUntil = Number.NEGATIVE_INFINITY;
  #request = 0n;
  readonly #jobs: JobSequence;
  readonly #writer: LogWriter;
  #softStateTold: SoftState;
  #commitTold: bigint;
  #outbox = new Outbox();

  constructor(options: RaftOptions, state: RaftState) {
    this.#options = options;
    this.#self = options.self;
    this.#random = new SeededRandom(options.seed);
    this.#log = new RaftLog(state.purged, state.headers, options.cacheBytesMax);
    this.#configurations = new ConfigurationLog(options.self, state.configurations);
    const { hardState, applied, snapshot } = state;
    this.#term = hardState.term;
    this.#votedFor = hardState.votedFor;
    this.#commit = greater(greater(hardState.commit, applied), this.#log.purged.index);
    this.#applied = applied;
    this.#snapshot = snapshot;
    this.#jobs = new JobSequence(hardState);
    assert(this.#commit <= this.#log.lastIndex, 'committed entries are in the log');
    assert(this.#log.lastTerm <= this.#term, 'no entry is newer than the term');
    // Nobody knows how long ago a former process heard of a leader.
    if (options.readMode === 'lease') this.#contactTick = 0;
    this.#resetElectionTimer();
    this.#softStateTold = this.softState;
    this.#commitTold = this.#commit;
    this.#leaderContext = this.#makeLeaderContext();
    this.#writer = new LogWriter(this.#leaderContext);
  }

  /** Role, term and leader as of now. */
  get softState(): SoftState {
    return { role: this.#role, term: this.#term, leader: this.#leader };
  }

  get role(): Role {
    return this.#role;
  }

  get term(): bigint {
    return this.#term;
  }

  get votedFor(): MemberId | undefined {
    return this.#votedFor;
  }

  /** The leader as far as this member knows. */
  get leader(): MemberId | undefined {
    return this.#leader;
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

  /** Index of the entry that introduced {@link configuration}. */
  get configurationIndex(): bigint {
    return this.#configurations.newestIndex;
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
        if (this.#role !== 'leader') this.#campaign('preVote', false);
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
      if (!leadership.isQuorumActive) this.#follow(undefined, 'no quorum answers');
      return;
    }
    const { electionTicksMax } = this.#options;
    this.#outbox.readsRejected.push(...this.#forwarded.expire(this.#now - electionTicksMax));
    if (this.#now - this.#electionTick < this.#electionTimeout) return;
    if (this.#mayCampaign()) this.#campaign('preVote', false);
    else this.#resetElectionTimer();
  }

  /**
   * A member without a vote campaigns only while it may hold the only log that can be elected: its
   * configuration is not known to be committed, or it has just refused others for their logs.
   */
  #mayCampaign(): boolean {
    if (this.#installing !== undefined || this.#configurations.newest === undefined) return false;
    if (this.#configurations.isSelfVoter) return true;
    return this.#configurations.newestIndex > this.#commit || this.#now < this.#standUntil;
  }

  #campaign(phase: 'preVote' | 'vote', isTransfer: boolean): void {
    if (!this.#mayCampaign()) return;
    this.#resetElectionTimer();
    this.#leadershipLost();
    this.#leader = undefined;
    const term = this.#term + 1n;
    this.#outbox.events.push({ kind: 'campaign', phase, term });
    this.#election = new Election(phase, term, this.#configurations);
    if (phase === 'preVote') {
      this.#role = 'preCandidate';
      this.#election.count(memberKey(this.#self), true);
    } else {
      this.#role = 'candidate';
      this.#enterTerm(term, this.#self);
    }
    const { lastIndex, lastTerm } = this.#log;
    const message: Message = { kind: phase, term, lastIndex, lastTerm, transfer: isTransfer };
    for (const voter of this.#election.others(this.#self)) {
      // A candidate whose own vote is not durable could lead the same term twice.
      if (phase === 'vote') this.#outbox.sendAfter(voter, message);
      else this.#outbox.send(voter, message);
    }
    this.#judgeElection(isTransfer);
  }

  #judgeElection(isTransfer = false): void {
    const election = this.#election;
    if (election === undefined) return;
    const result = election.result;
    if (result === 'pending') return;
    if (result === 'lost') this.#follow(undefined, 'the election is lost');
    else if (election.phase === 'preVote') this.#campaign('vote', isTransfer);
    else this.#lead();
  }

  #lead(): void {
    this.#election = undefined;
    this.#role = 'leader';
    this.#leader = this.#self;
    this.#leadership = new Leader(this.#leaderContext);
    this.#outbox.events.push({ kind: 'elected', term: this.#term });
    this.#append('empty', NO_PAYLOAD);
    this.#leadership.replicate();
  }

  /** Becomes a follower in the present term, of `leader` if one is known. */
  #follow(leader: MemberId | undefined, reason: string): void {
    if (this.#role === 'leader') {
      this.#outbox.events.push({ kind: 'steppedDown', term: this.#term, reason });
      this.#resetElectionTimer();
    }
    this.#leadershipLost();
    this.#election = undefined;
    this.#role = 'follower';
    const isSame =
      leader !== undefined && this.#leader !== undefined && isSameMember(leader, this.#leader);
    if (isSame) return;
    this.#leader = leader;
    this.#outbox.readsRejected.push(...this.#forwarded.takeAll());
  }

  #leadershipLost(): void {
    this.#leadership?.end();
    this.#leadership = undefined;
  }

  #enterTerm(term: bigint, votedFor: MemberId | undefined): void {
    this.#term = term;
    this.#votedFor = votedFor;
  }

  #resetElectionTimer(): void {
    const { electionTicksMin, electionTicksMax } = this.#options;
    this.#electionTick = this.#now;
    this.#electionTimeout = this.#random.between(electionTicksMin, electionTicksMax);
  }

  #receive(from: MemberId, message: Message): void {
    if (this.#isRefusedByLease(message)) {
      this.#refuseVote(from, message as Of<'vote'>);
      return;
    }
    if (message.term > this.#term && !isWithoutTerm(message)) {
      const isLeading = isFromLeader(message);
      this.#enterTerm(message.term, undefined);
      this.#follow(isLeading ? from : undefined, 'a higher term exists');
    } else if (message.term < this.#term) {
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
        this.#vote(from, message);
        return;
      case 'preVoteResponse':
      case 'voteResponse':
        this.#voteAnswered(from, message);
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
        if (this.#leader !== undefined && isSameMember(this.#leader, from)) {
          if (this.#configurations.isSelfVoter) this.#campaign('vote', true);
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

  /** Whether the message is a request for a vote while a leader is alive, which changes nothing. */
  #isRefusedByLease(message: Message): boolean {
    if (message.kind !== 'vote' && message.kind !== 'preVote') return false;
    return !message.transfer && this.#hasLeader;
  }

  get #hasLeader(): boolean {
    if (this.#role === 'leader') return true;
    return this.#now - this.#contactTick < this.#options.electionTicksMin;
  }

  #answerOldTerm(from: MemberId, message: Message): void {
    if (isFromLeader(message)) {
      this.#outbox.sendAfter(from, { kind: 'termNotice', term: this.#term });
    } else if (message.kind === 'vote' || message.kind === 'preVote') {
      this.#refuseVote(from, message);
    }
  }

  #refuseVote(from: MemberId, message: Of<'vote' | 'preVote'>): void {
    const kind = message.kind === 'vote' ? 'voteResponse' : 'preVoteResponse';
    this.#outbox.sendAfter(from, { kind, term: this.#term, granted: false });
  }

  /**
   * Membership is no reason to refuse: this member's configuration may be an old one, and refusing
   * on it could leave nobody who can be elected.
   */
  #vote(from: MemberId, message: Of<'vote' | 'preVote'>): void {
    const isNewTerm = message.kind === 'preVote' && message.term > this.#term;
    const isFree = this.#votedFor === undefined || isSameMember(this.#votedFor, from);
    const candidate = { index: message.lastIndex, term: message.lastTerm };
    const isElectable = this.#log.isUpToDate(candidate);
    if (this.#role === 'leader' || !(isNewTerm || isFree) || !isElectable) {
      // Whoever refuses for its newer log must be able to stand itself.
      if (!isElectable && !this.#hasLeader) {
        this.#standUntil = this.#now + 2 * this.#options.electionTicksMax;
      }
      this.#refuseVote(from, message);
      return;
    }
    if (message.kind === 'preVote') {
      this.#outbox.sendAfter(from, { kind: 'preVoteResponse', term: message.term, granted: true });
      return;
    }
    this.#votedFor = from;
    this.#resetElectionTimer();
    this.#outbox.sendAfter(from, { kind: 'voteResponse', term: this.#term, granted: true });
  }

  #voteAnswered(from: MemberId, answer: Of<'voteResponse' | 'preVoteResponse'>): void {
    const election = this.#election;
    const phase = answer.kind === 'voteResponse' ? 'vote' : 'preVote';
    if (election?.phase !== phase) return;
    if (answer.granted && answer.term !== election.term) return;
    election.count(memberKey(from), answer.granted);
    this.#judgeElection();
  }

  /** Takes note of the leader of the present term; `false` for a message that cannot be true. */
  #hears(from: MemberId): boolean {
    if (this.#role === 'leader') {
      this.#violated(`member '${from.nodeId}' claims to lead term ${this.#term} too`);
      return false;
    }
    this.#follow(from, '');
    this.#contactTick = this.#now;
    this.#resetElectionTimer();
    return true;
  }

  #takeHeartbeat(from: MemberId, message: Of<'heartbeat'>): void {
    this.#commitTo(lesser(message.commit, this.#log.lastIndex));
    const { read } = message;
    this.#outbox.sendAfter(from, { kind: 'heartbeatResponse', term: this.#term, read });
  }

  #takeAppend(from: MemberId, message: Of<'append'>): void {
    if (this.#installing !== undefined) return;
    const { generation, batch } = message;
    const outcome = this.#writer.take(message);
    if (outcome.kind === 'violated') {
      this.#violated(outcome.text);
      return;
    }
    const term = this.#term;
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
      this.#installing = snapshot;
      this.#installingFrom = from;
      this.#outbox.installSnapshot = snapshot;
      return;
    }
    // A log that has the entry needs no records, only to know that it is committed.
    if (isMatching) this.#commitTo(lesser(snapshot.index, this.#log.lastIndex));
    this.#acceptTo(from, this.#commit);
  }

  #installed(snapshot: SnapshotMeta): void {
    const from = this.#installingFrom;
    this.#installing = undefined;
    this.#installingFrom = undefined;
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
    if (from !== undefined && this.#leader !== undefined) {
      if (isSameMember(this.#leader, from)) this.#acceptTo(from, index);
    }
  }

  /** Tells the leader what is confirmed, outside of any stream. */
  #acceptTo(leader: MemberId, match: bigint): void {
    const answer = { kind: 'appendAccepted', match, generation: 0n, batch: 0n } as const;
    this.#outbox.sendAfter(leader, { ...answer, term: this.#term });
  }

  #commitTo(index: bigint): void {
    if (this.#installing !== undefined || index <= this.#commit) return;
    this.#commit = index;
    this.#configurations.committed(index);
  }

  #append(kind: EntryKind, payload: Uint8Array): Entry {
    const entry = this.#writer.append(this.#term, kind, payload);
    if (this.#leadership !== undefined) this.#leadership.uncommittedBytes += payload.length;
    return entry;
  }

  #propose(payloads: readonly Uint8Array[]): void {
    const leadership = this.#leadership;
    for (const payload of payloads) {
      const refusal = this.#refusalOf(payload, leadership);
      if (refusal !== undefined || leadership === undefined) {
        this.#outbox.proposals.push(this.#dropped(refusal ?? 'notLeader'));
        continue;
      }
      const { index, term } = this.#append('normal', payload);
      this.#outbox.proposals.push({ kind: 'accepted', index, term });
    }
    leadership?.replicate();
  }

  #refusalOf(payload: Uint8Array, leadership: Leader | undefined): ProposalRefusal | undefined {
    const { payloadBytesMax, uncommittedBytesMax } = this.#options;
    if (leadership === undefined) return 'notLeader';
    if (leadership.transfer !== undefined) return 'transferring';
    if (payload.length > payloadBytesMax) return 'tooLarge';
    const bytes = leadership.uncommittedBytes;
    const isFull = bytes > 0 && bytes + payload.length > uncommittedBytesMax;
    return isFull ? 'uncommittedLogFull' : undefined;
  }

  #dropped(reason: ProposalRefusal, text?: string): ProposalOutcome {
    return { kind: 'dropped', reason, leader: this.#leader, text };
  }

  #proposeConfiguration(changes: readonly MemberChange[]): ProposalOutcome {
    const leadership = this.#leadership;
    const newest = this.#configurations.newest;
    if (leadership === undefined || newest === undefined) return this.#dropped('notLeader');
    const isSettled = this.#configurations.newestIndex <= this.#commit;
    if (!isSettled || this.#configurations.isJoint || !leadership.hasCommittedOwnTerm) {
      return this.#dropped('changePending');
    }
    const outcome = changeConfiguration(newest, changes, this.#self);
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
    const leader = this.#leader;
    if (leader === undefined) {
      this.#outbox.readsRejected.push(context);
      return;
    }
    this.#forwarded.add(context, this.#now);
    const read = { epoch: this.#options.epoch, context };
    this.#outbox.send(leader, { kind: 'readIndex', term: this.#term, read });
  }

  #readForOther(from: MemberId, read: ReadContext): void {
    if (this.#leadership !== undefined) {
      this.#leadership.read({ kind: 'remote', from, read });
      return;
    }
    const term = this.#term;
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
    if (!isVoter || isSameMember(target, this.#self)) {
      return this.#dropped('invalidChange', `node '${target.nodeId}' is no other voter`);
    }
    leadership.beginTransfer(target);
    return { kind: 'accepted', index: this.#log.lastIndex, term: this.#term };
  }

  #persisted(seq: bigint): void {
    const { lastIndex, lastTerm, votedTerm } = this.#jobs.persisted(seq);
    this.#log.stabilise(lastIndex, lastTerm);
    const election = this.#election;
    if (this.#role === 'candidate' && votedTerm !== undefined && election?.term === votedTerm) {
      election.count(memberKey(this.#self), true);
      this.#judgeElection();
    }
    this.#advanceCommit();
  }

  /** As leader, commits what a quorum has, and does what follows from that. */
  #advanceCommit(): void {
    const leadership = this.#leadership;
    if (leadership === undefined) return;
    const { reached } = leadership;
    // Only entries of the own term are committed by counting; those before go along.
    if (reached > this.#commit && this.#log.termAt(reached) === this.#term) {
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
      this.#follow(undefined, 'this member has no vote any more');
    }
  }

  #violated(text: string): void {
    this.#outbox.events.push({ kind: 'invariantViolated', text });
    this.#halt('storeFailed');
  }

  #halt(condition: 'storeFailed' | 'stopped'): void {
    this.#condition = condition;
    this.#follow(undefined, condition);
    this.#outbox.entries = [];
    this.#outbox.truncateFrom = undefined;
    this.#outbox.installSnapshot = undefined;
    this.#outbox.messagesAfter.splice(0);
  }

  #finish(): Output {
    const outbox = this.#outbox;
    this.#outbox = new Outbox();
    const storeJob = this.#condition === 'running' ? this.#makeStoreJob(outbox) : undefined;
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
    const hardState = { term: this.#term, votedFor: this.#votedFor, commit: this.#commit };
    const isCommitting = this.#role === 'leader' && this.#configurations.isSelfSoleVoter;
    return this.#jobs.next(outbox, hardState, this.#log, isCommitting);
  }

  #makeLeaderContext(): LeaderContext {
    const raft = this;
    return {
      options: raft.#options,
      log: raft.#log,
      configurations: raft.#configurations,
      get term() {
        return raft.#term;
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
      nextRequest: () => {
        raft.#request += 1n;
        return raft.#request;
      },
    };
  }
}

function isSameSoftState(left: SoftState, right: SoftState): boolean {
  if (left.role !== right.role || left.term !== right.term) return false;
  if (left.leader === undefined || right.leader === undefined) return left.leader === right.leader;
  return isSameMember(left.leader, right.leader);
}
