import {
  ACK_TIMEOUT,
  BATCH,
  DECODE_ERROR,
  QUIESCE,
  RETRY_POLICY,
  VALUES,
} from './connector-clauses.js';
import { clause, type StatementEntry } from './entry.js';
import {
  ACKNOWLEDGEMENT,
  COLLECT,
  CONSTRUCTION,
  ENTRY_ROUTE,
  FILTER,
  FLUSH,
  GENERAL_ERROR,
  IF_NOT_EXISTS,
  INPUTS,
  MATERIALIZED_DEPENDENCY,
  MESSAGE_ERROR,
  ROUTE_BRANCH,
} from './graph-clauses.js';
import { type StatementDraft, statement, uses } from './statement-entry.js';

const entry = (title: string, draft: StatementDraft): StatementEntry =>
  statement('Ingestors and emitters', title, draft);

const INGESTOR_EXAMPLES: readonly string[] = [
  `CREATE INGESTOR readings_in
  FROM ENDPOINT readings MODE NO_ACK SEQUENTIAL ON QUIESCE REJECT RETRY AFTER 1s
  DECODE USING reading_codec
  TO readings INHERIT ALL UNBRANCHED FLUSH IMMEDIATE ON MESSAGE ERROR LOG
  ON GENERAL ERROR LOG;`,
  `CREATE INGESTOR trips_in
  FROM KAFKA events TOPIC trips OFFSET BY CONSUMER GROUP nervix INSTANCES 4
    MODE ACK PARALLEL MAX 500 BATCH TIMEOUT 100ms ACK TIMEOUT 30s
      RETRY POLICY BACKOFF 250ms MAX 30s
    ON QUIESCE SUSPEND
  DECODE USING trip_codec
  TIMESTAMP AT started
  FILTER WHERE input.fare >= 0.0
  TO trips
    INHERIT ALL
    SET city = lower(input.city)
    WHERE output.city != ''
    BRANCHED BY by_city SET city = message.city
    FLUSH EACH 250ms MAX BATCH SIZE 1MiB
    ON MESSAGE ERROR SEND TO failures SET id = input.id, why = error.message
  ON DECODE ERROR SEND TO unreadable SET why = error.message, raw = error.payload
  ON GENERAL ERROR LOG;`,
  `CREATE INGESTOR sensors_in
  FROM MQTT broker TOPIC 'sensors/+/temperature' SESSION PERSISTENT QOS 1
    MODE ACK SEQUENTIAL ACK TIMEOUT 10s RETRY POLICY BACKOFF 1s MAX 1m
    ON QUIESCE BUFFER MAX SIZE 8MiB ON OVERFLOW DROP OLDEST
  DECODE USING reading_codec
  TO readings INHERIT ALL UNBRANCHED FLUSH IMMEDIATE ON MESSAGE ERROR IGNORE
  ON GENERAL ERROR LOG;`,
  `CREATE INGESTOR load_in
  FROM PROMETHEUS metrics QUERY 'avg(load1)' EVERY 15s ON QUIESCE SUSPEND
  DECODE USING load_codec
  TO load INHERIT ALL UNBRANCHED FLUSH IMMEDIATE ON MESSAGE ERROR LOG
  ON GENERAL ERROR LOG;`,
  `CREATE INGESTOR app_in
  FROM CLIENT SCHEMA trip
    MODE ACK PARALLEL MAX 16 ACK TIMEOUT 30s RETRY POLICY BACKOFF 100ms MAX 5s
    ON QUIESCE SUSPEND
  TO trips INHERIT ALL UNBRANCHED FLUSH IMMEDIATE ON MESSAGE ERROR LOG
  ON GENERAL ERROR LOG;`,
];

const EMITTER_EXAMPLES: readonly string[] = [
  `CREATE EMITTER alerts
  FROM late_trips
  TO HTTP desk METHOD 'POST' PATH '/alerts' MODE ACK RETRY POLICY BACKOFF 250ms MAX 30s
    ENCODE USING alert_codec
  INHERIT ALL
  FLUSH IMMEDIATE
  ON MESSAGE ERROR LOG
  ON GENERAL ERROR LOG;`,
  `CREATE DETACHED EMITTER trips_to_pg
  FROM paid_trips, legacy_trips WHERE input.fare > 0.0 COLLECT FOR 1s
  TO POSTGRES warehouse INSERT TO TABLE trips
    VALUES {'id' = input.id, 'fare' = input.fare}
    ON CONFLICT ('id') DO UPDATE
    MODE ACK RETRY POLICY BACKOFF 250ms MAX 30s
  WHERE input.city != ''
  BATCH MAX MESSAGES 500 MAX SIZE 1MiB
  FLUSH EACH 2s MAX BATCH SIZE 4MiB
  ON MESSAGE ERROR SEND TO failures SET id = input.id, why = error.message
  ON GENERAL ERROR LOG;`,
  `CREATE EMITTER trips_out
  FROM paid_trips
  USING MATERIALIZED STATE rates DEFAULT {factor = 1.0}
  TO KAFKA events TOPIC paid
    MODE ACK PARALLEL MAX 1000 ACK TIMEOUT 10s RETRY POLICY BACKOFF 100ms MAX 10s
    ENCODE USING trip_codec
  INHERIT ALL
  SET fare = message.fare * relay_state.rates.factor
  INVOKE write_header('city', input.city)
  FLUSH EACH 100ms MAX BATCH SIZE 1MiB
  ON MESSAGE ERROR LOG
  ON GENERAL ERROR LOG;`,
  `CREATE EMITTER jobs_out
  FROM jobs
  TO SQS aws QUEUE jobs-eu.fifo FIFO GROUP FROM BRANCH
    MODE BATCH RETRY POLICY BACKOFF 1s MAX 1m
    ENCODE USING job_codec
  INHERIT ALL
  FLUSH IMMEDIATE
  ON MESSAGE ERROR LOG
  ON GENERAL ERROR LOG;`,
  `CREATE EMITTER lake
  FROM paid_trips
  TO ICEBERG ON S3 store TABLE trips
    VALUES {'id' = input.id, 'fare' = input.fare}
    LOCATION 's3://lake/trips' CATALOG lake_catalog
    COMMIT EACH 5m MAX SIZE 128MiB
    MODE ACK RETRY POLICY BACKOFF 1s MAX 1m
  FLUSH EACH 30s MAX BATCH SIZE 16MiB
  ON MESSAGE ERROR LOG
  ON GENERAL ERROR LOG;`,
  `CREATE EMITTER fares_metric
  FROM fares
  TO OTEL collector METRIC 'trip.fare' UNIT 'EUR' DESCRIPTION 'Fares by city'
    SUM MONOTONIC DELTA
    VALUES {'time' = input.at, 'start_time' = input.since, 'value' = input.total}
    ATTRIBUTES {'city' = input.city}
    RESOURCE {'service.name' = 'trips'}
    SCOPE 'nervix' VERSION '1'
    MODE ACK RETRY POLICY BACKOFF 1s MAX 30s
  FLUSH EACH 10s MAX BATCH SIZE 1MiB
  ON MESSAGE ERROR LOG
  ON GENERAL ERROR LOG;`,
];

/** Where records come in and where they leave. */
export const INGESTOR_STATEMENTS: readonly StatementEntry[] = [
  entry('CREATE INGESTOR', {
    summary:
      'Takes payloads from a source, decodes them into records and writes these to relays. Branches begin ' +
      'here.',
    clauses: [
      uses(IF_NOT_EXISTS),
      clause(
        'FROM',
        'The source: `KAFKA`, `PULSAR`, `RABBITMQ`, `SQS`, `MQTT`, `NATS`, `REDIS PUBSUB`, `WEBSOCKETS`, ' +
          '`ZEROMQ`, `SYSLOG`, `HTTP`, `PROMETHEUS`, `ENDPOINT`, or `CLIENT SCHEMA` for applications that ' +
          'send batches through their session.',
      ),
      clause('TOPIC | QUEUE | SUBJECT | CHANNEL', 'The name at the source, a word or quoted.'),
      clause(
        'OFFSET BY',
        'Who remembers how far Kafka was read: `CONSUMER GROUP` the broker, `DOMAIN` this cluster.',
      ),
      clause('SUBSCRIPTION', 'The durable subscription of Pulsar.'),
      clause('QUEUE GROUP', 'The NATS group whose members share the messages.'),
      clause('INSTANCES', 'Consumers at a time. NATS needs the clause.', '1'),
      clause('SESSION', '`CLEAN` or `PERSISTENT`, of MQTT.', '`CLEAN`'),
      clause('QOS', '0 or 1, of MQTT.', '0'),
      clause('QUERY', 'The PromQL query.'),
      clause('EVERY', 'Time between two polls, in domain time; instead of a mode.'),
      clause(
        'MODE',
        'When the source is told that a payload is done with: `NO_ACK` before, `ACK` after everything ' +
          'attached has finished.',
      ),
      clause('BATCH TIMEOUT', 'How long a parallel window waits to fill.'),
      uses(ACK_TIMEOUT),
      uses(RETRY_POLICY),
      uses(QUIESCE),
      clause('DECODE USING', 'The codec. `CLIENT SCHEMA` has none.'),
      clause(
        'TIMESTAMP',
        'The time of a record: `NOW`, or `AT` a DATETIME field. Paced domains need the clause.',
        'the time the source gives, else now',
      ),
      uses(FILTER),
      uses(ENTRY_ROUTE),
      uses(ROUTE_BRANCH),
      uses(FLUSH),
      uses(MESSAGE_ERROR),
      uses(DECODE_ERROR),
      uses(GENERAL_ERROR),
    ],
    notes: [
      'Modes: Kafka and Pulsar `ACK SEQUENTIAL`, `ACK PARALLEL`, `NO_ACK PARALLEL`; RabbitMQ and SQS ' +
        '`ACK SEQUENTIAL`; MQTT all of them, the `ACK` ones with `SESSION PERSISTENT QOS 1`; NATS, Redis, ' +
        'WebSocket, ZeroMQ and Syslog `NO_ACK SEQUENTIAL`; endpoints `NO_ACK SEQUENTIAL` or `ACK PARALLEL`.',
      'When quiesced: Kafka, Pulsar, RabbitMQ, SQS and `CLIENT` suspend; MQTT, ZeroMQ and Syslog suspend, ' +
        'buffer or drop; NATS, Redis and WebSocket buffer or drop; HTTP and Prometheus suspend or buffer; ' +
        'endpoints reject, or buffer without `ON OVERFLOW`.',
      'At least one route. `ON GENERAL ERROR` stands last and has to be written.',
    ],
    examples: INGESTOR_EXAMPLES,
    seeAlso: [
      'alter-ingestor',
      'create-client',
      'create-endpoint',
      'create-codec',
      'show-ingestors',
    ],
  }),
  entry('CREATE EMITTER', {
    summary: 'Reads relays and delivers their records to an external system.',
    clauses: [
      uses(IF_NOT_EXISTS),
      uses(ACKNOWLEDGEMENT),
      uses(INPUTS),
      uses(COLLECT),
      uses(MATERIALIZED_DEPENDENCY),
      clause(
        'TO',
        'The sink: `KAFKA`, `PULSAR`, `RABBITMQ`, `REDIS PUBSUB`, `MQTT`, `NATS`, `ZEROMQ`, `SYSLOG`, ' +
          '`SQS`, `SENTRY`, `HTTP`, `CLIENT SCHEMA`, `CLICKHOUSE`, `POSTGRES`, `MYSQL`, `MONGODB`, ' +
          '`ICEBERG` or `OTEL`.',
      ),
      clause('TOPIC | QUEUE | SUBJECT | CHANNEL', 'The name at the sink, a word or quoted.'),
      clause(
        'FIFO GROUP',
        'Group of a record in a queue whose name ends in `.fifo`: its branch, or a STRING expression.',
        'none; such queues need it',
      ),
      clause('METHOD', 'HTTP method, a STRING expression.'),
      clause('PATH', 'HTTP path and query, a STRING expression.'),
      clause('INSERT TO TABLE | INSERT TO COLLECTION', 'Where rows go.'),
      uses(VALUES),
      clause(
        'ON CONFLICT',
        'What to do with rows whose key is there already: `DO NOTHING` or `DO UPDATE`.',
        'they are refused by the database',
      ),
      clause('LOCATION', 'Where the Iceberg table lies.'),
      clause('CATALOG', 'The client of the Iceberg catalog.'),
      clause('COMMIT EACH', 'How often, and from which size on, staged files enter the table.'),
      clause(
        'LOGS | TRACES | METRIC',
        'What kind of OTEL signal; metrics have a name, a unit and `GAUGE`, `SUM` or `HISTOGRAM`.',
      ),
      clause('ATTRIBUTES', 'OTEL attributes of a record.', 'none'),
      clause('RESOURCE', 'OTEL attributes of the resource, literals only.', 'none'),
      clause('SCOPE', 'Name and version of the OTEL scope.', 'none'),
      clause(
        'MODE',
        'When a record counts as delivered: `NO_ACK` once it is handed over, `ACK` once it is confirmed. ' +
          'MQTT says `QOS`, NATS `JETSTREAM ACK`, SQS `SINGLE` or `BATCH`.',
      ),
      uses(ACK_TIMEOUT),
      uses(RETRY_POLICY),
      clause('ENCODE USING', 'The codec that writes the payload.'),
      clause('WITHOUT BODY', 'The HTTP request has no body; only `WHERE` and `INVOKE` may follow.'),
      uses(CONSTRUCTION),
      uses(BATCH),
      uses(FLUSH),
      uses(MESSAGE_ERROR),
      uses(GENERAL_ERROR),
    ],
    notes: [
      'Every mode has a retry policy; attempts go on until the sink takes or refuses the record.',
      'Row sinks and OTEL have `VALUES`, no codec, and only `WHERE` of the construction.',
    ],
    examples: EMITTER_EXAMPLES,
    seeAlso: ['alter-emitter', 'create-client', 'create-codec', 'describe-model'],
  }),
];
