import type { Member } from './configuration.ts';
import type { ConfigurationLog } from './configuration-log.ts';
import { isSameMember, type MemberId, memberKey } from './member-id.ts';
import { membersOf } from './membership.ts';
import { type Tally, tally } from './quorum.ts';

/** One attempt to become leader, from its first vote to its result. */
export class Election {
  readonly phase: 'preVote' | 'vote';
  /** Term that the winner leads. */
  readonly term: bigint;
  readonly #configurations: ConfigurationLog;
  readonly #votes = new Map<string, boolean>();

  constructor(phase: 'preVote' | 'vote', term: bigint, configurations: ConfigurationLog) {
    this.phase = phase;
    this.term = term;
    this.#configurations = configurations;
  }

  /** Counts an answer; the first of each voter stands. */
  count(voter: string, granted: boolean): void {
    if (!this.#votes.has(voter)) this.#votes.set(voter, granted);
  }

  get result(): Tally {
    return tally(this.#configurations.halves, (voter) => this.#votes.get(voter));
  }

  /** Everyone but `self` whose vote counts. */
  others(self: MemberId): readonly Member[] {
    const configuration = this.#configurations.newest;
    if (configuration === undefined) return [];
    const voters = new Set(this.#configurations.halves.flat());
    return membersOf(configuration).filter(
      (member) => voters.has(memberKey(member)) && !isSameMember(member, self),
    );
  }
}
