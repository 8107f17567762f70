import type { Candidate } from './candidate.js';

/** The present owner wins: nothing moves without need. */
export function keepOwner(left: Candidate, right: Candidate): number {
  return Number(right.isOwner) - Number(left.isOwner);
}
