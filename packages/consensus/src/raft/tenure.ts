import type { ConfigurationLog } from './configuration-log.ts';
import { Election } from './election.ts';
import type { HardState } from './hard-state.ts';
import { isSameMember, type MemberId, memberKey } from './member-id.ts';
import type { Message } from './message.ts';
import type { Outbox } from './outbox.ts';
import type { Role, SoftState } from './output.ts';
import type { RaftLog } from './raft-log.ts';
import type { RaftOptions } from './raft-options.ts';
import { SeededRandom } from './seeded-random.ts';

type VoteRequest = Message & { readonly kind: 'vote' | 'preVote' };
type VoteAnswer = Message & { readonly kind: 'voteResponse' | 'preVoteResponse' };

/** What the question of who leads depends on. */
export interface TenureContext {
  readonly options: RaftOptions;
  readonly log: RaftLog;
  readonly configurations: ConfigurationLog;
  readonly commit: bigint;
  /** Ticks since the process began. */
  readonly now: number;
  readonly outbox: Outbox;
  /** Whether the state is being replaced, so that this member's log stands for nothing. */
  readonly isInstalling: boolean;
  /** This member has become leader. */
  elected(): void;
  /** This member does not lead any more. */
  deposed(): void;
  /** Another member, or nobody that is known, leads now. */
  leaderChanged(): void;
}

/** Term, vote and role of one member, and who leads: everything that elections decide. */
export class Tenure {
  readonly #context: TenureContext;
  readonly #self: MemberId;
  readonly #random: SeededRandom;
  #term: bigint;
  #votedFor: MemberId | undefined;
  #role: Role = 'follower';
  #leader: MemberId | undefined;
  #election: Election | undefined;
  /** Tick of the last sign of a leader; the lease in which elections are refused. */
  #contactTick = Number.NEGATIVE_INFINITY;
  #electionTick = 0;
  #electionTimeout = 0;
  /** Until this tick a member without a vote may campaign, because it alone has the newest log. */
  #standUntil = Number.NEGATIVE_INFINITY;

  constructor(context: TenureContext, stored: HardState) {
    const { options } = context;
    this.#context = context;
    this.#self = options.self;
    this.#random = new SeededRandom(options.seed);
    this.#term = stored.term;
    this.#votedFor = stored.votedFor;
    // Nobody knows how long ago a former process heard of a leader.
    if (options.readMode === 'lease') this.#contactTick = 0;
    this.#resetTimer();
  }

  get term(): bigint {
    return this.#term;
  }

  get votedFor(): MemberId | undefined {
    return this.#votedFor;
  }

  get role(): Role {
    return this.#role;
  }

  get leader(): MemberId | undefined {
    return this.#leader;
  }

  get softState(): SoftState {
    return { role: this.#role, term: this.#term, leader: this.#leader };
  }

  /** Campaigns when no leader was heard for long enough. */
  tick(): void {
    if (this.#context.now - this.#electionTick < this.#electionTimeout) return;
    if (this.#mayCampaign) this.campaign('preVote', false);
    else this.#resetTimer();
  }

  /** Begins an election if this member may stand in one. */
  campaign(phase: 'preVote' | 'vote', isTransfer: boolean): void {
    if (!this.#mayCampaign) return;
    const { configurations, outbox, log } = this.#context;
    this.#resetTimer();
    this.#depose();
    this.#leader = undefined;
    const term = this.#term + 1n;
    outbox.events.push({ kind: 'campaign', phase, term });
    this.#election = new Election(phase, term, configurations);
    if (phase === 'preVote') {
      this.#role = 'preCandidate';
      this.#election.count(memberKey(this.#self), true);
    } else {
      this.#role = 'candidate';
      this.#term = term;
      this.#votedFor = this.#self;
    }
    const { lastIndex, lastTerm } = log;
    const message: Message = { kind: phase, term, lastIndex, lastTerm, transfer: isTransfer };
    for (const voter of this.#election.others(this.#self)) {
      // A candidate whose own vote is not durable could lead the same term twice.
      if (phase === 'vote') outbox.sendAfter(voter, message);
      else outbox.send(voter, message);
    }
    this.#judge();
  }

  /** The own vote in `term` is durable and counts from now on. */
  ownVotePersisted(term: bigint): void {
    if (this.#role !== 'candidate' || this.#election?.term !== term) return;
    this.#election.count(memberKey(this.#self), true);
    this.#judge();
  }

  /** Whether the message asks for a vote while a leader is alive; then it changes nothing. */
  isRefusedByLease(message: Message): message is VoteRequest {
    if (message.kind !== 'vote' && message.kind !== 'preVote') return false;
    return !message.transfer && this.#hasLeader;
  }

  refuse(from: MemberId, message: VoteRequest): void {
    const kind = message.kind === 'vote' ? 'voteResponse' : 'preVoteResponse';
    this.#context.outbox.sendAfter(from, { kind, term: this.#term, granted: false });
  }

  /**
   * Judges a request for a vote. Membership is no reason to refuse: this member's configuration may
   * be an old one, and refusing on it could leave nobody who can be elected.
   */
  vote(from: MemberId, message: VoteRequest): void {
    const { log, outbox, now, options } = this.#context;
    const isNewTerm = message.kind === 'preVote' && message.term > this.#term;
    const isFree = this.#votedFor === undefined || isSameMember(this.#votedFor, from);
    const isElectable = log.isUpToDate({ index: message.lastIndex, term: message.lastTerm });
    if (this.#role === 'leader' || !(isNewTerm || isFree) || !isElectable) {
      // Whoever refuses for its newer log must be able to stand itself.
      if (!(isElectable || this.#hasLeader)) {
        this.#standUntil = now + 2 * options.electionTicksMax;
      }
      this.refuse(from, message);
      return;
    }
    if (message.kind === 'preVote') {
      outbox.sendAfter(from, { kind: 'preVoteResponse', term: message.term, granted: true });
      return;
    }
    this.#votedFor = from;
    this.#resetTimer();
    outbox.sendAfter(from, { kind: 'voteResponse', term: this.#term, granted: true });
  }

  voteAnswered(from: MemberId, answer: VoteAnswer): void {
    const election = this.#election;
    const phase = answer.kind === 'voteResponse' ? 'vote' : 'preVote';
    if (election?.phase !== phase) return;
    if (answer.granted && answer.term !== election.term) return;
    election.count(memberKey(from), answer.granted);
    this.#judge();
  }

  /** The leader of the present term has spoken. */
  hears(leader: MemberId): void {
    this.follow(leader, 'another member leads');
    this.#contactTick = this.#context.now;
    this.#resetTimer();
  }

  /** Enters a higher term, as follower of `leader` if one is known. */
  enter(term: bigint, leader: MemberId | undefined): void {
    this.#term = term;
    this.#votedFor = undefined;
    this.follow(leader, 'a higher term exists');
  }

  /** Becomes a follower in the present term, of `leader` if one is known. */
  follow(leader: MemberId | undefined, reason: string): void {
    if (this.#role === 'leader') {
      const { outbox } = this.#context;
      outbox.events.push({ kind: 'steppedDown', term: this.#term, reason });
      this.#resetTimer();
    }
    this.#depose();
    this.#election = undefined;
    this.#role = 'follower';
    const before = this.#leader;
    this.#leader = leader;
    const isSame = leader !== undefined && before !== undefined && isSameMember(leader, before);
    if (!isSame) this.#context.leaderChanged();
  }

  /**
   * A member without a vote campaigns only while it may hold the only log that can be elected: its
   * configuration is not known to be committed, or it has just refused others for their logs.
   */
  get #mayCampaign(): boolean {
    const { configurations, commit, now, isInstalling } = this.#context;
    if (isInstalling || configurations.newest === undefined) return false;
    if (configurations.isSelfVoter) return true;
    return configurations.newestIndex > commit || now < this.#standUntil;
  }

  get #hasLeader(): boolean {
    if (this.#role === 'leader') return true;
    return this.#context.now - this.#contactTick < this.#context.options.electionTicksMin;
  }

  #judge(): void {
    const result = this.#election?.result ?? 'pending';
    if (result === 'pending') return;
    if (result === 'lost') this.follow(undefined, 'the election is lost');
    else if (this.#election?.phase === 'preVote') this.campaign('vote', false);
    else {
      this.#election = undefined;
      this.#role = 'leader';
      this.#leader = this.#self;
      this.#context.outbox.events.push({ kind: 'elected', term: this.#term });
      this.#context.elected();
    }
  }

  #depose(): void {
    if (this.#role === 'leader') this.#context.deposed();
  }

  #resetTimer(): void {
    const { electionTicksMin, electionTicksMax } = this.#context.options;
    this.#electionTick = this.#context.now;
    this.#electionTimeout = this.#random.between(electionTicksMin, electionTicksMax);
  }
}
