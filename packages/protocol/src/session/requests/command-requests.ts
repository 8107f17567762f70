import { bytes, positiveU64, smallInteger, text, u64 } from '../shape/scalar-shapes.js';
import {
  nothing,
  optional,
  type RecordShape,
  record,
  type UnionShape,
  union,
} from '../shape/shape.js';

/** Letters, digits, dots, underscores and dashes; persistent commands take a UUIDv7. */
export const EXECUTION_REFERENCE_FORM: RegExp = /^[A-Za-z0-9._-]{1,128}$/;

/** Which plan a preview is. */
export interface FramePreview {
  readonly transaction_id: string;
  readonly position: bigint;
  /** 32 bytes. */
  readonly planning_basis: Uint8Array;
}

/** NSPL to run. */
export interface CommandRequest {
  readonly t: 'CommandRequest';
  readonly query: string;
  readonly domain?: string;
  readonly execution_reference: string;
  /** Newest position of the attached transaction that the client knows of. */
  readonly expected_transaction_position?: bigint;
  readonly expected_preview?: FramePreview;
  /** Nanoseconds that the caller waits. */
  readonly deadline_ns?: bigint;
  /** W3C `traceparent`. */
  readonly trace?: string;
}

/** Binds an open transaction to the session, taking it from whichever session holds it. */
export interface AttachTransactionRequest {
  readonly t: 'AttachTransactionRequest';
  readonly transaction_id: string;
}

export type InspectionTarget =
  | { readonly t: 'AttachedTransaction' }
  | { readonly t: 'TransactionById'; readonly transaction_id: string };

/** Reads the report of a transaction. */
export interface InspectTransactionRequest {
  readonly t: 'InspectTransactionRequest';
  readonly target: InspectionTarget;
  /** One-based. */
  readonly operation?: bigint;
}

/** Reads what became of a command. */
export interface ReadOperationRequest {
  readonly t: 'ReadOperationRequest';
  readonly execution_reference: string;
  readonly wait_ms?: number;
}

/** Withdraws another request of the session. */
export interface CancelRequest {
  readonly t: 'CancelRequest';
  readonly target_request_id: bigint;
}

const WAIT_MS_MAX = 30_000;

export const framePreview: RecordShape<FramePreview> = record<FramePreview>({
  transaction_id: text(),
  position: u64,
  planning_basis: bytes({ length: 32 }),
});

export const commandRequest: RecordShape<Omit<CommandRequest, 't'>> = record<
  Omit<CommandRequest, 't'>
>({
  query: text(),
  domain: optional(text()),
  execution_reference: text({ pattern: EXECUTION_REFERENCE_FORM }),
  expected_transaction_position: optional(u64),
  expected_preview: optional(framePreview),
  deadline_ns: optional(positiveU64),
  trace: optional(text()),
});

export const attachTransactionRequest: RecordShape<Omit<AttachTransactionRequest, 't'>> = record<
  Omit<AttachTransactionRequest, 't'>
>({ transaction_id: text() });

const inspectionTarget: UnionShape<InspectionTarget> = union<InspectionTarget>({
  AttachedTransaction: nothing,
  TransactionById: record<{ readonly transaction_id: string }>({ transaction_id: text() }),
});

export const inspectTransactionRequest: RecordShape<Omit<InspectTransactionRequest, 't'>> = record<
  Omit<InspectTransactionRequest, 't'>
>({ target: inspectionTarget, operation: optional(positiveU64) });

export const readOperationRequest: RecordShape<Omit<ReadOperationRequest, 't'>> = record<
  Omit<ReadOperationRequest, 't'>
>({
  execution_reference: text({ pattern: EXECUTION_REFERENCE_FORM }),
  wait_ms: optional(smallInteger(0, WAIT_MS_MAX)),
});

export const cancelRequest: RecordShape<Omit<CancelRequest, 't'>> = record<
  Omit<CancelRequest, 't'>
>({ target_request_id: positiveU64 });
