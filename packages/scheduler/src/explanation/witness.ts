import { neighboursOf } from '../placement/adjacency.js';
import type { Corridor } from '../placement/corridor.js';
import type { Adjacency, PlacementGraph } from '../placement/placement-graph.js';
import { setNodes } from '../placement/reach-sets.js';

/** A path that shows why a graph node lies in a corridor. */
export interface Witness {
  readonly node: number;
  /** From end to end; a node may come twice where cycles exist. */
  readonly path: readonly number[];
}

/**
 * Witnesses of all nodes between the ends of a corridor, in key order: the shortest path to the
 * node and the shortest one from it, of several the first in key order at every step. One search
 * from each end, linear in the graph.
 */
export function witnessesOf(graph: PlacementGraph, corridor: Corridor): readonly Witness[] {
  const parents = searchTree(graph.successors, corridor.from);
  const distance = distances(graph.predecessors, corridor.to);
  return setNodes(corridor.nodes)
    .filter((node) => node !== corridor.from && node !== corridor.to)
    .map((node) => ({
      node,
      path: [...pathTo(parents, node), ...pathFrom(graph.successors, distance, node)],
    }));
}

/**
 * The order in which the nodes of a corridor are listed: the longest witness, then the rest in key
 * order, each node at its first place.
 */
export function coveredOrder(corridor: Corridor, witnesses: readonly Witness[]): readonly number[] {
  let longest: readonly number[] = [corridor.from, corridor.to];
  for (const { path } of witnesses) if (path.length > longest.length) longest = path;
  return [...new Set([...longest, ...setNodes(corridor.nodes)])];
}

/** Node before each node on the way from the root, which is its own; -1 where none leads. */
function searchTree(edges: Adjacency, root: number): Int32Array {
  const parents = new Int32Array(edges.starts.length - 1).fill(-1);
  parents[root] = root;
  const queue = [root];
  for (const node of queue) {
    for (const next of neighboursOf(edges, node)) {
      if (parents[next] !== -1) continue;
      parents[next] = node;
      queue.push(next);
    }
  }
  return parents;
}

/** Edges from each node to the goal, against the given edges; -1 where no way leads. */
function distances(edges: Adjacency, goal: number): Int32Array {
  const distance = new Int32Array(edges.starts.length - 1).fill(-1);
  distance[goal] = 0;
  const queue = [goal];
  for (const node of queue) {
    for (const next of neighboursOf(edges, node)) {
      if (distance[next] !== -1) continue;
      distance[next] = (distance[node] ?? 0) + 1;
      queue.push(next);
    }
  }
  return distance;
}

function pathTo(parents: Int32Array, node: number): readonly number[] {
  const path = [node];
  for (let at = node, up = parents[at] ?? at; up !== at; at = up, up = parents[at] ?? at) {
    path.unshift(up);
  }
  return path;
}

/** The nodes behind one on its way to the goal. */
function pathFrom(edges: Adjacency, distance: Int32Array, node: number): readonly number[] {
  const path: number[] = [];
  let at: number | undefined = node;
  while (at !== undefined && (distance[at] ?? 0) > 0) {
    const nearer: number = (distance[at] ?? 0) - 1;
    at = neighboursOf(edges, at).find((next) => distance[next] === nearer);
    if (at !== undefined) path.push(at);
  }
  return path;
}
