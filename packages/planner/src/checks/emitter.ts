import type { ConstructionPlan, EmitterPlan, Expression, Invocation } from '@nervix/model';
import { headerNameDefect, headerValueDefect } from '@nervix/model';
import type { FieldTable } from '../expression/field-table.js';
import { type ExpressionScope, readingScope } from '../expression/scope.js';
import {
  EMITTER_CONDITION,
  EMITTER_FINISHED,
  EMITTER_SET,
  EMITTER_SOURCE,
  ERROR_SET,
} from '../expression/scope-policy.js';
import { encodingDefect } from './codec/codec-direction.js';
import { planTransform, reportFailure, withCondition } from './construction.js';
import { checkDependencies } from './dependencies.js';
import { planFlush } from './flush.js';
import { checkText, planHttpSink } from './http-sink.js';
import { planInputs } from './inputs.js';
import { planMessageError } from './message-error.js';
import type { ModelReporter, PlanningContext } from './planning-context.js';
import type { HttpEmitterModel } from './runnable-model.js';

const ROUTE_WORDING = {
  invalid: 'emitter route is invalid',
  compile: 'FILTER-MAP compile failed',
};

/** Checks and types an emitter. */
export function planEmitter(
  context: PlanningContext,
  model: HttpEmitterModel,
): EmitterPlan | undefined {
  const report = context.reporter(model);
  const planned = planInputs(report, model.inputs, {
    relation: 'emitter input',
    policy: EMITTER_CONDITION,
    branch: null,
    reportSchemas: (relay, found, expected) => {
      const rule = `but all emitter inputs must declare schema '${expected}'`;
      report.invalid(`emitter input relay '${relay}' declares schema '${found}', ${rule}`);
    },
  });
  if (planned === undefined) return undefined;
  if (!checkDependencies(report, model)) return undefined;
  if (!checkEncoding(report, model)) return undefined;
  if (model.batch !== null) {
    report.invalid('HTTP emitters do not support BATCH', model.batch);
    return undefined;
  }
  const input = context.fieldsOf(planned.schema);
  const outputSchema = bodySchema(context, model);
  const output = outputSchema === null ? undefined : context.fieldsOf(outputSchema);
  const sink = planHttpSink(report, model, input);
  const construction = planConstruction(report, model, { input, output });
  const headers = planHeaders(report, model.construction.invoke, { input, output });
  const flush = planFlush(report, model.flush, 'emitter');
  const messageError = planMessageError(report, model.messageError, {
    policy: ERROR_SET,
    input,
    output,
    branches: model.inputs.relays.map((relay) => context.branchOfRelay(relay.relay)),
  });
  if (sink === undefined || construction === undefined || headers === undefined) return undefined;
  if (flush === undefined || messageError === undefined) return undefined;
  return {
    kind: 'emitter',
    name: model.name,
    attached: model.acknowledgement === 'ATTACHED',
    inputs: planned.inputs,
    collect: planned.collect,
    inputSchema: planned.schema,
    sink,
    construction,
    outputSchema,
    headers,
    flush,
    messageError,
    generalError: model.generalError,
  };
}

/** Refuses a codec that cannot write. */
function checkEncoding(report: ModelReporter, { encodeUsing }: HttpEmitterModel): boolean {
  const { context } = report;
  const codec = encodeUsing === null ? undefined : context.find('codec', encodeUsing);
  if (codec === undefined) return true;
  const defect = encodingDefect(codec, context.fieldsOf(codec.schema));
  if (defect !== undefined) report.invalid(defect);
  return defect === undefined;
}

/** Schema of the encoded record, or null without a body. */
function bodySchema(context: PlanningContext, { encodeUsing }: HttpEmitterModel): string | null {
  if (encodeUsing === null) return null;
  return context.find('codec', encodeUsing)?.schema ?? '';
}

interface EmitterRows {
  readonly input: FieldTable;
  /** undefined without a body. */
  readonly output: FieldTable | undefined;
}

function planConstruction(
  report: ModelReporter,
  { construction }: HttpEmitterModel,
  { input, output }: EmitterRows,
): ConstructionPlan | undefined {
  if (output !== undefined) {
    return planTransform(report, construction, {
      wording: ROUTE_WORDING,
      setPolicy: EMITTER_SET,
      wherePolicy: EMITTER_FINISHED,
      input,
      output,
      branch: undefined,
    });
  }
  if (construction.inherit !== null || construction.set.length > 0) {
    const reason = 'WITHOUT BODY does not accept INHERIT or SET';
    reportFailure(report, ROUTE_WORDING, {
      phase: 'invalid',
      faults: [{ reason, subject: construction }],
    });
    return undefined;
  }
  return withCondition(report, construction, {
    assignments: [],
    policy: EMITTER_SOURCE,
    rows: { input },
    wording: ROUTE_WORDING.compile,
  });
}

function planHeaders(
  report: ModelReporter,
  invocations: readonly Invocation[],
  { input, output }: EmitterRows,
): EmitterPlan['headers'] | undefined {
  const { surroundings } = report.context;
  const scope =
    output === undefined
      ? readingScope(EMITTER_SOURCE, { input }, surroundings)
      : readingScope(EMITTER_FINISHED, { input, output }, surroundings);
  const headers: EmitterPlan['headers'][number][] = [];
  for (const invocation of invocations) {
    const header = planHeader(report, invocation, scope);
    if (header === undefined) return undefined;
    headers.push(header);
  }
  return headers;
}

function planHeader(
  report: ModelReporter,
  invocation: Invocation,
  scope: ExpressionScope,
): EmitterPlan['headers'][number] | undefined {
  const refuse = (reason: string, subject: object): undefined => {
    reportFailure(report, ROUTE_WORDING, { phase: 'invalid', faults: [{ reason, subject }] });
  };
  const [name, value] = invocation.arguments;
  const written = invocation.function.toLowerCase();
  if (written !== 'write_header') {
    return refuse(`INVOKE does not know '${invocation.function}'`, invocation);
  }
  if (name === undefined || value === undefined || invocation.arguments.length !== 2) {
    const found = invocation.arguments.length;
    const reason = `function 'write_header' expects exactly 2 argument(s), found ${found}`;
    return refuse(reason, invocation);
  }
  const defect = literalDefect(name, headerNameDefect) ?? literalDefect(value, headerValueDefect);
  if (defect !== undefined) return refuse(defect, invocation);
  const typedName = checkText(name, scope);
  const typedValue = checkText(value, scope);
  for (const outcome of [typedName, typedValue]) {
    if (outcome.kind === 'ok') continue;
    report.faults(`${ROUTE_WORDING.compile}: write_header`, outcome.faults);
    return undefined;
  }
  if (typedName.kind !== 'ok' || typedValue.kind !== 'ok') return undefined;
  return { name: typedName.expression, value: typedValue.expression };
}

function literalDefect(
  expression: Expression,
  defectOf: (text: string) => string | undefined,
): string | undefined {
  return expression.kind === 'string' ? defectOf(expression.value) : undefined;
}
