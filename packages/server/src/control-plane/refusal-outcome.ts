import type { SourceSpan } from '@nervix/model';
import type { ParsedStatement } from '@nervix/nspl-parser';
import type { PlanCode, PlanRefusal } from '@nervix/planner';
import type { ErrorCode, WireDiagnostic } from '@nervix/protocol';
import { failed, type Outcome } from './outcome.js';

const ERROR_CODE_OF: Readonly<Record<PlanCode, ErrorCode>> = {
  PLAN_DUPLICATE_MODEL: 'ALREADY_EXISTS',
  PLAN_MODEL_NOT_FOUND: 'NOT_FOUND',
  PLAN_MODEL_IN_USE: 'IN_USE',
  PLAN_MISSING_REFERENCE: 'NOT_FOUND',
  PLAN_SCHEMA_RELATION: 'INVALID_MODEL',
  PLAN_INVALID_MODEL: 'INVALID_MODEL',
  PLAN_INVALID_EXPRESSION: 'INVALID_MODEL',
  PLAN_UNSUPPORTED: 'UNSUPPORTED_CAPABILITY',
};

/**
 * The outcome of a change that cannot be planned, each refusal located in the submitted text.
 *
 * @param context words that go before the first refusal's message, or an empty text
 */
export function refusalOutcome(
  refusals: readonly PlanRefusal[],
  parsed: ParsedStatement,
  context = '',
): Outcome {
  const [first] = refusals;
  if (first === undefined) return failed('INTERNAL', 'the change was refused without a reason');
  return failed(
    ERROR_CODE_OF[first.code],
    context + first.message,
    refusals.map((refusal) => locate(refusal, parsed)),
  );
}

/** A name that the text does not hold has no span rather than a span of nothing. */
function locate(refusal: PlanRefusal, parsed: ParsedStatement): WireDiagnostic {
  const { message } = refusal;
  const span =
    (refusal.subject === undefined ? undefined : parsed.spans.spanOf(refusal.subject)) ??
    occurrence(parsed, refusal.missingName ?? refusal.model?.name);
  return span === undefined ? { message } : { message, span: { start: span.start, end: span.end } };
}

/** First place where the statement's text spells a name, in bytes of the whole script. */
function occurrence(parsed: ParsedStatement, name: string | undefined): SourceSpan | undefined {
  if (name === undefined) return undefined;
  const escaped = name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const match = new RegExp(`(?<![A-Za-z0-9_])${escaped}(?![A-Za-z0-9_])`, 'i').exec(parsed.text);
  if (match === null) return undefined;
  const start = parsed.span.start + Buffer.byteLength(parsed.text.slice(0, match.index));
  return { start, end: start + Buffer.byteLength(match[0]) };
}
