import {
  type AlterModelStatement,
  AVRO_WIRE_TYPES,
  type EmitterOperation,
  type EntryRoute,
  type FlushedRoute,
  type IngestorOperation,
  JSON_WIRE_TYPES,
  type JunctionOperation,
  PLACEMENT_POLICIES,
  type PlacementOperation,
  type ReingestorOperation,
  type RelayOperation,
  type SchemaOperation,
  type WireSchemaOperation,
} from '@nervix/model';
import fc from 'fast-check';
import {
  branching,
  collect,
  dependency,
  entryRoute,
  flush,
  flushedRoute,
  generalError,
  inputRelay,
  processor,
} from './clauses.ts';
import { batch, commit, sink, sinkMode } from './emitters.ts';
import { expression } from './expressions.ts';
import { decodeError, quiesce, source, timestamp } from './ingestors.ts';
import { dataType, duration, name, nanos, positive, relayName } from './names.ts';
import { setOnlyRoute } from './processors.ts';

/** An operation of that name with these parts. */
function operation<const Op extends string, T extends object>(
  op: Op,
  parts: { [K in keyof T]: fc.Arbitrary<T[K]> },
): fc.Arbitrary<{ op: Op } & T> {
  return fc.record(parts).map((rest) => ({ op, ...(rest as T) }));
}

const setAcknowledgement = operation('set_acknowledgement', {
  acknowledgement: processor.acknowledgement,
});
const setBranching = operation('set_branching', { branching });
const setMaxTime = operation('set_max_time', { maxTime: duration });
const setFilter = operation('set_filter', { filter: expression });
const dropFilter = fc.constant({ op: 'drop_filter' as const });

const inputOperation = fc.oneof(
  operation('add_input', { input: inputRelay }),
  operation('drop_input', { relay: relayName }),
  operation('alter_input', { relay: relayName, where: fc.option(expression) }),
  operation('set_collect', { collect }),
  fc.constant({ op: 'drop_collect' as const }),
  setAcknowledgement,
);
const consumerOperation = fc.oneof(
  inputOperation,
  setFilter,
  dropFilter,
  operation('add_dependency', { dependency }),
  operation('drop_dependency', { relay: relayName }),
  operation('alter_dependency', {
    relay: relayName,
    policy: dependency.map(({ policy }) => policy),
  }),
);
function routeOperation<Route>(route: fc.Arbitrary<Route>) {
  return fc.oneof(
    operation('add_route', { route }),
    operation('replace_route', { route }),
    operation('drop_route', { relay: relayName }),
  );
}

const junctionOperation: fc.Arbitrary<JunctionOperation> = fc.oneof(
  consumerOperation,
  routeOperation<FlushedRoute>(fc.record(flushedRoute)),
  setBranching,
);
const reingestorOperation: fc.Arbitrary<ReingestorOperation> = fc.oneof(
  consumerOperation,
  routeOperation<EntryRoute>(fc.record(entryRoute)),
);
const relayOperation: fc.Arbitrary<RelayOperation> = fc.oneof(
  operation('set_capacity', { capacity: positive }),
  operation('set_schema', { schema: name }),
  setBranching,
  fc.constantFrom(
    { op: 'set_materialized_state' as const },
    { op: 'drop_materialized_state' as const },
  ),
);
const ingestorOperation: fc.Arbitrary<IngestorOperation> = fc.oneof(
  operation('set_source', { source }),
  operation('set_quiesce', { quiesce }),
  operation('set_decode_using', { codec: name }),
  operation('set_timestamp', { timestamp }),
  fc.constantFrom({ op: 'drop_timestamp' as const }, { op: 'drop_decode_error' as const }),
  setFilter,
  dropFilter,
  routeOperation<EntryRoute>(fc.record(entryRoute)),
  operation('set_general_error', { policy: generalError }),
  operation('set_decode_error', { policy: decodeError }),
);
const newSink: fc.Arbitrary<EmitterOperation> = fc
  .record({
    op: fc.constant('set_sink' as const),
    sink,
    body: fc.oneof(
      fc.record({ kind: fc.constant('encode' as const), codec: name }),
      fc.constant({ kind: 'without_body' as const }),
    ),
  })
  .map((set) => (set.sink.kind === 'http' ? set : { ...set, body: { kind: 'kept' as const } }));
const emitterOperation: fc.Arbitrary<EmitterOperation> = fc.oneof(
  inputOperation,
  newSink,
  operation('set_client', { client: name }),
  operation('set_encode_using', { codec: name }),
  fc.constantFrom({ op: 'drop_encode' as const }, { op: 'drop_batch' as const }),
  operation('set_mode', { mode: sinkMode }),
  operation('set_batch', { batch }),
  operation('set_flush', { flush }),
  operation('set_commit', { commit }),
);

const HEADS = ['add', 'drop', 'alter', 'set', 'replace', 'rename'];
/** Behind a comma a name that begins an operation cannot be written. */
const nodes = fc
  .tuple(
    name,
    fc.array(
      name.filter((text) => !HEADS.includes(text)),
      { maxLength: 2 },
    ),
  )
  .map(([first, rest]) => [first, ...rest]);
const placementOperation: fc.Arbitrary<PlacementOperation> = fc.oneof(
  operation('set_policy', { policy: fc.constantFrom(...PLACEMENT_POLICIES) }),
  operation('set_rank', { rank: positive }),
  fc.constant({ op: 'drop_rank' as const }),
  operation('set_ends', { from: nodes, to: nodes }),
  operation('rename', { name }),
);

function fieldOperation<Type, Field>(type: fc.Arbitrary<Type>, field: fc.Arbitrary<Field>) {
  return fc.oneof(
    operation('add_field', { field }),
    operation('drop_field', { field: name }),
    operation('rename_field', { field: name, name }),
    operation('set_field_type', { field: name, type }),
    operation('set_field_optional', { field: name, optional: fc.boolean() }),
  );
}
const schemaOperation: fc.Arbitrary<SchemaOperation> = fc.oneof(
  fieldOperation(
    dataType,
    fc.record({ name, type: dataType, optional: fc.boolean(), sensitive: fc.boolean() }),
  ),
  operation('set_field_sensitive', { field: name, sensitive: fc.boolean() }),
);
function wireOperation<Type extends string>(
  types: readonly Type[],
): fc.Arbitrary<WireSchemaOperation<Type>> {
  const type = fc.constantFrom(...types);
  return fc.oneof(
    operation('set_mode', { mode: fc.constantFrom('STRICT' as const, 'LOOSE' as const) }),
    fieldOperation(type, fc.record({ name, type, optional: fc.boolean() })),
  );
}

function alteration<const Kind extends string, Op>(modelKind: Kind, op: fc.Arbitrary<Op>) {
  return fc.record({
    kind: fc.constant('alter_model' as const),
    modelKind: fc.constant(modelKind),
    name: relayName,
    operations: fc.array(op, { minLength: 1, maxLength: 3 }),
  });
}

const keys = fc.array(expression, { minLength: 1, maxLength: 3 });

/** ALTER of every kind of model that has one. */
export const alterModel: fc.Arbitrary<AlterModelStatement> = fc.oneof(
  alteration('relay', relayOperation),
  alteration('junction', junctionOperation),
  alteration(
    'deduplicator',
    fc.oneof(junctionOperation, setMaxTime, operation('set_deduplicate_on', { keys })),
  ),
  alteration('reorderer', fc.oneof(junctionOperation, setMaxTime, operation('set_by', { keys }))),
  alteration('reingestor', reingestorOperation),
  alteration(
    'generator',
    fc.oneof(
      operation('set_state', { relay: relayName }),
      operation('set_each', { eachNanos: nanos }),
      setBranching,
      routeOperation<FlushedRoute>(setOnlyRoute),
    ),
  ),
  alteration('ingestor', ingestorOperation),
  alteration('emitter', emitterOperation),
  alteration('placement', placementOperation),
  alteration('schema', schemaOperation),
  alteration('wire_json_schema', wireOperation(JSON_WIRE_TYPES)),
  alteration('wire_cbor_schema', wireOperation(JSON_WIRE_TYPES)),
  alteration('wire_avro_schema', wireOperation(AVRO_WIRE_TYPES)),
);
