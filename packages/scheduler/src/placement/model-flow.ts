import type {
  DecodeErrorPolicy,
  Inputs,
  MaterializedDependency,
  MessageErrorPolicy,
  Model,
  ModelKind,
  UnmatchedPolicy,
} from '@nervix/model';
import type { FlowEdge } from './build-placement-graph.js';
import type { GraphKey } from './graph-key.js';

/** Nodes and edges of a domain, for {@link buildPlacementGraph}. */
export interface ModelFlow {
  readonly nodes: readonly GraphKey[];
  readonly edges: readonly FlowEdge[];
}

/** Relays that one model writes and reads. */
interface RelayUse {
  readonly writes: readonly string[];
  readonly reads: readonly string[];
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
    const { writes, reads } = relayUse(model);
    for (const relay of writes) edges.push({ from: key, to: relayKey(relay) });
    for (const relay of reads) edges.push({ from: relayKey(relay), to: key });
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

function relayUse(model: Model): RelayUse {
  switch (model.kind) {
    case 'ingestor':
      return { writes: [...written(model.routes), ...sent(model.decodeError)], reads: [] };
    case 'generator':
      return { writes: written(model.routes), reads: [model.state] };
    case 'emitter':
      return { writes: sent(model.messageError), reads: readBy(model) };
    case 'correlator': {
      const { left, right } = model.onTimeout;
      const inputs = [...model.left.relays, ...model.right.relays];
      return {
        writes: [...written(model.routes), ...sent(left), ...sent(right)],
        reads: readBy({ inputs: { relays: inputs }, dependencies: model.dependencies }),
      };
    }
    case 'reingestor':
    case 'junction':
    case 'deduplicator':
    case 'reorderer':
    case 'window_processor':
    case 'inferencer':
    case 'wasm_processor':
      return { writes: written(model.routes), reads: readBy(model) };
    default:
      return { writes: [], reads: [] };
  }
}

function relayKey(name: string): GraphKey {
  return { kind: 'relay', name };
}

function readBy(node: {
  readonly inputs: Pick<Inputs, 'relays'>;
  readonly dependencies: readonly MaterializedDependency[];
}): readonly string[] {
  return [...node.inputs.relays, ...node.dependencies].map(({ relay }) => relay);
}

function written(
  routes: readonly { readonly relay: string; readonly messageError: MessageErrorPolicy }[],
): readonly string[] {
  return routes.flatMap(({ relay, messageError }) => [relay, ...sent(messageError)]);
}

function sent(
  policy: MessageErrorPolicy | DecodeErrorPolicy | UnmatchedPolicy | null,
): readonly string[] {
  return policy?.kind === 'send_to' ? [policy.relay] : [];
}
