import type { BranchModel } from './branch.js';
import type { ClientModel } from './client.js';
import type { CodecModel } from './codec.js';
import type { CorrelatorModel } from './correlator.js';
import type { DeduplicatorModel } from './deduplicator.js';
import type { EmitterModel } from './emitter.js';
import type { EndpointModel } from './endpoint.js';
import type { GeneratorModel } from './generator.js';
import type { HashMapModel } from './hash-map.js';
import type { InferencerModel } from './inferencer.js';
import type { IngestorModel } from './ingestor.js';
import type { JunctionModel } from './junction.js';
import type { PlacementModel } from './placement.js';
import type { ReingestorModel } from './reingestor.js';
import type { RelayModel } from './relay.js';
import type { ReordererModel } from './reorderer.js';
import type { SchemaModel } from './schema.js';
import type { SignalingProtocolModel } from './signaling-protocol.js';
import type { UdfModel } from './udf.js';
import type { VhostModel } from './vhost.js';
import type { WasmProcessorModel } from './wasm-processor.js';
import type { WindowProcessorModel } from './window-processor.js';
import type {
  AvroWireSchemaModel,
  CborWireSchemaModel,
  JsonWireSchemaModel,
} from './wire-schema.js';

/** Every definition a domain can hold. Keyed by `(kind, name)` inside its domain. */
export type Model =
  | SchemaModel
  | JsonWireSchemaModel
  | CborWireSchemaModel
  | AvroWireSchemaModel
  | CodecModel
  | HashMapModel
  | UdfModel
  | BranchModel
  | RelayModel
  | VhostModel
  | SignalingProtocolModel
  | EndpointModel
  | ClientModel
  | IngestorModel
  | ReingestorModel
  | GeneratorModel
  | JunctionModel
  | DeduplicatorModel
  | ReordererModel
  | CorrelatorModel
  | WindowProcessorModel
  | InferencerModel
  | WasmProcessorModel
  | EmitterModel
  | PlacementModel;

/** Kinds of models. */
export type ModelKind = Model['kind'];

const STATEMENT_WORDS: Readonly<Record<ModelKind, string>> = {
  schema: 'SCHEMA',
  wire_json_schema: 'WIRE JSON SCHEMA',
  wire_cbor_schema: 'WIRE CBOR SCHEMA',
  wire_avro_schema: 'WIRE AVRO SCHEMA',
  codec: 'CODEC',
  hash_map: 'HASH MAP',
  udf: 'UDF',
  branch: 'BRANCH',
  relay: 'RELAY',
  vhost: 'VHOST',
  signaling_protocol: 'SIGNALING PROTOCOL',
  endpoint: 'ENDPOINT',
  client: 'CLIENT',
  ingestor: 'INGESTOR',
  reingestor: 'REINGESTOR',
  generator: 'GENERATOR',
  junction: 'JUNCTION',
  deduplicator: 'DEDUPLICATOR',
  reorderer: 'REORDERER',
  correlator: 'CORRELATOR',
  window_processor: 'WINDOW PROCESSOR',
  inferencer: 'INFERENCER',
  wasm_processor: 'WASM PROCESSOR',
  emitter: 'EMITTER',
  placement: 'PLACEMENT',
};

/** Every kind, in dependency order: a kind refers only to kinds before it or to its own. */
export const MODEL_KINDS: readonly ModelKind[] = Object.keys(STATEMENT_WORDS) as ModelKind[];

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
