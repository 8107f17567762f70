import { assert } from '@nervix/model';
import { adjacencyOf } from './adjacency.js';
import { componentsOf } from './components.js';
import { flowOrderOf } from './graph-depth.js';
import { compareKeys, type GraphKey } from './graph-key.js';
import type { PlacementGraph } from './placement-graph.js';

/** Data flows from the producer to the consumer. */
export interface FlowEdge {
  readonly from: GraphKey;
  readonly to: GraphKey;
}

/**
 * Interns the nodes of a flow graph and everything about it that rules do not influence. The order
 * of both lists is of no account; repeats collapse.
 *
 * @throws InvariantError when an edge names a node that is not listed
 */
export function buildPlacementGraph(
  nodes: readonly GraphKey[],
  edges: readonly FlowEdge[],
): PlacementGraph {
  const keys = sortedKeys(nodes);
  const ids = new Map<string, Map<string, number>>();
  for (const [id, { kind, name }] of keys.entries()) {
    const names = ids.get(kind) ?? new Map<string, number>();
    ids.set(kind, names.set(name, id));
  }
  const idAt = ({ kind, name }: GraphKey): number => {
    const id = ids.get(kind)?.get(name);
    assert(id !== undefined, `the edge of ${kind} '${name}' joins listed nodes`);
    return id;
  };
  const flow: number[] = [];
  for (const { from, to } of edges) flow.push(idAt(from), idAt(to));
  const successors = adjacencyOf(keys.length, flow);
  const both = flow.flatMap((_, index) => directPair(flow, index));
  const components = componentsOf(successors);
  return {
    keys,
    successors,
    predecessors: adjacencyOf(keys.length, flow.toReversed()),
    neighbours: adjacencyOf(keys.length, both),
    components,
    flowOrder: flowOrderOf({ keys, successors, components }),
  };
}

/** The id of a key, or undefined when the graph has no such node; logarithmic. */
export function idOf(graph: PlacementGraph, key: GraphKey): number | undefined {
  let low = 0;
  let high = graph.keys.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const there = graph.keys[middle];
    if (there !== undefined && compareKeys(there, key) < 0) low = middle + 1;
    else high = middle;
  }
  const found = graph.keys[low];
  return found !== undefined && compareKeys(found, key) === 0 ? low : undefined;
}

function sortedKeys(nodes: readonly GraphKey[]): readonly GraphKey[] {
  const sorted = [...nodes].sort(compareKeys);
  return sorted.filter((key, index) => {
    const before = sorted[index - 1];
    return before === undefined || compareKeys(before, key) !== 0;
  });
}

/** The edge that starts at an even position, in both directions; nothing for a loop. */
function directPair(flow: readonly number[], index: number): readonly number[] {
  const from = flow[index];
  const to = flow[index + 1];
  if (index % 2 === 1 || from === undefined || to === undefined || from === to) return [];
  return [from, to, to, from];
}
