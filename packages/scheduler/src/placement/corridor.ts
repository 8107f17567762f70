import type { PlacementGraph } from './placement-graph.js';
import { inSet, type NodeSet, type ReachSets } from './reach-sets.js';

/** The nodes of all walks from one end to the other. */
export interface Corridor {
  readonly from: number;
  readonly to: number;
  readonly nodes: NodeSet;
}

/** Corridors of one rule and how many of its endpoint pairs are connected. */
export interface RuleCorridors {
  /** At least two nodes each, none contained in another one. */
  readonly corridors: readonly Corridor[];
  readonly connectedPairs: number;
}

/** Whether a walk leads from one node to another; to itself only along a cycle. */
export function isConnected(
  { components }: PlacementGraph,
  reach: ReachSets,
  from: number,
  to: number,
): boolean {
  if (from === to) return components.isCyclic[components.of[from] ?? 0] === 1;
  return inSet(reach.downstream(from), to);
}

/** The nodes of all walks between two connected nodes, both included. */
export function corridorNodes(reach: ReachSets, from: number, to: number): NodeSet {
  const upstream = reach.upstream(to);
  return reach.downstream(from).map((word, index) => word & (upstream[index] ?? 0));
}

/**
 * The corridors that matter for claims. A corridor is part of another one exactly when both of its
 * ends are, so no sets need to be compared.
 */
export function ruleCorridors(
  graph: PlacementGraph,
  reach: ReachSets,
  from: readonly number[],
  to: readonly number[],
): RuleCorridors {
  let kept: Corridor[] = [];
  let connectedPairs = 0;
  for (const first of from) {
    for (const last of to) {
      if (!isConnected(graph, reach, first, last)) continue;
      connectedPairs += 1;
      if (kept.some(({ nodes }) => inSet(nodes, first) && inSet(nodes, last))) continue;
      const nodes = corridorNodes(reach, first, last);
      if (first === last && isSingle(nodes)) continue;
      kept = kept.filter((other) => !(inSet(nodes, other.from) && inSet(nodes, other.to)));
      kept.push({ from: first, to: last, nodes });
    }
  }
  return { corridors: kept, connectedPairs };
}

function isSingle(nodes: NodeSet): boolean {
  let found = 0;
  for (const word of nodes) {
    if (word === 0) continue;
    if (found !== 0 || (word & (word - 1)) !== 0) return false;
    found = word;
  }
  return true;
}
