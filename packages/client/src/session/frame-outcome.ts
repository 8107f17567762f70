import type {
  CommandOutcome,
  Inspection,
  StatementOutcome,
  TransactionStatus,
  WireDiagnostic,
} from '@nervix/protocol';
import type {
  CommandRequest as CommandFrame,
  CommandOutcome as CommandOutcomeFrame,
  FrameDiagnostic,
  FrameTransaction,
} from '@nervix/protocol/session';
import type { PreparedCommand } from '../command-call.js';
import { dispositionOf, type FinalFrameDisposition } from './frame-disposition.js';
import { framePreviewOf, previewOf } from './frame-preview.js';

/** How a transaction stands, as the API of this package spells it. */
export function transactionOf(frame: FrameTransaction): TransactionStatus {
  return {
    id: frame.id,
    domain: frame.domain,
    state: frame.state.t,
    accepted_operations: Number(frame.accepted_operations),
    applied_operations: Number(frame.applied_operations),
  };
}

/** A remark as the HTTP API spells it. */
export function diagnosticOf({ operation, ...diagnostic }: FrameDiagnostic): WireDiagnostic {
  return operation === undefined ? diagnostic : { ...diagnostic, operation: Number(operation) };
}

/** The request that a command becomes; its transaction is the session's binding. */
export function commandFrame(command: PreparedCommand): CommandFrame {
  const { domain, expectedTransactionPosition: position, expectedPreview } = command;
  return {
    t: 'CommandRequest',
    query: command.query,
    execution_reference: command.executionReference,
    ...(domain === undefined ? {} : { domain }),
    ...(position === undefined ? {} : { expected_transaction_position: BigInt(position) }),
    ...(expectedPreview === undefined ? {} : { expected_preview: framePreviewOf(expectedPreview) }),
  };
}

/** Statements of one request are not redirected one by one; what were, did not run. */
function statementOf({
  disposition,
  message,
  diagnostics,
}: NonNullable<CommandOutcomeFrame['statements']>[number]): StatementOutcome {
  const isFinal = disposition.t !== 'LeaderRedirect' && disposition.t !== 'TransactionDetached';
  return {
    disposition: isFinal
      ? dispositionOf(disposition)
      : { t: 'RequestFailed', code: 'TRANSACTION_STATE' },
    message,
    diagnostics: diagnostics.map(diagnosticOf),
  };
}

/** An outcome as the HTTP API spells it. */
export function outcomeOf(
  frame: CommandOutcomeFrame,
  disposition: FinalFrameDisposition,
): CommandOutcome {
  const { transaction, transaction_admission: admission, inspection, statements } = frame;
  return {
    execution_reference: frame.execution_reference,
    origin: frame.origin,
    disposition: dispositionOf(disposition),
    message: frame.message,
    diagnostics: frame.diagnostics.map(diagnosticOf),
    ...(statements === undefined ? {} : { statements: statements.map(statementOf) }),
    ...(transaction === undefined ? {} : { transaction: transactionOf(transaction) }),
    ...(admission === undefined
      ? {}
      : {
          transaction_admission: {
            operation: Number(admission.operation),
            preview: previewOf(admission.preview),
          },
        }),
    ...(inspection === undefined ? {} : { inspection: inspection as unknown as Inspection }),
  };
}
