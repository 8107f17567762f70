import type { Expression } from '../expression.js';
import type { Assignment, EntryRoute, GeneralErrorPolicy } from '../route.js';
import type { IngestSource } from './ingest-source.js';

/** Where the time of a record comes from. */
export type TimestampSource =
  | { readonly kind: 'now' }
  | { readonly kind: 'at'; readonly field: string };

/** What becomes of a payload that cannot be read. */
export type DecodeErrorPolicy =
  | { readonly kind: 'retry' }
  | { readonly kind: 'log' }
  | { readonly kind: 'send_to'; readonly relay: string; readonly set: readonly Assignment[] };

/** What `CREATE INGESTOR` defines. */
export interface IngestorModel {
  readonly kind: 'ingestor';
  readonly name: string;
  readonly source: IngestSource;
  /** null exactly for producers, whose records need no codec. */
  readonly decodeUsing: string | null;
  readonly timestamp: TimestampSource | null;
  readonly filter: Expression | null;
  readonly routes: readonly EntryRoute[];
  readonly decodeError: DecodeErrorPolicy | null;
  readonly generalError: GeneralErrorPolicy;
}
