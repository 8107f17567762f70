import type { Expression } from '../expression.js';
import type { Assignment, EntryRoute, GeneralErrorPolicy } from '../route.js';

export type EndpointMode =
  | { readonly kind: 'no_ack_sequential' }
  | { readonly kind: 'ack_parallel'; readonly max: string; readonly ackTimeout: string };

/** What the external source experiences while intake is held. */
export type QuiesceMode =
  | { readonly kind: 'reject'; readonly retryAfter: string }
  | { readonly kind: 'buffer'; readonly maxSize: string };

export interface EndpointSource {
  readonly kind: 'endpoint';
  readonly endpoint: string;
  readonly mode: EndpointMode;
  readonly quiesce: QuiesceMode;
}

export type TimestampSource =
  | { readonly kind: 'now' }
  | { readonly kind: 'at'; readonly field: string };

export type DecodeErrorPolicy =
  | { readonly kind: 'retry' }
  | { readonly kind: 'log' }
  | { readonly kind: 'send_to'; readonly relay: string; readonly set: readonly Assignment[] };

export interface IngestorModel {
  readonly kind: 'ingestor';
  readonly name: string;
  readonly source: EndpointSource;
  readonly decodeUsing: string;
  readonly timestamp: TimestampSource | null;
  readonly filter: Expression | null;
  readonly routes: readonly EntryRoute[];
  readonly decodeError: DecodeErrorPolicy | null;
  readonly generalError: GeneralErrorPolicy;
}
