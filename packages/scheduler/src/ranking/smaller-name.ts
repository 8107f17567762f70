import type { Candidate } from './candidate.js';

/** The smaller name wins, which makes every ranking total. */
export function smallerName(left: Candidate, right: Candidate): number {
  if (left.node === right.node) return 0;
  return left.node < right.node ? -1 : 1;
}
