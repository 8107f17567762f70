import type { ScheduleNode } from '../cluster/schedule-node.js';
import type { InfeasibilityReason } from './infeasibility.js';

/** A cordoned node keeps what it owns and receives nothing new. */
export function notCordoned(node: ScheduleNode): InfeasibilityReason | undefined {
  return node.isCordoned ? 'cordoned' : undefined;
}
