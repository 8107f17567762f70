import { type GraphKey, keyText } from '../placement/graph-key.js';
import type { PlacementGraph } from '../placement/placement-graph.js';
import type { ScheduleEntry } from '../schedule-entry.js';
import type { BondExplanation } from './rule-explanation.js';

/** Cluster node that owns a graph node, or undefined while none does. */
export type OwnerOf = (key: GraphKey) => string | undefined;

/** Owners as a schedule has them. */
export function ownersOf(entries: readonly ScheduleEntry[]): OwnerOf {
  const owners = new Map(entries.map((entry) => [keyText(entry), entry.nodes[0]]));
  return (key) => owners.get(keyText(key));
}

/** Where a group runs, as it is printed. */
export function groupHost(
  graph: PlacementGraph,
  members: readonly number[],
  ownerOf: OwnerOf,
): string {
  for (const member of members) {
    const key = graph.keys[member];
    const owner = key === undefined ? undefined : ownerOf(key);
    if (owner !== undefined) return owner;
  }
  return '(unassigned)';
}

/** The line of one required pair. */
export function bondLine(bond: BondExplanation, print: (node: number) => string): string {
  const names = bond.rules.map(({ name }) => name).join(', ');
  const by = names === '' ? 'domain default' : names;
  return `bond: ${print(bond.left)} <-> ${print(bond.right)} (${by})`;
}
