import type { BranchModel } from './branch.js';
import type { ClientModel } from './client.js';
import type { CodecModel } from './codec.js';
import type { DeduplicatorModel } from './deduplicator.js';
import type { EmitterModel } from './emitter.js';
import type { EndpointModel } from './endpoint.js';
import type { IngestorModel } from './ingestor.js';
import type { JunctionModel } from './junction.js';
import type { RelayModel } from './relay.js';
import type { SchemaModel } from './schema.js';
import type { VhostModel } from './vhost.js';
import type { WindowProcessorModel } from './window-processor.js';
import type { JsonWireSchemaModel } from './wire-schema.js';

/** Every definition a domain can hold. Keyed by `(kind, name)` inside its domain. */
export type Model =
  | SchemaModel
  | JsonWireSchemaModel
  | CodecModel
  | BranchModel
  | RelayModel
  | VhostModel
  | EndpointModel
  | ClientModel
  | IngestorModel
  | JunctionModel
  | DeduplicatorModel
  | WindowProcessorModel
  | EmitterModel;

export type ModelKind = Model['kind'];

/** Every kind, in dependency order: a kind refers only to kinds before it or to its own. */
export const MODEL_KINDS: readonly ModelKind[] = [
  'schema',
  'wire_json_schema',
  'codec',
  'branch',
  'relay',
  'vhost',
  'endpoint',
  'client',
  'ingestor',
  'junction',
  'deduplicator',
  'window_processor',
  'emitter',
];

const STATEMENT_WORDS: Readonly<Record<ModelKind, string>> = {
  schema: 'SCHEMA',
  wire_json_schema: 'WIRE JSON SCHEMA',
  codec: 'CODEC',
  branch: 'BRANCH',
  relay: 'RELAY',
  vhost: 'VHOST',
  endpoint: 'ENDPOINT',
  client: 'CLIENT',
  ingestor: 'INGESTOR',
  junction: 'JUNCTION',
  deduplicator: 'DEDUPLICATOR',
  window_processor: 'WINDOW PROCESSOR',
  emitter: 'EMITTER',
};

/** The keyword phrase of a kind as statements spell it: `WINDOW PROCESSOR`. */
export function statementWords(kind: ModelKind): string {
  return STATEMENT_WORDS[kind];
}

/** The words of a kind as messages print them: `window processor`, `wire json schema`. */
export function kindWords(kind: ModelKind): string {
  return STATEMENT_WORDS[kind].toLowerCase();
}

/** Map key of a model inside its domain. */
export function modelKey(kind: ModelKind, name: string): string {
  return `${kind}/${name}`;
}
