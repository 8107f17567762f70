import type { SourceSpan } from '@nervix/model';
import { type ParsedStatement, parseStatement } from '@nervix/nspl-parser';
import { preflightText, type TransactionRefusal } from '@nervix/planner';
import type { ErrorCode, WireDiagnostic } from '@nervix/protocol';
import type { OperationRecord, TransactionRecord } from '../../replicated-state/records.js';
import { failed, type Outcome } from '../outcome.js';
import { codeOf, locate } from '../refusal-outcome.js';
import type { Submission } from '../submission.js';

/** Where the operations that a request appended stand in its text, by their one-based numbers. */
export type OperationSpans = ReadonlyMap<number, SourceSpan>;

/** Why an operation fails, located in the text of the operation it blames. */
export interface OperationFault {
  readonly code: ErrorCode;
  readonly message: string;
  readonly diagnostics: readonly WireDiagnostic[];
}

/** Diagnostics of a transaction at most; one that has more is mended in several rounds anyway. */
const DIAGNOSTICS_MAX = 64;

/** The operations that refusals may blame. */
export interface BlamedOperations extends Pick<TransactionRecord, 'accepted'> {
  /** In order, from the first one. */
  readonly operations: readonly OperationRecord[];
}

/** The fault behind the refusals of a plan, each located in the operation that it blames. */
export function refusalFault(
  refusals: readonly TransactionRefusal[],
  record: BlamedOperations,
): OperationFault {
  const [first] = refusals;
  if (first === undefined) {
    return { code: 'INTERNAL', message: 'it was refused without a reason', diagnostics: [] };
  }
  const diagnostics = operationDiagnostics(refusals, record);
  return { code: codeOf(first), message: first.message, diagnostics };
}

function operationDiagnostics(
  refusals: readonly TransactionRefusal[],
  record: BlamedOperations,
): readonly WireDiagnostic[] {
  const texts = new Map<number, ParsedStatement | undefined>();
  return refusals.slice(0, DIAGNOSTICS_MAX).map((refusal) => {
    const { operation: number } = refusal;
    if (!texts.has(number)) texts.set(number, readAgain(record.operations[number - 1]));
    return operationDiagnostic(refusal, number, texts.get(number));
  });
}

/** What an append is told: its own faults are located in its request, others by their operation. */
export function preflightFailure(
  refusals: readonly TransactionRefusal[],
  candidate: BlamedOperations,
  { parsed, operations }: Pick<Submission, 'parsed' | 'operations'>,
): Outcome {
  const [first] = refusals;
  if (first === undefined) return failed('INTERNAL', 'it was refused without a reason');
  const remarks = operationDiagnostics(refusals, candidate).map((diagnostic, index) => {
    const refusal = refusals[index];
    if (refusal?.operation !== candidate.accepted) return diagnostic;
    return refusal.model === undefined
      ? { message: refusal.message, span: { ...parsed.span } }
      : locate(refusal, parsed);
  });
  return placedInRequest(failed(codeOf(first), preflightText(first), remarks), operations);
}

function operationDiagnostic(
  refusal: TransactionRefusal,
  operation: number,
  parsed: ParsedStatement | undefined,
): WireDiagnostic {
  if (parsed === undefined) return { message: refusal.message, operation };
  const { span, ...remark } = locate(refusal, parsed);
  return { ...remark, operation, ...(span === undefined ? {} : { operation_span: span }) };
}

/**
 * The stored statement of an operation with the places of its parts in the operation's text. The
 * spans of the first reading are not kept: the text is read again, and equal parts correspond.
 */
function readAgain(operation: OperationRecord | undefined): ParsedStatement | undefined {
  if (operation === undefined) return undefined;
  const result = parseStatement(operation.text);
  if (result.kind === 'refused') return undefined;
  const { parsed } = result;
  const twins = new Map<object, object>();
  pair(operation.statement, parsed.statement, twins);
  return {
    ...parsed,
    statement: operation.statement,
    spans: {
      spanOf: (node) => {
        const twin = twins.get(node);
        return twin === undefined ? undefined : parsed.spans.spanOf(twin);
      },
    },
  };
}

/** Pairs the parts of two equal trees; statements are no deeper than the parser permits. */
function pair(stored: unknown, read: unknown, twins: Map<object, object>): void {
  if (typeof stored !== 'object' || typeof read !== 'object') return;
  if (stored === null || read === null) return;
  twins.set(stored, read);
  for (const [key, part] of Object.entries(stored)) {
    pair(part, (read as Readonly<Record<string, unknown>>)[key], twins);
  }
}

/** An outcome whose operations are also located in the request, where that appended them. */
export function placedInRequest(outcome: Outcome, spans: OperationSpans): Outcome {
  if (outcome.kind !== 'failed') return outcome;
  const diagnostics = outcome.diagnostics.map((diagnostic) => placed(diagnostic, spans));
  return { ...outcome, diagnostics };
}

function placed(diagnostic: WireDiagnostic, spans: OperationSpans): WireDiagnostic {
  const { operation, operation_span: within } = diagnostic;
  const whole = operation === undefined ? undefined : spans.get(operation);
  if (whole === undefined) return diagnostic;
  const { start } = whole;
  const span =
    within === undefined
      ? { start, end: whole.end }
      : { start: start + within.start, end: start + within.end };
  return { ...diagnostic, span };
}
