import {
  type DecodeErrorPolicy,
  type MessageErrorPolicy,
  type Model,
  modelKey,
  type UnmatchedPolicy,
} from '@nervix/model';
import { graphKeyOf } from '@nervix/scheduler';
import type { DomainModels } from '../../domain-models.js';
import { referencesOf } from '../../model-references.js';
import type { Branches, Coverage, EdgeKind, ReportNode } from '../report.js';

/** A model as a node of reported topology. */
export interface ImpactNode {
  readonly key: string;
  readonly model: Model;
  readonly coverage: Coverage;
  /** Whether it has work of its own. */
  readonly isExecutable: boolean;
}

/** A relation between two nodes. Flow leads downstream, configuration to what depends on it. */
export interface ImpactEdge {
  readonly source: ImpactNode;
  readonly target: ImpactNode;
  readonly kind: EdgeKind;
}

/** The nodes of a domain's models and the relations between them, by model keys. */
export interface ImpactGraph {
  readonly nodes: ReadonlyMap<string, ImpactNode>;
  readonly edges: readonly ImpactEdge[];
  readonly outgoing: ReadonlyMap<string, readonly ImpactEdge[]>;
  readonly incoming: ReadonlyMap<string, readonly ImpactEdge[]>;
}

/** Reads the graph off models; a reference to a model that is absent is no edge. */
export function impactGraph(models: DomainModels): ImpactGraph {
  const nodes = new Map<string, ImpactNode>();
  for (const [key, model] of models) nodes.set(key, nodeOf(key, model));
  const edges: ImpactEdge[] = [];
  for (const node of nodes.values()) addEdges(nodes, node, edges);
  return {
    nodes,
    edges,
    outgoing: groupBy(edges, ({ source }) => source.key),
    incoming: groupBy(edges, ({ target }) => target.key),
  };
}

/** How reports name a model. */
export function reportNode({ kind, name }: Pick<Model, 'kind' | 'name'>): ReportNode {
  return { kind: graphKeyOf({ kind, name })?.kind ?? kind, identifier: name };
}

/** Nodes by the models they stand for: a model that stays the same object stays the same node. */
const known = new WeakMap<Model, ImpactNode>();

function nodeOf(key: string, model: Model): ImpactNode {
  const found = known.get(model);
  if (found !== undefined) return found;
  const isExecutable = graphKeyOf(model) !== undefined;
  const branches = isExecutable ? branchesOf(model) : null;
  const node = { key, model, isExecutable, coverage: { node: reportNode(model), branches } };
  known.set(model, node);
  return node;
}

function branchesOf(model: Model): Branches {
  if (model.kind === 'emitter' || model.kind === 'reingestor') return { kind: 'ALL' };
  if ('branching' in model && model.branching.kind === 'branched_by') {
    return { kind: 'ALL_OF_BRANCH', branch: model.branching.branch };
  }
  return { kind: 'UNBRANCHED' };
}

function addEdges(
  nodes: ReadonlyMap<string, ImpactNode>,
  node: ImpactNode,
  edges: ImpactEdge[],
): void {
  const seen = new Set<string>();
  const add = (other: string, kind: EdgeKind, isDownstream: boolean) => {
    const end = nodes.get(other);
    const identity = `${kind} ${isDownstream} ${other}`;
    if (end === undefined || seen.has(identity)) return;
    seen.add(identity);
    edges.push(
      isDownstream ? { source: node, target: end, kind } : { source: end, target: node, kind },
    );
  };
  for (const [relay, kind, isDownstream] of relayUses(node.model)) {
    add(modelKey('relay', relay), kind, isDownstream);
  }
  for (const { kind, name } of referencesOf(node.model)) {
    if (kind !== 'relay') add(modelKey(kind, name), 'CONFIGURATION_DEPENDENCY', false);
  }
}

type RelayUse = readonly [relay: string, kind: EdgeKind, isDownstream: boolean];

function relayUses(model: Model): readonly RelayUse[] {
  switch (model.kind) {
    case 'ingestor':
      return [...routed(model.routes), ...errors(model.decodeError)];
    case 'generator':
      return [[model.state, 'MATERIALIZED_STATE', false], ...routed(model.routes)];
    case 'emitter':
      return [...reads(model.inputs.relays), ...states(model), ...errors(model.messageError)];
    case 'correlator':
      return [
        ...reads(model.left.relays),
        ...reads(model.right.relays),
        ...states(model),
        ...[model.onTimeout.left, model.onTimeout.right].flatMap((policy) =>
          errors(policy, 'CORRELATION_TIMEOUT'),
        ),
        ...routed(model.routes),
      ];
    case 'reingestor':
    case 'junction':
    case 'deduplicator':
    case 'reorderer':
    case 'window_processor':
    case 'inferencer':
    case 'wasm_processor':
      return [...reads(model.inputs.relays), ...states(model), ...routed(model.routes)];
    default:
      return [];
  }
}

interface Named {
  readonly relay: string;
}

function reads(relays: readonly Named[]): readonly RelayUse[] {
  return relays.map(({ relay }) => [relay, 'DATAFLOW', false]);
}

function states({
  dependencies,
}: {
  readonly dependencies: readonly Named[];
}): readonly RelayUse[] {
  return dependencies.map(({ relay }) => [relay, 'MATERIALIZED_STATE', false]);
}

function routed(
  routes: readonly (Named & { readonly messageError: MessageErrorPolicy })[],
): readonly RelayUse[] {
  return routes.flatMap(({ relay, messageError }): readonly RelayUse[] => [
    [relay, 'DATAFLOW', true],
    ...errors(messageError),
  ]);
}

function errors(
  policy: MessageErrorPolicy | DecodeErrorPolicy | UnmatchedPolicy | null,
  kind: EdgeKind = 'MESSAGE_ERROR',
): readonly RelayUse[] {
  return policy?.kind === 'send_to' ? [[policy.relay, kind, true]] : [];
}

function groupBy(
  edges: readonly ImpactEdge[],
  keyOf: (edge: ImpactEdge) => string,
): ReadonlyMap<string, readonly ImpactEdge[]> {
  const groups = new Map<string, ImpactEdge[]>();
  for (const edge of edges) {
    const key = keyOf(edge);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [edge]);
    else group.push(edge);
  }
  return groups;
}
