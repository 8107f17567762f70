import type {
  DeduplicatorModel,
  FlushedRoute,
  JunctionModel,
  ProcessorPlan,
  RoutePlan,
  WindowProcessorModel,
} from '@nervix/model';
import { checkCondition } from '../expression/condition.js';
import {
  ERROR_SET,
  PROCESSOR_CONDITION,
  PROCESSOR_ROUTE_WHERE,
  PROCESSOR_SET,
} from '../expression/scope-policy.js';
import { checkInputBranch, checkOutputBranch } from './branching.js';
import { planTransform, refuseInvoke } from './construction.js';
import { checkDependencies } from './dependencies.js';
import { planFlush } from './flush.js';
import { inputScope, planInputs } from './inputs.js';
import { planMessageError } from './message-error.js';
import type { ModelReporter } from './planning-context.js';

type ProcessorModel = JunctionModel | DeduplicatorModel | WindowProcessorModel;

/**
 * Checks what all processors have in common: inputs of one schema, one branch throughout, a BOOL
 * filter, at least one route.
 *
 * @param relation the input flow in words, such as `junction input`
 */
export function planProcessor(
  report: ModelReporter,
  model: ProcessorModel,
  relation: string,
): ProcessorPlan | undefined {
  const branch = model.branching.kind === 'branched_by' ? model.branching.branch : null;
  const rules = { relation, policy: PROCESSOR_CONDITION, branch };
  const planned = planInputs(report, model.inputs, {
    ...rules,
    reportSchemas: (_, found, expected) =>
      report.schemaRelation(
        `${relation} requires equal internal schemas, but '${expected}' and '${found}' differ`,
        model.inputs,
      ),
  });
  if (planned === undefined) return undefined;
  const { inputs, collect, schema } = planned;
  if (!checkBranches(report, model, branch)) return undefined;
  if (!checkDependencies(report, model)) return undefined;
  const filter =
    model.filter === null ? null : checkCondition(model.filter, inputScope(report, rules, schema));
  if (filter?.kind === 'refused') {
    report.faults('FILTER WHERE compile failed', filter.faults);
    return undefined;
  }
  return {
    name: model.name,
    attached: model.acknowledgement === 'ATTACHED',
    inputs,
    collect,
    filter: filter?.expression ?? null,
    inputSchema: schema,
    branch,
  };
}

function checkBranches(
  report: ModelReporter,
  model: ProcessorModel,
  branch: string | null,
): boolean {
  if (model.routes.length === 0) {
    report.invalid('processor must declare at least one TO destination');
    return false;
  }
  return (
    model.inputs.relays.every((input) => checkInputBranch(report, branch, input.relay, input)) &&
    model.routes.every((route) => checkOutputBranch(report, branch, route.relay, route))
  );
}

const ROUTE_WORDING = {
  invalid: 'output route is invalid',
  compile: 'FILTER-MAP compile failed',
};

/** Types the routes of a processor that transforms rows; undefined when one of them is refused. */
export function planFlushedRoutes(
  report: ModelReporter,
  processor: ProcessorPlan,
  routes: readonly FlushedRoute[],
): readonly RoutePlan[] | undefined {
  const plans = routes.map((route) => planFlushedRoute(report, processor, route));
  return plans.every((plan) => plan !== undefined) ? plans : undefined;
}

function planFlushedRoute(
  report: ModelReporter,
  processor: ProcessorPlan,
  route: FlushedRoute,
): RoutePlan | undefined {
  const { context } = report;
  if (refuseInvoke(report, route.construction, ROUTE_WORDING)) return undefined;
  const input = context.fieldsOf(processor.inputSchema);
  const output = context.fieldsOf(context.find('relay', route.relay)?.schema ?? '');
  const construction = planTransform(report, route.construction, {
    wording: ROUTE_WORDING,
    setPolicy: PROCESSOR_SET,
    wherePolicy: PROCESSOR_ROUTE_WHERE,
    input,
    output,
    branch: context.branchFields(processor.branch),
  });
  const flush = planFlush(report, route.flush, `TO output '${route.relay}'`);
  const messageError = planMessageError(report, route.messageError, {
    policy: ERROR_SET,
    input,
    output,
    branches: [processor.branch],
  });
  if (construction === undefined || flush === undefined || messageError === undefined) {
    return undefined;
  }
  return { relay: route.relay, construction, flush, messageError };
}
