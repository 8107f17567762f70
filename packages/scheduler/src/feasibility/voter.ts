import type { ScheduleNode } from '../schedule-input.js';
import type { InfeasibilityReason } from '../schedule-result.js';

/** Work goes only to voting members: a learner may not have applied what it would have to run. */
export function voter(node: ScheduleNode): InfeasibilityReason | undefined {
  return node.isVoter === false ? 'not_voter' : undefined;
}
