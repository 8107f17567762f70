import type { Model, ModelKind } from '@nervix/model';
import type { FlowEdge } from './build-placement-graph.js';
import type { GraphKey } from './graph-key.js';
import { relayUses } from './relay-use.js';

/** Nodes and edges of a domain, for {@link buildPlacementGraph}. */
export interface ModelFlow {
  readonly nodes: readonly GraphKey[];
  readonly edges: readonly FlowEdge[];
}

/**
 * The flow between the schedulable models of a domain: from producers to relays by normal,
 * error and timeout routes, and from relays to those that read their records or their state.
 * References of configuration are no flow; a hash map has none at all.
 */
export function modelFlow(models: readonly Model[]): ModelFlow {
  const nodes: GraphKey[] = [];
  const edges: FlowEdge[] = [];
  for (const model of models) {
    const key = graphKeyOf(model);
    if (key === undefined) continue;
    nodes.push(key);
    for (const { relay, isWrite } of relayUses(model)) {
      const other = relayKey(relay);
      edges.push(isWrite ? { from: key, to: other } : { from: other, to: key });
    }
  }
  return { nodes, edges };
}

/** The graph node of a model, or undefined for a kind that is not scheduled. */
export function graphKeyOf({ kind, name }: Pick<Model, 'kind' | 'name'>): GraphKey | undefined {
  const spelled = scheduleKind(kind);
  return spelled === undefined ? undefined : { kind: spelled, name };
}

/** How schedules spell a kind, or undefined when it is not scheduled. */
export function scheduleKind(kind: ModelKind): string | undefined {
  switch (kind) {
    case 'hash_map':
      return 'lookup';
    case 'relay':
    case 'ingestor':
    case 'reingestor':
    case 'generator':
    case 'junction':
    case 'deduplicator':
    case 'reorderer':
    case 'correlator':
    case 'window_processor':
    case 'inferencer':
    case 'wasm_processor':
    case 'emitter':
      return kind;
    default:
      return undefined;
  }
}

function relayKey(name: string): GraphKey {
  return { kind: 'relay', name };
}
