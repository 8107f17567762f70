import type { RelocationStrategy } from '@nervix/model';
import { keyOf, type ScheduleState } from '../computation/schedule-state.js';
import type { Unit } from '../computation/unit-table.js';
import { refusal } from '../errors.js';
import { idOf } from '../placement/build-placement-graph.js';
import type { GraphKey } from '../placement/graph-key.js';
import { visitSoftPartners } from '../placement/soft-partner.js';
import type { RelocationRequest } from './relocation-plan.js';
import type { RelocationRefusal } from './relocation-refusal.js';
import { memberKey } from './relocation-selection.js';

/** Why a graph node is part of a relocation. */
export type MembershipReason = 'selected' | 'required' | 'preferred';

/** A hard group, or a graph node outside the groups, that a relocation moves. */
export interface RelocationGroup {
  readonly unit: Unit;
  readonly strategy: RelocationStrategy;
  /** One per member of the unit. */
  readonly reasons: readonly MembershipReason[];
}

/** All groups of a relocation, in the order in which they joined. */
export interface RelocationUnit {
  readonly kind: 'unit';
  readonly groups: readonly RelocationGroup[];
}

/**
 * Closes a selection under hard groups and followed preferences. Groups are processed in the order
 * in which they join; what a separation holds out at that moment stays out for that group.
 */
export function relocationUnit(
  state: ScheduleState,
  selected: ReadonlySet<number>,
  request: RelocationRequest,
): RelocationUnit | RelocationRefusal {
  const conflict = overrideRefusal(state, request);
  if (conflict !== undefined) return conflict;
  const strategies = new Map(
    request.overrides.map(({ member, strategy }) => [unitOf(state, memberKey(member)), strategy]),
  );
  const groups = captureGroups(
    state,
    selected,
    (unit) => strategies.get(unit.index) ?? request.strategy,
  );
  const joined = new Set(groups.map(({ unit }) => unit.index));
  const named = request.overrides.map(({ member }) => memberKey(member));
  const foreign = named.find((key) => !joined.has(unitOf(state, key)));
  if (foreign !== undefined) return refusal('SCHED_FOREIGN_OVERRIDE', { member: foreign });
  return { kind: 'unit', groups };
}

function unitOf({ placement, table }: ScheduleState, key: GraphKey): number {
  return table.unitOf[idOf(placement.graph, key) ?? -1] ?? -1;
}

/** Strategies of one group that disagree, whether or not the group will be part of the unit. */
function overrideRefusal(
  state: ScheduleState,
  { overrides }: RelocationRequest,
): RelocationRefusal | undefined {
  const strategies = new Map<number, RelocationStrategy>();
  for (const { member, strategy } of overrides) {
    const index = unitOf(state, memberKey(member));
    if (index < 0) continue;
    if ((strategies.get(index) ?? strategy) !== strategy) {
      const members = state.table.units[index]?.members ?? [];
      return refusal('SCHED_STRATEGY_CONFLICT', {
        members: members.map((id) => keyOf(state, id)),
      });
    }
    strategies.set(index, strategy);
  }
  return undefined;
}

function captureGroups(
  state: ScheduleState,
  selected: ReadonlySet<number>,
  strategyOf: (unit: Unit) => RelocationStrategy,
): readonly RelocationGroup[] {
  const queue: RelocationGroup[] = state.table.units
    .filter(({ members }) => members.some((id) => selected.has(id)))
    .map((unit) => groupOf(unit, strategyOf(unit), (id) => selected.has(id), 'selected'));
  const joined = new Set(queue.map(({ unit }) => unit.index));
  const following = new Set(
    queue.filter(({ strategy }) => strategy === 'FOLLOW PREFERENCES').map(({ unit }) => unit.index),
  );
  // The queue grows while it is walked, which is what makes the walk breadth first.
  for (const group of queue) {
    if (group.strategy === 'IGNORE PREFERENCES') continue;
    const preferred = partners(state, group.unit, 1);
    for (const index of [...preferred.keys()].sort((left, right) => left - right)) {
      const unit = state.table.units[index];
      if (unit === undefined || joined.has(index) || isHeldOut(state, unit, following)) continue;
      const strategy = strategyOf(unit);
      const wanted = preferred.get(index) ?? new Set();
      queue.push(groupOf(unit, strategy, (id) => wanted.has(id), 'preferred'));
      joined.add(index);
      if (strategy === 'FOLLOW PREFERENCES') following.add(index);
    }
  }
  return queue;
}

function groupOf(
  unit: Unit,
  strategy: RelocationStrategy,
  isNamed: (id: number) => boolean,
  reason: MembershipReason,
): RelocationGroup {
  const reasons = unit.members.map((id) => (isNamed(id) ? reason : 'required'));
  return { unit, strategy, reasons };
}

/** The graph nodes that soft pairs of one sign join to a unit, by their own unit. */
function partners(
  { placement, table }: ScheduleState,
  unit: Unit,
  sign: 1 | -1,
): ReadonlyMap<number, ReadonlySet<number>> {
  const found = new Map<number, Set<number>>();
  for (const member of unit.members) {
    visitSoftPartners(placement, member, (partner, weight) => {
      const index = table.unitOf[partner] ?? -1;
      if (weight !== sign || index < 0 || index === unit.index) return;
      found.set(index, (found.get(index) ?? new Set()).add(partner));
    });
  }
  return found;
}

function isHeldOut(state: ScheduleState, unit: Unit, following: ReadonlySet<number>): boolean {
  return [...partners(state, unit, -1).keys()].some((index) => following.has(index));
}
