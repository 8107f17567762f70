import type { ResolvedPlacement } from '../placement/resolved-placement.js';
import type { MemberTraits } from './member-traits.js';

/** What is placed as one: a hard group, or a graph node outside every group. */
export interface Unit {
  /** Place in the table. */
  readonly index: number;
  /** Graph node ids, ascending. */
  readonly members: readonly number[];
}

/** All units of a domain. Listeners run on every node and belong to none. */
export interface UnitTable {
  /** Ordered by their first members. */
  readonly units: readonly Unit[];
  /** Unit of each graph node, or -1 for listeners. */
  readonly unitOf: Int32Array;
  /** The same units in the order in which they are decided. */
  readonly decided: readonly Unit[];
}

/** Splits a domain into its units. */
export function unitTable(
  placement: ResolvedPlacement,
  traits: readonly MemberTraits[],
): UnitTable {
  const { graph, groups, groupOf } = placement;
  const isOnce = (id: number) => traits[id]?.runs === 'once';
  const unitOf = new Int32Array(graph.keys.length).fill(-1);
  const units: Unit[] = [];
  for (const id of graph.keys.keys()) {
    if (!isOnce(id) || (unitOf[id] ?? -1) >= 0) continue;
    const mates = groups[groupOf[id] ?? -1]?.members ?? [id];
    const unit = { index: units.length, members: mates.filter(isOnce) };
    for (const member of unit.members) unitOf[member] = unit.index;
    units.push(unit);
  }
  const decided = new Set<Unit>();
  for (const id of graph.flowOrder) {
    const unit = units[unitOf[id] ?? -1];
    if (unit !== undefined) decided.add(unit);
  }
  return { units, unitOf, decided: [...decided] };
}
