import type { StatementKind } from '@nervix/model';
import { type ParsedStatement, printStatement } from '@nervix/nspl-parser';
import { failed, type Outcome } from './outcome.js';

/** Statements about what belongs to one session: its subscriptions, its clock. */
export const SESSION_SCOPED: ReadonlySet<StatementKind> = new Set([
  'create_subscription',
  'delete_subscription',
  'attach_domain_clock',
  'detach_domain_clock',
]);

/** Statements that never leave a client; as text they are refused, in a transaction too. */
export const NEVER_SENT: ReadonlySet<StatementKind> = new Set([
  'upload_resource',
  'attach_transaction',
]);

/** Statements that a client carries out itself. */
const CLIENT_LOCAL_KINDS: ReadonlySet<StatementKind> = new Set([
  ...SESSION_SCOPED,
  ...NEVER_SENT,
  'use',
  'list_domains',
  'describe_backup',
]);

/** Requests of the session protocol that do what a statement asks for. */
const REQUEST_INSTEAD: Partial<Readonly<Record<StatementKind, string>>> = {
  create_subscription:
    'send SubscribeRequest, or open GET /api/v1/domains/{domain}/relays/{relay}/rows',
  delete_subscription: 'send UnsubscribeRequest, or close the row stream',
  attach_domain_clock: 'send AttachDomainClockRequest',
  detach_domain_clock: 'send DetachDomainClockRequest',
  attach_transaction: 'send AttachTransactionRequest',
  upload_resource: 'send PUT /api/v1/domains/{domain}/resources/{resource}/uploads/{upload}',
};

/** What a statement is told that a client should have carried out itself. */
export const CLIENT_LOCAL = 'client-local commands are not allowed';

/** Refusal of a statement that the language has and this node does not carry out. */
export function notExecuted({ statement, span }: ParsedStatement): Outcome {
  if (CLIENT_LOCAL_KINDS.has(statement.kind)) {
    const instead = REQUEST_INSTEAD[statement.kind] ?? CLIENT_LOCAL;
    return failed('REQUEST_SHAPE', CLIENT_LOCAL, [{ message: instead, span: { ...span } }]);
  }
  // Names are printed in lower case: the words before the first of them say what it is.
  const keywords = /^[A-Z_]+(?: [A-Z_]+)*(?=[ ;])/u.exec(printStatement(statement))?.[0];
  const message = `${keywords ?? 'the statement'} is not supported by this release`;
  return failed('UNSUPPORTED_CAPABILITY', message, [{ message, span: { ...span } }]);
}
