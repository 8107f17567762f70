import { isSameMember, type MemberId } from './member-id.ts';

/** What a member must never forget: it is durable before anything that depends on it is sent. */
export interface HardState {
  /** Newest term this member has taken part in; 0 before the first election. */
  readonly term: bigint;
  /** The member voted for in `term`; `undefined` while no vote was cast in it. */
  readonly votedFor: MemberId | undefined;
  /**
   * A lower bound of the commit index. It is stored along with other writes and never causes one,
   * so after a restart the true commit index may be higher.
   */
  readonly commit: bigint;
}

/** The hard state of a store that has never taken part in an election. */
export const INITIAL_HARD_STATE: HardState = { term: 0n, votedFor: undefined, commit: 0n };

/** Whether both have the same term and vote, which is what must never be forgotten. */
export function isSameVote(left: HardState, right: HardState): boolean {
  if (left.term !== right.term) return false;
  if (left.votedFor === undefined || right.votedFor === undefined) {
    return left.votedFor === right.votedFor;
  }
  return isSameMember(left.votedFor, right.votedFor);
}
