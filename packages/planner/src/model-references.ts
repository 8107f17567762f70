import type { DecodeErrorPolicy, MessageErrorPolicy, Model, ProcessorClauses } from '@nervix/model';
import type { ModelIdentity } from './errors.js';

/** A model named by another one, with the node that names it. */
export interface ModelReference extends ModelIdentity {
  readonly subject: object;
}

/** Every model a definition names, in written order; repeats are kept. */
export function referencesOf(model: Model): readonly ModelReference[] {
  const to = (kind: ModelIdentity['kind'], name: string, subject: object = model) => ({
    kind,
    name,
    subject,
  });
  switch (model.kind) {
    case 'schema':
    case 'wire_json_schema':
    case 'vhost':
    case 'client':
      return [];
    case 'codec':
      return [
        to('wire_json_schema', model.source.wireSchema, model.source),
        to('schema', model.schema),
      ];
    case 'branch':
      return [to('schema', model.schema)];
    case 'relay':
      return [to('schema', model.schema), ...branchReference(model.branching)];
    case 'endpoint':
      return [to('vhost', model.vhost)];
    case 'ingestor':
      return [
        to('endpoint', model.source.endpoint, model.source),
        to('codec', model.decodeUsing),
        ...model.routes.flatMap((route) => [
          to('relay', route.relay, route),
          ...branchReference(route.branch),
          ...errorReference(route.messageError),
        ]),
        ...errorReference(model.decodeError),
      ];
    case 'junction':
    case 'deduplicator':
    case 'window_processor':
      return [
        ...processorReferences(model),
        ...model.routes.flatMap((route) => [
          to('relay', route.relay, route),
          ...errorReference(route.messageError),
        ]),
      ];
    case 'emitter':
      return [
        ...inputReferences(model),
        to('client', model.sink.client, model.sink),
        ...(model.sink.body.kind === 'encode'
          ? [to('codec', model.sink.body.codec, model.sink.body)]
          : []),
        ...errorReference(model.messageError),
      ];
  }
}

function processorReferences(model: ProcessorClauses): readonly ModelReference[] {
  return [...inputReferences(model), ...branchReference(model.branching)];
}

function inputReferences(
  model: Pick<ProcessorClauses, 'inputs' | 'dependencies'>,
): readonly ModelReference[] {
  return [...model.inputs.relays, ...model.dependencies].map((input) => ({
    kind: 'relay',
    name: input.relay,
    subject: input,
  }));
}

function branchReference(
  branching: { readonly kind: 'unbranched' } | { readonly kind: 'branched_by'; branch: string },
): readonly ModelReference[] {
  if (branching.kind === 'unbranched') return [];
  return [{ kind: 'branch', name: branching.branch, subject: branching }];
}

function errorReference(
  policy: MessageErrorPolicy | DecodeErrorPolicy | null,
): readonly ModelReference[] {
  if (policy?.kind !== 'send_to') return [];
  return [{ kind: 'relay', name: policy.relay, subject: policy }];
}
