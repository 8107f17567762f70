import { describe, expect, test } from 'vitest';
import { completeAt, printStatement } from '../src/index.ts';
import { expectRefusal, read } from './support/reading.ts';

const retry = 'RETRY POLICY BACKOFF 250ms MAX 30s';
const noAck = `NO_ACK ${retry}`;
const ack = `ACK ${retry}`;
const sequential = `ACK SEQUENTIAL ACK TIMEOUT 10s ${retry}`;
const parallel = `ACK PARALLEL MAX 64 ACK TIMEOUT 10s ${retry}`;
const batch = 'BATCH MAX MESSAGES 500 MAX SIZE 1MiB';
const tail = 'FLUSH IMMEDIATE ON MESSAGE ERROR LOG ON GENERAL ERROR LOG';
const to = 'CREATE EMITTER e FROM a TO';

function offers(text: string): readonly string[] {
  return completeAt(text, Buffer.byteLength(text)).items.map(({ label }) => label);
}

/** Asserts the lines of an emitter from its sink to its flush policy. */
function expectOutput(output: string, lines: readonly string[]): void {
  const printed = printStatement(read(`${to} ${output} ${tail}`));
  const [head, from, ...rest] = printed.split('\n');
  expect([head, from]).toEqual(['CREATE ATTACHED EMITTER e', '  FROM a']);
  expect(rest).toEqual([
    ...lines,
    '  FLUSH IMMEDIATE',
    '  ON MESSAGE ERROR LOG',
    '  ON GENERAL ERROR LOG;',
  ]);
  expect(printStatement(read(printed))).toBe(printed);
}

describe('NSPL 6.5, 9.3: sinks of payloads and their canonical text', () => {
  test.each([
    ['KAFKA c TOPIC t', noAck],
    ['KAFKA c TOPIC t', sequential],
    ['KAFKA c TOPIC t', parallel],
    ['PULSAR c TOPIC t', noAck],
    ['PULSAR c TOPIC t', parallel],
    ['RABBITMQ c QUEUE q', noAck],
    ['RABBITMQ c QUEUE q', sequential],
    ['REDIS PUBSUB c CHANNEL h', noAck],
    ['MQTT c TOPIC t', `QOS 0 ${retry}`],
    ['MQTT c TOPIC t', `QOS 1 ${sequential}`],
    ['MQTT c TOPIC t', `QOS 2 ${parallel}`],
    ['NATS c SUBJECT s', noAck],
    ['NATS c SUBJECT s', `JETSTREAM ${parallel}`],
    ['ZEROMQ c', noAck],
    ['SYSLOG c', noAck],
    ['SQS c QUEUE q', `SINGLE ${retry}`],
    ['SQS c QUEUE q', `BATCH ${retry}`],
    ['SQS c QUEUE q.fifo FIFO GROUP FROM BRANCH', `BATCH ${retry}`],
    ['SQS c QUEUE a-1-b.fifo FIFO GROUP input.id', `SINGLE ${retry}`],
    [`SQS c QUEUE q.fifo FIFO GROUP CASE WHEN a THEN 'b' ELSE 'c' END`, `SINGLE ${retry}`],
    ['SENTRY c', ack],
    [`KAFKA c TOPIC 'Orders.v1'`, noAck],
    [`RABBITMQ c QUEUE 'Q-1'`, noAck],
    [`REDIS PUBSUB c CHANNEL 'news:eu'`, noAck],
    [`MQTT c TOPIC 'a/b'`, `QOS 0 ${retry}`],
    [`NATS c SUBJECT 'a.b'`, noAck],
    [`SQS c QUEUE 'Q.fifo' FIFO GROUP FROM BRANCH`, `BATCH ${retry}`],
  ])('%s MODE %s', (head, mode) => {
    const lines = [`  TO ${head}`, `    MODE ${mode}`, '    ENCODE USING codec'];
    const output = `${head} MODE ${mode} ENCODE USING codec`;
    expectOutput(output, lines);
    expectOutput(`${output} INHERIT ALL WHERE input.a > 1 INVOKE write_header('a', b) ${batch}`, [
      ...lines,
      '  INHERIT ALL',
      '  WHERE input.a > 1',
      `  INVOKE write_header('a', b)`,
      `  ${batch}`,
    ]);
  });

  test.each([
    ['My_Queue', 'my_queue'],
    ['A - 1 . FIFO', 'a-1.fifo'],
    ['10', '10'],
    ['1.5', `'1.5'`],
    [`'a-b'`, 'a-b'],
    [`'007'`, `'007'`],
    [`'10a'`, `'10a'`],
    [`'a.b'`, `'a.b'`],
    [`'x.FIFO'`, `'x.FIFO'`],
    [`''`, `''`],
  ])('1.3, 14.3: QUEUE %s', (written, canonical) => {
    expectOutput(`SQS c QUEUE ${written} MODE SINGLE ${retry} ENCODE USING codec`, [
      `  TO SQS c QUEUE ${canonical}`,
      `    MODE SINGLE ${retry}`,
      '    ENCODE USING codec',
    ]);
  });

  test('consumers of the native protocol', () => {
    expectOutput(`CLIENT SCHEMA s MODE ${sequential} SET a = 1 ${batch}`, [
      '  TO CLIENT SCHEMA s',
      `    MODE ${sequential}`,
      '  SET a = 1',
      `  ${batch}`,
    ]);
    expectOutput(`CLIENT SCHEMA s MODE ${parallel} ${batch}`, [
      '  TO CLIENT SCHEMA s',
      `    MODE ${parallel}`,
      `  ${batch}`,
    ]);
  });
});

describe('NSPL 6.5, 9.3: sinks of values and their canonical text', () => {
  const values = "VALUES {'id' = input.id, \"it's\" = [1, 2]}";
  const block = ['    VALUES {', "      'id' = input.id,", '      "it\'s" = [1, 2]', '    }'];
  test.each([
    ['CLICKHOUSE c INSERT TO TABLE t', ''],
    ['POSTGRES c INSERT TO TABLE t', ''],
    ['POSTGRES c INSERT TO TABLE t', 'ON CONFLICT DO NOTHING'],
    ['POSTGRES c INSERT TO TABLE t', "ON CONFLICT ('id') DO NOTHING"],
    ['POSTGRES c INSERT TO TABLE t', "ON CONFLICT ('id', 'other') DO UPDATE"],
    ['MYSQL c INSERT TO TABLE t', ''],
    ['MYSQL c INSERT TO TABLE t', 'ON CONFLICT DO NOTHING'],
    ['MYSQL c INSERT TO TABLE t', 'ON CONFLICT DO UPDATE'],
    ['MONGODB c INSERT TO COLLECTION d', ''],
    ['MONGODB c INSERT TO COLLECTION d', "ON CONFLICT ('id') DO UPDATE"],
    ['MONGODB c INSERT TO COLLECTION d', "ON CONFLICT ('id', \"it's\") DO NOTHING"],
    [`POSTGRES c INSERT TO TABLE 'Public.T'`, ''],
    [`MONGODB c INSERT TO COLLECTION 'D'`, ''],
  ])('%s … %s', (head, conflict) => {
    const clause = conflict === '' ? [] : [`    ${conflict}`];
    const lines = [`  TO ${head}`, ...block, ...clause, `    MODE ${ack}`];
    const output = `${head} ${values} ${conflict} MODE ${ack}`;
    expectOutput(`${output} ${batch}`, [...lines, `  ${batch}`]);
    expectOutput(`${output} WHERE a ${batch}`, [...lines, '  WHERE a', `  ${batch}`]);
  });

  test.each(['S3', 'GCS', 'AZURE_BLOB'])('ICEBERG ON %s', (store) => {
    const output =
      `ICEBERG ON ${store} c TABLE t VALUES {'id' = input.id} LOCATION 's3://lake/t' ` +
      `CATALOG catalog COMMIT EACH 60s MAX SIZE 128mib MODE ${ack}`;
    const lines = [
      `  TO ICEBERG ON ${store} c TABLE t`,
      '    VALUES {',
      "      'id' = input.id",
      '    }',
      "    LOCATION 's3://lake/t'",
      '    CATALOG catalog',
      '    COMMIT EACH 60s MAX SIZE 128mib',
      `    MODE ${ack}`,
    ];
    expectOutput(output, lines);
    expectOutput(`${output} WHERE a ${batch}`, [...lines, '  WHERE a', `  ${batch}`]);
  });

  test.each([
    [`LOGS VALUES {'time' = now(), 'body' = input.text}`],
    [`TRACES VALUES {'name' = n} ATTRIBUTES {'a' = b, 'c' = d} RESOURCE {'service.name' = 'x'}`],
    [`METRIC 'm' UNIT 'By' GAUGE VALUES {'value' = v}`],
    [`METRIC 'm' UNIT '1' DESCRIPTION 'all' SUM MONOTONIC CUMULATIVE VALUES {'value' = v}`],
    [`METRIC 'm' UNIT '1' SUM DELTA VALUES {'value' = v}`],
    [`METRIC 'm' UNIT 's' HISTOGRAM DELTA VALUES {'count' = v} SCOPE 's'`],
    [
      `LOGS VALUES {'body' = b} RESOURCE {'a' = 1, 'b' = 1.5, 'c' = TRUE, 'd' = NULL, 'e' = ` +
        `['x', 2]} SCOPE 's' VERSION '1'`,
    ],
  ])('OTEL %s', (rest) => {
    const output = `OTEL c ${rest} MODE ${ack}`;
    const lines = [`  TO OTEL c ${rest}`, `    MODE ${ack}`];
    expectOutput(output, lines);
    expectOutput(`${output} WHERE a ${batch}`, [...lines, '  WHERE a', `  ${batch}`]);
  });
});

test('NSPL 9.3: an emitter of rows', () => {
  const emitter = `CREATE DETACHED EMITTER trips_to_pg
  FROM paid_trips
  TO POSTGRES warehouse INSERT TO TABLE trips
    VALUES {
      'id' = input.id,
      'fare' = input.fare
    }
    ON CONFLICT ('id') DO UPDATE
    MODE ACK RETRY POLICY BACKOFF 250ms MAX 30s
  WHERE input.fare > 0.0
  BATCH MAX MESSAGES 500 MAX SIZE 1MiB
  FLUSH EACH 2s MAX BATCH SIZE 4MiB
  ON MESSAGE ERROR LOG
  ON GENERAL ERROR LOG;`;
  expect(printStatement(read(emitter))).toBe(emitter);
});

const kafka = `${to} KAFKA c TOPIC t MODE ${noAck}`;
const rows = (sink: string) => `${to} ${sink} c INSERT TO TABLE t VALUES {'a' = 1, 'b' = 2}`;
const postgres = rows('POSTGRES');
const documents = `${to} MONGODB c INSERT TO COLLECTION d VALUES {'a' = 1, 'b' = 2}`;
const logs = `${to} OTEL c LOGS VALUES {'body' = b}`;
const http = `${to} HTTP c METHOD 'GET' PATH p MODE ${ack}`;

describe('NSPL 1.4, 6.5: bounds of a batch', () => {
  test.each([
    ['1048576B', '1048576B'],
    ['256KB', '256KB'],
    ['4mib', '4MiB'],
    ['1kb', '1KB'],
    ['2KIB', '2KiB'],
    ['3gB', '3GB'],
    ['3Gib', '3GiB'],
    ['7tb', '7TB'],
    ['7TIB', '7TiB'],
    ['18446744073709551615b', '18446744073709551615B'],
    ['16777215TiB', '16777215TiB'],
  ])('%s', (written, canonical) => {
    expectOutput(
      `SENTRY c MODE ${ack} ENCODE USING j BATCH MAX MESSAGES 65536 MAX SIZE ${written}`,
      [
        '  TO SENTRY c',
        `    MODE ${ack}`,
        '    ENCODE USING j',
        `  BATCH MAX MESSAGES 65536 MAX SIZE ${canonical}`,
      ],
    );
  });

  const range = 'BATCH MAX MESSAGES must be between 1 and 65536, found';
  const bounds = `${kafka} ENCODE USING j BATCH MAX MESSAGES`;
  const form = 'must be a whole number followed by B, KB, KiB, MB, MiB, GB, GiB, TB or TiB';
  const large = 'exceeds the largest size a 64-bit byte count can hold';
  test.each([
    [`${bounds} 0`, `${range} 0`, '0'],
    [`${bounds} 65537 MAX`, `${range} 65537`, '65537'],
    [`${bounds} 18446744073709551615`, `${range} 18446744073709551615`, '18446744073709551615'],
    [`${bounds} x`, "invalid integer 'x'", 'x'],
    [`${bounds} 1.5`, "invalid integer '1.5'", '1.5'],
    [`${bounds} 1 MAX SIZE 0MiB`, 'BATCH MAX SIZE must be greater than zero', '0MiB'],
    [`${bounds} 1 MAX SIZE 1.5MiB`, `BATCH MAX SIZE '1.5MiB' ${form}`, '1.5MiB'],
    [`${bounds} 1 MAX SIZE 1PiB`, `BATCH MAX SIZE '1PiB' ${form}`, '1PiB'],
    [`${bounds} 1 MAX SIZE 1foo`, `BATCH MAX SIZE '1foo' ${form}`, '1foo'],
    [`${bounds} 1 MAX SIZE 1e3 B`, `BATCH MAX SIZE '1e3B' ${form}`, '1e3 B'],
    [`${bounds} 1 MAX SIZE large`, `BATCH MAX SIZE 'large' ${form}`, 'large'],
    [
      `${bounds} 1 MAX SIZE 18446744073709551616B`,
      `BATCH MAX SIZE '18446744073709551616B' ${large}`,
      '18446744073709551616B',
    ],
    [`${bounds} 1 MAX SIZE 16777216TiB`, `BATCH MAX SIZE '16777216TiB' ${large}`, '16777216TiB'],
    [`${bounds} 1 MAX SIZE 5`, 'expected byte_size_literal, found end of input', ''],
  ])('%s', expectRefusal);
});

describe('NSPL 6.5, 10: what a sink expects', () => {
  test.each([
    [
      `${to} x`,
      'expected KAFKA | PULSAR | RABBITMQ | REDIS | MQTT | NATS | ZEROMQ | SYSLOG | SQS | SENTRY | ' +
        'HTTP | CLIENT | CLICKHOUSE | POSTGRES | MYSQL | MONGODB | ICEBERG | OTEL, found x',
      'x',
    ],
    [`${to} KAFKA`, 'expected ref:client, found end of input', ''],
    [`${to} KAFKA c TOPIC t ENCODE`, 'expected MODE, found ENCODE', 'ENCODE'],
    [`${to} KAFKA c TOPIC t MODE x`, 'expected NO_ACK | ACK, found x', 'x'],
    [
      `${to} KAFKA c TOPIC t MODE NO_ACK PARALLEL`,
      'expected RETRY POLICY, found PARALLEL',
      'PARALLEL',
    ],
    [
      `${to} KAFKA c TOPIC t MODE ACK RETRY`,
      'expected SEQUENTIAL | PARALLEL, found RETRY',
      'RETRY',
    ],
    [
      `${to} KAFKA c TOPIC t MODE ACK SEQUENTIAL RETRY`,
      'expected ACK TIMEOUT, found RETRY',
      'RETRY',
    ],
    [`${kafka} BATCH`, 'expected ENCODE USING, found BATCH', 'BATCH'],
    [`${kafka} WITHOUT`, 'expected ENCODE USING, found WITHOUT', 'WITHOUT'],
    [`${kafka} ENCODE USING j BATCH SIZE`, 'expected MAX, found SIZE', 'SIZE'],
    [
      `${kafka} ENCODE USING j ${batch} WHERE`,
      'expected FLUSH EACH | FLUSH IMMEDIATE, found WHERE',
      'WHERE',
    ],
    [
      `${kafka} ENCODE USING j x`,
      'expected INHERIT | SET | WHERE | INVOKE | BATCH MAX MESSAGES | FLUSH EACH | FLUSH IMMEDIATE, found x',
      'x',
    ],
    [`${to} REDIS PUBSUB c CHANNEL h MODE ACK`, 'expected NO_ACK, found ACK', 'ACK'],
    [`${to} MQTT c TOPIC t MODE NO_ACK`, 'expected QOS, found NO_ACK', 'NO_ACK'],
    [`${to} MQTT c TOPIC t MODE QOS x`, 'expected mqtt_qos, found x', 'x'],
    [`${to} MQTT c TOPIC t MODE QOS 0 ack`, 'expected RETRY POLICY, found ack', 'ack'],
    [`${to} MQTT c TOPIC t MODE QOS 0 x`, 'expected RETRY POLICY, found x', 'x'],
    [`${to} MQTT c TOPIC t MODE QOS 1 x`, 'expected ACK, found x', 'x'],
    [`${to} MQTT c TOPIC t MODE QOS 2 ACK x`, 'expected SEQUENTIAL | PARALLEL, found x', 'x'],
    [`${to} MQTT c TOPIC t MODE QOS 1 Retry`, 'expected ACK, found Retry', 'Retry'],
    [`${to} NATS c SUBJECT s MODE ACK`, 'expected NO_ACK | JETSTREAM ACK, found ACK', 'ACK'],
    [`${to} SENTRY c MODE NO_ACK`, 'expected ACK, found NO_ACK', 'NO_ACK'],
    [`${to} SENTRY c MODE ACK SEQUENTIAL`, 'expected RETRY POLICY, found SEQUENTIAL', 'SEQUENTIAL'],
    [`${to} SQS c QUEUE 10a`, 'expected - | . | FIFO GROUP | MODE, found a', 'a'],
    [`${to} SQS c QUEUE q.x`, 'expected FIFO, found x', 'x'],
    [`${to} SQS c QUEUE q-`, 'expected queue_name, found end of input', ''],
    [`${to} SQS c QUEUE 'q'-`, 'expected FIFO GROUP | MODE, found -', '-'],
    [
      `${to} SQS c QUEUE q FIFO GROUP )`,
      'expected FROM BRANCH | fifo_group_expression, found )',
      ')',
    ],
    [`${to} SQS c QUEUE q FIFO GROUP a +`, 'expected expression, found end of input', ''],
    [`${to} SQS c QUEUE q FIFO GROUP FROM x`, 'expected BRANCH, found x', 'x'],
    [`${to} SQS c QUEUE q MODE ACK`, 'expected SINGLE | BATCH, found ACK', 'ACK'],
    [`${to} HTTP c MODE`, 'expected METHOD, found MODE', 'MODE'],
    [
      `${http} ENCODE USING j BATCH`,
      'expected INHERIT | SET | WHERE | INVOKE | FLUSH EACH | FLUSH IMMEDIATE, found BATCH',
      'BATCH',
    ],
    [
      `${http} WITHOUT BODY BATCH`,
      'expected WHERE | INVOKE | FLUSH EACH | FLUSH IMMEDIATE, found BATCH',
      'BATCH',
    ],
    [
      `${to} CLIENT SCHEMA s MODE ${sequential} ENCODE`,
      'expected INHERIT | SET | WHERE | INVOKE | BATCH MAX MESSAGES, found ENCODE',
      'ENCODE',
    ],
    [
      `${to} CLIENT SCHEMA s MODE ${sequential} FLUSH`,
      'expected INHERIT | SET | WHERE | INVOKE | BATCH MAX MESSAGES, found FLUSH',
      'FLUSH',
    ],
    [`${to} CLICKHOUSE c TABLE`, 'expected INSERT TO, found TABLE', 'TABLE'],
    [`${to} CLICKHOUSE c INSERT TO TABLE 5`, 'expected table_name, found 5', '5'],
    [`${to} CLICKHOUSE c INSERT TO TABLE t VALUES {}`, 'expected column_name, found }', '}'],
    [`${to} CLICKHOUSE c INSERT TO TABLE t VALUES {a`, 'expected column_name, found a', 'a'],
    [
      `${to} CLICKHOUSE c INSERT TO TABLE t VALUES {'a' = }`,
      'expected value_expression, found }',
      '}',
    ],
    [
      `${to} CLICKHOUSE c INSERT TO TABLE t VALUES {'a' = 1,,}`,
      'expected column_name | }, found ,',
      ',',
    ],
    [`${rows('CLICKHOUSE')} ON`, 'expected MODE, found ON', 'ON'],
    [`${postgres} x`, 'expected ON CONFLICT | MODE, found x', 'x'],
    [`${postgres} ON CONFLICT x`, 'expected ( | DO, found x', 'x'],
    [`${postgres} ON CONFLICT ()`, 'expected column_name, found )', ')'],
    [`${postgres} ON CONFLICT DO x`, 'expected NOTHING | UPDATE, found x', 'x'],
    [`${rows('MYSQL')} ON CONFLICT (`, 'expected DO, found (', '('],
    [`${documents} ON CONFLICT DO`, 'expected (, found DO', 'DO'],
    [`${to} MONGODB c INSERT TO TABLE`, 'expected COLLECTION, found TABLE', 'TABLE'],
    [`${to} MONGODB c INSERT TO COLLECTION 5`, 'expected collection_name, found 5', '5'],
    [`${postgres} MODE ${ack} FLUSH`, 'expected WHERE | BATCH MAX MESSAGES, found FLUSH', 'FLUSH'],
    [`${postgres} MODE ${ack} SET`, 'expected WHERE | BATCH MAX MESSAGES, found SET', 'SET'],
    [
      `${postgres} MODE ${ack} ENCODE`,
      'expected WHERE | BATCH MAX MESSAGES, found ENCODE',
      'ENCODE',
    ],
    [`${to} ICEBERG S3`, 'expected ON, found S3', 'S3'],
    [`${to} ICEBERG ON x`, 'expected S3 | GCS | AZURE_BLOB, found x', 'x'],
    [
      `${to} ICEBERG ON S3 c TABLE t VALUES {'a' = 1} LOCATION x`,
      'expected iceberg_location, found x',
      'x',
    ],
    [
      `${to} ICEBERG ON S3 c TABLE t VALUES {'a' = 1} LOCATION 'x' CATALOG c MODE`,
      'expected COMMIT EACH, found MODE',
      'MODE',
    ],
    [`${to} OTEL c x`, 'expected LOGS | TRACES | METRIC, found x', 'x'],
    [`${to} OTEL c METRIC m`, 'expected otel_metric_name, found m', 'm'],
    [`${to} OTEL c METRIC 'm' UNIT u`, 'expected otel_metric_unit, found u', 'u'],
    [
      `${to} OTEL c METRIC 'm' UNIT 'u' x`,
      'expected DESCRIPTION | GAUGE | SUM | HISTOGRAM, found x',
      'x',
    ],
    [
      `${to} OTEL c METRIC 'm' UNIT 'u' DESCRIPTION d`,
      'expected otel_metric_description, found d',
      'd',
    ],
    [
      `${to} OTEL c METRIC 'm' UNIT 'u' SUM x`,
      'expected MONOTONIC | DELTA | CUMULATIVE, found x',
      'x',
    ],
    [`${to} OTEL c METRIC 'm' UNIT 'u' HISTOGRAM x`, 'expected DELTA | CUMULATIVE, found x', 'x'],
    [`${logs} x`, 'expected ATTRIBUTES | RESOURCE | SCOPE | MODE, found x', 'x'],
    [
      `${logs} RESOURCE {'a' = 1} ATTRIBUTES`,
      'expected SCOPE | MODE, found ATTRIBUTES',
      'ATTRIBUTES',
    ],
    [`${logs} SCOPE s`, 'expected otel_scope_name, found s', 's'],
    [`${logs} SCOPE 's' VERSION 1`, 'expected otel_scope_version, found 1', '1'],
    [
      `${logs} MODE ${ack} x`,
      'expected WHERE | BATCH MAX MESSAGES | FLUSH EACH | FLUSH IMMEDIATE, found x',
      'x',
    ],
  ])('%s', expectRefusal);
});

describe('NSPL 6.5: refusals of sinks with their own message', () => {
  const zero = 'parallel max in-flight must be greater than zero';
  const literal = 'OTEL RESOURCE values must be literal expressions';
  const postgresUpdate = 'Postgres ON CONFLICT DO UPDATE requires';
  test.each([
    [`${to} KAFKA c TOPIC t MODE ACK PARALLEL MAX 0`, zero, '0'],
    [`${to} NATS c SUBJECT s MODE JETSTREAM ACK PARALLEL MAX 0`, zero, '0'],
    [`${to} MQTT c TOPIC t MODE QOS 3 ACK`, 'MQTT emitter QOS must be 0, 1, or 2', '3'],
    [`${to} MQTT c TOPIC t MODE QOS 1.0`, 'MQTT emitter QOS must be 0, 1, or 2', '1.0'],
    [
      `${to} KAFKA c TOPIC t MODE NO_ACK RETRY POLICY BACKOFF 5foo`,
      "invalid duration '5foo': unknown unit 'foo'",
      '5foo',
    ],
    [
      `${to} SQS c QUEUE ${'x'.repeat(100)}-${'y'.repeat(100)} MODE`,
      'invalid queue_name: name length 201 exceeds max length 128',
      `${'x'.repeat(100)}-${'y'.repeat(100)}`,
    ],
    [
      `${postgres} ON CONFLICT DO UPDATE MODE`,
      `${postgresUpdate} a conflict target`,
      'ON CONFLICT DO UPDATE',
    ],
    [
      `${postgres} ON CONFLICT ('a', 'b', 'c') DO UPDATE MODE`,
      `${postgresUpdate} at least one non-conflict VALUES column to update`,
      "ON CONFLICT ('a', 'b', 'c') DO UPDATE",
    ],
    [
      `${documents} ON CONFLICT ('a', 'c') DO`,
      "MongoDB ON CONFLICT target column 'c' is not mapped in VALUES",
      "'c'",
    ],
    [
      `${documents} ON CONFLICT ('b', 'a',) DO UPDATE`,
      'MongoDB ON CONFLICT DO UPDATE requires at least one non-conflict VALUES field to update',
      "ON CONFLICT ('b', 'a',) DO UPDATE",
    ],
    [`${logs} RESOURCE {'a' = 1, 'b' = input.c}`, literal, 'input.c'],
    [`${logs} RESOURCE {'a' = -1}`, literal, '-1'],
    [`${logs} RESOURCE {'a' = [1, [2]]}`, literal, '[1, [2]]'],
    [`${logs} RESOURCE {'a' = lower('x')}`, literal, "lower('x')"],
  ])('%s', expectRefusal);

  test.each([
    `${postgres} ON CONFLICT ('x') DO UPDATE`,
    `${postgres} ON CONFLICT ('a', 'b') DO NOTHING`,
    `${documents} ON CONFLICT ('a', 'b') DO NOTHING`,
    `${rows('MYSQL')} ON CONFLICT DO UPDATE`,
  ])('%s is read', (head) => {
    const statement = read(`${head} MODE ${ack} ${batch} ${tail}`);
    expect(statement).toMatchObject({ model: { kind: 'emitter', encodeUsing: null } });
  });
});

describe('NSPL 11: what is offered in sinks', () => {
  test.each([
    [`${to} KAFKA c TOPIC t `, ['MODE']],
    [`${to} HTTP c `, ['METHOD']],
    [`${http} `, ['ENCODE USING', 'WITHOUT BODY']],
    [
      `${http} ENCODE USING j `,
      ['FLUSH EACH', 'FLUSH IMMEDIATE', 'INHERIT', 'INVOKE', 'SET', 'WHERE'],
    ],
    [`${kafka} `, ['ENCODE USING']],
    [`${postgres} `, ['MODE', 'ON CONFLICT']],
    [`${rows('CLICKHOUSE')} `, ['MODE']],
    [`${postgres} O`, ['ON CONFLICT']],
    [`${postgres} MODE ${ack} `, ['BATCH MAX MESSAGES', 'WHERE']],
    [`${to} SQS c QUEUE q `, ['-', '.', 'FIFO GROUP', 'MODE']],
    [`${to} SQS c QUEUE q MODE `, ['BATCH', 'SINGLE']],
    [`${to} MQTT c TOPIC t MODE QOS 0 `, ['RETRY POLICY']],
    [`${to} MQTT c TOPIC t MODE QOS 2 `, ['ACK']],
    [`${to} NATS c SUBJECT s MODE `, ['JETSTREAM ACK', 'NO_ACK']],
    [`${to} OTEL c METRIC 'm' UNIT 'u' `, ['DESCRIPTION', 'GAUGE', 'HISTOGRAM', 'SUM']],
  ])('%s', (text, expected) => {
    expect(offers(text)).toEqual(expected);
  });
});
