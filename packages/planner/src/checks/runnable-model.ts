import {
  type BranchModel,
  type ClientModel,
  type CodecModel,
  type DeduplicatorModel,
  type EmitterModel,
  type EndpointModel,
  type EndpointSource,
  type HttpSink,
  type IngestorModel,
  type JunctionModel,
  type Model,
  type PlacementModel,
  type RelayModel,
  type SchemaModel,
  statementWords,
  type UdfModel,
  type VhostModel,
  type WindowProcessorModel,
  type WireSchemaModel,
} from '@nervix/model';
import type { PlanningContext } from './planning-context.js';

export type HttpClientModel = ClientModel & { readonly type: 'HTTP' };
export type EndpointIngestorModel = IngestorModel & {
  readonly source: EndpointSource;
  readonly decodeUsing: string;
};
export type HttpEmitterModel = EmitterModel & { readonly sink: HttpSink };

/** The part of the language whose models can be planned and run. */
export type RunnableModel =
  | SchemaModel
  | WireSchemaModel
  | CodecModel
  | BranchModel
  | RelayModel
  | VhostModel
  | EndpointModel
  | HttpClientModel
  | EndpointIngestorModel
  | JunctionModel
  | DeduplicatorModel
  | WindowProcessorModel
  | HttpEmitterModel
  | PlacementModel
  | UdfModel;

/** Refuses a model that this release cannot run, though the language has it. */
export function isRunnable(context: PlanningContext, model: Model): model is RunnableModel {
  const lack = missingFeature(model);
  if (lack === undefined) return true;
  context.reporter(model).unsupported(`${lack.words} is`, lack.subject);
  return false;
}

interface MissingFeature {
  readonly words: string;
  readonly subject: object;
}

function missingFeature(model: Model): MissingFeature | undefined {
  const lacks = (words: string, subject: object): MissingFeature => ({ words, subject });
  switch (model.kind) {
    case 'schema':
    case 'wire_json_schema':
    case 'wire_cbor_schema':
    case 'wire_avro_schema':
    case 'codec':
    case 'branch':
    case 'relay':
    case 'vhost':
    case 'endpoint':
    case 'junction':
    case 'deduplicator':
    case 'window_processor':
    case 'placement':
    case 'udf':
      return undefined;
    case 'client':
      return model.type === 'HTTP' ? undefined : lacks(`TYPE ${model.type}`, model);
    case 'ingestor':
      if (model.source.kind === 'endpoint' && model.decodeUsing !== null) return undefined;
      return lacks(`FROM ${connectorWords(model.source.kind)}`, model.source);
    case 'emitter':
      if (model.sink.kind === 'http') return undefined;
      return lacks(`TO ${connectorWords(model.sink.kind)}`, model.sink);
    default:
      return lacks(`CREATE ${statementWords(model.kind)}`, model);
  }
}

const PEERS: ReadonlySet<string> = new Set(['producers', 'consumers']);

/** The words of a source or sink: producers and consumers are both written CLIENT SCHEMA. */
function connectorWords(kind: string): string {
  return PEERS.has(kind) ? 'CLIENT SCHEMA' : kind.toUpperCase().replaceAll('_', ' ');
}
