import { type ExecutionPlan, equalData } from '@nervix/model';
import { Deduplicator } from '../node/deduplicator.js';
import { WindowProcessor } from '../node/window-processor.js';
import type { AnyNode } from './graph-nodes.js';
import type { NodePlan } from './node-plans.js';
import type { PlanIndex } from './plan-index.js';
import { withoutSpans } from './without-spans.js';

type AnyProcessorPlan = ExecutionPlan['processors'][number];

/** State of one node, with what gives it its meaning. */
export interface NodeState {
  readonly identity: unknown;
  readonly state: unknown;
}

/**
 * What a node leaves to its successor; undefined of one without state. Close the node first.
 *
 * @param index definitions of the plan that the node runs in
 */
export function exportedState(
  index: PlanIndex,
  plan: NodePlan,
  node: AnyNode,
): NodeState | undefined {
  const isStateful = node instanceof Deduplicator || node instanceof WindowProcessor;
  if (!isStateful || !isProcessorPlan(plan)) return undefined;
  return { identity: stateIdentity(index, plan), state: node.exportState() };
}

/**
 * Takes a predecessor's state over, if it means the same in this plan.
 *
 * @param index definitions of the plan that the node runs in
 */
export function restoreState(
  index: PlanIndex,
  plan: NodePlan,
  node: AnyNode,
  held: NodeState | undefined,
): void {
  if (held === undefined || !isProcessorPlan(plan)) return;
  if (!equalData(held.identity, stateIdentity(index, plan))) return;
  if (node instanceof Deduplicator) {
    node.restore(held.state as ReturnType<Deduplicator['exportState']>);
  } else if (node instanceof WindowProcessor) {
    node.restore(held.state as ReturnType<WindowProcessor['exportState']>);
  }
}

function isProcessorPlan(plan: NodePlan): plan is AnyProcessorPlan {
  return plan.kind !== 'ingestor' && plan.kind !== 'emitter';
}

/**
 * The parts of a plan that give a node's state its meaning, without places in any text. Schemas
 * count by their fields, which may be others by the next start under the same name.
 */
function stateIdentity(index: PlanIndex, plan: AnyProcessorPlan): unknown {
  const input = index.schema(plan.inputSchema).fields;
  const branch =
    plan.branch === null
      ? null
      : { name: plan.branch, key: index.schema(index.branch(plan.branch).schema).fields };
  const parts =
    plan.kind === 'deduplicator'
      ? { input, branch, keys: plan.keys }
      : plan.kind === 'window_processor'
        ? {
            input,
            branch,
            width: plan.width,
            step: plan.step,
            routes: plan.routes.map((route) => route.aggregates),
          }
        : { input, branch };
  return withoutSpans(parts);
}
