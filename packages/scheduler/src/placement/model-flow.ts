import type { Model, ModelKind } from '@nervix/model';
import type { FlowEdge } from './build-placement-graph.js';
import type { GraphKey } from './graph-key.js';
import { relayUses } from './relay-use.js';

/**
 * The flow that a schedulable model states: to the relays that it writes by normal, error and timeout
 * routes, and from those whose records or state it reads. References of configuration are no flow; a
 * hash map has none at all, and neither has a model that is not scheduled.
 */
export function flowEdges(model: Model): readonly FlowEdge[] {
  const key = graphKeyOf(model);
  if (key === undefined) return [];
  return relayUses(model).map(({ relay, isWrite }) => {
    const other = relayKey(relay);
    return isWrite ? { from: key, to: other } : { from: other, to: key };
  });
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
