import {
  columnTypeName,
  type Expression,
  type HttpSink,
  type HttpSinkPlan,
  methodDefect,
  normalizePath,
} from '@nervix/model';
import { checkValue, type TypedOutcome } from '../expression/condition.js';
import { refusedFor } from '../expression/expression-fault.js';
import type { FieldTable } from '../expression/field-table.js';
import { type ExpressionScope, readingScope } from '../expression/scope.js';
import { EMITTER_SOURCE } from '../expression/scope-policy.js';
import type { ModelReporter } from './planning-context.js';
import { positiveDuration } from './quantities.js';
import type { HttpEmitterModel } from './runnable-model.js';

/** Checks and types the sink clause of an HTTP emitter. */
export function planHttpSink(
  report: ModelReporter,
  { sink, encodeUsing }: HttpEmitterModel,
  input: FieldTable,
): HttpSinkPlan | undefined {
  const retry = planRetry(report, sink);
  const scope = readingScope(EMITTER_SOURCE, { input }, report.context.surroundings);
  const method = planText(report, 'METHOD', sink.method, scope);
  const path = planText(report, 'PATH', sink.path, scope);
  if (retry === undefined || method === undefined || path === undefined) return undefined;
  const defect = literalDefect(sink, encodeUsing !== null);
  if (defect !== undefined) {
    report.invalid(defect.reason, defect.subject);
    return undefined;
  }
  return {
    kind: 'http',
    client: sink.client,
    method,
    path,
    ...retry,
    codec: encodeUsing,
  };
}

function planRetry(
  report: ModelReporter,
  { mode }: HttpSink,
): Pick<HttpSinkPlan, 'backoffNanos' | 'backoffMaxNanos'> | undefined {
  const { backoff, max } = mode.retry;
  const refuse = (reason: string): undefined => {
    report.invalid(reason, mode.retry);
  };
  const first = positiveDuration(backoff);
  if (first.kind === 'unreadable') {
    return refuse(`invalid MODE RETRY POLICY BACKOFF '${backoff}': ${first.reason}`);
  }
  if (first.kind === 'zero') return refuse('MODE RETRY POLICY BACKOFF must be greater than zero');
  const longest = positiveDuration(max);
  if (longest.kind === 'unreadable') {
    return refuse(`invalid MODE RETRY POLICY MAX '${max}': ${longest.reason}`);
  }
  if (longest.kind === 'zero' || longest.value < first.value) {
    return refuse(`MODE RETRY POLICY MAX '${max}' must be at least BACKOFF '${backoff}'`);
  }
  return { backoffNanos: first.value, backoffMaxNanos: longest.value };
}

function planText(
  report: ModelReporter,
  clause: string,
  expression: Expression,
  scope: ExpressionScope,
): HttpSinkPlan['method'] | undefined {
  const outcome = checkText(expression, scope);
  if (outcome.kind === 'ok') return outcome.expression;
  report.faults(`HTTP ${clause} compile failed`, outcome.faults);
  return undefined;
}

/** Types a text that leaves the system: STRING, never null, not sensitive. */
export function checkText(expression: Expression, scope: ExpressionScope): TypedOutcome {
  const outcome = checkValue(expression, scope);
  if (outcome.kind === 'refused') return outcome;
  const { type, optional, sensitive } = outcome.expression;
  const refuse = (reason: string): TypedOutcome => refusedFor(reason, expression);
  if (type !== 'STRING') return refuse(`a STRING is required, found ${columnTypeName(type)}`);
  if (optional) return refuse('the value may be null');
  if (sensitive) {
    return refuse('the value is sensitive; use leak_sensitive(...) to remove sensitivity');
  }
  return outcome;
}

function literalDefect(
  { method, path }: HttpSink,
  hasBody: boolean,
): { readonly reason: string; readonly subject: object } | undefined {
  if (method.kind === 'string') {
    const reason = methodDefect(method.value, hasBody);
    if (reason !== undefined) return { reason, subject: method };
  }
  if (path.kind === 'string') {
    const outcome = normalizePath(path.value);
    if (outcome.kind === 'refused') return { reason: outcome.reason, subject: path };
  }
  return undefined;
}
