import type { Model } from '@nervix/model';
import { kindWords } from '@nervix/model';
import type { DomainModels } from '@nervix/planner';
import { sortedModels } from '@nervix/planner';
import type { GraphDocument, GraphEdge, GraphNode, GraphNodeKind } from '@nervix/protocol';

const NODE_KIND: Partial<Record<Model['kind'], GraphNodeKind>> = {
  client: 'CLIENT',
  ingestor: 'INGESTOR',
  junction: 'PROCESSOR',
  deduplicator: 'PROCESSOR',
  window_processor: 'PROCESSOR',
  emitter: 'EMITTER',
  relay: 'RELAY',
};

/** Health of one node, as the data plane sees it. */
export interface GraphNodeStatus {
  readonly status: GraphNode['status'];
  readonly detail?: string;
}

/** Nodes and edges of a domain's graph; configuration-only models are left out. */
export function domainGraph(
  domain: string,
  models: DomainModels,
  statusOf: (model: Model) => GraphNodeStatus,
): GraphDocument {
  const nodes: GraphNode[] = [];
  const edges: GraphEdge[] = [];
  for (const model of sortedModels(models)) {
    const kind = NODE_KIND[model.kind];
    if (kind === undefined) continue;
    const { status, detail } = statusOf(model);
    nodes.push({
      id: nodeId(model.kind, model.name),
      label: model.name,
      kind,
      subtype: kindWords(model.kind).toUpperCase(),
      status,
      ...(model.kind === 'relay' ? { schema: model.schema } : {}),
      ...(detail === undefined ? {} : { status_detail: detail }),
    });
    edges.push(...edgesOf(model));
  }
  return { domain, nodes, edges };
}

function nodeId(kind: Model['kind'], name: string): string {
  return `${kind}/${name}`;
}

function edgesOf(model: Model): readonly GraphEdge[] {
  const self = nodeId(model.kind, model.name);
  const relay = (name: string): string => nodeId('relay', name);
  const edges: GraphEdge[] = [];
  const errorEdge = (policy: { readonly kind: string; readonly relay?: string }): void => {
    if (policy.kind === 'send_to' && policy.relay !== undefined) {
      edges.push({ source: self, target: relay(policy.relay), kind: 'MESSAGE_ERROR' });
    }
  };
  switch (model.kind) {
    case 'ingestor':
    case 'junction':
    case 'deduplicator':
    case 'window_processor':
      if (model.kind !== 'ingestor') {
        for (const input of model.inputs.relays) {
          edges.push({ source: relay(input.relay), target: self, kind: 'DATA' });
        }
      } else if (model.decodeError !== null) {
        errorEdge(model.decodeError);
      }
      for (const route of model.routes) {
        edges.push({ source: self, target: relay(route.relay), kind: 'DATA' });
        errorEdge(route.messageError);
      }
      break;
    case 'emitter':
      for (const input of model.inputs.relays) {
        edges.push({ source: relay(input.relay), target: self, kind: 'DATA' });
      }
      if (model.sink.kind !== 'consumers') {
        edges.push({ source: self, target: nodeId('client', model.sink.client), kind: 'DATA' });
      }
      errorEdge(model.messageError);
      break;
    default:
  }
  return edges;
}
