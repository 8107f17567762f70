import { assert } from '@nervix/model';
import { finish, type Steps } from '../steps.js';
import { adjacencySteps } from './adjacency.js';
import { componentSteps } from './components.js';
import { flowOrderOf } from './graph-depth.js';
import { compareKeys, type GraphKey } from './graph-key.js';
import type { PlacementGraph } from './placement-graph.js';

const EDGES_A_STEP = 4_096;

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
  return finish(graphSteps(nodes, edges));
}

/** The work of {@link buildPlacementGraph}. */
export function* graphSteps(
  nodes: readonly GraphKey[],
  edges: readonly FlowEdge[],
): Steps<PlacementGraph> {
  const keys = sortedKeys(nodes);
  yield;
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
  yield;
  const flow = new Uint32Array(2 * edges.length);
  for (const [index, { from, to }] of edges.entries()) {
    flow[2 * index] = idAt(from);
    flow[2 * index + 1] = idAt(to);
    if (index % EDGES_A_STEP === 0) yield;
  }
  const successors = yield* adjacencySteps(keys.length, flow);
  yield;
  const predecessors = yield* adjacencySteps(keys.length, flow.toReversed());
  yield;
  const neighbours = yield* adjacencySteps(keys.length, directPairs(flow));
  yield;
  const components = yield* componentSteps(successors);
  yield;
  const flowOrder = flowOrderOf({ successors, components });
  yield;
  return { keys, successors, predecessors, neighbours, components, flowOrder };
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

/** Every edge in both directions; nothing for a loop. */
function directPairs(flow: Uint32Array): Uint32Array {
  const pairs = new Uint32Array(2 * flow.length);
  let length = 0;
  for (let index = 0; index < flow.length; index += 2) {
    const [from, to] = [flow[index] ?? 0, flow[index + 1] ?? 0];
    if (from === to) continue;
    pairs[length] = from;
    pairs[length + 1] = to;
    pairs[length + 2] = to;
    pairs[length + 3] = from;
    length += 4;
  }
  return pairs.subarray(0, length);
}
