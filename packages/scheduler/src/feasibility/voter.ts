import type { ScheduleNode } from '../cluster/schedule-node.js';
import type { InfeasibilityReason } from './infeasibility.js';

/** Work goes only to voting members: a learner may not have applied what it would have to run. */
export function voter(node: ScheduleNode): InfeasibilityReason | undefined {
  return node.isVoter === false ? 'not_voter' : undefined;
}
