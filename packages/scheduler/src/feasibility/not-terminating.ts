import type { ScheduleNode } from '../cluster/schedule-node.js';
import type { InfeasibilityReason } from './infeasibility.js';

/** A terminating incarnation receives nothing new. */
export function notTerminating(node: ScheduleNode): InfeasibilityReason | undefined {
  return node.isTerminating ? 'terminating' : undefined;
}
