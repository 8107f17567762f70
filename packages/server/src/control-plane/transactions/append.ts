import { type Statement, statementLabel } from '@nervix/model';
import { transactionKey } from '../../replicated-state/record-keys.js';
import type {
  DomainRecord,
  QueuedStatement,
  TransactionOperation,
  TransactionRecord,
} from '../../replicated-state/records.js';
import type { ControlContext } from '../control-context.js';
import { CLIENT_LOCAL, NEVER_SENT, SESSION_SCOPED } from '../not-executed.js';
import { completed, failed, type Outcome } from '../outcome.js';
import { locate } from '../refusal-outcome.js';
import { domainBasis } from '../scheduling/domain-basis.js';
import { referenceRecord, type Submission } from '../submission.js';
import { placedInRequest, rehearsalFault } from './operation-faults.js';
import { type Rehearsal, rehearse } from './rehearse.js';
import { isOverdue, notOpen, touched } from './transaction-states.js';

export function isQueueable(statement: Statement): statement is QueuedStatement {
  switch (statement.kind) {
    case 'create_model':
    case 'drop_model':
    case 'start':
    case 'stop':
      return true;
    case 'alter_model':
      return statement.modelKind === 'placement';
    case 'alter_domain':
      return statement.setting.kind === 'placement';
    default:
      return false;
  }
}

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
  return failed(
    'NOT_QUEUEABLE',
    `${statementLabel(statement)} cannot be queued in a transaction; a transaction applies to one existing ` +
      "domain and queues only that domain's configuration statements",
  );
}

/** A statement, and the transaction it joins. */
export interface Append {
  readonly record: TransactionRecord;
  readonly domain: DomainRecord;
  readonly statement: QueuedStatement;
}

/** Adds one statement to an open transaction, after a rehearsal of all it holds. */
export async function appendOperation(
  context: ControlContext,
  submission: Submission,
  append: Append,
): Promise<Outcome> {
  const { record, domain, statement } = append;
  const { parsed } = submission;
  const operation: TransactionOperation = {
    text: parsed.text,
    statement,
    reference: submission.reference,
    message: '',
    alreadyExisted: false,
  };
  const bytes = record.sourceBytes + Buffer.byteLength(parsed.text);
  const refusal = admissionRefusal(context, submission, record, bytes);
  if (refusal !== undefined) return refusal;
  const operations = [...record.operations, operation];
  const rehearsal = rehearse(domainBasis(context, domain), operations, true);
  const number = operations.length;
  if (rehearsal.kind === 'refused') {
    return preflightFailure(rehearsal, { accepted: number, operations }, submission);
  }
  const level = rehearsal.levels.at(-1) ?? 'DYNAMIC';
  const existed = rehearsal.alreadyExisted[number - 1] ?? false;
  const prefix =
    existed && statement.kind === 'create_model'
      ? `model '${statement.model.name}' already exists; `
      : '';
  const message = `${prefix}quiesce level: ${level}`;
  const nowMs = context.nowMs();
  const outcome = completed(message, existed);
  const next: TransactionRecord = {
    ...touched(record, nowMs, context.limits.transactionIdleTimeoutMs),
    operations: [...record.operations, { ...operation, message, alreadyExisted: existed }],
    sourceBytes: bytes,
    accepted: number,
  };
  const key = transactionKey(record.id);
  const result = await context.log.write({
    fences: [{ key, revision: context.state.revisionOf(key) }],
    put: [next],
    reference: referenceRecord(submission, outcome, nowMs),
  });
  if (result.kind === 'raced') {
    return failed('POSITION_CHANGED', `transaction '${record.id}' changed during the append`);
  }
  return outcome;
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

/** The appended statement is located in the request itself, an earlier operation by its number. */
function preflightFailure(
  refused: Extract<Rehearsal, { kind: 'refused' }>,
  candidate: Pick<TransactionRecord, 'accepted' | 'operations'>,
  { parsed, operations }: Submission,
): Outcome {
  const { operation, outcome, refusals, blamed } = refused;
  const { code, message, diagnostics } = rehearsalFault(refused, candidate);
  const number = candidate.accepted;
  if (outcome !== null) {
    const remarks = operation === number ? [{ message, span: { ...parsed.span } }] : diagnostics;
    const text = `transaction statement failed preflight: ${message}`;
    return placedInRequest(failed(code, text, remarks), operations);
  }
  const remarks = diagnostics.map((diagnostic, index) => {
    const refusal = refusals[index];
    const isOwn = refusal !== undefined && blamed[index] === number;
    return isOwn ? locate(refusal, parsed) : diagnostic;
  });
  const text =
    'transaction statement failed preflight: ' +
    `transaction operation ${operation} failed model preflight: ${message}`;
  return placedInRequest(failed(code, text, remarks), operations);
}
