import type { SourceSpan } from '@nervix/model';
import { faultPlace, namePlaces, type ParsedStatement } from '@nervix/nspl-parser';
import type { PlanRefusal, TransactionPlanCode } from '@nervix/planner';
import type { ErrorCode, WireDiagnostic } from '@nervix/protocol';
import { failed, type Outcome } from './outcome.js';

/** A refusal of the planner, of models or of a list of statements. */
export type Refusal = Omit<PlanRefusal, 'code'> & { readonly code: TransactionPlanCode };

const ERROR_CODE_OF: Readonly<Record<TransactionPlanCode, ErrorCode>> = {
  PLAN_DUPLICATE_MODEL: 'ALREADY_EXISTS',
  PLAN_MODEL_NOT_FOUND: 'NOT_FOUND',
  PLAN_MODEL_IN_USE: 'IN_USE',
  PLAN_MISSING_REFERENCE: 'NOT_FOUND',
  PLAN_SCHEMA_RELATION: 'INVALID_MODEL',
  PLAN_INVALID_MODEL: 'INVALID_MODEL',
  PLAN_INVALID_EXPRESSION: 'INVALID_MODEL',
  PLAN_UNPLACEABLE: 'ACTIVATION_FAILED',
  PLAN_UNSUPPORTED: 'UNSUPPORTED_CAPABILITY',
  PLAN_NOT_QUEUEABLE: 'NOT_QUEUEABLE',
  PLAN_DOMAIN_STATUS: 'TRANSACTION_STATE',
  PLAN_DUPLICATE_RESOURCE: 'ALREADY_EXISTS',
  PLAN_RESOURCE_VERSION: 'NOT_FOUND',
  PLAN_SECRET_UNAVAILABLE: 'SECRET_UNAVAILABLE',
  PLAN_RESET_SCOPE: 'INVALID_REQUEST',
};

/** The error code that answers a refusal of the planner. */
export function codeOf(refusal: Refusal): ErrorCode {
  return ERROR_CODE_OF[refusal.code];
}

/**
 * The outcome of a change that cannot be planned, each refusal located in the submitted text.
 *
 * @param context words that go before the first refusal's message, or an empty text
 */
export function refusalOutcome(
  refusals: readonly Refusal[],
  parsed: ParsedStatement,
  context = '',
): Outcome {
  const [first] = refusals;
  if (first === undefined) return failed('INTERNAL', 'the change was refused without a reason');
  return failed(
    codeOf(first),
    context + first.message,
    refusals.map((refusal) => locate(refusal, parsed)),
  );
}

/**
 * A remark with its place: the node at fault, or the name when the whole model is. A name that the
 * text does not hold has no span rather than a span of nothing.
 */
export function locate(refusal: Refusal, parsed: ParsedStatement): WireDiagnostic {
  const { code, model, missingName, subject, hint } = refusal;
  const message =
    code === 'PLAN_DUPLICATE_MODEL' && model !== undefined
      ? `'${model.name}' already exists`
      : refusal.message;
  const span = faultPlace(parsed, { subject, missingName, name: model?.name });
  return {
    message,
    ...(hint === undefined ? {} : { hint }),
    ...(span === undefined ? {} : { span: { start: span.start, end: span.end } }),
  };
}

/**
 * Last place before any parenthesis where a read spells the name it asks for: a kind of the same
 * name stands before it, bindings stand behind it.
 */
export function lastOccurrence(parsed: ParsedStatement, name: string): SourceSpan | undefined {
  const [text = ''] = parsed.text.split('(', 1);
  return namePlaces({ text, span: parsed.span }, name).at(-1);
}
