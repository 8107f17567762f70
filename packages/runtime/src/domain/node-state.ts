import { type ExecutionPlan, equalData } from '@nervix/model';
import { Deduplicator } from '../node/deduplicator.js';
import { WindowProcessor } from '../node/window-processor.js';
import type { AnyProcessor } from './node-factory.js';
import { withoutSpans } from './used-definitions.js';

type AnyProcessorPlan = ExecutionPlan['processors'][number];

/** State of one node, with what gives it its meaning. */
export interface NodeState {
  readonly identity: unknown;
  readonly state: unknown;
}

/** What a node leaves to its successor; undefined of one without state. Close the node first. */
export function exportedState(
  plan: AnyProcessorPlan,
  processor: AnyProcessor,
): NodeState | undefined {
  if (!(processor instanceof Deduplicator || processor instanceof WindowProcessor)) {
    return undefined;
  }
  return { identity: stateIdentity(plan), state: processor.exportState() };
}

/** Takes a predecessor's state over, if it means the same in this plan. */
export function restoreState(
  plan: AnyProcessorPlan,
  processor: AnyProcessor,
  held: NodeState | undefined,
): void {
  if (held === undefined || !equalData(held.identity, stateIdentity(plan))) return;
  if (processor instanceof Deduplicator) {
    processor.restore(held.state as ReturnType<Deduplicator['exportState']>);
  } else if (processor instanceof WindowProcessor) {
    processor.restore(held.state as ReturnType<WindowProcessor['exportState']>);
  }
}

/** The parts of a plan that give a node's state its meaning, without places in any text. */
function stateIdentity(plan: AnyProcessorPlan): unknown {
  const { inputSchema, branch } = plan;
  const parts =
    plan.kind === 'deduplicator'
      ? { inputSchema, branch, keys: plan.keys }
      : plan.kind === 'window_processor'
        ? {
            inputSchema,
            branch,
            width: plan.width,
            step: plan.step,
            routes: plan.routes.map((route) => route.aggregates),
          }
        : { inputSchema, branch };
  return withoutSpans(parts);
}
