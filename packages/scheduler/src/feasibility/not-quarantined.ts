import type { ScheduleNode } from '../cluster/schedule-node.js';
import type { InfeasibilityReason } from './infeasibility.js';

/** A quarantined node keeps what it owns until it is reconciled and receives nothing new. */
export function notQuarantined(node: ScheduleNode): InfeasibilityReason | undefined {
  return node.isQuarantined === true ? 'quarantined' : undefined;
}
