import type { JunctionModel, JunctionPlan } from '@nervix/model';
import type { PlanningContext } from './planning-context.js';
import { planFlushedRoutes, planProcessor } from './processor.js';

/** Checks and types a junction. */
export function planJunction(
  context: PlanningContext,
  model: JunctionModel,
): JunctionPlan | undefined {
  const report = context.reporter(model);
  const processor = planProcessor(report, model, 'junction input');
  if (processor === undefined) return undefined;
  const routes = planFlushedRoutes(report, processor, model.routes);
  return routes === undefined ? undefined : { kind: 'junction', ...processor, routes };
}
