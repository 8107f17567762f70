import type {
  EndpointMode,
  IngestorModel,
  IngestSource,
  LogMode,
  MqttSource,
  NoAckSequential,
  PayloadSource,
  ProducerSource,
  QuiesceMode,
} from '@nervix/model';
import fc from 'fast-check';
import { externalName, retry, window } from './acknowledgement.ts';
import { entryRoutes, generalError, sendTo } from './clauses.ts';
import { expression } from './expressions.ts';
import { byteSize, duration, name, nanos, positive, text } from './names.ts';

const suspend: fc.Arbitrary<QuiesceMode> = fc.constant({ kind: 'suspend' });
const drop: fc.Arbitrary<QuiesceMode> = fc.constant({ kind: 'drop' });
const buffer: fc.Arbitrary<QuiesceMode> = fc.record({
  kind: fc.constant('buffer' as const),
  maxSize: byteSize,
  overflow: fc.constantFrom('OLDEST' as const, 'NEWEST' as const),
});
const endpointQuiesce: fc.Arbitrary<QuiesceMode> = fc.oneof(
  fc.record({ kind: fc.constant('reject' as const), retryAfter: duration }),
  fc.record({
    kind: fc.constant('buffer' as const),
    maxSize: byteSize,
    overflow: fc.constant(null),
  }),
);

/** Bodies of ON QUIESCE, whichever source they are of. */
export const quiesce: fc.Arbitrary<QuiesceMode> = fc.oneof(suspend, drop, buffer, endpointQuiesce);

const noAckSequential: fc.Arbitrary<NoAckSequential> = fc.constant({ kind: 'no_ack_sequential' });
const ackSequential = fc.record({
  kind: fc.constant('ack_sequential' as const),
  ackTimeout: duration,
  retry,
});
const logAck = fc.oneof(
  ackSequential,
  fc.record({
    kind: fc.constant('ack_parallel_batch' as const),
    max: positive,
    batchTimeout: duration,
    ackTimeout: duration,
    retry,
  }),
);
const noAckParallel = fc.constant({ kind: 'no_ack_parallel' as const });
const logMode: fc.Arbitrary<LogMode> = fc.oneof(logAck, noAckParallel);
const endpointMode: fc.Arbitrary<EndpointMode> = fc.oneof(
  noAckSequential,
  fc.record({ kind: fc.constant('ack_parallel' as const), max: positive, ackTimeout: duration }),
);

const instances = fc.oneof(fc.constant('1'), positive);
const client = name;
const log = { client, instances, quiesce: suspend };
const push = { client, mode: noAckSequential };

const mqttShape = { kind: fc.constant('mqtt' as const), client, topicFilter: externalName };
const mqtt: fc.Arbitrary<MqttSource> = fc.oneof(
  fc.record({
    ...mqttShape,
    instances,
    session: fc.constantFrom('CLEAN' as const, 'PERSISTENT' as const),
    qos: fc.constantFrom(0 as const, 1 as const),
    mode: fc.oneof(noAckSequential, noAckParallel),
    quiesce: fc.oneof(buffer, drop),
  }),
  fc.record({
    ...mqttShape,
    instances,
    session: fc.constant('PERSISTENT' as const),
    qos: fc.constant(1 as const),
    mode: fc.oneof(logAck, noAckSequential, noAckParallel),
    quiesce: fc.oneof(suspend, buffer, drop),
  }),
);

const payloadSource: fc.Arbitrary<PayloadSource> = fc.oneof(
  fc.record({
    kind: fc.constant('kafka' as const),
    ...log,
    topic: externalName,
    offsets: fc.oneof(
      fc.constant({ kind: 'domain' as const }),
      fc.record({ kind: fc.constant('consumer_group' as const), group: externalName }),
    ),
    mode: logMode,
  }),
  fc.record({
    kind: fc.constant('pulsar' as const),
    ...log,
    topic: externalName,
    subscription: externalName,
    mode: logMode,
  }),
  fc.record({
    kind: fc.constantFrom('rabbitmq' as const, 'sqs' as const),
    ...log,
    queue: externalName,
    mode: ackSequential,
  }),
  mqtt,
  fc.record({
    kind: fc.constant('nats' as const),
    ...push,
    subject: externalName,
    queueGroup: externalName,
    instances,
    quiesce: fc.oneof(buffer, drop),
  }),
  fc.record({
    kind: fc.constant('redis_pubsub' as const),
    ...push,
    channel: externalName,
    quiesce: fc.oneof(buffer, drop),
  }),
  fc.record({
    kind: fc.constant('websockets' as const),
    ...push,
    quiesce: fc.oneof(buffer, drop),
  }),
  fc.record({
    kind: fc.constantFrom('zeromq' as const, 'syslog' as const),
    ...push,
    quiesce: fc.oneof(suspend, buffer, drop),
  }),
  fc.record({
    kind: fc.constant('http' as const),
    client,
    everyNanos: nanos,
    quiesce: fc.oneof(suspend, buffer),
  }),
  fc.record({
    kind: fc.constant('prometheus' as const),
    client,
    query: text,
    everyNanos: nanos,
    quiesce: fc.oneof(suspend, buffer),
  }),
  fc.record({
    kind: fc.constant('endpoint' as const),
    endpoint: name,
    mode: endpointMode,
    quiesce: endpointQuiesce,
  }),
);
const producers: fc.Arbitrary<ProducerSource> = fc.record({
  kind: fc.constant('producers' as const),
  schema: name,
  window,
  ackTimeout: duration,
  retry,
  quiesce: suspend,
});

/** Sources of every kind. */
export const source: fc.Arbitrary<IngestSource> = fc.oneof(
  { weight: 12, arbitrary: payloadSource },
  producers,
);

export const timestamp = fc.oneof(
  fc.constant({ kind: 'now' as const }),
  fc.record({ kind: fc.constant('at' as const), field: name }),
);
export const decodeError = fc.oneof(
  fc.constantFrom({ kind: 'retry' as const }, { kind: 'log' as const }),
  sendTo,
);

/** Ingestors with sources of every kind. */
export const ingestor: fc.Arbitrary<IngestorModel> = fc
  .record({
    kind: fc.constant('ingestor' as const),
    name,
    source,
    decodeUsing: name,
    timestamp: fc.option(timestamp),
    filter: fc.option(expression),
    routes: entryRoutes,
    decodeError: fc.option(decodeError),
    generalError,
  })
  .map((model) => {
    if (model.source.kind === 'producers') {
      return { ...model, decodeUsing: null, decodeError: null };
    }
    const isAck = 'mode' in model.source && model.source.mode.kind.startsWith('ack');
    return model.decodeError?.kind === 'retry' && !isAck ? { ...model, decodeError: null } : model;
  });
