import type { ScheduleNode } from '../schedule-input.js';
import type { InfeasibilityReason } from '../schedule-result.js';

/** A quarantined node keeps what it owns until it is reconciled and receives nothing new. */
export function notQuarantined(node: ScheduleNode): InfeasibilityReason | undefined {
  return node.isQuarantined === true ? 'quarantined' : undefined;
}
