import { canonicalText, type Model } from '@nervix/model';
import { relayUses } from '@nervix/scheduler';
import type { QuiesceLevel } from '../../quiesce-level.js';
import { NO_OPERATIONS, type OperationSet } from '../operation-set.js';
import type { ImpactGraph } from './impact-graph.js';
import {
  type ChangedModel,
  changedAt,
  levelOf,
  type ModelStep,
  operationsOf,
} from './model-change.js';
import { type Selection, select } from './selection.js';

/** How the running graph becomes the one of the candidate. */
export type ActivationDelta =
  | { readonly kind: 'unchanged' }
  /** Hot-applied; the nodes that take an update. */
  | { readonly kind: 'dynamic'; readonly updated: Selection }
  /** Some nodes are replaced, others may be updated. */
  | { readonly kind: 'swap'; readonly swapped: Selection; readonly updated: Selection }
  /** Every node is built anew, because of these operations. */
  | { readonly kind: 'rebuild'; readonly operations: OperationSet };

const LEVELS: Readonly<Record<ActivationDelta['kind'], QuiesceLevel>> = {
  unchanged: 'DYNAMIC',
  dynamic: 'DYNAMIC',
  swap: 'ENTITY_PAUSE',
  rebuild: 'DOMAIN_PAUSE',
};

/** What an activation asks of a running domain. */
export function activationLevel({ kind }: ActivationDelta): QuiesceLevel {
  return LEVELS[kind];
}

/** Judges how a step of model changes is activated in a running domain. */
export function activationDelta(step: ModelStep): ActivationDelta {
  const causes = rebuildCauses(step);
  if (causes !== NO_OPERATIONS) return { kind: 'rebuild', operations: causes };
  const updated = executableSelection(step, changedAt(step, 'DYNAMIC'));
  const swapped = executableSelection(step, changedAt(step, 'ENTITY_PAUSE'));
  for (const { key } of step.moves) select(swapped, key, step.operations);
  if (swapped.size > 0) return { kind: 'swap', swapped, updated };
  if (updated.size > 0 || step.changed.length > 0) return { kind: 'dynamic', updated };
  return { kind: 'unchanged' };
}

function executableSelection(step: ModelStep, selection: Selection): Selection {
  return new Map([...selection].filter(([key]) => step.after.node(key)?.isExecutable === true));
}

function rebuildCauses(step: ModelStep): OperationSet {
  let causes = operationsOf(changedAt(step, 'DOMAIN_PAUSE'));
  for (const changed of step.changed) {
    if (isStructural(step, changed)) causes |= changed.operations;
  }
  return causes;
}

/** Kinds whose tasks read their form when they are replaced, so another form needs no rebuild. */
const EXEMPT: ReadonlySet<Model['kind']> = new Set([
  'ingestor',
  'reingestor',
  'generator',
  'emitter',
]);

function isStructural({ before, after }: ModelStep, changed: ChangedModel): boolean {
  const { key, aspects } = changed;
  if (aspects.some(({ aspect }) => aspect === 'ENTITY_REPLACED')) return true;
  const [old, latter] = [before.node(key), after.node(key)];
  const isExecutable = (old ?? latter)?.isExecutable === true;
  if (!isExecutable) return false;
  if (old === undefined || latter === undefined) return true;
  if (levelOf(changed) === 'ENTITY_PAUSE' && EXEMPT.has(latter.model.kind)) return false;
  return formOf(before, old.model) !== formOf(after, latter.model);
}

/** Resolved branching and the schemas that arrive at a node. */
export function formOf(graph: ImpactGraph, model: Model): string {
  const branching = 'branching' in model ? model.branching : null;
  return canonicalText([branching, branchFields(graph, model), inputFields(graph, model)]);
}

/** Fields of the schema of a model's branch, or null without one. */
function branchFields(graph: ImpactGraph, model: Model): unknown {
  if (!('branching' in model) || model.branching.kind === 'unbranched') return null;
  const branch = graph.node(`branch/${model.branching.branch}`)?.model;
  return branch?.kind === 'branch' ? fieldsOf(graph, branch.schema) : null;
}

/** The fields that arrive at a node, as a set: of a relay those it holds. */
function inputFields(graph: ImpactGraph, model: Model): readonly string[] {
  if (model.kind === 'relay') return [canonicalText(fieldsOf(graph, model.schema))];
  const schemas = inputRelays(model).flatMap((name) => {
    const relay = graph.node(`relay/${name}`)?.model;
    return relay?.kind === 'relay' ? [canonicalText(fieldsOf(graph, relay.schema))] : [];
  });
  return [...new Set(schemas)].sort();
}

function fieldsOf(graph: ImpactGraph, schema: string): unknown {
  const model = graph.node(`schema/${schema}`)?.model;
  return model?.kind === 'schema' ? model.fields : null;
}

/** The relays that a model works on; of a generator the one whose state it reads. */
export function inputRelays(model: Model): readonly string[] {
  return relayUses(model).flatMap(({ relay, flow, isWrite }) => {
    const isInput = !isWrite && (flow === 'records' || model.kind === 'generator');
    return isInput ? [relay] : [];
  });
}
