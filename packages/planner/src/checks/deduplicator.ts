import {
  columnTypeName,
  type DeduplicatorModel,
  type DeduplicatorPlan,
  isScalarType,
  type TypedExpression,
} from '@nervix/model';
import { checkValue } from '../expression/condition.js';
import { DEDUPLICATE_ON } from '../expression/scope-policy.js';
import { inputScope } from './inputs.js';
import type { ModelReporter, PlanningContext } from './planning-context.js';
import { planFlushedRoutes, planProcessor } from './processor.js';
import { positiveDuration, quantityDefect } from './quantities.js';

/** Checks and types a deduplicator. */
export function planDeduplicator(
  context: PlanningContext,
  model: DeduplicatorModel,
): DeduplicatorPlan | undefined {
  const report = context.reporter(model);
  const processor = planProcessor(report, model, 'deduplicator input');
  if (processor === undefined) return undefined;
  const maxTime = positiveDuration(model.maxTime);
  if (maxTime.kind !== 'ok') {
    report.invalid(`invalid deduplicator MAX TIME '${model.maxTime}': ${quantityDefect(maxTime)}`);
    return undefined;
  }
  const keys = planKeys(report, model, processor);
  if (keys === undefined) return undefined;
  const routes = planFlushedRoutes(report, processor, model.routes);
  if (routes === undefined) return undefined;
  return { kind: 'deduplicator', ...processor, keys, maxTimeNanos: maxTime.value, routes };
}

function planKeys(
  report: ModelReporter,
  model: DeduplicatorModel,
  processor: { readonly branch: string | null; readonly inputSchema: string },
): readonly TypedExpression[] | undefined {
  if (model.deduplicateOn.length === 0) {
    report.invalid('DEDUPLICATE ON requires at least one expression');
    return undefined;
  }
  const rules = { policy: DEDUPLICATE_ON, branch: processor.branch };
  const scope = inputScope(report, rules, processor.inputSchema);
  const keys: TypedExpression[] = [];
  for (const expression of model.deduplicateOn) {
    const outcome = checkValue(expression, scope);
    if (outcome.kind === 'refused') {
      report.faults('DEDUPLICATE ON compile failed', outcome.faults);
      return undefined;
    }
    const { type } = outcome.expression;
    if (!isScalarType(type)) {
      const reason = `a key of type ${columnTypeName(type)} is not supported by this release`;
      report.expression(`DEDUPLICATE ON compile failed: ${reason}`, expression);
      return undefined;
    }
    keys.push(outcome.expression);
  }
  return keys;
}
