import type { Commitment } from './commitment.ts';
import type { MemberChange } from './configuration.ts';
import { isSameMember, type MemberId, memberKey } from './member-id.ts';
import type { MemberState } from './member-state.ts';
import { changeConfiguration } from './membership.ts';
import type { ProposalOutcome, ProposalRefusal } from './output.ts';

/** What the owner of this member wants appended, and whether it can be. */
export class Proposals {
  readonly #state: MemberState;
  readonly #commitment: Commitment;

  constructor(state: MemberState, commitment: Commitment) {
    this.#state = state;
    this.#commitment = commitment;
  }

  propose(payloads: readonly Uint8Array[]): void {
    const state = this.#state;
    const { leadership, outbox } = state;
    for (const payload of payloads) {
      const refusal = leadership === undefined ? 'notLeader' : leadership.refusalOf(payload);
      if (refusal !== undefined) {
        outbox.proposals.push(this.dropped(refusal));
        continue;
      }
      const { index, term } = state.append('normal', payload);
      outbox.proposals.push({ kind: 'accepted', index, term });
    }
    leadership?.replicate();
  }

  proposeConfiguration(changes: readonly MemberChange[]): ProposalOutcome {
    const { leadership, configurations, isConfigurationSettled, self } = this.#state;
    const { newest } = configurations;
    if (leadership === undefined || newest === undefined) return this.dropped('notLeader');
    if (!isConfigurationSettled || configurations.isJoint || !leadership.hasCommittedOwnTerm) {
      return this.dropped('changePending');
    }
    const outcome = changeConfiguration(newest, changes, self);
    if (outcome.kind === 'refused') return this.dropped('invalidChange', outcome.problem);
    const { index, term } = this.#commitment.appendConfiguration(outcome.configuration);
    return { kind: 'accepted', index, term };
  }

  transferLeader(target: MemberId): ProposalOutcome {
    const { leadership, configurations, log, self, term } = this.#state;
    if (leadership === undefined) return this.dropped('notLeader');
    if (leadership.transfer !== undefined) return this.dropped('transferring');
    const isVoter = configurations.halves.flat().includes(memberKey(target));
    if (!isVoter || isSameMember(target, self)) {
      return this.dropped('invalidChange', `node '${target.nodeId}' is no other voter`);
    }
    if (!leadership.isAlive(target)) {
      return this.dropped('invalidChange', `node '${target.nodeId}' does not answer`);
    }
    leadership.beginTransfer(target);
    return { kind: 'accepted', index: log.lastIndex, term };
  }

  dropped(reason: ProposalRefusal, text?: string): ProposalOutcome {
    return { kind: 'dropped', reason, leader: this.#state.leader, text };
  }
}
