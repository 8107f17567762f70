import {
  type CodecModel,
  type ConsumerClauses,
  type DecodeErrorPolicy,
  type EmitterModel,
  type IngestorModel,
  type Inputs,
  type MaterializedDependency,
  type MessageErrorPolicy,
  type Model,
  type UnmatchedPolicy,
  wireSchemaKind,
} from '@nervix/model';
import type { ModelIdentity } from './errors.js';

/** A model named by another one, with the node that names it. */
export interface ModelReference extends ModelIdentity {
  readonly subject: object;
}

type References = readonly ModelReference[];

/**
 * Every model a definition names by kind and name, in written order; repeats are kept. Calls inside
 * expressions and the bare names of placements are not among them.
 */
export function referencesOf(model: Model): References {
  switch (model.kind) {
    case 'schema':
    case 'wire_json_schema':
    case 'wire_cbor_schema':
    case 'wire_avro_schema':
    case 'signaling_protocol':
    case 'udf':
    case 'placement':
    case 'vhost':
      return [];
    case 'client':
      return optional('signaling_protocol', model.signaling, model);
    case 'codec':
      return codecReferences(model);
    case 'hash_map':
      return [to('codec', model.decodeUsing, model)];
    case 'branch':
      return [to('schema', model.schema, model)];
    case 'relay':
      return [to('schema', model.schema, model), ...branchReference(model.branching)];
    case 'endpoint':
      return [
        to('vhost', model.vhost, model),
        ...optional('signaling_protocol', model.signaling, model),
      ];
    case 'ingestor':
      return ingestorReferences(model);
    case 'emitter':
      return emitterReferences(model);
    case 'generator':
      return [
        to('relay', model.state, model),
        ...branchReference(model.branching),
        ...routeReferences(model.routes),
      ];
    case 'correlator':
      return [
        ...inputReferences(model.left),
        ...inputReferences(model.right),
        ...relayReferences(model.dependencies),
        ...[model.onTimeout.left, model.onTimeout.right].flatMap(errorReference),
        ...branchReference(model.branching),
        ...routeReferences(model.routes),
      ];
    case 'reingestor':
      return [...consumerReferences(model), ...routeReferences(model.routes)];
    default:
      return [
        ...consumerReferences(model),
        ...branchReference(model.branching),
        ...routeReferences(model.routes),
      ];
  }
}

function to(kind: ModelIdentity['kind'], name: string, subject: object): ModelReference {
  return { kind, name, subject };
}

function optional(kind: ModelIdentity['kind'], name: string | null, subject: object): References {
  return name === null ? [] : [to(kind, name, subject)];
}

function codecReferences(model: CodecModel): References {
  const { source } = model;
  const internal = to('schema', model.schema, model);
  if (source.kind !== 'wire') return [internal];
  return [to(wireSchemaKind(source.format), source.wireSchema, source), internal];
}

function ingestorReferences(model: IngestorModel): References {
  return [
    ...sourceReferences(model),
    ...optional('codec', model.decodeUsing, model),
    ...routeReferences(model.routes),
    ...errorReference(model.decodeError),
  ];
}

function sourceReferences({ source }: IngestorModel): References {
  switch (source.kind) {
    case 'endpoint':
      return [to('endpoint', source.endpoint, source)];
    case 'producers':
      return [to('schema', source.schema, source)];
    default:
      return [to('client', source.client, source)];
  }
}

function emitterReferences(model: EmitterModel): References {
  return [
    ...inputReferences(model.inputs),
    ...relayReferences(model.dependencies),
    ...sinkReferences(model),
    ...optional('codec', model.encodeUsing, model),
    ...errorReference(model.messageError),
  ];
}

function sinkReferences({ sink }: EmitterModel): References {
  if (sink.kind === 'consumers') return [to('schema', sink.schema, sink)];
  const client = to('client', sink.client, sink);
  return sink.kind === 'iceberg' ? [client, to('client', sink.catalog, sink)] : [client];
}

function consumerReferences(model: Pick<ConsumerClauses, 'inputs' | 'dependencies'>): References {
  return [...inputReferences(model.inputs), ...relayReferences(model.dependencies)];
}

function inputReferences({ relays }: Inputs): References {
  return relays.map((input) => to('relay', input.relay, input));
}

function relayReferences(dependencies: readonly MaterializedDependency[]): References {
  return dependencies.map((dependency) => to('relay', dependency.relay, dependency));
}

interface RouteReference {
  readonly relay: string;
  readonly messageError: MessageErrorPolicy;
  readonly branch?: Branching;
}

function routeReferences(routes: readonly RouteReference[]): References {
  return routes.flatMap((route) => [
    to('relay', route.relay, route),
    ...(route.branch === undefined ? [] : branchReference(route.branch)),
    ...errorReference(route.messageError),
  ]);
}

type Branching =
  | { readonly kind: 'unbranched' }
  | { readonly kind: 'branched_by'; readonly branch: string };

function branchReference(branching: Branching): References {
  return branching.kind === 'unbranched' ? [] : [to('branch', branching.branch, branching)];
}

function errorReference(
  policy: MessageErrorPolicy | DecodeErrorPolicy | UnmatchedPolicy | null,
): References {
  return policy?.kind === 'send_to' ? [to('relay', policy.relay, policy)] : [];
}
