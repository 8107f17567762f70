import { canonicalText, type Model } from '@nervix/model';
import type { StateReset } from '../aspects/aspect.js';
import { aggregateCalls } from '../aspects/processor-aspects.js';
import { NO_OPERATIONS, type OperationSet } from '../operation-set.js';
import { formOf, inputRelays } from './activation-delta.js';
import type { ImpactNode } from './impact-graph.js';
import type { ModelStep } from './model-change.js';

/** State of a node that starts anew, with the operations that cause it. */
export interface PlannedReset {
  readonly node: ImpactNode;
  readonly state: StateReset;
  readonly operations: OperationSet;
}

const STATES: Partial<Record<Model['kind'], StateReset>> = {
  deduplicator: 'DEDUPLICATOR_KEYSPACE',
  reorderer: 'REORDERER_BUFFER',
  window_processor: 'WINDOW_ACCUMULATOR',
  correlator: 'CORRELATION_BUFFER',
  inferencer: 'INFERENCER_WARM_STATE',
  wasm_processor: 'WASM_GUEST_STATE',
};

/**
 * State that a step resets: what the aspects of changed models say, and that of every stateful node
 * whose state could not be read afterwards because the records or branches it is made of differ,
 * whatever entity is the cause.
 */
export function stateResets(step: ModelStep): readonly PlannedReset[] {
  const causes = new Map(step.changed.map(({ key, operations }) => [key, operations]));
  const resets = new Map<string, PlannedReset>();
  for (const { key, aspects, operations } of step.changed) {
    const node = step.after.node(key);
    const state = aspects.find(({ reset }) => reset !== undefined)?.reset;
    if (node !== undefined && state !== undefined) resets.set(key, { node, state, operations });
  }
  for (const key of dependents(step)) {
    const [old, node] = [step.before.node(key), step.after.node(key)];
    if (old === undefined || node === undefined) continue;
    const reset = lostState(step, old, node);
    if (reset === undefined) continue;
    const operations = causesOf(step, node, causes) | (resets.get(key)?.operations ?? 0n);
    if (operations !== NO_OPERATIONS) resets.set(key, { node, state: reset, operations });
  }
  return [...resets.values()];
}

/** Kinds that the records and branches of other models are made of. */
const SOURCE_KINDS: ReadonlySet<string> = new Set(['schema', 'branch', 'relay']);

/** Keys of what changed, and of the models whose state may be made of that. */
function dependents({ changed, after }: ModelStep): ReadonlySet<string> {
  const reached = new Set(changed.map(({ key }) => key));
  for (const key of reached) {
    if (!SOURCE_KINDS.has(key.slice(0, key.indexOf('/')))) continue;
    for (const user of after.models.keysWith(key)) reached.add(user);
  }
  return reached;
}

function lostState(step: ModelStep, old: ImpactNode, node: ImpactNode): StateReset | undefined {
  const [before, after] = [old.model, node.model];
  if (before.kind === 'relay' && after.kind === 'relay') {
    const isLost = before.materialized && (!after.materialized || isOther(step, before, after));
    return isLost ? 'MATERIALIZED_RELAY_STATE' : undefined;
  }
  const state = STATES[after.kind];
  return state !== undefined && isOther(step, before, after) ? state : undefined;
}

/** Whether state written by the one cannot be read by the other. */
function isOther({ before, after }: ModelStep, old: Model, latter: Model): boolean {
  if (isUntouched(before, after, old, latter)) return false;
  if (formOf(before, old) !== formOf(after, latter)) return true;
  return windowText(old) !== windowText(latter);
}

function windowText(model: Model): string {
  if (model.kind !== 'window_processor') return '';
  return canonicalText([model.width, model.step, aggregateCalls(model)]);
}

/** Whether everything that the state is made of is the very same on both sides. */
function isUntouched(
  before: ModelStep['before'],
  after: ModelStep['after'],
  old: Model,
  latter: Model,
): boolean {
  if (old !== latter) return false;
  // What is absent on one side is a source on the other one alone.
  return [...sourceKeys(before, old), ...sourceKeys(after, latter)].every(
    (key) => before.node(key)?.model === after.node(key)?.model,
  );
}

/** Keys of the relays, branches and schemas that the state of a node is made of. */
function sourceKeys(graph: ModelStep['after'], model: Model): readonly string[] {
  const relays = model.kind === 'relay' ? [model.name] : inputRelays(model);
  const keys = relays.flatMap((name) => {
    const relay = graph.node(`relay/${name}`)?.model;
    return relay?.kind === 'relay' ? [`relay/${name}`, `schema/${relay.schema}`] : [];
  });
  if (!('branching' in model) || model.branching.kind === 'unbranched') return keys;
  const branch = graph.node(`branch/${model.branching.branch}`)?.model;
  if (branch?.kind !== 'branch') return keys;
  return [...keys, `branch/${branch.name}`, `schema/${branch.schema}`];
}

function causesOf(
  { before, after }: ModelStep,
  { key, model }: ImpactNode,
  causes: ReadonlyMap<string, OperationSet>,
): OperationSet {
  const old = before.node(key)?.model ?? model;
  return [key, ...sourceKeys(before, old), ...sourceKeys(after, model)].reduce(
    (all, source) => all | (causes.get(source) ?? NO_OPERATIONS),
    NO_OPERATIONS,
  );
}
