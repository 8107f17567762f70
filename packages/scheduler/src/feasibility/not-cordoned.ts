import type { ScheduleNode } from '../schedule-input.js';
import type { InfeasibilityReason } from '../schedule-result.js';

/** A cordoned node keeps what it owns and receives nothing new. */
export function notCordoned(node: ScheduleNode): InfeasibilityReason | undefined {
  return node.isCordoned ? 'cordoned' : undefined;
}
