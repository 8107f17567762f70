import type {
  BulkSink,
  Construction,
  EmitterBatch,
  EmitterModel,
  EmitterSink,
  Expression,
  HttpSink,
  IcebergCommit,
  PayloadSink,
  RowSink,
  SinkMode,
  ValueMapping,
} from '@nervix/model';
import { ICEBERG_STORES } from '@nervix/model';
import fc from 'fast-check';
import { externalName, retry, window } from './acknowledgement.ts';
import { construction, flush, generalError, messageError, processor } from './clauses.ts';
import { expression } from './expressions.ts';
import { byteSize, duration, name, text } from './names.ts';

const noAck = fc.record({ kind: fc.constant('no_ack' as const), retry });
const ack = fc.record({ kind: fc.constant('ack' as const), retry });
const windowed = { window, ackTimeout: duration, retry };
const windowedAck = fc.record({ kind: fc.constant('windowed_ack' as const), ...windowed });
const broker = fc.oneof(noAck, windowedAck);
const mqttMode = fc.oneof(
  fc.record({ kind: fc.constant('qos_0' as const), retry }),
  fc.record({
    kind: fc.constant('qos_ack' as const),
    qos: fc.constantFrom(1 as const, 2 as const),
    ...windowed,
  }),
);
const natsMode = fc.oneof(
  noAck,
  fc.record({ kind: fc.constant('jetstream_ack' as const), ...windowed }),
);
const sqsMode = fc.record({
  kind: fc.constantFrom('sqs_single' as const, 'sqs_batch' as const),
  retry,
});

/** Modes of sinks, whichever sink they are of. */
export const sinkMode: fc.Arbitrary<SinkMode> = fc.oneof(
  noAck,
  ack,
  windowedAck,
  mqttMode,
  natsMode,
  sqsMode,
);

export const batch: fc.Arbitrary<EmitterBatch> = fc.record({
  maxMessages: fc.integer({ min: 1, max: 65_536 }).map(String),
  maxSize: fc.oneof(
    fc
      .record({
        count: fc.integer({ min: 1, max: 16_777_215 }),
        unit: fc.constantFrom('B', 'KB', 'KiB', 'MB', 'MiB', 'GB', 'GiB', 'TB', 'TiB'),
      })
      .map(({ count, unit }) => `${count}${unit}`),
    fc.constant('18446744073709551615B'),
  ),
});
export const commit: fc.Arbitrary<IcebergCommit> = fc.record({
  interval: duration,
  maxSize: byteSize,
});

const client = name;
const queueToSend = fc.oneof(
  externalName,
  fc.stringMatching(/^[a-z0-9_]{1,4}(-[a-z0-9_]{1,4}){0,2}(\.fifo)?$/),
);

const payloadSink: fc.Arbitrary<PayloadSink> = fc.oneof(
  fc.record({
    kind: fc.constantFrom('kafka' as const, 'pulsar' as const),
    client,
    topic: externalName,
    mode: broker,
  }),
  fc.record({
    kind: fc.constant('rabbitmq' as const),
    client,
    queue: externalName,
    mode: broker,
  }),
  fc.record({
    kind: fc.constant('redis_pubsub' as const),
    client,
    channel: externalName,
    mode: noAck,
  }),
  fc.record({ kind: fc.constant('mqtt' as const), client, topic: externalName, mode: mqttMode }),
  fc.record({ kind: fc.constant('nats' as const), client, subject: externalName, mode: natsMode }),
  fc.record({
    kind: fc.constantFrom('zeromq' as const, 'syslog' as const),
    client,
    mode: noAck,
  }),
  fc.record({
    kind: fc.constant('sqs' as const),
    client,
    queue: queueToSend,
    fifoGroup: fc.option(
      fc.oneof(
        fc.constant({ kind: 'branch' as const }),
        fc.record({ kind: fc.constant('expression' as const), value: expression }),
      ),
    ),
    mode: sqsMode,
  }),
  fc.record({ kind: fc.constant('sentry' as const), client, mode: ack }),
);
const httpSink: fc.Arbitrary<HttpSink> = fc.record({
  kind: fc.constant('http' as const),
  client,
  method: expression,
  path: expression,
  mode: ack,
});

function valuesOf(value: fc.Arbitrary<Expression>): fc.Arbitrary<ValueMapping[]> {
  return fc.array(fc.record({ column: text, value }), { minLength: 1, maxLength: 3 });
}
const values = valuesOf(expression);
const target = fc.array(text, { minLength: 1, maxLength: 2 });
const nothing = fc.constant('NOTHING' as const);
const action = fc.constantFrom('NOTHING' as const, 'UPDATE' as const);

/** Adds columns that a conflict target names to what is written, beside one that it does not. */
function mapping<T extends RowSink>(sink: T): T {
  const onConflict = 'onConflict' in sink ? sink.onConflict : null;
  const value: Expression = { kind: 'null' };
  const columns = onConflict === null ? [] : [...onConflict.target, `${onConflict.target.join()}.`];
  return { ...sink, values: [...sink.values, ...columns.map((column) => ({ column, value }))] };
}

const rowSink: fc.Arbitrary<RowSink> = fc
  .oneof(
    fc.record({
      kind: fc.constant('clickhouse' as const),
      client,
      table: externalName,
      values,
      mode: ack,
    }),
    fc.record({
      kind: fc.constant('postgres' as const),
      client,
      table: externalName,
      values,
      onConflict: fc.option(
        fc.oneof(
          fc.record({ target: fc.constant([]), action: nothing }),
          fc.record({ target, action }),
        ),
      ),
      mode: ack,
    }),
    fc.record({
      kind: fc.constant('mysql' as const),
      client,
      table: externalName,
      values,
      onConflict: fc.option(fc.record({ target: fc.constant([]), action })),
      mode: ack,
    }),
    fc.record({
      kind: fc.constant('mongodb' as const),
      client,
      collection: externalName,
      values,
      onConflict: fc.option(fc.record({ target, action })),
      mode: ack,
    }),
  )
  .map(mapping);

const literal = expression.filter(({ kind }) =>
  ['integer', 'float', 'string', 'boolean', 'null'].includes(kind),
);
const resource = valuesOf(
  fc.oneof(
    literal,
    fc.record({
      kind: fc.constant('list' as const),
      elements: fc.array(literal, { minLength: 1, maxLength: 3 }),
    }),
  ),
);
const temporality = fc.constantFrom('DELTA' as const, 'CUMULATIVE' as const);
const bulkSink: fc.Arbitrary<BulkSink> = fc.oneof(
  fc.record({
    kind: fc.constant('iceberg' as const),
    store: fc.constantFrom(...ICEBERG_STORES),
    client,
    table: externalName,
    values,
    location: text,
    catalog: name,
    commit,
    mode: ack,
  }),
  fc.record({
    kind: fc.constant('otel' as const),
    client,
    signal: fc.oneof(
      fc.constantFrom({ kind: 'logs' as const }, { kind: 'traces' as const }),
      fc.record({
        kind: fc.constant('metric' as const),
        name: text,
        unit: text,
        description: fc.option(text),
        instrument: fc.oneof(
          fc.constant({ kind: 'gauge' as const }),
          fc.record({
            kind: fc.constant('sum' as const),
            monotonic: fc.boolean(),
            temporality,
          }),
          fc.record({ kind: fc.constant('histogram' as const), temporality }),
        ),
      }),
    ),
    values,
    attributes: fc.option(values),
    resource: fc.option(resource),
    scope: fc.option(fc.record({ name: text, version: fc.option(text) })),
    mode: ack,
  }),
);
const consumers = fc.record({
  kind: fc.constant('consumers' as const),
  schema: name,
  mode: windowedAck,
});

/** Sinks of every kind. */
export const sink: fc.Arbitrary<EmitterSink> = fc.oneof(
  { weight: 8, arbitrary: payloadSink },
  httpSink,
  { weight: 4, arbitrary: rowSink },
  { weight: 3, arbitrary: bulkSink },
  consumers,
);

const emitterShape = {
  kind: fc.constant('emitter' as const),
  name,
  acknowledgement: processor.acknowledgement,
  inputs: processor.inputs,
  dependencies: processor.dependencies,
};
const endings = { flush, messageError, generalError };
const noCodec = fc.constant(null);
const condition = construction.map(
  ({ where }): Construction => ({ inherit: null, set: [], where, invoke: [] }),
);
const conditionAndHeaders = construction.map(
  ({ where, invoke }): Construction => ({ inherit: null, set: [], where, invoke }),
);

/** What stands between the sink and the endings, by what the sink takes. */
function emitterOf(
  to: fc.Arbitrary<EmitterSink>,
  output: {
    readonly encodeUsing: fc.Arbitrary<string | null>;
    readonly construction: fc.Arbitrary<Construction>;
    readonly batch: fc.Arbitrary<EmitterBatch | null>;
  },
): fc.Arbitrary<EmitterModel> {
  return fc.record({ ...emitterShape, sink: to, ...output, ...endings });
}

/** Emitters with sinks of every kind. */
export const emitter: fc.Arbitrary<EmitterModel> = fc.oneof(
  {
    weight: 6,
    arbitrary: emitterOf(payloadSink, {
      encodeUsing: name,
      construction,
      batch: fc.option(batch),
    }),
  },
  emitterOf(httpSink, { encodeUsing: name, construction, batch: noCodec }),
  emitterOf(httpSink, { encodeUsing: noCodec, construction: conditionAndHeaders, batch: noCodec }),
  emitterOf(consumers, { encodeUsing: noCodec, construction, batch }),
  {
    weight: 3,
    arbitrary: emitterOf(rowSink, { encodeUsing: noCodec, construction: condition, batch }),
  },
  {
    weight: 2,
    arbitrary: emitterOf(bulkSink, {
      encodeUsing: noCodec,
      construction: condition,
      batch: fc.option(batch),
    }),
  },
);
