import type { ScheduleNode } from '../schedule-input.js';
import type { InfeasibilityReason } from '../schedule-result.js';

/** A terminating incarnation receives nothing new. */
export function notTerminating(node: ScheduleNode): InfeasibilityReason | undefined {
  return node.isTerminating ? 'terminating' : undefined;
}
