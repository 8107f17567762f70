/** A feasible node while it competes for one unit. */
export interface Candidate {
  readonly node: string;
  /** Whether the node owns the unit in the schedule in force. */
  readonly isOwner: boolean;
  /** Single-owner units given to the node in this schedule so far. */
  readonly load: number;
}

/** Negative when `left` is the better choice, positive when `right` is, 0 without an opinion. */
export type RankingRule = (left: Candidate, right: Candidate) => number;
