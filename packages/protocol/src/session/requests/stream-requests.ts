import {
  bytes,
  displayText,
  flag,
  oneOf,
  positiveU64,
  smallInteger,
  text,
} from '../shape/scalar-shapes.js';
import { list, optional, type RecordShape, record } from '../shape/shape.js';

/** A subscription of a session: a name, and which of those that had it. */
export interface SubscriptionHandle {
  readonly name: string;
  /** From 1, within the session. */
  readonly generation: bigint;
}

export interface SubscribeRequest {
  readonly t: 'SubscribeRequest';
  readonly domain: string;
  /** Exactly one `CREATE SUBSCRIPTION`. */
  readonly statement: string;
  readonly subscription_type: string;
  /** Row frames that may come before credit is granted; absent: as many as the lane takes. */
  readonly window_frames?: number;
}

export interface UnsubscribeRequest {
  readonly t: 'UnsubscribeRequest';
  readonly subscription: SubscriptionHandle;
}

/** More row frames for a subscription. Has no request id and no reply. */
export interface GrantSubscriptionCredit {
  readonly t: 'GrantSubscriptionCredit';
  readonly subscription: SubscriptionHandle;
  readonly frames: number;
}

export interface AttachDomainClockRequest {
  readonly t: 'AttachDomainClockRequest';
  readonly domain: string;
}
export interface DetachDomainClockRequest {
  readonly t: 'DetachDomainClockRequest';
  readonly domain: string;
}

/** Field that a producer or consumer expects of its schema. */
export interface ExpectedField {
  readonly name: string;
  readonly type: string;
  readonly nullable: boolean;
  readonly sensitive: boolean;
}

interface StreamOpening {
  readonly domain: string;
  readonly expected_fields: readonly ExpectedField[];
  readonly encoding: 'Rows' | 'ArrowIpc';
  readonly max_outstanding_batches: number;
  readonly max_outstanding_bytes: number;
}
export interface OpenIngestorRequest extends StreamOpening {
  readonly t: 'OpenIngestorRequest';
  readonly ingestor: string;
}
export interface OpenEmitterRequest extends StreamOpening {
  readonly t: 'OpenEmitterRequest';
  readonly emitter: string;
}
export interface SubmitBatchRequest {
  readonly t: 'SubmitBatchRequest';
  /** Request id that opened the producer. */
  readonly producer: bigint;
  readonly batch: Uint8Array;
}
export interface CloseIngestorRequest {
  readonly t: 'CloseIngestorRequest';
  readonly producer: bigint;
}
export interface ReadEmitterBatchRequest {
  readonly t: 'ReadEmitterBatchRequest';
  readonly consumer: bigint;
}
export interface SettleEmitterBatchRequest {
  readonly t: 'SettleEmitterBatchRequest';
  readonly consumer: bigint;
  /** 16 bytes. */
  readonly reference: Uint8Array;
  readonly decision: 'Ack' | 'Retry' | 'Reject';
  /** Why it is rejected; empty for the other decisions. */
  readonly reason: string;
}
export interface CloseEmitterRequest {
  readonly t: 'CloseEmitterRequest';
  readonly consumer: bigint;
}

/** Largest number of row frames that one request may ask for. */
export const SUBSCRIPTION_WINDOW_MAX = 256;
const OUTSTANDING_BATCHES_MAX = 1_024;
const OUTSTANDING_BYTES_MAX = 32 * 1_048_576;
const REFERENCE_BYTES = 16;

export const subscriptionHandle: RecordShape<SubscriptionHandle> = record<SubscriptionHandle>({
  name: text(),
  generation: positiveU64,
});

export const subscribeRequest: RecordShape<Omit<SubscribeRequest, 't'>> = record<
  Omit<SubscribeRequest, 't'>
>({
  domain: text(),
  statement: text(),
  subscription_type: text(),
  window_frames: optional(smallInteger(1, SUBSCRIPTION_WINDOW_MAX)),
});

export const unsubscribeRequest: RecordShape<Omit<UnsubscribeRequest, 't'>> = record<
  Omit<UnsubscribeRequest, 't'>
>({ subscription: subscriptionHandle });

export const grantSubscriptionCredit: RecordShape<Omit<GrantSubscriptionCredit, 't'>> = record<
  Omit<GrantSubscriptionCredit, 't'>
>({ subscription: subscriptionHandle, frames: smallInteger(1) });

export const clockRequest: RecordShape<{ readonly domain: string }> = record<{
  readonly domain: string;
}>({ domain: text() });

const expectedField: RecordShape<ExpectedField> = record<ExpectedField>({
  name: text(),
  type: text(),
  nullable: flag,
  sensitive: flag,
});

const opening = {
  domain: text(),
  expected_fields: list(expectedField),
  encoding: oneOf(['Rows', 'ArrowIpc']),
  max_outstanding_batches: smallInteger(1, OUTSTANDING_BATCHES_MAX),
  max_outstanding_bytes: smallInteger(1, OUTSTANDING_BYTES_MAX),
} as const;

export const openIngestorRequest: RecordShape<Omit<OpenIngestorRequest, 't'>> = record<
  Omit<OpenIngestorRequest, 't'>
>({ ...opening, ingestor: text() });

export const openEmitterRequest: RecordShape<Omit<OpenEmitterRequest, 't'>> = record<
  Omit<OpenEmitterRequest, 't'>
>({ ...opening, emitter: text() });

export const submitBatchRequest: RecordShape<Omit<SubmitBatchRequest, 't'>> = record<
  Omit<SubmitBatchRequest, 't'>
>({ producer: positiveU64, batch: bytes() });

export const producerRequest: RecordShape<{ readonly producer: bigint }> = record<{
  readonly producer: bigint;
}>({ producer: positiveU64 });

export const consumerRequest: RecordShape<{ readonly consumer: bigint }> = record<{
  readonly consumer: bigint;
}>({ consumer: positiveU64 });

export const settleEmitterBatchRequest: RecordShape<Omit<SettleEmitterBatchRequest, 't'>> = record<
  Omit<SettleEmitterBatchRequest, 't'>
>({
  consumer: positiveU64,
  reference: bytes({ length: REFERENCE_BYTES }),
  decision: oneOf(['Ack', 'Retry', 'Reject']),
  reason: displayText,
});
