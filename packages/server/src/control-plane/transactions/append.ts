import { equalData, redactStatement, type Statement } from '@nervix/model';
import { type ParsedStatement, printStatement } from '@nervix/nspl-parser';
import {
  notQueueable as notTransactionContent,
  pauseLevel,
  type QueueableStatement,
  type TransactionPlan,
} from '@nervix/planner';
import type {
  DomainRecord,
  OperationRecord,
  TransactionRecord,
} from '../../replicated-state/records.js';
import type { ControlContext } from '../control-context.js';
import { CLIENT_LOCAL, NEVER_SENT, SESSION_SCOPED } from '../not-executed.js';
import { completed, failed, type Outcome } from '../outcome.js';
import { capture } from '../planning/capture.js';
import { planStatements } from '../planning/plan-statements.js';
import { unsupportedChange } from '../planning/supported-statement.js';
import { latestVersions, rebindText } from '../planning/version-texts.js';
import { referenceRecord, type Submission } from '../submission.js';
import { preflightFailure } from './operation-faults.js';
import { oversizedStep } from './step-size.js';
import { archivePreview } from './stored-preview.js';
import { isOverdue, notOpen, touched } from './transaction-states.js';
import { transactionFence, writeTransaction } from './transaction-write.js';

/** Refusal of a statement that is no transaction content. */
export function notQueueable(statement: Statement): Outcome {
  if (SESSION_SCOPED.has(statement.kind)) {
    return failed(
      'NOT_QUEUEABLE',
      'session-scoped and client-local statements cannot be queued in a transaction',
    );
  }
  if (NEVER_SENT.has(statement.kind)) return failed('REQUEST_SHAPE', CLIENT_LOCAL);
  if (statement.kind === 'with_suffixes') {
    return failed('NOT_QUEUEABLE', 'WAIT and ACCEPT STATE LOSS are not transaction content');
  }
  return failed('NOT_QUEUEABLE', notTransactionContent(statement));
}

/** A statement, and the transaction it joins. */
export interface Append {
  readonly record: TransactionRecord;
  readonly domain: DomainRecord;
  readonly statement: QueueableStatement;
}

/**
 * Adds one statement to an open transaction, after planning all it holds. The statement, what it
 * was accepted as and the report of the whole go into one write.
 */
export async function appendOperation(
  context: ControlContext,
  submission: Submission,
  { record, domain, statement }: Append,
): Promise<Outcome> {
  const { parsed, reference } = submission;
  const bytes = record.sourceBytes + Buffer.byteLength(parsed.text);
  const refusal = admissionRefusal(context, submission, record, bytes);
  if (refusal !== undefined) return refusal;
  const unsupported = unsupportedChange(statement);
  if (unsupported !== undefined) return failed('UNSUPPORTED_CAPABILITY', unsupported);
  const fence = transactionFence(context, record.id);
  const accepted = record.accepted + 1;
  const candidate: OperationRecord = {
    kind: 'operation',
    transaction: record.id,
    number: accepted,
    text: displayedText(parsed),
    statement,
    reference,
    message: '',
    alreadyExisted: false,
  };
  const operations = [...context.state.operations(record.id), candidate];
  const statements = operations.map((each) => each.statement);
  const plan = await planStatements(context, capture(context, domain), statements, {
    transactionId: record.id,
    allowsIncompleteRun: true,
  });
  if (plan.kind === 'refused') {
    return preflightFailure(plan.refusals, { accepted, operations }, submission);
  }
  const oversized = oversizedStep(plan, record.id);
  if (oversized !== undefined) return oversized;
  const outcome = admissionOutcome(record.id, plan, statement);
  const { preview, records: contents } = archivePreview(record.id, plan.report);
  // The instant that the write carries decides: planning may have taken past the deadline.
  const nowMs = context.nowMs();
  if (isOverdue(record, nowMs)) return notOpen(record, 'EXPIRED');
  const next: TransactionRecord = {
    ...touched(record, nowMs, context.limits.transactionIdleTimeoutMs),
    sourceBytes: bytes,
    accepted,
    preview,
  };
  const { message, alreadyExisted } = outcome;
  const result = await writeTransaction(context, fence, next, {
    contents,
    operation: { ...candidate, message, alreadyExisted },
    reference: referenceRecord(submission, outcome, nowMs),
  });
  if (result.kind === 'raced') {
    return failed('POSITION_CHANGED', `transaction '${record.id}' changed during the append`);
  }
  return outcome;
}

/** What an accepted append answers: the level of the step that it is part of, so far. */
function admissionOutcome(
  transaction: string,
  { report, alreadyExisted }: TransactionPlan,
  statement: QueueableStatement,
): Extract<Outcome, { kind: 'completed' }> {
  const { position: operation, planning_basis } = report;
  const step = report.execution_steps.at(-1);
  const level = step === undefined ? 'DYNAMIC' : pauseLevel(step.planned.pause);
  const existed = alreadyExisted[operation - 1] ?? false;
  const preview = { transaction_id: transaction, position: operation, planning_basis };
  if (statement.kind === 'rebind_resource') {
    const facts = { level, isProvisional: true, relocations: null };
    return {
      ...completed(rebindText(report, operation, facts)),
      admission: { operation, preview },
    };
  }
  const text = [
    ...(existed ? [existingText(statement)] : []),
    `quiesce level: ${level}`,
    ...latestVersions(report, operation).map((resolved) => `provisionally ${resolved}`),
  ].join('; ');
  return { ...completed(text, existed), admission: { operation, preview } };
}

/** The text of a statement as everyone may see it: as written, unless that holds a secret. */
function displayedText({ statement, text }: ParsedStatement): string {
  return equalData(redactStatement(statement), statement) ? text : printStatement(statement);
}

function existingText(statement: QueueableStatement): string {
  return statement.kind === 'create_model'
    ? `model '${statement.model.name}' already exists`
    : `resource '${'name' in statement ? statement.name : ''}' already exists`;
}

function admissionRefusal(
  context: ControlContext,
  submission: Submission,
  record: TransactionRecord,
  bytes: number,
): Outcome | undefined {
  const { limits } = context;
  if (record.state !== 'OPEN') return notOpen(record, record.state);
  if (isOverdue(record, context.nowMs())) return notOpen(record, 'EXPIRED');
  const expected = submission.expectedPosition;
  if (expected !== null && expected !== record.accepted) {
    return failed(
      'POSITION_CHANGED',
      `transaction '${record.id}' queue position changed: ` +
        `expected ${expected}, found ${record.accepted}`,
    );
  }
  if (record.accepted >= limits.transactionMaxStatements) {
    return failed(
      'LIMIT_REACHED',
      `transaction '${record.id}' queued statement limit ${limits.transactionMaxStatements} reached`,
    );
  }
  if (bytes > limits.transactionMaxSourceBytes) {
    return failed(
      'LIMIT_REACHED',
      `transaction '${record.id}' queued source byte limit ` +
        `${limits.transactionMaxSourceBytes} exceeded`,
    );
  }
  return undefined;
}
