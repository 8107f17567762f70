import {
  type AlterModelStatement,
  type GeneratorModel,
  type GeneratorOperation,
  type IngestorModel,
  type IngestorOperation,
  type Model,
  type RelayModel,
  type RelayOperation,
  unreachable,
  type WireSchemaModel,
  type WireSchemaOperation,
} from '@nervix/model';
import { alteredRule } from '@nervix/scheduler';
import { alteredConsumer, alteredRoutes } from './alter-consumer.js';
import { alteredEmitter } from './alter-emitter.js';
import { alteredFields, alteredSchema } from './alter-fields.js';
import { type Altered, andThen, ClauseFault } from './clause-fault.js';

/** What an ALTER does to a model of a kind. */
export type Alteration = AlterationOf<AlterModelStatement>;
type AlterationOf<Statement> = Statement extends AlterModelStatement
  ? { readonly kind: Statement['modelKind']; readonly operations: Statement['operations'] }
  : never;

/**
 * A model after the clauses of one ALTER in written order, each against the result of the one
 * before it. The given model is left as it is.
 *
 * @returns the first clause that cannot be applied as a fault, where there is one
 */
export function alteredModel(model: Model, alteration: Alteration): Altered<Model> {
  let current: Altered<Model> = model;
  for (const operation of alteration.operations) {
    current = andThen(current, (before) => altered(before, alteration.kind, operation));
  }
  return current;
}

type Operation = Alteration['operations'][number];

/** The kinds of a model and of an operation on it belong together: the grammar says so. */
function altered(model: Model, kind: Alteration['kind'], operation: Operation): Altered<Model> {
  if (model.kind !== kind) return new ClauseFault('the operation is for another kind');
  switch (model.kind) {
    case 'relay':
      return alteredRelay(model, operation as RelayOperation);
    case 'schema':
      return alteredSchema(model, operation as Parameters<typeof alteredSchema>[1]);
    case 'wire_json_schema':
    case 'wire_cbor_schema':
    case 'wire_avro_schema':
      return alteredWireSchema(model, operation as WireSchemaOperation<string>);
    case 'placement':
      return alteredRule(model, [operation as Parameters<typeof alteredRule>[1][number]]);
    case 'emitter':
      return alteredEmitter(model, operation as Parameters<typeof alteredEmitter>[1]);
    case 'ingestor':
      return alteredIngestor(model, operation as IngestorOperation);
    case 'generator':
      return alteredGenerator(model, operation as GeneratorOperation);
    case 'junction':
    case 'deduplicator':
    case 'reorderer':
    case 'reingestor':
      return alteredProcessor(model, operation as ProcessorOperation);
    default:
      return new ClauseFault('it cannot be altered');
  }
}

function alteredRelay(model: RelayModel, operation: RelayOperation): RelayModel {
  switch (operation.op) {
    case 'set_capacity':
      return { ...model, capacity: operation.capacity };
    case 'set_schema':
      return { ...model, schema: operation.schema };
    case 'set_branching':
      return { ...model, branching: operation.branching };
    case 'set_materialized_state':
      return { ...model, materialized: true };
    case 'drop_materialized_state':
      return { ...model, materialized: false };
    default:
      return unreachable(operation);
  }
}

function alteredWireSchema(
  model: WireSchemaModel,
  operation: WireSchemaOperation<string>,
): Altered<WireSchemaModel> {
  if (operation.op === 'set_mode') return { ...model, mode: operation.mode };
  type Field = { readonly name: string; readonly type: string; readonly optional: boolean };
  const fields = alteredFields<string, Field>(model.fields, operation);
  // The types of the fields are those of the format, as the grammar of each format admits no other.
  return andThen(fields, (list) => ({ ...model, fields: list }) as WireSchemaModel);
}

function alteredIngestor(
  model: IngestorModel,
  operation: IngestorOperation,
): Altered<IngestorModel> {
  switch (operation.op) {
    case 'set_source':
      return { ...model, source: operation.source };
    case 'set_quiesce':
      return { ...model, source: { ...model.source, quiesce: operation.quiesce } };
    case 'set_decode_using':
      return { ...model, decodeUsing: operation.codec };
    case 'set_timestamp':
      return { ...model, timestamp: operation.timestamp };
    case 'drop_timestamp':
      return { ...model, timestamp: null };
    case 'set_filter':
      return { ...model, filter: operation.filter };
    case 'drop_filter':
      return { ...model, filter: null };
    case 'set_general_error':
      return { ...model, generalError: operation.policy };
    case 'set_decode_error':
      return { ...model, decodeError: operation.policy };
    case 'drop_decode_error':
      return { ...model, decodeError: null };
    default:
      return alteredRoutes<IngestorModel['routes'][number], IngestorModel>(model, operation);
  }
}

function alteredGenerator(
  model: GeneratorModel,
  operation: GeneratorOperation,
): Altered<GeneratorModel> {
  switch (operation.op) {
    case 'set_state':
      return { ...model, state: operation.relay };
    case 'set_each':
      return { ...model, eachNanos: operation.eachNanos };
    case 'set_branching':
      return { ...model, branching: operation.branching };
    default:
      return alteredRoutes<GeneratorModel['routes'][number], GeneratorModel>(model, operation);
  }
}

type Processor = Extract<Model, { kind: 'junction' | 'deduplicator' | 'reorderer' | 'reingestor' }>;
type ProcessorOperation = Extract<Alteration, { kind: Processor['kind'] }>['operations'][number];

function alteredProcessor(model: Processor, operation: ProcessorOperation): Altered<Model> {
  switch (operation.op) {
    case 'set_branching':
      return { ...model, branching: operation.branching } as Model;
    case 'set_max_time':
      return { ...model, maxTime: operation.maxTime } as Model;
    case 'set_deduplicate_on':
      return { ...model, deduplicateOn: operation.keys } as Model;
    case 'set_by':
      return { ...model, by: operation.keys } as Model;
    default:
      return alteredConsumer(model, operation as Parameters<typeof alteredConsumer>[1]) as Model;
  }
}
