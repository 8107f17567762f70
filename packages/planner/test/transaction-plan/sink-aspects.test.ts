import type {
  EmitterModel,
  EmitterSink,
  EmitterSinkKind,
  OtelInstrument,
  RetryPolicy,
} from '@nervix/model';
import { describe, expect, test } from 'vitest';
import { modelAspects } from '../../src/index.js';
import { field, int } from '../support/expressions.js';
import { leavesOf, withOtherLeaf } from '../support/leaf-edits.js';
import { change, emitter } from '../support/models.js';

const retry: RetryPolicy = { backoff: '100ms', max: '10s' };
const ack = { kind: 'ack', retry } as const;
const noAck = { kind: 'no_ack', retry } as const;
const window = { kind: 'parallel', max: '8' } as const;
const windowed = { kind: 'windowed_ack', window, ackTimeout: '5s', retry } as const;
const values = [{ column: 'id', value: field('id') }];
const onConflict = { target: ['id'], action: 'UPDATE' } as const;
const client = 'sink';

/** A sink of every kind with all clauses that it may have. */
const SINKS: { readonly [Kind in EmitterSinkKind]: Extract<EmitterSink, { kind: Kind }> } = {
  kafka: { kind: 'kafka', client, mode: windowed, topic: 't' },
  pulsar: { kind: 'pulsar', client, mode: windowed, topic: 't' },
  rabbitmq: { kind: 'rabbitmq', client, mode: noAck, queue: 'q' },
  redis_pubsub: { kind: 'redis_pubsub', client, mode: noAck, channel: 'c' },
  mqtt: {
    kind: 'mqtt',
    client,
    mode: { kind: 'qos_ack', qos: 1, window, ackTimeout: '5s', retry },
    topic: 't',
  },
  nats: {
    kind: 'nats',
    client,
    mode: { kind: 'jetstream_ack', window, ackTimeout: '5s', retry },
    subject: 's',
  },
  zeromq: { kind: 'zeromq', client, mode: noAck },
  syslog: { kind: 'syslog', client, mode: noAck },
  sqs: {
    kind: 'sqs',
    client,
    mode: { kind: 'sqs_batch', retry },
    queue: 'q',
    fifoGroup: { kind: 'expression', value: field('id') },
  },
  sentry: { kind: 'sentry', client, mode: ack },
  http: emitter.sink,
  consumers: { kind: 'consumers', mode: windowed, schema: 'out' },
  clickhouse: { kind: 'clickhouse', client, mode: ack, values, table: 't' },
  postgres: { kind: 'postgres', client, mode: ack, values, table: 't', onConflict },
  mysql: {
    kind: 'mysql',
    client,
    mode: ack,
    values,
    table: 't',
    onConflict: { target: [], action: 'NOTHING' },
  },
  mongodb: { kind: 'mongodb', client, mode: ack, values, collection: 'c', onConflict },
  iceberg: {
    kind: 'iceberg',
    client,
    mode: ack,
    values,
    store: 'S3',
    table: 't',
    location: 's3://bucket',
    catalog: 'rest',
    commit: { interval: '1m', maxSize: '64MiB' },
  },
  otel: {
    kind: 'otel',
    client,
    mode: ack,
    values,
    signal: {
      kind: 'metric',
      name: 'rides',
      unit: '1',
      description: 'how many rides',
      instrument: { kind: 'sum', monotonic: true, temporality: 'DELTA' },
    },
    attributes: values,
    resource: values,
    scope: { name: 'taxi', version: '1' },
  },
};

const withSink = (sink: EmitterSink): EmitterModel => ({ ...emitter, sink });
const rows = (before: EmitterSink, after: EmitterSink) =>
  modelAspects(withSink(before), withSink(after)).map(({ aspect, level }) => `${aspect} ${level}`);
const DEFINITION = ['EMITTER_SINK ENTITY_PAUSE'];
const MODE = ['EMITTER_PUBLISHING_MODE ENTITY_PAUSE'];
const expected: Readonly<Record<string, readonly string[]>> = {
  client: ['EMITTER_CLIENT ENTITY_PAUSE'],
  mode: MODE,
};

describe.each(Object.values(SINKS))('CP-95 a sink of the kind $kind', (sink) => {
  test('Q-32 Q-33 Q-34 Q-57 each leaf is a matter of its client, its mode or its definition', () => {
    for (const path of leavesOf(sink)) {
      if (path[0] === 'kind') continue;
      const found = rows(sink, withOtherLeaf(sink, path));
      expect(found, path.join('.')).toEqual(expected[path[0] ?? ''] ?? DEFINITION);
    }
  });

  test('Q-34 a RETRY POLICY is part of the mode alone', () => {
    const mode = { ...sink.mode, retry: { backoff: '1s', max: '1m' } };
    expect(rows(sink, { ...sink, mode } as EmitterSink)).toEqual(MODE);
  });
});

test('Q-32 another kind with the same client and mode', () => {
  const { syslog, zeromq, kafka, pulsar } = SINKS;
  expect(rows(syslog, zeromq)).toEqual(DEFINITION);
  expect(rows(kafka, pulsar)).toEqual(DEFINITION);
});

const { kafka, rabbitmq, redis_pubsub, mqtt, nats, sqs, http, clickhouse, mongodb, pulsar } = SINKS;
const TARGETS: readonly (readonly [string, EmitterSink, EmitterSink])[] = [
  ['topic of Kafka', kafka, { ...kafka, topic: 'u' }],
  ['topic of Pulsar', pulsar, { ...pulsar, topic: 'u' }],
  ['topic of MQTT', mqtt, { ...mqtt, topic: 'u' }],
  ['queue of RabbitMQ', rabbitmq, { ...rabbitmq, queue: 'p' }],
  ['queue of SQS', sqs, { ...sqs, queue: 'p' }],
  ['channel', redis_pubsub, { ...redis_pubsub, channel: 'd' }],
  ['subject', nats, { ...nats, subject: 'r' }],
  ['table', clickhouse, { ...clickhouse, table: 'u' }],
  ['collection', mongodb, { ...mongodb, collection: 'd' }],
  ['method', http, { ...http, method: { kind: 'string', value: 'PUT' } }],
  ['path', http, { ...http, path: field('text') }],
];
test.each(TARGETS)('Q-32 the %s', (_, before, after) => {
  expect(rows(before, after)).toEqual(DEFINITION);
  expect(rows(after, before), 'and back').toEqual(DEFINITION);
});

const { postgres, mysql, iceberg, otel, consumers } = SINKS;
const more = [...values, { column: 'n', value: int('1') }];
const measured = (instrument: OtelInstrument): EmitterSink => ({
  ...otel,
  signal: { kind: 'metric', name: 'rides', unit: '1', description: null, instrument },
});
const LEAVES: readonly (readonly [string, EmitterSink, EmitterSink])[] = [
  ...[clickhouse, postgres, mysql, mongodb, iceberg, otel].map(
    (sink) => [`VALUES of ${sink.kind}`, sink, { ...sink, values: more }] as const,
  ),
  [
    'another order of VALUES',
    { ...postgres, values: more },
    { ...postgres, values: more.toReversed() },
  ],
  ['no ON CONFLICT of postgres', postgres, { ...postgres, onConflict: null }],
  ['no ON CONFLICT of mysql', mysql, { ...mysql, onConflict: null }],
  ['no ON CONFLICT of mongodb', mongodb, { ...mongodb, onConflict: null }],
  [
    'another action ON CONFLICT',
    postgres,
    { ...postgres, onConflict: { ...onConflict, action: 'NOTHING' } },
  ],
  [
    'another target ON CONFLICT',
    postgres,
    { ...postgres, onConflict: { ...onConflict, target: ['id', 'n'] } },
  ],
  ['LOCATION', iceberg, { ...iceberg, location: 's3://other' }],
  ['CATALOG client', iceberg, { ...iceberg, catalog: 'other' }],
  ['store', iceberg, { ...iceberg, store: 'GCS' }],
  ['COMMIT EACH', iceberg, { ...iceberg, commit: { interval: '2m', maxSize: '64MiB' } }],
  ['size of COMMIT EACH', iceberg, { ...iceberg, commit: { interval: '1m', maxSize: '1MiB' } }],
  ['signal', otel, { ...otel, signal: { kind: 'logs' } }],
  ['other signal', { ...otel, signal: { kind: 'traces' } }, { ...otel, signal: { kind: 'logs' } }],
  ['DESCRIPTION', otel, measured({ kind: 'sum', monotonic: true, temporality: 'DELTA' })],
  [
    'instrument',
    measured({ kind: 'gauge' }),
    measured({ kind: 'histogram', temporality: 'DELTA' }),
  ],
  [
    'temporality',
    measured({ kind: 'histogram', temporality: 'CUMULATIVE' }),
    measured({ kind: 'histogram', temporality: 'DELTA' }),
  ],
  ['ATTRIBUTES', otel, { ...otel, attributes: more }],
  ['no ATTRIBUTES', otel, { ...otel, attributes: null }],
  ['RESOURCE', otel, { ...otel, resource: more }],
  ['no RESOURCE', otel, { ...otel, resource: null }],
  ['SCOPE', otel, { ...otel, scope: { name: 'other', version: '1' } }],
  ['no version of a SCOPE', otel, { ...otel, scope: { name: 'taxi', version: null } }],
  ['no SCOPE', otel, { ...otel, scope: null }],
  ['FIFO GROUP', sqs, { ...sqs, fifoGroup: { kind: 'branch' } }],
  ['no FIFO GROUP', sqs, { ...sqs, fifoGroup: null }],
  ['schema of CLIENT', consumers, { ...consumers, schema: 'event' }],
];
test.each(LEAVES)('Q-57 %s', (_, before, after) => {
  expect(rows(before, after)).toEqual(DEFINITION);
  expect(rows(after, before), 'and back').toEqual(DEFINITION);
});

test('Q-57 whether a request has a body, which is also a matter of its codec', () => {
  const bare = change(emitter, { encodeUsing: null });
  const found = modelAspects(emitter, bare).map(({ aspect, level }) => `${aspect} ${level}`);
  expect(found).toEqual([...DEFINITION, 'EMITTER_CODEC ENTITY_PAUSE']);
});
