import type { ScheduleEntry } from '../schedule-entry.js';
import { scheduleDelta } from './schedule-delta.js';

/** From what an automatic decision was made. */
export interface DecisionBasis {
  /** Name of the leader that decides. */
  readonly leader: string;
  readonly term: bigint;
  /** Full applied revision of the control plane. */
  readonly revision: bigint;
  /** The domain's schedule at that revision. */
  readonly schedule: readonly ScheduleEntry[];
}

/** A schedule that waits for its publication. */
export interface ScheduleCandidate {
  readonly domain: string;
  readonly basis: DecisionBasis;
  readonly entries: readonly ScheduleEntry[];
}

/** Whether a candidate may still be published. */
export type CandidateVerdict =
  | { readonly kind: 'accepted' }
  | { readonly kind: 'stale'; readonly reason: 'tenure' | 'revision' | 'schedule' };

/**
 * Judges a candidate at the moment of its publication. A stale one is computed again from what
 * holds now. Health is no part of the basis: an observation that leaves the set of live nodes as it
 * was invalidates nothing.
 */
export function judgeCandidate(
  { basis }: ScheduleCandidate,
  current: DecisionBasis,
): CandidateVerdict {
  if (basis.leader !== current.leader || basis.term !== current.term) {
    return { kind: 'stale', reason: 'tenure' };
  }
  if (basis.revision !== current.revision) return { kind: 'stale', reason: 'revision' };
  const { change } = scheduleDelta(basis.schedule, current.schedule, { isRunning: false });
  return change === 'unchanged' ? { kind: 'accepted' } : { kind: 'stale', reason: 'schedule' };
}
