import { nothing, type UnionShape, union } from '../shape/shape.js';
import {
  type AttachTransactionRequest,
  attachTransactionRequest,
  type CancelRequest,
  type CommandRequest,
  cancelRequest,
  commandRequest,
  type InspectTransactionRequest,
  inspectTransactionRequest,
  type ReadOperationRequest,
  readOperationRequest,
} from './command-requests.js';
import {
  type ChoiceLookupRequest,
  choiceLookupRequest,
  type ListDomainsRequest,
  type SelectDomainRequest,
  type SuggestRequest,
  selectDomainRequest,
  suggestRequest,
} from './lookup-requests.js';
import {
  type AttachDomainClockRequest,
  type CloseEmitterRequest,
  type CloseIngestorRequest,
  clockRequest,
  consumerRequest,
  type DetachDomainClockRequest,
  type GrantSubscriptionCredit,
  grantSubscriptionCredit,
  type OpenEmitterRequest,
  type OpenIngestorRequest,
  openEmitterRequest,
  openIngestorRequest,
  producerRequest,
  type ReadEmitterBatchRequest,
  type SettleEmitterBatchRequest,
  type SubmitBatchRequest,
  type SubscribeRequest,
  settleEmitterBatchRequest,
  submitBatchRequest,
  subscribeRequest,
  type UnsubscribeRequest,
  unsubscribeRequest,
} from './stream-requests.js';

/** All that a client may ask for; every request gets exactly one terminal reply. */
export type ClientRequest =
  | CommandRequest
  | AttachTransactionRequest
  | InspectTransactionRequest
  | ReadOperationRequest
  | CancelRequest
  | ListDomainsRequest
  | SelectDomainRequest
  | SuggestRequest
  | ChoiceLookupRequest
  | SubscribeRequest
  | UnsubscribeRequest
  | AttachDomainClockRequest
  | DetachDomainClockRequest
  | OpenIngestorRequest
  | SubmitBatchRequest
  | CloseIngestorRequest
  | OpenEmitterRequest
  | ReadEmitterBatchRequest
  | SettleEmitterBatchRequest
  | CloseEmitterRequest;

export const clientRequest: UnionShape<ClientRequest> = union<ClientRequest>({
  CommandRequest: commandRequest,
  AttachTransactionRequest: attachTransactionRequest,
  InspectTransactionRequest: inspectTransactionRequest,
  ReadOperationRequest: readOperationRequest,
  CancelRequest: cancelRequest,
  ListDomainsRequest: nothing,
  SelectDomainRequest: selectDomainRequest,
  SuggestRequest: suggestRequest,
  ChoiceLookupRequest: choiceLookupRequest,
  SubscribeRequest: subscribeRequest,
  UnsubscribeRequest: unsubscribeRequest,
  AttachDomainClockRequest: clockRequest,
  DetachDomainClockRequest: clockRequest,
  OpenIngestorRequest: openIngestorRequest,
  SubmitBatchRequest: submitBatchRequest,
  CloseIngestorRequest: producerRequest,
  OpenEmitterRequest: openEmitterRequest,
  ReadEmitterBatchRequest: consumerRequest,
  SettleEmitterBatchRequest: settleEmitterBatchRequest,
  CloseEmitterRequest: consumerRequest,
});

/** What a client sends without a request id: nothing answers it. */
export type ClientGrant = GrantSubscriptionCredit;

export const clientGrant: UnionShape<ClientGrant> = union<ClientGrant>({
  GrantSubscriptionCredit: grantSubscriptionCredit,
});
