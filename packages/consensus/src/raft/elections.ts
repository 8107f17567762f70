import { Election } from './election.ts';
import { Leader } from './leader.ts';
import { isSameMember, type MemberId, memberKey } from './member-id.ts';
import type { MemberState } from './member-state.ts';
import type { Message } from './message.ts';
import type { MessageOf } from './messages.ts';

const NO_PAYLOAD = new Uint8Array(0);

/** Campaigns of this member, and its votes for others. */
export class Elections {
  readonly #state: MemberState;
  /** Until this tick a member without a vote may campaign, because it alone has the newest log. */
  #standUntil = Number.NEGATIVE_INFINITY;

  constructor(state: MemberState) {
    this.#state = state;
  }

  tick(): void {
    const state = this.#state;
    if (!state.isElectionDue) return;
    if (this.#mayCampaign) this.campaign('preVote', false);
    else state.resetElectionTimer();
  }

  /** Asks for votes; first whether it would get them, so that a hopeless attempt disturbs nobody. */
  campaign(phase: 'preVote' | 'vote', isTransfer: boolean): void {
    if (!this.#mayCampaign) return;
    const state = this.#state;
    const { outbox, self } = state;
    state.resetElectionTimer();
    state.endLeadership();
    state.changeLeader(undefined);
    // A pre-vote that is won goes on as this campaign.
    if (state.election?.result !== 'won') state.endElection('no quorum has answered');
    const term = state.term + 1n;
    outbox.events.push({ kind: 'campaign', phase, term });
    const election = new Election(phase, term, state.configurations);
    state.election = election;
    if (phase === 'preVote') {
      state.role = 'preCandidate';
      election.count(memberKey(self), true);
    } else {
      state.role = 'candidate';
      state.enterTerm(term, self);
    }
    const { lastIndex, lastTerm } = state.log;
    const message: Message = { kind: phase, term, lastIndex, lastTerm, transfer: isTransfer };
    for (const voter of election.others(self)) {
      // A candidate whose own vote is not durable could lead the same term twice.
      if (phase === 'vote') outbox.sendAfter(voter, message);
      else outbox.send(voter, message);
    }
    this.#judge();
  }

  /** The member's own vote in `term` is durable. */
  votePersisted(term: bigint): void {
    const { role, election, self } = this.#state;
    if (role !== 'candidate' || election?.term !== term) return;
    election.count(memberKey(self), true);
    this.#judge();
  }

  /** Whether the message asks for a vote while a leader is alive, which then changes nothing. */
  isRefusedByLease(message: Message): message is MessageOf<'preVote' | 'vote'> {
    if (message.kind !== 'vote' && message.kind !== 'preVote') return false;
    return !message.transfer && this.#state.hasLeader;
  }

  /**
   * Membership is no reason to refuse: this member's configuration may be an old one, and refusing
   * on it could leave nobody who can be elected.
   */
  vote(from: MemberId, message: MessageOf<'vote' | 'preVote'>): void {
    const state = this.#state;
    const isNewTerm = message.kind === 'preVote' && message.term > state.term;
    const isFree = state.votedFor === undefined || isSameMember(state.votedFor, from);
    const candidate = { index: message.lastIndex, term: message.lastTerm };
    const isElectable = state.log.isUpToDate(candidate);
    if (!isElectable) this.#mayStand();
    if (state.role === 'leader' || !(isNewTerm || isFree) || !isElectable) {
      this.refuse(from, message);
      return;
    }
    if (message.kind === 'preVote') {
      state.outbox.sendAfter(from, { kind: 'preVoteResponse', term: message.term, granted: true });
      return;
    }
    state.votedFor = from;
    state.resetElectionTimer();
    state.outbox.sendAfter(from, { kind: 'voteResponse', term: state.term, granted: true });
  }

  /** Says no at the own term, which nothing durable stands behind. */
  refuse(from: MemberId, message: MessageOf<'vote' | 'preVote'>): void {
    const { outbox, term } = this.#state;
    const kind = message.kind === 'vote' ? 'voteResponse' : 'preVoteResponse';
    outbox.send(from, { kind, term, granted: false });
  }

  answered(from: MemberId, answer: MessageOf<'voteResponse' | 'preVoteResponse'>): void {
    const { election } = this.#state;
    const phase = answer.kind === 'voteResponse' ? 'vote' : 'preVote';
    if (election?.phase !== phase) return;
    if (answer.granted && answer.term !== election.term) return;
    election.count(memberKey(from), answer.granted);
    this.#judge();
  }

  /** The leader wants this member to take over. */
  timeoutNow(from: MemberId): void {
    const { leader, configurations } = this.#state;
    if (leader === undefined || !isSameMember(leader, from)) return;
    if (configurations.isSelfVoter) this.campaign('vote', true);
  }

  /**
   * A member that can store nothing neither leads nor stands. The most advanced voter that lives is
   * asked to take over, so that nobody waits for a timeout.
   */
  retire(): void {
    const state = this.#state;
    if (state.isFitToLead || state.role === 'follower') return;
    state.leadership?.nominate();
    state.follow(undefined, 'a write hangs');
  }

  /** Whoever refuses for its newer log must be able to stand itself. */
  #mayStand(): void {
    const { hasLeader, now, options } = this.#state;
    if (!hasLeader) this.#standUntil = now + 2 * options.electionTicksMax;
  }

  /**
   * A member without a vote campaigns only while it may hold the only log that can be elected: its
   * configuration is not known to be committed, or it has just refused others for their logs.
   */
  get #mayCampaign(): boolean {
    const { installation, configurations, isConfigurationSettled, now } = this.#state;
    if (installation !== undefined || configurations.newest === undefined) return false;
    if (!this.#state.isFitToLead) return false;
    return configurations.isSelfVoter || !isConfigurationSettled || now < this.#standUntil;
  }

  #judge(): void {
    const state = this.#state;
    const { election } = state;
    if (election === undefined) return;
    const result = election.result;
    if (result === 'pending') return;
    if (result === 'lost') state.follow(undefined, 'the election is lost');
    else if (election.phase === 'preVote') this.campaign('vote', false);
    else this.#lead();
  }

  #lead(): void {
    const state = this.#state;
    state.election = undefined;
    state.role = 'leader';
    state.leader = state.self;
    const leadership = new Leader(state);
    state.leadership = leadership;
    state.outbox.events.push({ kind: 'elected', term: state.term });
    state.append('empty', NO_PAYLOAD);
    leadership.replicate();
  }
}
