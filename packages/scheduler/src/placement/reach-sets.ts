import type { Steps } from '../steps.js';
import type { Adjacency, PlacementGraph } from './placement-graph.js';

const SETS_A_STEP = 128;

/** Bits of all graph nodes. */
export type NodeSet = Uint32Array;

export function inSet(set: NodeSet, node: number): boolean {
  return (((set[node >>> 5] ?? 0) >>> (node & 31)) & 1) === 1;
}

/** Bits of the word that holds a node which belong to higher nodes. */
export function aboveMask(node: number): number {
  return (node & 31) === 31 ? 0 : -1 << ((node & 31) + 1);
}

/** The nodes of a set, ascending. */
export function setNodes(set: NodeSet): readonly number[] {
  const nodes: number[] = [];
  for (let word = 0; word < set.length; word += 1) {
    for (let rest = set[word] ?? 0; rest !== 0; rest &= rest - 1) {
      nodes.push((word << 5) + 31 - Math.clz32(rest & -rest));
    }
  }
  return nodes;
}

/**
 * What lies downstream and upstream of graph nodes, the node itself included. Few questions are
 * answered one search each; many by passing whole sets along the edges between components, which
 * costs a word operation for each edge and 32 nodes.
 */
export class ReachSets {
  readonly #graph: PlacementGraph;
  readonly #downstream = new Map<number, NodeSet>();
  readonly #upstream = new Map<number, NodeSet>();

  constructor(graph: PlacementGraph) {
    this.#graph = graph;
  }

  /** Announces how many nodes will be asked for, so that the cheaper way can be taken. */
  *expect(nodes: number): Steps<void> {
    const { keys, components } = this.#graph;
    if (nodes * 32 <= keys.length || this.#downstream.size === components.count) return;
    yield* this.#fill(this.#downstream, this.#graph.successors, false);
    yield* this.#fill(this.#upstream, this.#graph.predecessors, true);
  }

  downstream(node: number): NodeSet {
    return this.#search(this.#downstream, this.#graph.successors, node);
  }

  upstream(node: number): NodeSet {
    return this.#search(this.#upstream, this.#graph.predecessors, node);
  }

  #search(known: Map<number, NodeSet>, edges: Adjacency, node: number): NodeSet {
    const component = this.#graph.components.of[node] ?? 0;
    const there = known.get(component);
    if (there !== undefined) return there;
    const found = searchFrom(edges, node);
    known.set(component, found);
    return found;
  }

  /** Sets of all components; component numbers ascend against the flow. */
  *#fill(known: Map<number, NodeSet>, edges: Adjacency, isDescending: boolean): Steps<void> {
    const { components, keys } = this.#graph;
    const members = membersByComponent(components.of, components.count);
    const words = (keys.length + 31) >>> 5;
    let bits = new Uint32Array(0);
    for (let step = 0; step < components.count; step += 1) {
      const component = isDescending ? components.count - 1 - step : step;
      const place = step % SETS_A_STEP;
      // One step's worth at a time: getting all the memory at once would be a long step by itself.
      if (place === 0) bits = new Uint32Array(SETS_A_STEP * words);
      const set = bits.subarray(place * words, (place + 1) * words);
      for (const node of members[component] ?? []) {
        add(set, node);
        for (let at = edges.starts[node] ?? 0; at < (edges.starts[node + 1] ?? 0); at += 1) {
          const next = components.of[edges.targets[at] ?? 0] ?? 0;
          if (next !== component) include(set, known.get(next));
        }
      }
      known.set(component, set);
      if (place === SETS_A_STEP - 1) yield;
    }
  }
}

function membersByComponent(of: Uint32Array, count: number): readonly (readonly number[])[] {
  const members: number[][] = Array.from({ length: count }, () => []);
  for (const [node, component] of of.entries()) members[component]?.push(node);
  return members;
}

function searchFrom(edges: Adjacency, node: number): NodeSet {
  const set = new Uint32Array((edges.starts.length + 30) >>> 5);
  const queue = [node];
  add(set, node);
  for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
    for (let at = edges.starts[next] ?? 0; at < (edges.starts[next + 1] ?? 0); at += 1) {
      const target = edges.targets[at] ?? 0;
      if (inSet(set, target)) continue;
      add(set, target);
      queue.push(target);
    }
  }
  return set;
}

function add(set: NodeSet, node: number): void {
  set[node >>> 5] = (set[node >>> 5] ?? 0) | (1 << (node & 31));
}

function include(set: NodeSet, other: NodeSet | undefined): void {
  if (other === undefined) return;
  for (let word = 0; word < set.length; word += 1)
    set[word] = (set[word] ?? 0) | (other[word] ?? 0);
}
