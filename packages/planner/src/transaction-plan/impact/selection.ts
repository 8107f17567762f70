import { NO_OPERATIONS, type OperationSet } from '../operation-set.js';
import type { ImpactEdge, ImpactGraph } from './impact-graph.js';

/** Nodes by key, each with the operations that it is selected for. */
export type Selection = Map<string, OperationSet>;

/** Adds operations to a node of a selection. */
export function select(selection: Selection, key: string, operations: OperationSet): void {
  selection.set(key, (selection.get(key) ?? NO_OPERATIONS) | operations);
}

/** The nodes that records and state effects of the given ones reach, those included. */
export function downstreamOf(graph: ImpactGraph, starts: Selection): Selection {
  return spread(starts, (key) => flowEdges(graph.outgoing(key)).map(({ target }) => target.key));
}

/** The nodes that records and state effects come from to reach the given ones, those included. */
export function upstreamOf(graph: ImpactGraph, starts: Selection): Selection {
  return spread(starts, (key) => flowEdges(graph.incoming(key)).map(({ source }) => source.key));
}

/** A selection and everything that its nodes are configured by. */
export function withConfiguration(graph: ImpactGraph, selection: Selection): Selection {
  return spread(selection, (key) =>
    graph
      .incoming(key)
      .flatMap(({ source, kind }) => (kind === 'CONFIGURATION_DEPENDENCY' ? [source.key] : [])),
  );
}

function flowEdges(edges: readonly ImpactEdge[]): readonly ImpactEdge[] {
  return edges.filter(({ kind }) => kind !== 'CONFIGURATION_DEPENDENCY');
}

/** Hands the operations of each node on to its neighbours until nothing new arrives anywhere. */
function spread(starts: Selection, neighbours: (key: string) => readonly string[]): Selection {
  const reached: Selection = new Map(starts);
  const pending = new Set(starts.keys());
  for (const key of pending) {
    pending.delete(key);
    const operations = reached.get(key) ?? NO_OPERATIONS;
    for (const next of neighbours(key)) {
      const before = reached.get(next);
      const after = (before ?? NO_OPERATIONS) | operations;
      if (after === before) continue;
      reached.set(next, after);
      pending.add(next);
    }
  }
  return reached;
}
