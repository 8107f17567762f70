import type { ClientRequest, ReplyBody } from '@nervix/protocol/session';
import type { InFlightRequest } from '../in-flight-requests.js';
import { serveCommand } from './command.js';
import { serveListDomains, serveSelectDomain, serveSuggest } from './lookups.js';
import { rejected } from './rejection.js';
import type { RequestContext } from './request-context.js';
import { serveSubscribe, serveUnsubscribe } from './subscriptions.js';
import { serveAttach, serveInspect } from './transactions.js';

type Tag = ClientRequest['t'];

/** Requests of which one runs at a time, in the order in which they were sent. */
const ORDERED: ReadonlySet<Tag> = new Set<Tag>([
  'CommandRequest',
  'AttachTransactionRequest',
  'SubscribeRequest',
  'UnsubscribeRequest',
]);

/** Declared requests that this release does not serve. */
const UNSUPPORTED: ReadonlySet<Tag> = new Set<Tag>([
  'ReadOperationRequest',
  'ChoiceLookupRequest',
  'AttachDomainClockRequest',
  'DetachDomainClockRequest',
  'OpenIngestorRequest',
  'SubmitBatchRequest',
  'CloseIngestorRequest',
  'OpenEmitterRequest',
  'ReadEmitterBatchRequest',
  'SettleEmitterBatchRequest',
  'CloseEmitterRequest',
]);

export function isOrdered({ t }: ClientRequest): boolean {
  return ORDERED.has(t);
}

export function isSupported({ t }: ClientRequest): boolean {
  return !UNSUPPORTED.has(t);
}

/** Carries a request out and gives its terminal reply. */
export async function serveRequest(
  { request, admission }: InFlightRequest,
  context: RequestContext,
): Promise<ReplyBody> {
  switch (request.t) {
    case 'CommandRequest':
      return serveCommand(request, context, admission);
    case 'AttachTransactionRequest':
      return serveAttach(request, context, admission);
    case 'SubscribeRequest':
      return serveSubscribe(request, context, admission);
    case 'UnsubscribeRequest':
      return serveUnsubscribe(request, context);
    case 'InspectTransactionRequest':
      return serveInspect(request, context);
    case 'ListDomainsRequest':
      return serveListDomains(context);
    case 'SelectDomainRequest':
      return serveSelectDomain(request, context);
    case 'SuggestRequest':
      return serveSuggest(request, context);
    default:
      return unsupported(request);
  }
}

/** The answer to a request that is declared and not served. */
export function unsupported({ t }: ClientRequest): ReplyBody {
  return rejected('UnsupportedRequest', `${t} is not supported by this release`);
}
