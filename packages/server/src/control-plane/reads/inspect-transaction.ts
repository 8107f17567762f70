import type { DescribeTransactionStatement } from '@nervix/model';
import {
  type TransactionRefusal,
  type TransactionReport,
  type TransactionStanding,
  transactionDocument,
  transactionText,
} from '@nervix/planner';
import type { Inspection } from '@nervix/protocol';
import type { TransactionRecord } from '../../replicated-state/records.js';
import { isSameUser, type UserIdentity } from '../../replicated-state/user-identity.js';
import type { ControlContext } from '../control-context.js';
import { failed, type Outcome } from '../outcome.js';
import { capture } from '../planning/capture.js';
import { planStatements } from '../planning/plan-statements.js';
import { readReport } from '../transactions/content-archive.js';
import { type BlamedOperations, refusalFault } from '../transactions/operation-faults.js';
import { withActuals } from '../transactions/recorded-report.js';
import { asOf } from '../transactions/transaction-states.js';
import type { InspectedOutcome } from './inspected-outcome.js';

const UNPLANNABLE = 'cannot be planned from a coherent basis right now';

/** Who asks, and from which transaction. */
export interface Inspector {
  readonly principal: UserIdentity;
  /** The transaction that the request works on, or null. */
  readonly transaction: string | null;
}

/**
 * `DESCRIBE TRANSACTION`: the whole report of one transaction, planned now while it is open and as
 * it was frozen afterwards. Changes nothing, not even when the transaction was last used.
 */
export async function inspectTransaction(
  context: ControlContext,
  statement: DescribeTransactionStatement,
  { principal, transaction }: Inspector,
): Promise<InspectedOutcome> {
  const id = statement.transaction?.toLowerCase() ?? transaction;
  const operation = statement.operation === null ? null : BigInt(statement.operation);
  const read = await readInspection(context, { principal, transaction: id, operation });
  if (read.kind === 'refused') return { outcome: read.refusal };
  const { inspection, report, standing } = read;
  const number = operation === null ? null : Number(operation);
  const message =
    statement.format === 'JSON'
      ? JSON.stringify(inspection, null, 2)
      : transactionText(report, standing, number);
  return { outcome: { kind: 'completed', message, alreadyExisted: false }, inspection };
}

/** Whose report is asked for, and of which operation. */
export interface InspectRequest {
  readonly principal: UserIdentity;
  /** The transaction, or null where the session has none. */
  readonly transaction: string | null;
  /** One-based, or null for all. */
  readonly operation: bigint | null;
}

export type InspectReply =
  | ({ readonly kind: 'inspected'; readonly inspection: Inspection } & Read)
  | { readonly kind: 'refused'; readonly refusal: Outcome };

/** Reads the report of a transaction as a document. */
export async function readInspection(
  context: ControlContext,
  { principal, transaction: id, operation }: InspectRequest,
): Promise<InspectReply> {
  if (id === null) {
    const message = 'no transaction is attached to this session';
    return refused(failed('NO_ATTACHED_TRANSACTION', message));
  }
  const record = context.state.transaction(id);
  if (record === undefined) {
    return refused(failed('TRANSACTION_NOT_FOUND', `transaction '${id}' is unknown`));
  }
  if (!isSameUser(record.owner, principal)) {
    return refused(failed('NOT_OWNER', `transaction '${id}' belongs to another user`));
  }
  const beyond = beyondAccepted(record, operation);
  const read = await readOf(context, record);
  if ('kind' in read) {
    const hasRemark = beyond !== undefined && record.state === 'OPEN';
    return refused(hasRemark ? withRemark(read, beyond) : read);
  }
  if (beyond !== undefined) return refused(failed('OPERATION_NOT_FOUND', beyond));
  const number = operation === null ? null : Number(operation);
  const document = transactionDocument(read.report, read.standing, number);
  const inspection: Inspection = {
    ...document,
    transaction: { ...read.standing },
    report: { ...document.report },
  };
  return { kind: 'inspected', inspection, ...read };
}

function beyondAccepted(
  { id, accepted }: TransactionRecord,
  operation: bigint | null,
): string | undefined {
  if (operation === null || operation <= BigInt(accepted)) return undefined;
  const count = `accepted ${accepted} operation(s)`;
  return `transaction '${id}' ${count}, so operation ${operation} does not exist`;
}

/** No report is the graver reason; whoever mends that asks for an operation that does not exist. */
function withRemark(outcome: Outcome, message: string): Outcome {
  if (outcome.kind !== 'failed') return outcome;
  const remarks = [...outcome.diagnostics, { message }];
  return { ...outcome, message: `${outcome.message}; ${message}`, diagnostics: remarks };
}

function refused(refusal: Outcome): InspectReply {
  return { kind: 'refused', refusal };
}

interface Read {
  readonly report: TransactionReport;
  readonly standing: TransactionStanding;
}

async function readOf(context: ControlContext, record: TransactionRecord): Promise<Read | Outcome> {
  if (record.state === 'OPEN') return readOpen(context, record);
  const standing = standingOf(record);
  const { id, preview } = record;
  if (preview === null && record.progress === null) {
    const why = 'ended before any operation was planned, so it retains no report';
    return unavailable(id, why);
  }
  const report = preview === null ? undefined : readReport(context.state, id, preview.report);
  if (report === undefined) {
    return unavailable(id, 'retains no readable revision of the report its commit admitted');
  }
  return { report: withActuals(report, record), standing };
}

async function readOpen(
  context: ControlContext,
  record: TransactionRecord,
): Promise<Read | Outcome> {
  const { id } = record;
  const domain = context.state.domain(record.domain);
  const operations = context.state.operations(id);
  const statements = operations.map(({ statement }) => statement);
  const options = { transactionId: id, allowsIncompleteRun: true };
  const plan =
    domain === undefined
      ? undefined
      : await planStatements(context, capture(context, domain), statements, options);
  if (plan === undefined) return unavailable(id, UNPLANNABLE);
  if (plan.kind === 'refused') return conflicting(plan.refusals, { ...record, operations });
  return { report: plan.report, standing: standingOf(asOf(record, context.nowMs())) };
}

/** What stands in the way at present, each part at the operation that meets it. */
function conflicting(
  refusals: readonly TransactionRefusal[],
  record: TransactionRecord & BlamedOperations,
): Outcome {
  const { message, diagnostics } = refusalFault(refusals, record);
  const place = `operation ${refusals[0]?.operation ?? 1}`;
  const why = `transaction '${record.id}' ${UNPLANNABLE}: ${place}: ${message}`;
  return failed('REPORT_UNAVAILABLE', why, diagnostics);
}

function unavailable(id: string, why: string): Outcome {
  return failed('REPORT_UNAVAILABLE', `transaction '${id}' ${why}`);
}

function standingOf({ id, domain, state, accepted, applied, error }: TransactionRecord) {
  const standing: TransactionStanding = {
    transaction_id: id,
    domain,
    state,
    accepted_operations: accepted,
    applied_operations: applied,
    ...(error === null ? {} : { failing_operation: error.operation, error: error.message }),
  };
  return standing;
}
