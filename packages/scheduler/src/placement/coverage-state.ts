import type { CoverageState } from './resolved-placement.js';

/** What the state of a rule is made of. */
export interface CoverageFacts {
  readonly endpointPairs: number;
  readonly connectedPairs: number;
  /** Whether the rule decides a pair. */
  readonly hasWon: boolean;
  /** Whether a stronger rule takes a pair from it. */
  readonly hasLost: boolean;
}

/** A corridor of one node claims nothing, so a rule may be effective without having won. */
export function coverageState(facts: CoverageFacts): CoverageState {
  const { endpointPairs, connectedPairs, hasWon, hasLost } = facts;
  if (connectedPairs === 0) return 'empty';
  if (hasLost && !hasWon) return 'overridden';
  return connectedPairs === endpointPairs && !hasLost ? 'effective' : 'partial';
}
