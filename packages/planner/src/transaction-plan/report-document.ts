import type { Effects, OperationRange, ReportedOperation, TransactionReport } from './report.js';
import { contributionOf } from './report-builder.js';

/** Where a transaction stands; `PLANNED` for statements that are only planned. */
export interface TransactionStanding {
  readonly transaction_id: string;
  readonly domain: string;
  readonly state: string;
  readonly accepted_operations: number;
  readonly applied_operations: number;
  /** Only of a failed transaction, as the error is. */
  readonly failing_operation?: number;
  readonly error?: string;
}

/** An operation of a document, which also says what it contributes to its step. */
export interface DocumentedOperation extends ReportedOperation {
  readonly contribution: Effects;
}

/** The whole of a report, the shape in which it travels. */
export interface TransactionDocument {
  /** Null for statements that are only planned. */
  readonly transaction: TransactionStanding | null;
  /** The operation that was asked about, or null. */
  readonly operation: number | null;
  readonly report: Omit<TransactionReport, 'operations'> & {
    readonly operations: readonly DocumentedOperation[];
  };
}

/** The document of a report; printed with an indentation of two it is what `FORMAT JSON` prints. */
export function transactionDocument(
  report: TransactionReport,
  transaction: TransactionStanding | null,
  operation: number | null = null,
): TransactionDocument {
  const operations = report.operations.map((each) => ({
    ...each,
    contribution: contributionOf(effectsOf(report, each.execution_step), each.number),
  }));
  // The members in the order in which documents list them.
  const { domain, position, planning_basis, completeness, execution_steps, summary } = report;
  const head = { domain, position, planning_basis, completeness };
  return { transaction, operation, report: { ...head, operations, execution_steps, summary } };
}

/** Planned effects of the step with these operations. */
export function effectsOf(report: TransactionReport, { first }: OperationRange): Effects {
  const step = report.execution_steps.find(({ operations }) => operations.first === first);
  if (step === undefined) throw new RangeError(`no step begins with operation ${first}`);
  return step.planned.effects;
}
