import type { ScheduleNode } from '../cluster/schedule-node.js';
import type { InfeasibilityReason } from './infeasibility.js';

/** Work goes only to nodes that are not known to have failed. */
export function liveNode(node: ScheduleNode): InfeasibilityReason | undefined {
  return node.isLive ? undefined : 'not_live';
}
