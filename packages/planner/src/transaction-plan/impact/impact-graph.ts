import { type Model, modelKey } from '@nervix/model';
import { type FlowKind, graphKeyOf, relayUses } from '@nervix/scheduler';
import { calledModels } from '../../called-models.js';
import { referencesOf } from '../../model-references.js';
import type { ModelSet } from '../../registry/model-set.js';
import { orderedList } from '../../registry/ordered-list.js';
import type { Branches, Coverage, EdgeKind, ReportNode } from '../report.js';
import { compareNodes } from './canonical-order.js';

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

const NO_EDGES: readonly ImpactEdge[] = [];

/**
 * The nodes of a domain's models and the relations between them, read off the models where it is
 * asked. A reference to a model that is absent is no relation.
 */
export class ImpactGraph {
  readonly models: ModelSet;
  readonly #stated = new Map<string, readonly ImpactEdge[]>();
  #executables: readonly ImpactNode[] | undefined;

  private constructor(models: ModelSet) {
    this.models = models;
  }

  /**
   * The graph of a set of models, which is the same one each time.
   *
   * @param former a graph that this one follows from
   */
  static of(models: ModelSet, former?: ImpactGraph): ImpactGraph {
    const known = graphs.get(models);
    if (known !== undefined) return known;
    const graph = new ImpactGraph(models);
    if (former !== undefined) graph.#executables = former.#executablesAfter(models);
    graphs.set(models, graph);
    return graph;
  }

  has(key: string): boolean {
    return this.models.has(key);
  }

  node(key: string): ImpactNode | undefined {
    const model = this.models.get(key);
    return model === undefined ? undefined : nodeOf(key, model);
  }

  *nodes(): Generator<ImpactNode, undefined> {
    for (const [key, model] of this.models) yield nodeOf(key, model);
  }

  /** The nodes that have work of their own, by kind as reports spell it, then by name. */
  executables(): readonly ImpactNode[] {
    this.#executables ??= [...this.nodes()]
      .filter(({ isExecutable }) => isExecutable)
      .sort(compareByCoverage);
    return this.#executables;
  }

  /** Those of a set that follows from this one, if these are known: few of them differ. */
  #executablesAfter(models: ModelSet): readonly ImpactNode[] | undefined {
    if (this.#executables === undefined) return undefined;
    const changed = [...models.differencesFrom(this.models)];
    const executables = (set: ModelSet): readonly ImpactNode[] =>
      changed.flatMap((key) => {
        const model = set.get(key);
        const node = model === undefined ? undefined : nodeOf(key, model);
        return node?.isExecutable === true ? node : [];
      });
    const gone = new Set(executables(this.models));
    return orderedList(this.#executables, gone, executables(models), compareByCoverage);
  }

  /** What leads away from a node. */
  outgoing(key: string): readonly ImpactEdge[] {
    return this.#edgesAt(key).filter(({ source }) => source.key === key);
  }

  /** What leads to a node. */
  incoming(key: string): readonly ImpactEdge[] {
    // Only relays are what other models lead to; who is configured by others says so itself.
    const edges = key.startsWith('relay/') ? this.#edgesAt(key) : this.stated(key);
    return edges.filter(({ target }) => target.key === key);
  }

  /** The relations that a model itself states; each relation is stated by one model. */
  stated(key: string): readonly ImpactEdge[] {
    const known = this.#stated.get(key);
    if (known !== undefined) return known;
    const node = this.node(key);
    const edges = node === undefined ? NO_EDGES : this.#edgesOf(node);
    this.#stated.set(key, edges);
    return edges;
  }

  #edgesAt(key: string): readonly ImpactEdge[] {
    const others = this.models.keysWith(key).flatMap((user) => {
      return user === key ? NO_EDGES : this.stated(user);
    });
    return [...this.stated(key), ...others];
  }

  #edgesOf(node: ImpactNode): readonly ImpactEdge[] {
    return relationsOf(node.model).flatMap(({ other, kind, isDownstream }) => {
      const end = this.node(other);
      if (end === undefined) return [];
      const [source, target] = isDownstream ? [node, end] : [end, node];
      return [{ source, target, kind }];
    });
  }
}

/** Graphs by sets and nodes by models, neither of which is ever changed. */
const graphs = new WeakMap<ModelSet, ImpactGraph>();
const nodes = new WeakMap<Model, ImpactNode>();
const relations = new WeakMap<Model, readonly Relation[]>();

/** How reports name a model. */
export function reportNode({ kind, name }: Pick<Model, 'kind' | 'name'>): ReportNode {
  return { kind: graphKeyOf({ kind, name })?.kind ?? kind, identifier: name };
}

function compareByCoverage(left: ImpactNode, right: ImpactNode): number {
  return compareNodes(left.coverage.node, right.coverage.node);
}

function nodeOf(key: string, model: Model): ImpactNode {
  const found = nodes.get(model);
  if (found !== undefined) return found;
  const isExecutable = graphKeyOf(model) !== undefined;
  const branches = isExecutable ? branchesOf(model) : null;
  const node = { key, model, isExecutable, coverage: { node: reportNode(model), branches } };
  nodes.set(model, node);
  return node;
}

function branchesOf(model: Model): Branches {
  if (model.kind === 'emitter' || model.kind === 'reingestor') return { kind: 'ALL' };
  if ('branching' in model && model.branching.kind === 'branched_by') {
    return { kind: 'ALL_OF_BRANCH', branch: model.branching.branch };
  }
  return { kind: 'UNBRANCHED' };
}

/** A relation of a model to another one, which may be absent. */
interface Relation {
  readonly other: string;
  readonly kind: EdgeKind;
  readonly isDownstream: boolean;
}

const EDGE_KINDS: Readonly<Record<FlowKind, EdgeKind>> = {
  records: 'DATAFLOW',
  errors: 'MESSAGE_ERROR',
  timeouts: 'CORRELATION_TIMEOUT',
  state: 'MATERIALIZED_STATE',
};

function relationsOf(model: Model): readonly Relation[] {
  const known = relations.get(model);
  if (known !== undefined) return known;
  const stated = [
    ...relayUses(model).map(({ relay, flow, isWrite }): Relation => {
      return { other: modelKey('relay', relay), kind: EDGE_KINDS[flow], isDownstream: isWrite };
    }),
    ...[...referencesOf(model), ...calledModels(model)].flatMap(({ kind, name }) => {
      if (kind === 'relay') return [];
      const other = modelKey(kind, name);
      return [{ other, kind: 'CONFIGURATION_DEPENDENCY', isDownstream: false } as const];
    }),
  ];
  const identityOf = ({ other, kind, isDownstream }: Relation) =>
    `${kind} ${isDownstream} ${other}`;
  const distinct = [...new Map(stated.map((each) => [identityOf(each), each])).values()];
  relations.set(model, distinct);
  return distinct;
}
