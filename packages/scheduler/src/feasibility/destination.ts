import type { ScheduleNode } from '../schedule-input.js';
import type { InfeasibilityReason, NodeRefusal } from '../schedule-result.js';
import { liveNode } from './live-node.js';
import { notCordoned } from './not-cordoned.js';
import { notQuarantined } from './not-quarantined.js';
import { notTerminating } from './not-terminating.js';
import { voter } from './voter.js';

/** The rules that hold for every unit, in the order in which a refusal names them. */
const DESTINATION_RULES = [voter, liveNode, notTerminating, notCordoned, notQuarantined] as const;

/** Why a node may not receive work, or undefined when it may; the first objection. */
export function infeasibilityOf(node: ScheduleNode): InfeasibilityReason | undefined {
  return infeasibilitiesOf(node)[0];
}

/** Every objection to giving a node work. */
export function infeasibilitiesOf(node: ScheduleNode): readonly InfeasibilityReason[] {
  return DESTINATION_RULES.flatMap((rule) => rule(node) ?? []);
}

/** The first objection to each node that has one, in the order of the nodes given. */
export function refusedNodes(nodes: readonly ScheduleNode[]): readonly NodeRefusal[] {
  return nodes.flatMap((node) => {
    const reason = infeasibilityOf(node);
    return reason === undefined ? [] : [{ node: node.name, reason }];
  });
}
