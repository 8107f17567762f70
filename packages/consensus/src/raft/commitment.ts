import type { Configuration } from './configuration.ts';
import { encodeConfiguration } from './configuration-codec.ts';
import type { Entry } from './entry.ts';
import type { Leader } from './leader.ts';
import type { MemberState } from './member-state.ts';
import { leaveJoint } from './membership.ts';

/** What a leader commits, and what follows from it for the members. */
export class Commitment {
  readonly #state: MemberState;

  constructor(state: MemberState) {
    this.#state = state;
  }

  /** Commits what a quorum has, and does what was waiting for that. */
  advance(): void {
    const state = this.#state;
    const { leadership } = state;
    if (leadership === undefined) return;
    const { reached } = leadership;
    // Only entries of the own term are committed by counting; those before go along.
    if (reached > state.commit && state.log.termAt(reached) === state.term) {
      leadership.committing(state.commit, reached);
      state.commitTo(reached);
    }
    leadership.serveReads();
    this.#settleMembers(leadership);
  }

  /** Appends a configuration, which is in force at once. */
  appendConfiguration(configuration: Configuration): Entry {
    const state = this.#state;
    const entry = state.append('configuration', encodeConfiguration(configuration));
    state.writer.configure({ index: entry.index, configuration });
    state.leadership?.syncMembers();
    state.leadership?.replicate();
    return entry;
  }

  /**
   * Leaves a joint configuration, whoever began it, and leadership when this member has no vote
   * any more. Neither must wait for anything but the commit index.
   */
  #settleMembers(leadership: Leader): void {
    const { configurations, isConfigurationSettled } = this.#state;
    if (!isConfigurationSettled || !leadership.hasCommittedOwnTerm) return;
    const { newest } = configurations;
    if (configurations.isJoint && newest !== undefined) {
      this.appendConfiguration(leaveJoint(newest));
    } else if (!configurations.isSelfVoter) {
      leadership.broadcastCommit();
      this.#state.follow(undefined, 'this member has no vote any more');
    }
  }
}
