import { clause, type SharedClause, sharedClause } from './entry.js';

export const SOURCE: SharedClause = sharedClause('Source', {
  keywords: 'FROM',
  summary:
    'Where an ingestor takes payloads from, complete with its mode and what holds when quiesced.',
  rules: ['source'],
  forms: [
    clause('KAFKA', 'A topic of Kafka, from partitions that a consumer group or the domain keeps.'),
    clause('PULSAR', 'A shared, durable subscription to a topic.'),
    clause('RABBITMQ', 'A queue.'),
    clause('SQS', 'A queue.'),
    clause('MQTT', 'Topics that a filter matches.'),
    clause('NATS', 'A subject, as a member of a queue group.'),
    clause('REDIS PUBSUB', 'A channel.'),
    clause('WEBSOCKETS', 'A connection that the node opens.'),
    clause('ZEROMQ', 'A PULL socket.'),
    clause('SYSLOG', 'A port that the nodes listen on.'),
    clause('HTTP', 'Answers to requests that are repeated.'),
    clause('PROMETHEUS', 'Samples of a query that is repeated.'),
    clause('ENDPOINT', 'Requests or frames that arrive at an endpoint.'),
  ],
});

export const PRODUCER_SOURCE: SharedClause = sharedClause('Producer source', {
  keywords: 'CLIENT SCHEMA',
  summary: 'Batches that applications send through their session. There is no codec.',
  rules: ['producerSource'],
});

export const DECODE_ERROR: SharedClause = sharedClause('Decode error', {
  keywords: 'ON DECODE ERROR',
  summary: 'What becomes of a payload that the codec cannot read.',
  omitted:
    'modes without acknowledgement go on; others retry it, or skip it under `ON GENERAL ERROR IGNORE`',
  rules: ['decodeError', 'decodePolicy'],
  forms: [
    clause('RETRY', 'The source delivers it again. Needs an `ACK` mode.'),
    clause('LOG', 'It is logged and skipped.'),
    clause('SEND TO', 'An error record goes to a relay; `error.payload` holds the bytes.'),
  ],
});

export const QUIESCE: SharedClause = sharedClause('Quiesce', {
  keywords: 'ON QUIESCE',
  summary:
    'What the outside meets while intake is held: during changes of models and when memory is short.',
  rules: [
    'quiesceSuspendBufferOrDropBody',
    'quiesceSuspendOrBufferBody',
    'quiesceBufferOrDropBody',
    'quiesceEndpointBody',
  ],
  forms: [
    clause('SUSPEND', 'Nothing is taken; the external system keeps it by its own rules.'),
    clause('BUFFER', 'Payloads are kept in memory up to a size and worked on afterwards.'),
    clause('DROP', 'Payloads are taken and discarded; they are counted.'),
    clause('REJECT', 'Requests of an endpoint get 503 with the given `Retry-After`.'),
  ],
  notes: ['Which forms are possible depends on the source; see the notes of `CREATE INGESTOR`.'],
});

export const ACK_WINDOW: SharedClause = sharedClause('Ack window', {
  keywords: 'SEQUENTIAL | PARALLEL',
  summary: 'How many records may wait for their acknowledgement.',
  rules: ['ackWindow'],
  forms: [clause('SEQUENTIAL', 'One at a time.'), clause('PARALLEL MAX', 'Up to this many.')],
});

export const ACK_TIMEOUT: SharedClause = sharedClause('Ack timeout', {
  keywords: 'ACK TIMEOUT',
  summary: 'How long an acknowledgement may show no progress before the attempt has failed.',
  rules: ['ackTimeout'],
});

export const RETRY_POLICY: SharedClause = sharedClause('Retry policy', {
  keywords: 'RETRY POLICY',
  summary: 'How long to wait before the next attempt.',
  rules: ['retryPolicy'],
  forms: [
    clause('BACKOFF', 'The first wait; each further one is twice as long.'),
    clause('MAX', 'The longest wait.'),
  ],
});

export const PAYLOAD_SINK: SharedClause = sharedClause('Payload sink', {
  keywords: 'TO',
  summary: 'Where an emitter sends payloads that a codec writes, with its mode.',
  rules: ['payloadSink'],
});

export const HTTP_SINK: SharedClause = sharedClause('HTTP sink', {
  keywords: 'TO HTTP',
  summary: 'Where an emitter sends requests, one for each record.',
  rules: ['httpSink'],
});

export const ROW_SINK: SharedClause = sharedClause('Row sink', {
  keywords: 'TO',
  summary: 'A table or collection that an emitter inserts rows into.',
  rules: ['rowSink'],
});

export const ICEBERG_SINK: SharedClause = sharedClause('Iceberg sink', {
  keywords: 'TO ICEBERG',
  summary: 'An Iceberg table that an emitter appends files to.',
  rules: ['icebergSink'],
});

export const OTEL_SINK: SharedClause = sharedClause('OTEL sink', {
  keywords: 'TO OTEL',
  summary: 'An OpenTelemetry collector that an emitter sends logs, traces or a metric to.',
  rules: ['otelSink'],
});

export const SINK_MODE: SharedClause = sharedClause('Sink mode', {
  keywords: 'MODE',
  summary: 'When a record counts as delivered.',
  rules: ['mqttSinkMode', 'windowedPublishing'],
  forms: [
    clause('NO_ACK', 'Once it is handed over.'),
    clause('ACK', 'Once the other side has confirmed it.'),
    clause('QOS', 'Of MQTT: 0 once handed over, 1 or 2 once confirmed.'),
    clause('JETSTREAM ACK', 'Of NATS: once the stream has stored it.'),
    clause('SINGLE | BATCH', 'Of SQS: how many go with one request.'),
  ],
});

export const BATCH: SharedClause = sharedClause('Batch', {
  keywords: 'BATCH',
  summary: 'Puts several records into one payload.',
  omitted: 'one payload a record',
  rules: ['batch'],
  forms: [
    clause('MAX MESSAGES', 'Most records in one payload, 1 to 65536.'),
    clause('MAX SIZE', 'Largest payload: a whole number with B, KB, KiB, … TiB.'),
  ],
  notes: ['Row sinks and `CLIENT` need the clause; HTTP sinks cannot have it.'],
});

export const VALUES: SharedClause = sharedClause('Values', {
  keywords: 'VALUES',
  summary: 'Maps external column names to expressions over the input row, in written order.',
  rules: ['values'],
});

export const CONFIG: SharedClause = sharedClause('Config', {
  keywords: 'CONFIG',
  summary: 'Settings as text, passed to what the statement describes. May be empty: `{}`.',
  rules: ['config'],
  forms: [
    clause('SECRET', 'Takes the value from a stored secret; of clients only.'),
    clause('KEY', 'The member of the secret to take.', 'the secret has one value'),
  ],
  notes: ['Words and numbers are stored as they are written; printing quotes them.'],
});

export const RESOURCE_VERSION: SharedClause = sharedClause('Resource version', {
  keywords: 'VERSION',
  summary: 'The version of a resource that is bound.',
  rules: [],
  forms: [
    clause('VERSION <n>', 'Exactly that version.'),
    clause('VERSION LATEST', 'The highest completed version now; its number is what is stored.'),
  ],
});

export const SIGNALING: SharedClause = sharedClause('Signaling', {
  keywords: 'WITH SIGNALING PROTOCOL',
  summary: 'The handshake that a WebSocket connection goes through first.',
  omitted: 'no handshake',
  rules: [],
});
