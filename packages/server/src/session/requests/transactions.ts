import type {
  AttachOutcome,
  AttachTransactionRequest,
  InspectionOutcome,
  InspectionRefusal,
  InspectTransactionRequest,
} from '@nervix/protocol/session';
import { type CommandAdmission, WithdrawnError } from '../../control-plane/command-admission.js';
import type { Outcome } from '../../control-plane/outcome.js';
import { type AttachReply, aggregateOutput } from '../../control-plane/transactions/attach.js';
import { diagnosticsFrame } from '../frames/command-frame.js';
import { transactionFrame } from '../frames/transaction-frame.js';
import { NOT_LEADING, redirect } from './command.js';
import type { RequestContext } from './request-context.js';

/**
 * Binds a transaction to the session.
 *
 * @throws WithdrawnError when the session withdrew the request
 */
export async function serveAttach(
  request: AttachTransactionRequest,
  { controlPlane, view }: RequestContext,
  admission: CommandAdmission,
): Promise<AttachOutcome> {
  const leadership = controlPlane.leadership();
  if (leadership.kind !== 'serving') {
    const diagnostics = [{ message: NOT_LEADING }];
    const disposition = redirect(leadership);
    return { t: 'AttachOutcome', disposition, message: NOT_LEADING, diagnostics };
  }
  const { attached, holder, principal } = view;
  const transaction = request.transaction_id.toLowerCase();
  if (!admission.admit()) throw new WithdrawnError();
  const reply = await controlPlane.attach({ principal, transaction, holder, attached });
  if (reply.kind === 'attached') view.attach(transaction);
  return attachFrame(reply);
}

function attachFrame(reply: AttachReply): AttachOutcome {
  if (reply.kind === 'refused') return refusedAttach(reply.refusal);
  const { kind, record, message } = reply;
  const transaction = transactionFrame(record);
  if (kind === 'attached') {
    const disposition = { t: 'TransactionAttached', transaction } as const;
    return { t: 'AttachOutcome', disposition, message, diagnostics: [] };
  }
  const output = aggregateOutput(record);
  const diagnostics = output === undefined ? [] : [{ message: output }];
  const disposition = { t: 'TransactionAlreadyFinished', transaction } as const;
  return { t: 'AttachOutcome', disposition, message, diagnostics };
}

function refusedAttach(refusal: Outcome): AttachOutcome {
  const isFailed = refusal.kind === 'failed';
  return {
    t: 'AttachOutcome',
    disposition: { t: 'RequestFailed', code: isFailed ? refusal.code : 'INTERNAL' },
    message: refusal.message,
    diagnostics: isFailed ? diagnosticsFrame(refusal.diagnostics) : [],
  };
}

/** Reads the report of a transaction; changes nothing, not even when it was last used. */
export async function serveInspect(
  { target, operation }: InspectTransactionRequest,
  { controlPlane, view }: RequestContext,
): Promise<InspectionOutcome> {
  const leadership = controlPlane.leadership();
  if (leadership.kind !== 'serving') {
    return { t: 'InspectionOutcome', disposition: redirect(leadership) };
  }
  const transaction =
    target.t === 'AttachedTransaction' ? view.attached : target.transaction_id.toLowerCase();
  const { principal } = view;
  const asked = { principal, transaction, operation: operation ?? null };
  const reply = await controlPlane.inspect(asked);
  const record = transaction === null ? undefined : controlPlane.transaction(transaction);
  if (reply.kind === 'refused') return rejectedInspection(reply.refusal);
  if (record === undefined) {
    // Its retention ended while its report was read.
    const message = `transaction '${transaction}' is unknown`;
    return inspectionRefusal('TransactionNotFound', message);
  }
  return {
    t: 'InspectionOutcome',
    disposition: {
      t: 'TransactionInspected',
      transaction: transactionFrame(record),
      ...(operation === undefined ? {} : { operation }),
      report: reply.inspection.report,
    },
  };
}

function rejectedInspection(refusal: Outcome): InspectionOutcome {
  const code = refusal.kind === 'failed' ? refusal.code : 'INTERNAL';
  return inspectionRefusal(reasonOf(code), refusal.message);
}

function reasonOf(code: string): InspectionRefusal {
  switch (code) {
    case 'NO_ATTACHED_TRANSACTION':
      return 'NoAttachedTransaction';
    case 'TRANSACTION_NOT_FOUND':
      return 'TransactionNotFound';
    case 'NOT_OWNER':
      return 'NotOwner';
    case 'OPERATION_NOT_FOUND':
      return 'OperationNotFound';
    default:
      return 'ReportUnavailable';
  }
}

function inspectionRefusal(reason: InspectionRefusal, message: string): InspectionOutcome {
  return { t: 'InspectionOutcome', disposition: { t: 'InspectionRejected', reason, message } };
}
