import type {
  ErrorBody,
  PreviewIdentity,
  StatementOutcome,
  TransactionAdmission,
  WireDiagnostic,
  WireDisposition,
} from '@nervix/protocol';
import type {
  CommandOutcome,
  CommandRequest,
  FrameAdmission,
  FrameDiagnostic,
  FrameDisposition,
  FramePreview,
  FrameStatementOutcome,
  FrameTransaction,
} from '@nervix/protocol/session';
import type { CommandReply } from '../../control-plane/control-plane.js';

type ErrorFacts = ErrorBody['error'];

/**
 * How a reply of the control plane reads in a frame.
 *
 * @param request as it was sent; its reference comes back as it was spelled
 * @param transaction the one that the session has, if the reply is to tell of it
 */
export function commandFrame(
  reply: CommandReply,
  request: CommandRequest,
  attached: string | null,
  transaction: FrameTransaction | undefined,
): CommandOutcome {
  const common = {
    t: 'CommandOutcome',
    execution_reference: request.execution_reference,
    ...(transaction === undefined ? {} : { transaction }),
  } as const;
  if (reply.kind === 'failed') {
    const { error } = reply;
    const disposition = failureDisposition(error, attached);
    return {
      ...common,
      origin: 'Executed',
      disposition,
      message: error.message,
      diagnostics: diagnosticsFrame(error.diagnostics),
      ...statementsFrame(error.statements, disposition),
    };
  }
  const { outcome } = reply;
  const disposition = dispositionFrame(outcome.disposition);
  const { transaction_admission: admission, inspection } = outcome;
  return {
    ...common,
    origin: outcome.origin,
    disposition,
    message: outcome.message,
    diagnostics: diagnosticsFrame(outcome.diagnostics),
    ...statementsFrame(outcome.statements, disposition),
    ...(admission === undefined ? {} : { transaction_admission: admissionFrame(admission) }),
    ...(inspection === undefined ? {} : { inspection: { ...inspection } }),
  };
}

const CONFLICTS = {
  owner: 'Owner',
  domain: 'Domain',
  position: 'Position',
  content: 'Content',
} as const;

function failureDisposition(error: ErrorFacts, attached: string | null): FrameDisposition {
  const { code, expected, current, conflict } = error;
  const transaction_id = attached ?? error.transaction?.id ?? '';
  switch (code) {
    case 'TRANSACTION_DETACHED':
      return { t: 'TransactionDetached', transaction_id };
    case 'TRANSACTION_TAKEN_OVER':
      return { t: 'TransactionTakenOver', transaction_id };
    case 'EXECUTION_REFERENCE_EXPIRED':
      return { t: 'ExecutionReferenceExpired' };
    case 'EXECUTION_REFERENCE_CONFLICT':
      return conflict === undefined
        ? { t: 'RequestFailed', code }
        : { t: 'ExecutionReferenceConflict', kind: CONFLICTS[conflict] };
    case 'PREVIEW_STALE':
      return expected === undefined || current === undefined
        ? { t: 'RequestFailed', code }
        : { t: 'PreviewStale', expected: previewFrame(expected), current: previewFrame(current) };
    default:
      return { t: 'RequestFailed', code };
  }
}

function dispositionFrame(disposition: WireDisposition): FrameDisposition {
  if (disposition.t !== 'PreviewStale') return disposition;
  const { expected, current } = disposition;
  return { t: 'PreviewStale', expected: previewFrame(expected), current: previewFrame(current) };
}

/** The statement that ended the request has the disposition of the whole. */
function statementsFrame(
  statements: readonly StatementOutcome[] | undefined,
  last: FrameDisposition,
): { readonly statements?: readonly FrameStatementOutcome[] } {
  if (statements === undefined) return {};
  const frames = statements.map(({ disposition, message, diagnostics }, index) => ({
    disposition: index === statements.length - 1 ? last : dispositionFrame(disposition),
    message,
    diagnostics: diagnosticsFrame(diagnostics),
  }));
  return { statements: frames };
}

/** Remarks as frames carry them. */
export function diagnosticsFrame(
  diagnostics: readonly WireDiagnostic[],
): readonly FrameDiagnostic[] {
  return diagnostics.map(({ operation, ...rest }) =>
    operation === undefined ? rest : { ...rest, operation: BigInt(operation) },
  );
}

function admissionFrame({ operation, preview }: TransactionAdmission): FrameAdmission {
  return { operation: BigInt(operation), preview: previewFrame(preview) };
}

function previewFrame({ planning_basis, position, ...rest }: PreviewIdentity): FramePreview {
  return {
    ...rest,
    position: BigInt(position),
    planning_basis: new Uint8Array(Buffer.from(planning_basis, 'hex')),
  };
}

/** A preview that a frame names, as the control plane spells it. */
export function previewIdentity(preview: FramePreview): PreviewIdentity {
  return {
    transaction_id: preview.transaction_id,
    position: Number(preview.position),
    planning_basis: Buffer.from(preview.planning_basis).toString('hex'),
  };
}
