import type {
  ProcessorPlan,
  TypedAggregate,
  UnflushedRoute,
  WindowBound,
  WindowBoundPlan,
  WindowPlan,
  WindowProcessorModel,
  WindowRoutePlan,
} from '@nervix/model';
import { bytesArgument } from '../expression/aggregates.js';
import type { ExpressionFault } from '../expression/expression-fault.js';
import { type ConstructionFailure, RecordConstruction } from '../expression/record-construction.js';
import { readingScope } from '../expression/scope.js';
import { ERROR_SET, WINDOW_ROUTE_WHERE, WINDOW_SET } from '../expression/scope-policy.js';
import { withCondition } from './construction.js';
import { planMessageError } from './message-error.js';
import type { ModelReporter, PlanningContext } from './planning-context.js';
import { planProcessor } from './processor.js';
import { positiveByteSize, positiveCount, positiveDuration, quantityDefect } from './quantities.js';
import { type SketchSurroundings, sketchDefect } from './window-sketches.js';

/** Checks and types a window processor. */
export function planWindowProcessor(
  context: PlanningContext,
  model: WindowProcessorModel,
): WindowPlan | undefined {
  const report = context.reporter(model);
  const processor = planProcessor(report, model, 'window processor input');
  if (processor === undefined) return undefined;
  const width = planBound(report, model.width, 'WIDTH');
  const step = planBound(report, model.step, 'STEP');
  if (width === undefined || step === undefined) return undefined;
  const stateSize = model.maxStateSize === null ? null : positiveByteSize(`${model.maxStateSize}B`);
  if (stateSize !== null && stateSize.kind !== 'ok') {
    const reason = quantityDefect(stateSize);
    report.invalid(`invalid window MAX STATE SIZE '${model.maxStateSize}': ${reason}`);
    return undefined;
  }
  const maxStateBytes = stateSize?.value ?? null;
  const branch = processor.branch === null ? undefined : context.find('branch', processor.branch);
  const isBounded = processor.branch === null || (branch?.maxInstances ?? null) !== null;
  const sketches = { window: { width, step, maxStateBytes }, isBounded };
  const parts = { processor, sketches };
  const routes = model.routes.map((route) => planRoute(report, parts, route));
  if (!routes.every((route) => route !== undefined)) return undefined;
  return { kind: 'window_processor', ...processor, width, step, maxStateBytes, routes };
}

function planBound(
  report: ModelReporter,
  bound: WindowBound,
  clause: 'WIDTH' | 'STEP',
): WindowBoundPlan | undefined {
  if (bound.messages === null && bound.duration === null) {
    report.invalid(`window ${clause} requires MESSAGES or DURATION`, bound);
    return undefined;
  }
  const messages = bound.messages === null ? null : positiveCount(bound.messages);
  if (messages !== null && messages.kind !== 'ok') {
    const text = `'${bound.messages}': ${quantityDefect(messages)}`;
    report.invalid(`invalid window ${clause} messages ${text}`, bound);
    return undefined;
  }
  const duration = bound.duration === null ? null : positiveDuration(bound.duration);
  if (duration !== null && duration.kind !== 'ok') {
    const text = `'${bound.duration}': ${quantityDefect(duration)}`;
    report.invalid(`invalid window ${clause} duration ${text}`, bound);
    return undefined;
  }
  return { messages: messages?.value ?? null, durationNanos: duration?.value ?? null };
}

/** What the routes of a window processor have in common. */
interface WindowParts {
  readonly processor: ProcessorPlan;
  readonly sketches: SketchSurroundings;
}

function planRoute(
  report: ModelReporter,
  parts: WindowParts,
  route: UnflushedRoute,
): WindowRoutePlan | undefined {
  const { processor } = parts;
  const { context } = report;
  const { construction, relay } = route;
  const output = context.fieldsOf(context.find('relay', relay)?.schema ?? '');
  const branch = context.branchFields(processor.branch);
  const rows = { output, ...(branch === undefined ? {} : { branch }) };
  const built = planAggregation(report, parts, route);
  if (built === undefined) return undefined;
  const planned = withCondition(report, construction, {
    assignments: built.assignments,
    policy: WINDOW_ROUTE_WHERE,
    rows,
    wording: `window output '${relay}' WHERE compile failed`,
  });
  const messageError = planMessageError(report, route.messageError, {
    policy: ERROR_SET,
    input: context.fieldsOf(processor.inputSchema),
    output,
    branches: [processor.branch],
  });
  if (planned === undefined || messageError === undefined) return undefined;
  return { relay, aggregates: built.aggregates, construction: planned, messageError };
}

interface Aggregation {
  readonly assignments: WindowRoutePlan['construction']['assignments'];
  readonly aggregates: readonly TypedAggregate[];
}

function planAggregation(
  report: ModelReporter,
  { processor, sketches }: WindowParts,
  route: UnflushedRoute,
): Aggregation | undefined {
  const { context } = report;
  const { construction, relay } = route;
  const unsupported = [
    ...(construction.inherit === null ? [] : ['INHERIT']),
    ...(construction.invoke.length === 0 ? [] : ['INVOKE']),
  ];
  if (unsupported.length > 0) {
    const reason = `window routes do not support ${unsupported[0]}`;
    report.invalid(`window output '${relay}' is invalid: ${reason}`, route);
    return undefined;
  }
  const fields = context.fieldsOf(context.find('relay', relay)?.schema ?? '');
  const branch = context.branchFields(processor.branch);
  const aggregates: TypedAggregate[] = [];
  const rows = {
    input: context.fieldsOf(processor.inputSchema),
    output: fields,
    ...(branch === undefined ? {} : { branch }),
  };
  const record = new RecordConstruction(
    { row: 'output', fields, operation: 'set', targetScopes: ['output'] },
    { ...readingScope(WINDOW_SET, rows, context.surroundings), aggregates },
  );
  const failure = unknownTarget(report, route) ?? record.set(construction.set);
  if (failure !== undefined) {
    for (const fault of failure.faults) {
      report.expression(windowReason(route, processor, fault), fault.subject, fault.hint);
    }
    return undefined;
  }
  const { assignments } = record;
  if (!checkAggregation(report, route, { assignments, aggregates })) return undefined;
  const defect = sketchDefect(aggregates, sketches);
  if (defect === undefined) return { assignments, aggregates };
  report.whole(`${placeOf(report, route)} ${defect}`, route);
  return undefined;
}

function unknownTarget(
  report: ModelReporter,
  route: UnflushedRoute,
): ConstructionFailure | undefined {
  const { context } = report;
  const schema = context.find('relay', route.relay)?.schema ?? '';
  for (const { target } of route.construction.set) {
    if (context.fieldsOf(schema).has(target.field)) continue;
    if (target.scope !== null && target.scope !== 'output') continue;
    const name = `${route.relay}.${target.field}`;
    const place = `is not declared in output schema '${schema}'`;
    const reason = `window aggregate target field '${name}' ${place}`;
    return { phase: 'compile', faults: [{ reason, subject: target }] };
  }
  return undefined;
}

/** Reasons about aggregates stand alone; the others follow the name of the output. */
function windowReason(
  route: UnflushedRoute,
  processor: ProcessorPlan,
  { reason }: ExpressionFault,
): string {
  if (reason.startsWith('window aggregate target')) return reason;
  const unknown = /^unknown input field '(.*)'$/.exec(reason)?.[1];
  if (unknown !== undefined) {
    const relay = processor.inputs[0]?.relay ?? '';
    return `window aggregate references unknown input field '${relay}.${unknown}'`;
  }
  return `window output '${route.relay}' is invalid: ${reason}`;
}

function placeOf({ context, model }: ModelReporter, { relay }: UnflushedRoute): string {
  return `window processor '${model.name}' in domain '${context.domain}' route '${relay}'`;
}

function checkAggregation(
  report: ModelReporter,
  route: UnflushedRoute,
  { assignments, aggregates }: Aggregation,
): boolean {
  const { context } = report;
  const { relay } = route;
  if (aggregates.length === 0) {
    report.invalid(`window output '${relay}' must contain at least one aggregate function`, route);
    return false;
  }
  for (const [index, aggregate] of aggregates.entries()) {
    const argument = bytesArgument(aggregate);
    if (argument === -1) continue;
    const demand = `aggregate demand ${index} argument ${argument}`;
    report.whole(`${placeOf(report, route)} cannot retain BYTES in ${demand}`, route);
    return false;
  }
  const assigned = new Set(assignments.map((assignment) => assignment.field));
  const fields = context.fieldsOf(context.find('relay', relay)?.schema ?? '');
  for (const field of fields.values()) {
    if (field.optional || assigned.has(field.name)) continue;
    const name = `${relay}.${field.name}`;
    report.invalid(`window aggregate must assign required output field '${name}'`, route);
    return false;
  }
  return true;
}
