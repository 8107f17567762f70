import type { ScheduleNode } from '../schedule-input.js';
import type { InfeasibilityReason } from '../schedule-result.js';

/** Work goes only to nodes that are not known to have failed. */
export function liveNode(node: ScheduleNode): InfeasibilityReason | undefined {
  return node.isLive ? undefined : 'not_live';
}
