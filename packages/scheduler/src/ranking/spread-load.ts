import type { Candidate } from './candidate.js';

/** The node with fewer units wins. */
export function spreadLoad(left: Candidate, right: Candidate): number {
  return left.load - right.load;
}
