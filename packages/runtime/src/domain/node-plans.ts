import type { EmitterPlan, ExecutionPlan, IngestorPlan } from '@nervix/model';

/** Any plan of a node. */
export type NodePlan = IngestorPlan | ExecutionPlan['processors'][number] | EmitterPlan;

/** The node of a plan, as gates, reports and deltas name it: `KIND name`. */
export function nodeKey({ kind, name }: NodePlan): string {
  return `${kind.toUpperCase()} ${name}`;
}

/** Every node of a plan, sources first. */
export function nodePlans(plan: ExecutionPlan): readonly NodePlan[] {
  return [...plan.ingestors, ...plan.processors, ...plan.emitters];
}
