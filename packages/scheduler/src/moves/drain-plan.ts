import type { DomainScheduleInput } from '../computation/domain-schedule-input.js';
import { liveReplicas, replicaSlots } from '../computation/replica-slots.js';
import { scheduleEntries } from '../computation/schedule-entries.js';
import { assign, clusterOf, release, type ScheduleState } from '../computation/schedule-state.js';
import { fillReplicas, placeUnit } from '../computation/unit-decision.js';
import { feasibleCandidates, nodeRejections } from '../computation/unit-feasibility.js';
import { rejectionText } from '../computation/unit-stall.js';
import type { Unit } from '../computation/unit-table.js';
import { refusal, type ScheduleRefusal } from '../errors.js';
import { idOf } from '../placement/build-placement-graph.js';
import { compareText, type GraphKey } from '../placement/graph-key.js';
import { Ranking } from '../ranking/ranking.js';
import { DECISION_CHAIN } from '../ranking/ranking-policy.js';
import type { ScheduleEntry } from '../schedule-entry.js';
import { isPrimaryMove, type MovedMember, movedMember } from './moved-member.js';
import { scheduleInForce } from './schedule-in-force.js';

/** One step of a drain: a unit that leaves the node, as owner or as replica. */
export interface DrainStep {
  readonly domain: string;
  /** Graph nodes whose assignment changes, in key order. */
  readonly members: readonly MovedMember[];
  /** Why no other node can run the unit; the step fails then and changes nothing. */
  readonly refusal?: string;
}

/** Everything a drain does when every step succeeds. */
export interface DrainPlan {
  readonly kind: 'plan';
  readonly node: string;
  /** In the order of execution: by domain name, then by the first member of the unit. */
  readonly steps: readonly DrainStep[];
  /** Graph nodes that the node owns as the drain begins. */
  readonly ownedCount: number;
  /**
   * Whether the cordon of the node is the drain's own. A shutdown drains in the same way and takes
   * back this cordon, and no other.
   */
  readonly setsCordon: boolean;
}

/** A drain that cannot begin. The cordon set before stays. */
export type DrainRefusal = ScheduleRefusal<'SCHED_NOT_A_MEMBER' | 'SCHED_NO_DRAIN_DESTINATION'>;

/**
 * Plans how a node is emptied. Each step is one hard group or one graph node outside the groups and
 * is computed over the other candidates, with all earlier steps done.
 *
 * @param domains inputs of all domains, with the node as it is before the drain; it counts as
 * cordoned in each of them
 */
export function planDrain(
  node: string,
  domains: readonly DomainScheduleInput[],
): DrainPlan | DrainRefusal {
  const refused = domains.map((input) => drainRefusal(node, input)).find((found) => found);
  if (refused !== undefined) return refused;
  const ordered = domains.toSorted((left, right) =>
    compareText(left.placement.domain, right.placement.domain),
  );
  const steps: DrainStep[] = [];
  let ownedCount = 0;
  for (const input of ordered) {
    const state = scheduleInForce(input, clusterOf([input], node));
    const index = state.cluster.indexOf.get(node) ?? -1;
    ownedCount += state.previous.filter((owners) => owners?.primary === index).length;
    for (const unit of state.table.units) {
      if (holds(state, unit, index)) steps.push(drainUnit(state, unit, index));
    }
  }
  const isCordoned = domains.some(({ nodes }) =>
    nodes.some((member) => member.name === node && member.isCordoned),
  );
  return { kind: 'plan', node, steps, ownedCount, setsCordon: !isCordoned };
}

/**
 * Plans and applies one step of a drain against the schedule in force, for a coordinator that
 * commits between steps.
 *
 * @param member any member of the unit
 * @returns the step and the schedule after it; undefined when the node has no part of the unit
 */
export function drainStep(
  node: string,
  input: DomainScheduleInput,
  member: GraphKey,
): { readonly step: DrainStep; readonly entries: readonly ScheduleEntry[] } | undefined {
  const state = scheduleInForce(input, clusterOf([input], node));
  const index = state.cluster.indexOf.get(node) ?? -1;
  const id = idOf(state.placement.graph, member) ?? -1;
  const unit = state.table.units[state.table.unitOf[id] ?? -1];
  if (unit === undefined || state.cluster.candidates.length === 0) return undefined;
  if (!holds(state, unit, index)) return undefined;
  return { step: drainUnit(state, unit, index), entries: scheduleEntries(state) };
}

function drainRefusal(node: string, input: DomainScheduleInput): DrainRefusal | undefined {
  if (!input.nodes.some(({ name }) => name === node)) {
    return refusal('SCHED_NOT_A_MEMBER', { node });
  }
  if (clusterOf([input], node).candidates.length > 0) return undefined;
  return refusal('SCHED_NO_DRAIN_DESTINATION', { node });
}

function holds({ previous }: ScheduleState, { members }: Unit, node: number): boolean {
  return members.some((id) => {
    const owners = previous[id];
    return owners?.primary === node || owners?.replicas.includes(node) === true;
  });
}

function drainUnit(state: ScheduleState, unit: Unit, node: number): DrainStep {
  const { domain } = state.placement;
  const before = unit.members.map((id) => movedMember(state, id));
  if (feasibleCandidates(state, unit).length === 0) {
    const refusal = `no cluster node can run it (${rejectionText(nodeRejections(state, unit))})`;
    return { domain, members: before, refusal };
  }
  if (unit.members.some((id) => state.previous[id]?.primary === node)) {
    moveAway(state, unit, node);
  } else {
    replaceReplicas(state, unit, node);
  }
  const members = unit.members
    .map((id) => movedMember(state, id))
    .filter((member, place) => isChanged(member, before[place]));
  return { domain, members };
}

function isChanged(after: MovedMember, before: MovedMember | undefined): boolean {
  return isPrimaryMove(after) || after.replicas.join() !== before?.replicas.join();
}

function moveAway(state: ScheduleState, unit: Unit, node: number): void {
  for (const id of unit.members) release(state, id);
  const ranking = new Ranking(state, unit, DECISION_CHAIN);
  const host = ranking.at(0) ?? -1;
  const isKept = (id: number, replica: number) =>
    replica !== node || state.previous[id]?.primary === node;
  placeUnit(state, unit, { host, slots: (id) => replicaSlots(state, id), ranking, isKept });
}

/** Gives the node's replica roles to others; the owner stays and does not restart. */
function replaceReplicas(state: ScheduleState, unit: Unit, node: number): void {
  const ranking = new Ranking(state, unit, DECISION_CHAIN);
  for (const id of unit.members) {
    const host = state.primary[id] ?? -1;
    if (host < 0 || state.replicas[id]?.includes(node) !== true) continue;
    const kept = liveReplicas(state, id, host).filter((replica) => replica !== node);
    release(state, id);
    assign(state, id, host, fillReplicas(kept, replicaSlots(state, id), host, ranking));
  }
}
