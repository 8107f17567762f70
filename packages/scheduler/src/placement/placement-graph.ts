import type { GraphKey } from './graph-key.js';

/** Neighbour lists, joined: those of node `id` are `targets[starts[id]..starts[id + 1]]`. */
export interface Adjacency {
  /** One entry per graph node and a last one, ascending. */
  readonly starts: Uint32Array;
  /** Graph node ids, ascending inside each list. */
  readonly targets: Uint32Array;
}

/** Strongly connected components, numbered so that edges lead to equal or smaller numbers. */
export interface Components {
  readonly count: number;
  /** Component of each graph node. */
  readonly of: Uint32Array;
  /** 1 where a cycle of at least one edge passes through the component. */
  readonly isCyclic: Uint8Array;
}

/** The flow graph of one domain. A graph node's id is its position in key order. */
export interface PlacementGraph {
  /** Ascending, without repeats. */
  readonly keys: readonly GraphKey[];
  /** Consumers of each graph node. */
  readonly successors: Adjacency;
  /** Producers of each graph node. */
  readonly predecessors: Adjacency;
  /** Both, once each and without the node itself: the direct pairs. */
  readonly neighbours: Adjacency;
  readonly components: Components;
  /** Graph node ids from the sources on: by the longest path that leads there, then by key. */
  readonly flowOrder: readonly number[];
}

/** Whether two graphs have the same nodes and edges; everything else follows from those. */
export function isSameGraph(one: PlacementGraph, other: PlacementGraph): boolean {
  return (
    one.keys.length === other.keys.length &&
    isSameList(one.successors.starts, other.successors.starts) &&
    isSameList(one.successors.targets, other.successors.targets) &&
    one.keys.every(({ kind, name }, id) => {
      const key = other.keys[id];
      return key?.kind === kind && key.name === name;
    })
  );
}

/** Whether two lists of numbers are equal. */
export function isSameList(one: Uint32Array, other: Uint32Array): boolean {
  if (one.length !== other.length) return false;
  for (let at = 0; at < one.length; at += 1) if (one[at] !== other[at]) return false;
  return true;
}
