import type { ErrorCode } from './error-codes.js';

/** Body of `POST /api/v1/commands`. */
export interface CommandRequest {
  /** One NSPL statement, or several as the content of one transaction. */
  readonly query: string;
  readonly domain?: string;
  /** UUIDv7 made by the caller; repeating it returns the first outcome instead of acting again. */
  readonly execution_reference?: string;
  /**
   * How many operations the transaction holds as far as the caller knows. Without it nothing is
   * added to one that an earlier request began.
   */
  readonly expected_transaction_position?: number;
  /** What the COMMIT of this request is to apply; a preview that no longer holds refuses it. */
  readonly expected_preview?: PreviewIdentity;
  /** Open transaction that this request's statements join. */
  readonly transaction?: string;
}

/** Which plan a preview is: the same identity is the same plan. */
export interface PreviewIdentity {
  readonly transaction_id: string;
  /** Number of accepted operations. */
  readonly position: number;
  /** Fingerprint of the inputs that it was planned from, 64 lower-case hexadecimal digits. */
  readonly planning_basis: string;
}

/** What an accepted append was taken as. */
export interface TransactionAdmission {
  /** From 1. */
  readonly operation: number;
  readonly preview: PreviewIdentity;
}

/** The preview that a COMMIT was to apply, and the one that describes the transaction now. */
export interface StalePreview {
  readonly expected: PreviewIdentity;
  readonly current: PreviewIdentity;
}

/** Half-open UTF-8 byte range into the request's `query`. */
export interface WireSpan {
  readonly start: number;
  readonly end: number;
}

export interface WireDiagnostic {
  readonly message: string;
  /** Advice, such as the name that was probably meant; a sentence without a full stop. */
  readonly hint?: string;
  readonly span?: WireSpan;
  /** One-based number of the transaction's operation that is meant; its request may be another. */
  readonly operation?: number;
  /** Half-open UTF-8 byte range into the statement that appended the operation. */
  readonly operation_span?: WireSpan;
}

export type WireDisposition =
  | { readonly t: 'CommandCompleted'; readonly already_existed: boolean }
  | { readonly t: 'RequestFailed'; readonly code: ErrorCode }
  | ({ readonly t: 'PreviewStale' } & StalePreview)
  | {
      readonly t: 'OutcomeUnknown';
      readonly cause: 'StillApplying' | 'LeadershipLost' | 'NotYetAuthoritative';
    };

export interface StatementOutcome {
  readonly disposition: WireDisposition;
  readonly message: string;
  readonly diagnostics: readonly WireDiagnostic[];
}

export type TransactionState =
  | 'Open'
  | 'Committing'
  | 'Committed'
  | 'Failed'
  | 'Reverted'
  | 'Expired';

export interface TransactionStatus {
  readonly id: string;
  readonly domain: string;
  readonly state: TransactionState;
  readonly accepted_operations: number;
  readonly applied_operations: number;
}

/** A transaction as the list shows it. */
export interface TransactionEntry extends TransactionStatus {
  readonly owner: string;
  /** RFC 3339. */
  readonly created_at: string;
  /** RFC 3339. */
  readonly active_at: string;
}

/** Answer of `GET /api/v1/transactions`. */
export interface TransactionList {
  readonly transactions: readonly TransactionEntry[];
}

/** Success body of `POST /api/v1/commands`. */
export interface CommandOutcome {
  readonly execution_reference: string;
  /** `Recovered` when an earlier request with this reference already had this outcome. */
  readonly origin: 'Executed' | 'Recovered';
  readonly disposition: WireDisposition;
  readonly message: string;
  readonly diagnostics: readonly WireDiagnostic[];
  /** Present for requests of several statements, in written order. */
  readonly statements?: readonly StatementOutcome[];
  /** The transaction this request worked on, if any. */
  readonly transaction?: TransactionStatus;
  /** Of the last append of this request. */
  readonly transaction_admission?: TransactionAdmission;
  /** The report that `DESCRIBE TRANSACTION` or `EXPLAIN` read. */
  readonly inspection?: Inspection;
}

/** The whole of a report, as `FORMAT JSON` prints it. */
export interface Inspection {
  /** Null for a statement that is only planned; `statement` is its text then. */
  readonly transaction: Readonly<Record<string, unknown>> | null;
  readonly statement?: string;
  readonly operation: number | null;
  readonly report: Readonly<Record<string, unknown>>;
}

/** What differs between two commands under one reference. */
export type ReferenceConflict = 'owner' | 'domain' | 'position' | 'content';

/** Body of every answer that is not 2xx. */
export interface ErrorBody {
  readonly error: {
    readonly code: ErrorCode;
    readonly message: string;
    readonly field?: string;
    readonly diagnostics: readonly WireDiagnostic[];
    readonly execution_reference?: string;
    /** Version that an upload was given before it failed for good. */
    readonly assigned_version?: number;
    readonly statements?: readonly StatementOutcome[];
    readonly transaction?: TransactionStatus;
    /** Of `EXECUTION_REFERENCE_CONFLICT`: what the reference was used for differs in this first. */
    readonly conflict?: ReferenceConflict;
    /** Of `PREVIEW_STALE`: what was expected, and what describes the transaction now. */
    readonly expected?: PreviewIdentity;
    readonly current?: PreviewIdentity;
  };
}
