import { bytes, displayText, oneOf, positiveU64, text, u64 } from '../shape/scalar-shapes.js';
import { optional, type RecordShape, record, type UnionShape, union } from '../shape/shape.js';
import {
  type AttachOutcome,
  attachOutcome,
  type CancelOutcome,
  type CommandOutcome,
  cancelOutcome,
  commandOutcome,
  type InspectionOutcome,
  inspectionOutcome,
  type RequestCancelled,
  requestCancelled,
} from './command-replies.js';
import {
  type DomainListReply,
  type DomainSelectionOutcome,
  domainListReply,
  domainSelectionOutcome,
  type SuggestOutcome,
  suggestOutcome,
} from './lookup-replies.js';
import {
  type SubscribeOutcome,
  subscribeOutcome,
  type UnsubscribeOutcome,
  unsubscribeOutcome,
} from './subscription-bodies.js';

/** Why a request was not served. The session stays open. */
export type Rejection =
  | 'InvalidRequest'
  | 'UnsupportedRequest'
  | 'UnsupportedValue'
  | 'DuplicateRequestId'
  | 'TooManyRequestsInFlight'
  | 'ReplyTooLarge'
  | 'ServerBusy';

export interface RequestRejected {
  readonly t: 'RequestRejected';
  readonly rejection: Rejection;
  /** Path of the field at fault. */
  readonly field?: string;
  readonly message: string;
}

/** A piece of a reply that is larger than a frame. */
export interface TransferPart {
  readonly t: 'TransferPart';
  readonly total_bytes: bigint;
  readonly offset: bigint;
  readonly chunk: Uint8Array;
}

/** The answer to one request; each but a part is terminal. */
export type ReplyBody =
  | CommandOutcome
  | AttachOutcome
  | InspectionOutcome
  | CancelOutcome
  | RequestCancelled
  | DomainListReply
  | DomainSelectionOutcome
  | SuggestOutcome
  | SubscribeOutcome
  | UnsubscribeOutcome
  | RequestRejected
  | TransferPart;

const REJECTIONS: readonly Rejection[] = [
  'InvalidRequest',
  'UnsupportedRequest',
  'UnsupportedValue',
  'DuplicateRequestId',
  'TooManyRequestsInFlight',
  'ReplyTooLarge',
  'ServerBusy',
];

const requestRejected: RecordShape<Omit<RequestRejected, 't'>> = record<Omit<RequestRejected, 't'>>(
  { rejection: oneOf(REJECTIONS), field: optional(text()), message: displayText },
);

const transferPart: RecordShape<Omit<TransferPart, 't'>> = record<Omit<TransferPart, 't'>>({
  total_bytes: positiveU64,
  offset: u64,
  chunk: bytes(),
});

export const replyBody: UnionShape<ReplyBody> = union<ReplyBody>({
  CommandOutcome: commandOutcome,
  AttachOutcome: attachOutcome,
  InspectionOutcome: inspectionOutcome,
  CancelOutcome: cancelOutcome,
  RequestCancelled: requestCancelled,
  DomainList: domainListReply,
  DomainSelectionOutcome: domainSelectionOutcome,
  SuggestOutcome: suggestOutcome,
  SubscribeOutcome: subscribeOutcome,
  UnsubscribeOutcome: unsubscribeOutcome,
  RequestRejected: requestRejected,
  TransferPart: transferPart,
});
