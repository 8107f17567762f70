import { type FramePreview, framePreview } from '../requests/command-requests.js';
import {
  type DocumentMap,
  displayText,
  document,
  oneOf,
  positiveU64,
  text,
} from '../shape/scalar-shapes.js';
import {
  list,
  optional,
  type RecordShape,
  record,
  type UnionShape,
  union,
} from '../shape/shape.js';
import {
  type FrameDiagnostic,
  type FrameDisposition,
  type FrameTransaction,
  frameDiagnostics,
  frameDisposition,
  frameTransaction,
  type LeaderRedirect,
  leaderRedirect,
  type RequestFailed,
  requestFailed,
} from './dispositions.js';

export interface FrameStatementOutcome {
  readonly disposition: FrameDisposition;
  readonly message: string;
  readonly diagnostics: readonly FrameDiagnostic[];
}

/** What an accepted append was taken as. */
export interface FrameAdmission {
  /** One-based. */
  readonly operation: bigint;
  readonly preview: FramePreview;
}

export interface CommandOutcome {
  readonly t: 'CommandOutcome';
  readonly execution_reference: string;
  /** `Recovered` when an earlier request with this reference already had this outcome. */
  readonly origin: 'Executed' | 'Recovered';
  readonly disposition: FrameDisposition;
  /** For people; clients decide from the disposition. */
  readonly message: string;
  readonly diagnostics: readonly FrameDiagnostic[];
  /** Of requests of several statements, in written order. */
  readonly statements?: readonly FrameStatementOutcome[];
  /** The transaction that this session is bound to. */
  readonly transaction?: FrameTransaction;
  readonly transaction_admission?: FrameAdmission;
  /** The report that the statement read, spelled as the statement's JSON format. */
  readonly inspection?: DocumentMap;
}

export type AttachDisposition =
  | { readonly t: 'TransactionAttached'; readonly transaction: FrameTransaction }
  | { readonly t: 'TransactionAlreadyFinished'; readonly transaction: FrameTransaction }
  | RequestFailed
  | LeaderRedirect;

export interface AttachOutcome {
  readonly t: 'AttachOutcome';
  readonly disposition: AttachDisposition;
  readonly message: string;
  readonly diagnostics: readonly FrameDiagnostic[];
}

export type InspectionRefusal =
  | 'NoAttachedTransaction'
  | 'TransactionNotFound'
  | 'NotOwner'
  | 'OperationNotFound'
  | 'ReportUnavailable';

export type InspectionDisposition =
  | {
      readonly t: 'TransactionInspected';
      readonly transaction: FrameTransaction;
      /** The one operation that was asked for. */
      readonly operation?: bigint;
      readonly report: DocumentMap;
    }
  | {
      readonly t: 'InspectionRejected';
      readonly reason: InspectionRefusal;
      readonly message: string;
    }
  | LeaderRedirect;

export interface InspectionOutcome {
  readonly t: 'InspectionOutcome';
  readonly disposition: InspectionDisposition;
}

export interface CancelOutcome {
  readonly t: 'CancelOutcome';
  readonly target_request_id: bigint;
  readonly state: 'Requested' | 'NotInFlight';
}

/** Terminal reply of a request that was withdrawn. */
export interface RequestCancelled {
  readonly t: 'RequestCancelled';
  /** `AfterAdmission`: only the wait ended; the outcome is found by the execution reference. */
  readonly stage: 'BeforeAdmission' | 'AfterAdmission';
}

export const commandOutcome: RecordShape<Omit<CommandOutcome, 't'>> = record<
  Omit<CommandOutcome, 't'>
>({
  execution_reference: text(),
  origin: oneOf(['Executed', 'Recovered']),
  disposition: frameDisposition,
  message: displayText,
  diagnostics: frameDiagnostics,
  statements: optional(
    list(
      record<FrameStatementOutcome>({
        disposition: frameDisposition,
        message: displayText,
        diagnostics: frameDiagnostics,
      }),
    ),
  ),
  transaction: optional(frameTransaction),
  transaction_admission: optional(
    record<FrameAdmission>({ operation: positiveU64, preview: framePreview }),
  ),
  inspection: optional(document),
});

const ofTransaction: RecordShape<{ readonly transaction: FrameTransaction }> = record<{
  readonly transaction: FrameTransaction;
}>({ transaction: frameTransaction });

const attachDisposition: UnionShape<AttachDisposition> = union<AttachDisposition>({
  TransactionAttached: ofTransaction,
  TransactionAlreadyFinished: ofTransaction,
  RequestFailed: requestFailed,
  LeaderRedirect: leaderRedirect,
});

export const attachOutcome: RecordShape<Omit<AttachOutcome, 't'>> = record<
  Omit<AttachOutcome, 't'>
>({ disposition: attachDisposition, message: displayText, diagnostics: frameDiagnostics });

const refusals: readonly InspectionRefusal[] = [
  'NoAttachedTransaction',
  'TransactionNotFound',
  'NotOwner',
  'OperationNotFound',
  'ReportUnavailable',
];

const inspectionDisposition: UnionShape<InspectionDisposition> = union<InspectionDisposition>({
  TransactionInspected: record<
    Omit<Extract<InspectionDisposition, { readonly t: 'TransactionInspected' }>, 't'>
  >({ transaction: frameTransaction, operation: optional(positiveU64), report: document }),
  InspectionRejected: record<{ readonly reason: InspectionRefusal; readonly message: string }>({
    reason: oneOf(refusals),
    message: displayText,
  }),
  LeaderRedirect: leaderRedirect,
});

export const inspectionOutcome: RecordShape<Omit<InspectionOutcome, 't'>> = record<
  Omit<InspectionOutcome, 't'>
>({ disposition: inspectionDisposition });

export const cancelOutcome: RecordShape<Omit<CancelOutcome, 't'>> = record<
  Omit<CancelOutcome, 't'>
>({ target_request_id: positiveU64, state: oneOf(['Requested', 'NotInFlight']) });

export const requestCancelled: RecordShape<Omit<RequestCancelled, 't'>> = record<
  Omit<RequestCancelled, 't'>
>({ stage: oneOf(['BeforeAdmission', 'AfterAdmission']) });
