import { lowerLoad } from './lower-load.js';
import { membersPresent } from './members-present.js';
import { replicaStickiness } from './replica-stickiness.js';
import { replicatedState } from './replicated-state.js';
import { roundRobin } from './round-robin.js';
import type { ScoreComponent } from './score-component.js';
import { softPreference } from './soft-preference.js';
import { upstreamLocality } from './upstream-locality.js';

/**
 * Versions of the ranking; a changed one gets a new name. `score/1` is the chain. `score/2`, for
 * domains whose work declares resources, compares a weighted sum first and then goes on like it.
 */
export type RankingPolicy = 'score/1' | 'score/2';

/** Terms from the strongest to the weakest; the smaller name decides where all are equal. */
export type RankingChain = readonly ScoreComponent[];

/** The chain for a unit that is decided anew. */
export const DECISION_CHAIN: RankingChain = [
  softPreference,
  replicaStickiness,
  upstreamLocality,
  lowerLoad,
  roundRobin,
];

/** The chain for a unit with replicated state whose primary was lost. */
export const STATEFUL_FAILOVER_CHAIN: RankingChain = [
  replicatedState,
  softPreference,
  upstreamLocality,
  lowerLoad,
  roundRobin,
];

/** The chain for the host of a group whose members come from several nodes. */
export const CONSOLIDATION_CHAIN: RankingChain = [
  softPreference,
  membersPresent,
  upstreamLocality,
  lowerLoad,
  roundRobin,
];
