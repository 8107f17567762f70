import { ERROR_CODES, type ErrorCode } from '../../error-codes.js';
import { type FramePreview, framePreview } from '../requests/command-requests.js';
import {
  displayText,
  flag,
  oneOf,
  positiveU64,
  smallInteger,
  text,
  u64,
} from '../shape/scalar-shapes.js';
import {
  type Bare,
  list,
  nothing,
  optional,
  type RecordShape,
  record,
  type Shape,
  type UnionShape,
  union,
} from '../shape/shape.js';

/** Where the leader of the control plane can be reached; the addresses are origins. */
export interface FrameLeader {
  readonly node: string;
  readonly session_uri?: string;
  readonly console_uri?: string;
}

/** A definite failure; its text stands beside it. */
export interface RequestFailed {
  readonly t: 'RequestFailed';
  readonly code: ErrorCode;
}

/** This node does not lead, and nothing was admitted. */
export interface LeaderRedirect {
  readonly t: 'LeaderRedirect';
  readonly leader?: FrameLeader;
}

/** What became of a command. Clients decide from this alone. */
export type FrameDisposition =
  | { readonly t: 'CommandCompleted'; readonly already_existed: boolean }
  | RequestFailed
  | LeaderRedirect
  | { readonly t: 'TransactionDetached'; readonly transaction_id: string }
  | { readonly t: 'TransactionTakenOver'; readonly transaction_id: string }
  | {
      readonly t: 'OutcomeUnknown';
      readonly cause: 'LeadershipLost' | 'StillApplying' | 'NotYetAuthoritative';
    }
  | {
      readonly t: 'ExecutionReferenceConflict';
      readonly kind: 'Owner' | 'Domain' | 'Position' | 'Content';
    }
  | { readonly t: 'ExecutionReferenceExpired' }
  | { readonly t: 'PreviewStale'; readonly expected: FramePreview; readonly current: FramePreview };

/** Half-open UTF-8 byte range of a text that was sent. */
export interface FrameSpan {
  readonly start: number;
  readonly end: number;
}

export interface FrameDiagnostic {
  readonly message: string;
  /** Advice, such as the name that was probably meant. */
  readonly hint?: string;
  readonly span?: FrameSpan;
  /** One-based number of the transaction's operation that is meant. */
  readonly operation?: bigint;
  /** Range of the statement that appended the operation. */
  readonly operation_span?: FrameSpan;
}

export type FrameTransactionState =
  | Bare<'Open' | 'Committing' | 'Committed' | 'Reverted' | 'Expired'>
  | { readonly t: 'Failed'; readonly failing_operation?: bigint; readonly error?: string };

export interface FrameTransaction {
  readonly id: string;
  readonly domain: string;
  readonly state: FrameTransactionState;
  readonly accepted_operations: bigint;
  readonly applied_operations: bigint;
}

const errorCodes = Object.keys(ERROR_CODES) as readonly ErrorCode[];

const frameLeader: RecordShape<FrameLeader> = record<FrameLeader>({
  node: text(),
  session_uri: optional(text()),
  console_uri: optional(text()),
});

export const requestFailed: RecordShape<Omit<RequestFailed, 't'>> = record<
  Omit<RequestFailed, 't'>
>({ code: oneOf(errorCodes) });

export const leaderRedirect: RecordShape<Omit<LeaderRedirect, 't'>> = record<
  Omit<LeaderRedirect, 't'>
>({ leader: optional(frameLeader) });

const transactionId: RecordShape<{ readonly transaction_id: string }> = record<{
  readonly transaction_id: string;
}>({ transaction_id: text() });

export const frameDisposition: UnionShape<FrameDisposition> = union<FrameDisposition>({
  CommandCompleted: record<{ readonly already_existed: boolean }>({ already_existed: flag }),
  RequestFailed: requestFailed,
  LeaderRedirect: leaderRedirect,
  TransactionDetached: transactionId,
  TransactionTakenOver: transactionId,
  OutcomeUnknown: record<{
    readonly cause: 'LeadershipLost' | 'StillApplying' | 'NotYetAuthoritative';
  }>({ cause: oneOf(['LeadershipLost', 'StillApplying', 'NotYetAuthoritative']) }),
  ExecutionReferenceConflict: record<{
    readonly kind: 'Owner' | 'Domain' | 'Position' | 'Content';
  }>({ kind: oneOf(['Owner', 'Domain', 'Position', 'Content']) }),
  ExecutionReferenceExpired: nothing,
  PreviewStale: record<{ readonly expected: FramePreview; readonly current: FramePreview }>({
    expected: framePreview,
    current: framePreview,
  }),
});

const frameSpan: RecordShape<FrameSpan> = record<FrameSpan>({
  start: smallInteger(),
  end: smallInteger(),
});

export const frameDiagnostics: Shape<readonly FrameDiagnostic[]> = list(
  record<FrameDiagnostic>({
    message: displayText,
    hint: optional(displayText),
    span: optional(frameSpan),
    operation: optional(positiveU64),
    operation_span: optional(frameSpan),
  }),
);

const frameTransactionState: UnionShape<FrameTransactionState> = union<FrameTransactionState>({
  Open: nothing,
  Committing: nothing,
  Committed: nothing,
  Failed: record<{ readonly failing_operation?: bigint; readonly error?: string }>({
    failing_operation: optional(positiveU64),
    error: optional(displayText),
  }),
  Reverted: nothing,
  Expired: nothing,
});

export const frameTransaction: RecordShape<FrameTransaction> = record<FrameTransaction>({
  id: text(),
  domain: text(),
  state: frameTransactionState,
  accepted_operations: u64,
  applied_operations: u64,
});
