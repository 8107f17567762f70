import type { Steps } from '../steps.js';
import type { Adjacency, Components } from './placement-graph.js';

const ROOTS_A_STEP = 1_024;

/** Explicit stack of the depth-first search: a chain of ten thousand nodes must not recurse. */
interface Search {
  readonly order: Int32Array;
  readonly low: Int32Array;
  readonly next: Uint32Array;
  readonly path: number[];
  readonly open: number[];
  readonly of: Uint32Array;
  visited: number;
  count: number;
}

/**
 * Strongly connected components by Tarjan's algorithm (Depth-first search and linear graph
 * algorithms, 1972), linear in nodes and edges. A component is numbered when it is complete, which
 * is after everything it leads to: numbers are in reverse topological order.
 */
export function* componentSteps(graph: Adjacency): Steps<Components> {
  const nodes = graph.starts.length - 1;
  const search: Search = {
    order: new Int32Array(nodes).fill(-1),
    low: new Int32Array(nodes),
    next: graph.starts.slice(),
    path: [],
    open: [],
    of: new Uint32Array(nodes).fill(nodes),
    visited: 0,
    count: 0,
  };
  for (let root = 0; root < nodes; root += 1) {
    if (search.order[root] === -1) searchFrom(graph, search, root);
    if (root % ROOTS_A_STEP === 0) yield;
  }
  return { count: search.count, of: search.of, isCyclic: cyclic(graph, search) };
}

function searchFrom(graph: Adjacency, search: Search, root: number): void {
  enter(search, root);
  for (let node = search.path.at(-1); node !== undefined; node = search.path.at(-1)) {
    const index = search.next[node] ?? 0;
    if (index < (graph.starts[node + 1] ?? 0)) {
      search.next[node] = index + 1;
      const target = graph.targets[index] ?? 0;
      if (search.order[target] === -1) enter(search, target);
      else if (isOpen(search, target)) lower(search, node, search.order[target] ?? 0);
      continue;
    }
    search.path.pop();
    const low = search.low[node] ?? 0;
    if (low === search.order[node]) close(search, node);
    const parent = search.path.at(-1);
    if (parent !== undefined) lower(search, parent, low);
  }
}

function enter(search: Search, node: number): void {
  search.order[node] = search.visited;
  search.low[node] = search.visited;
  search.visited += 1;
  search.path.push(node);
  search.open.push(node);
}

/** Whether a visited node still waits for its component. */
function isOpen(search: Search, node: number): boolean {
  return search.of[node] === search.of.length;
}

function lower(search: Search, node: number, order: number): void {
  if (order < (search.low[node] ?? 0)) search.low[node] = order;
}

function close(search: Search, node: number): void {
  let member: number | undefined;
  do {
    member = search.open.pop();
    if (member !== undefined) search.of[member] = search.count;
  } while (member !== undefined && member !== node);
  search.count += 1;
}

function cyclic(graph: Adjacency, { of, count }: Search): Uint8Array {
  const flags = new Uint8Array(count);
  for (let node = 0; node < of.length; node += 1) {
    for (let index = graph.starts[node] ?? 0; index < (graph.starts[node + 1] ?? 0); index += 1) {
      const component = of[node] ?? 0;
      if (of[graph.targets[index] ?? 0] === component) flags[component] = 1;
    }
  }
  return flags;
}
