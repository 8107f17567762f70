import { describe, expect, test } from 'vitest';
import { completeAt, printStatement } from '../src/index.ts';
import { expectRefusal, read } from './support/reading.ts';

const rest = 'TO r UNBRANCHED FLUSH IMMEDIATE ON MESSAGE ERROR LOG ON GENERAL ERROR LOG';
const from = 'CREATE INGESTOR i FROM';
const retry = 'RETRY POLICY BACKOFF 250ms MAX 30s';
const ack = `ACK SEQUENTIAL ACK TIMEOUT 10s ${retry}`;
const batch = `ACK PARALLEL MAX 64 BATCH TIMEOUT 50ms ACK TIMEOUT 10s ${retry}`;
const buffer = 'BUFFER MAX SIZE 1MiB ON OVERFLOW DROP';

function offers(text: string): readonly string[] {
  return completeAt(text, Buffer.byteLength(text)).items.map(({ label }) => label);
}

/** Asserts the source line that a source prints as. */
function expectSource(source: string, canonical: string): void {
  const isProducer = /^client/iu.test(source);
  const codec = isProducer ? '' : 'DECODE USING c';
  const lines = printStatement(read(`${from} ${source} ${codec} ${rest}`)).split('\n');
  expect(lines[1]).toBe(`  FROM ${canonical}`);
  expect(lines[2]).toBe(isProducer ? '  TO r' : '  DECODE USING c');
}

describe('NSPL 6.3, 9.3: sources and their canonical text', () => {
  test.each([
    [`KAFKA c TOPIC t OFFSET BY CONSUMER GROUP g MODE ${ack} ON QUIESCE SUSPEND`],
    [`KAFKA c TOPIC t OFFSET BY DOMAIN INSTANCES 3 MODE ${batch} ON QUIESCE SUSPEND`],
    ['KAFKA c TOPIC t OFFSET BY DOMAIN MODE NO_ACK PARALLEL ON QUIESCE SUSPEND'],
    [`PULSAR c TOPIC t SUBSCRIPTION s MODE ${ack} ON QUIESCE SUSPEND`],
    [`PULSAR c TOPIC t SUBSCRIPTION s INSTANCES 2 MODE ${batch} ON QUIESCE SUSPEND`],
    ['PULSAR c TOPIC t SUBSCRIPTION s MODE NO_ACK PARALLEL ON QUIESCE SUSPEND'],
    [`RABBITMQ c QUEUE q MODE ${ack} ON QUIESCE SUSPEND`],
    [`RABBITMQ c QUEUE q INSTANCES 2 MODE ${ack} ON QUIESCE SUSPEND`],
    [`SQS c QUEUE q MODE ${ack} ON QUIESCE SUSPEND`],
    [`SQS c QUEUE q INSTANCES 18446744073709551615 MODE ${ack} ON QUIESCE SUSPEND`],
    [`MQTT c TOPIC 'a/+/#' MODE NO_ACK SEQUENTIAL ON QUIESCE DROP`],
    [`MQTT c TOPIC t INSTANCES 2 MODE NO_ACK PARALLEL ON QUIESCE ${buffer} OLDEST`],
    [`MQTT c TOPIC t SESSION CLEAN QOS 1 MODE NO_ACK PARALLEL ON QUIESCE ${buffer} NEWEST`],
    ['MQTT c TOPIC t SESSION PERSISTENT QOS 0 MODE NO_ACK PARALLEL ON QUIESCE DROP'],
    ['MQTT c TOPIC t SESSION PERSISTENT QOS 1 MODE NO_ACK SEQUENTIAL ON QUIESCE SUSPEND'],
    [`MQTT c TOPIC t SESSION PERSISTENT QOS 1 MODE ${ack} ON QUIESCE SUSPEND`],
    [`MQTT c TOPIC t SESSION PERSISTENT QOS 1 MODE ${batch} ON QUIESCE DROP`],
    ['NATS c SUBJECT s QUEUE GROUP g INSTANCES 1 MODE NO_ACK SEQUENTIAL ON QUIESCE DROP'],
    [
      `NATS c SUBJECT s QUEUE GROUP g INSTANCES 4 MODE NO_ACK SEQUENTIAL ON QUIESCE ${buffer} OLDEST`,
    ],
    ['REDIS PUBSUB c CHANNEL h MODE NO_ACK SEQUENTIAL ON QUIESCE DROP'],
    [`REDIS PUBSUB c CHANNEL h MODE NO_ACK SEQUENTIAL ON QUIESCE ${buffer} NEWEST`],
    ['WEBSOCKETS c MODE NO_ACK SEQUENTIAL ON QUIESCE DROP'],
    [`WEBSOCKETS c MODE NO_ACK SEQUENTIAL ON QUIESCE ${buffer} OLDEST`],
    ['ZEROMQ c MODE NO_ACK SEQUENTIAL ON QUIESCE SUSPEND'],
    [`ZEROMQ c MODE NO_ACK SEQUENTIAL ON QUIESCE ${buffer} OLDEST`],
    ['ZEROMQ c MODE NO_ACK SEQUENTIAL ON QUIESCE DROP'],
    ['SYSLOG c MODE NO_ACK SEQUENTIAL ON QUIESCE SUSPEND'],
    [`SYSLOG c MODE NO_ACK SEQUENTIAL ON QUIESCE ${buffer} NEWEST`],
    ['SYSLOG c MODE NO_ACK SEQUENTIAL ON QUIESCE DROP'],
    ['HTTP c EVERY 1500ms ON QUIESCE SUSPEND'],
    [`HTTP c EVERY 1d ON QUIESCE ${buffer} OLDEST`],
    [`PROMETHEUS c QUERY 'up' EVERY 5s ON QUIESCE SUSPEND`],
    [`PROMETHEUS c QUERY "rate(x['5m'])" EVERY 1us ON QUIESCE ${buffer} NEWEST`],
    ['ENDPOINT e MODE NO_ACK SEQUENTIAL ON QUIESCE REJECT RETRY AFTER 1s'],
    ['ENDPOINT e MODE NO_ACK SEQUENTIAL ON QUIESCE BUFFER MAX SIZE 64KiB'],
    ['ENDPOINT e MODE ACK PARALLEL MAX 64 ACK TIMEOUT 5s ON QUIESCE REJECT RETRY AFTER 1s'],
    [`CLIENT SCHEMA s MODE ACK SEQUENTIAL ACK TIMEOUT 10s ${retry} ON QUIESCE SUSPEND`],
    [`CLIENT SCHEMA s MODE ACK PARALLEL MAX 8 ACK TIMEOUT 10s ${retry} ON QUIESCE SUSPEND`],
  ])('%s', (source) => {
    expectSource(source, source);
    expectSource(
      source.replace(/\b[A-Z_]+\b/gu, (word) => word.toLowerCase()),
      source,
    );
  });

  test.each([
    ['HTTP c EVERY 60s ON QUIESCE SUSPEND', 'HTTP c EVERY 1m ON QUIESCE SUSPEND'],
    ['HTTP c EVERY 1h30m ON QUIESCE SUSPEND', 'HTTP c EVERY 90m ON QUIESCE SUSPEND'],
    [
      `KAFKA c TOPIC t OFFSET BY DOMAIN INSTANCES 1 MODE ${ack} ON QUIESCE SUSPEND`,
      `KAFKA c TOPIC t OFFSET BY DOMAIN MODE ${ack} ON QUIESCE SUSPEND`,
    ],
    [
      'MQTT c TOPIC t SESSION CLEAN QOS 0 MODE NO_ACK PARALLEL ON QUIESCE DROP',
      'MQTT c TOPIC t MODE NO_ACK PARALLEL ON QUIESCE DROP',
    ],
    [
      'MQTT c TOPIC t QOS 1 MODE NO_ACK PARALLEL ON QUIESCE DROP',
      'MQTT c TOPIC t SESSION CLEAN QOS 1 MODE NO_ACK PARALLEL ON QUIESCE DROP',
    ],
    [
      'MQTT c TOPIC t SESSION PERSISTENT MODE NO_ACK PARALLEL ON QUIESCE DROP',
      'MQTT c TOPIC t SESSION PERSISTENT QOS 0 MODE NO_ACK PARALLEL ON QUIESCE DROP',
    ],
    [
      'NATS c SUBJECT QUEUE QUEUE GROUP INSTANCES INSTANCES 1 MODE NO_ACK SEQUENTIAL ON QUIESCE DROP',
      'NATS c SUBJECT queue QUEUE GROUP instances INSTANCES 1 MODE NO_ACK SEQUENTIAL ON QUIESCE DROP',
    ],
  ])('%s', expectSource);

  test('14.3: names of other systems are words, lower-cased, or strings as they are', () => {
    expectSource(
      `KAFKA C TOPIC 'Orders.v1' OFFSET BY CONSUMER GROUP "it's" MODE NO_ACK PARALLEL ON QUIESCE SUSPEND`,
      `KAFKA c TOPIC 'Orders.v1' OFFSET BY CONSUMER GROUP "it's" MODE NO_ACK PARALLEL ON QUIESCE SUSPEND`,
    );
    expectSource(
      `KAFKA c TOPIC 'orders' OFFSET BY CONSUMER GROUP Group MODE NO_ACK PARALLEL ON QUIESCE SUSPEND`,
      'KAFKA c TOPIC orders OFFSET BY CONSUMER GROUP group MODE NO_ACK PARALLEL ON QUIESCE SUSPEND',
    );
    expectSource(
      `PULSAR c TOPIC 'persistent://a/b/c' SUBSCRIPTION 'S 1' MODE NO_ACK PARALLEL ON QUIESCE SUSPEND`,
      `PULSAR c TOPIC 'persistent://a/b/c' SUBSCRIPTION 'S 1' MODE NO_ACK PARALLEL ON QUIESCE SUSPEND`,
    );
    expectSource(
      `RABBITMQ c QUEUE 'Q-1' MODE ${ack} ON QUIESCE SUSPEND`,
      `RABBITMQ c QUEUE 'Q-1' MODE ${ack} ON QUIESCE SUSPEND`,
    );
    expectSource(
      `SQS c QUEUE 'q.fifo' MODE ${ack} ON QUIESCE SUSPEND`,
      `SQS c QUEUE 'q.fifo' MODE ${ack} ON QUIESCE SUSPEND`,
    );
    expectSource(
      `NATS c SUBJECT 'a.*.>' QUEUE GROUP '1' INSTANCES 1 MODE NO_ACK SEQUENTIAL ON QUIESCE DROP`,
      `NATS c SUBJECT 'a.*.>' QUEUE GROUP '1' INSTANCES 1 MODE NO_ACK SEQUENTIAL ON QUIESCE DROP`,
    );
    expectSource(
      `REDIS PUBSUB c CHANNEL '' MODE NO_ACK SEQUENTIAL ON QUIESCE DROP`,
      `REDIS PUBSUB c CHANNEL '' MODE NO_ACK SEQUENTIAL ON QUIESCE DROP`,
    );
  });

  test('a name too long for a word stays quoted', () => {
    const long = 'x'.repeat(129);
    const tail = 'MODE NO_ACK SEQUENTIAL ON QUIESCE DROP';
    expectSource(
      `REDIS PUBSUB c CHANNEL '${long}' ${tail}`,
      `REDIS PUBSUB c CHANNEL '${long}' ${tail}`,
    );
  });
});

test('NSPL 6.3, 9.3: every clause of an ingestor in its place', () => {
  const text = `CREATE INGESTOR i
  FROM SQS c QUEUE q MODE ${ack} ON QUIESCE SUSPEND
  DECODE USING c
  TIMESTAMP AT at
  FILTER WHERE read_header('a') = 'b'
  TO r
    INHERIT ALL
    BRANCHED BY b SET k = input.k
    FLUSH EACH 1s MAX BATCH SIZE 1MiB
    ON MESSAGE ERROR LOG
  ON DECODE ERROR SEND TO d SET a = error.code, raw = error.payload
  ON GENERAL ERROR IGNORE;`;
  expect(printStatement(read(text))).toBe(text);
  const producers = `CREATE INGESTOR i
  FROM CLIENT SCHEMA s MODE ACK SEQUENTIAL ACK TIMEOUT 10s ${retry} ON QUIESCE SUSPEND
  TIMESTAMP NOW
  TO r
    UNBRANCHED
    FLUSH IMMEDIATE
    ON MESSAGE ERROR LOG
  ON GENERAL ERROR LOG;`;
  expect(printStatement(read(producers))).toBe(producers);
});

const kafka = `${from} KAFKA c TOPIC t OFFSET BY DOMAIN`;
const mqtt = `${from} MQTT c TOPIC t`;
const http = `${from} HTTP c EVERY 1s ON QUIESCE SUSPEND DECODE USING c`;
const route = 'TO r UNBRANCHED FLUSH IMMEDIATE ON MESSAGE ERROR LOG';

describe('NSPL 6.3, 10: what a source expects', () => {
  test.each([
    [
      `${from} x`,
      'expected KAFKA | PULSAR | RABBITMQ | SQS | MQTT | NATS | REDIS | WEBSOCKETS | ZEROMQ | ' +
        'SYSLOG | HTTP | PROMETHEUS | ENDPOINT | CLIENT, found x',
      'x',
    ],
    [`${from} KAFKA`, 'expected ref:client, found end of input', ''],
    [`${from} KAFKA c TOPIC 5`, 'expected topic_name, found 5', '5'],
    [`${from} KAFKA c TOPIC t MODE`, 'expected OFFSET, found MODE', 'MODE'],
    [`${from} KAFKA c TOPIC t OFFSET BY x`, 'expected CONSUMER GROUP | DOMAIN, found x', 'x'],
    [`${from} KAFKA c TOPIC t OFFSET BY CONSUMER GROUP 5`, 'expected consumer_group, found 5', '5'],
    [`${kafka} ON`, 'expected INSTANCES | MODE, found ON', 'ON'],
    [`${kafka} MODE x`, 'expected ACK | NO_ACK, found x', 'x'],
    [`${kafka} MODE NO_ACK SEQUENTIAL`, 'expected PARALLEL, found SEQUENTIAL', 'SEQUENTIAL'],
    [`${kafka} MODE NO_ACK PARALLEL MAX`, 'expected ON, found MAX', 'MAX'],
    [`${kafka} MODE ACK RETRY`, 'expected SEQUENTIAL | PARALLEL, found RETRY', 'RETRY'],
    [`${kafka} MODE ACK SEQUENTIAL MAX`, 'expected ACK TIMEOUT, found MAX', 'MAX'],
    [`${kafka} MODE ACK PARALLEL MAX 5 ACK`, 'expected BATCH, found ACK', 'ACK'],
    [`${kafka} MODE ACK SEQUENTIAL ACK TIMEOUT 1s ON`, 'expected RETRY POLICY, found ON', 'ON'],
    [`${kafka} MODE NO_ACK PARALLEL DECODE`, 'expected ON, found DECODE', 'DECODE'],
    [`${kafka} MODE NO_ACK PARALLEL ON QUIESCE DROP`, 'expected SUSPEND, found DROP', 'DROP'],
    [
      `${kafka} MODE NO_ACK PARALLEL ON QUIESCE SUSPEND TO`,
      'expected DECODE USING, found TO',
      'TO',
    ],
    [`${from} PULSAR c TOPIC t MODE`, 'expected SUBSCRIPTION, found MODE', 'MODE'],
    [`${from} PULSAR c TOPIC t SUBSCRIPTION (`, 'expected subscription_name, found (', '('],
    [`${from} RABBITMQ c QUEUE (`, 'expected queue_name, found (', '('],
    [`${from} SQS c QUEUE q MODE NO_ACK`, 'expected ACK, found NO_ACK', 'NO_ACK'],
    [`${mqtt} x`, 'expected INSTANCES | SESSION | QOS | MODE, found x', 'x'],
    [`${mqtt} QOS 1 SESSION`, 'expected MODE, found SESSION', 'SESSION'],
    [`${mqtt} SESSION x`, 'expected CLEAN | PERSISTENT, found x', 'x'],
    [`${mqtt} QOS x`, 'expected mqtt_qos, found x', 'x'],
    [`${mqtt} MODE NO_ACK x`, 'expected PARALLEL | SEQUENTIAL, found x', 'x'],
    [
      `${mqtt} MODE NO_ACK SEQUENTIAL ON QUIESCE REJECT`,
      'expected SUSPEND | BUFFER | DROP, found REJECT',
      'REJECT',
    ],
    [`${from} MQTT c TOPIC 5`, 'expected mqtt_topic_filter, found 5', '5'],
    [`${from} NATS c SUBJECT s MODE`, 'expected QUEUE GROUP, found MODE', 'MODE'],
    [`${from} NATS c SUBJECT 5`, 'expected subject_name, found 5', '5'],
    [`${from} NATS c SUBJECT s QUEUE GROUP 5`, 'expected queue_group, found 5', '5'],
    [`${from} NATS c SUBJECT s QUEUE GROUP g MODE`, 'expected INSTANCES, found MODE', 'MODE'],
    [`${from} REDIS c`, 'expected PUBSUB, found c', 'c'],
    [`${from} REDIS PUBSUB c CHANNEL 5`, 'expected channel_name, found 5', '5'],
    [
      `${from} WEBSOCKETS c MODE NO_ACK SEQUENTIAL ON QUIESCE SUSPEND`,
      'expected BUFFER | DROP, found SUSPEND',
      'SUSPEND',
    ],
    [
      `${from} SYSLOG c MODE NO_ACK SEQUENTIAL ON QUIESCE BUFFER MAX SIZE 1B DECODE`,
      'expected ON, found DECODE',
      'DECODE',
    ],
    [
      `${from} SYSLOG c MODE NO_ACK SEQUENTIAL ON QUIESCE BUFFER MAX SIZE 1B ON OVERFLOW DROP x`,
      'expected OLDEST | NEWEST, found x',
      'x',
    ],
    [`${from} HTTP c MODE`, 'expected EVERY, found MODE', 'MODE'],
    [`${from} HTTP c EVERY 1s ON QUIESCE DROP`, 'expected SUSPEND | BUFFER, found DROP', 'DROP'],
    [`${from} PROMETHEUS c QUERY up`, 'expected string_literal, found up', 'up'],
    [
      `${from} ENDPOINT e MODE NO_ACK SEQUENTIAL ON QUIESCE DROP`,
      'expected REJECT | BUFFER, found DROP',
      'DROP',
    ],
    [
      `${from} ENDPOINT e MODE NO_ACK SEQUENTIAL ON QUIESCE BUFFER MAX SIZE 1B ON`,
      'expected DECODE USING, found ON',
      'ON',
    ],
    [`${from} ENDPOINT e MODE ACK SEQUENTIAL`, 'expected PARALLEL, found SEQUENTIAL', 'SEQUENTIAL'],
    [`${from} CLIENT c`, 'expected SCHEMA, found c', 'c'],
    [`${from} CLIENT SCHEMA s MODE NO_ACK`, 'expected ACK, found NO_ACK', 'NO_ACK'],
    [
      `${from} CLIENT SCHEMA s MODE ACK SEQUENTIAL ACK TIMEOUT 1s ${retry} ON QUIESCE SUSPEND DECODE`,
      'expected TIMESTAMP | FILTER | TO, found DECODE',
      'DECODE',
    ],
    [
      `${from} CLIENT SCHEMA s MODE ACK SEQUENTIAL ACK TIMEOUT 1s ${retry} ON QUIESCE SUSPEND ${route} ON DECODE`,
      'expected GENERAL, found DECODE',
      'DECODE',
    ],
    [`${http} FILTER WHERE a TIMESTAMP`, 'expected TO, found TIMESTAMP', 'TIMESTAMP'],
    [`${http} TIMESTAMP x`, 'expected NOW | AT, found x', 'x'],
    [`${http} ON GENERAL`, 'expected TIMESTAMP | FILTER | TO, found ON', 'ON'],
    [`${http} ${route} ON DECODE ERROR x`, 'expected RETRY | LOG | SEND TO, found x', 'x'],
    [`${http} ${route} ON GENERAL ERROR LOG ON DECODE`, 'expected WAIT | ;, found ON', 'ON'],
  ])('%s', expectRefusal);
});

describe('NSPL 1.4, 6.3, 14.3: refusals of sources with their own message', () => {
  const zero = 'parallel max in-flight must be greater than zero';
  const noInstances = 'instances must be greater than 0';
  const clean = `${mqtt} QOS 1 MODE`;
  const unconfirmed = `${mqtt} SESSION PERSISTENT MODE`;
  const noRetry = 'ON DECODE ERROR RETRY requires an ACK mode';
  const tooLong = 'x'.repeat(129);
  test.each([
    [`${kafka} INSTANCES 0`, noInstances, '0'],
    [`${from} NATS c SUBJECT s QUEUE GROUP g INSTANCES 0`, noInstances, '0'],
    [`${kafka} INSTANCES x`, "invalid integer 'x'", 'x'],
    [`${kafka} INSTANCES 1.5`, "invalid integer '1.5'", '1.5'],
    [`${kafka} MODE ACK PARALLEL MAX 0`, zero, '0'],
    [`${from} CLIENT SCHEMA s MODE ACK PARALLEL MAX 0`, zero, '0'],
    [`${mqtt} QOS 2`, 'MQTT QOS must be 0 or 1', '2'],
    [`${mqtt} QOS 0.0`, 'MQTT QOS must be 0 or 1', '0.0'],
    [`${clean} ${ack}`, 'MQTT ACK modes require SESSION PERSISTENT', ack],
    [`${clean} ${batch}`, 'MQTT ACK modes require SESSION PERSISTENT', batch],
    [`${unconfirmed} ${ack}`, 'MQTT ACK modes require QOS 1', ack],
    [
      `${clean} NO_ACK PARALLEL ON QUIESCE SUSPEND`,
      'MQTT ON QUIESCE SUSPEND requires SESSION PERSISTENT',
      'ON QUIESCE SUSPEND',
    ],
    [
      `${unconfirmed} NO_ACK PARALLEL ON QUIESCE SUSPEND`,
      'MQTT ON QUIESCE SUSPEND requires QOS 1',
      'ON QUIESCE SUSPEND',
    ],
    [`${from} HTTP c EVERY 0s`, "invalid duration '0s': it must be greater than zero", '0s'],
    [`${from} HTTP c EVERY soon`, "invalid duration 'soon': number expected", 'soon'],
    [
      `${from} PROMETHEUS c QUERY 'up' EVERY 1000y`,
      "invalid duration '1000y': it exceeds 64-bit nanoseconds",
      '1000y',
    ],
    [
      `${from} REDIS PUBSUB c CHANNEL ${tooLong}`,
      'invalid channel_name: name length 129 exceeds max length 128',
      tooLong,
    ],
    [`${http} ${route} ON DECODE ERROR RETRY`, noRetry, 'ON DECODE ERROR RETRY'],
    [
      `${kafka} MODE NO_ACK PARALLEL ON QUIESCE SUSPEND DECODE USING c ${route} ON DECODE ERROR RETRY`,
      noRetry,
      'ON DECODE ERROR RETRY',
    ],
    [
      `${http} ${route} ON DECODE ERROR SEND TO d SET a = 1 WHERE b`,
      'ON DECODE ERROR SEND TO requires bare SET assignments only',
      'SET a = 1 WHERE b',
    ],
  ])('%s', expectRefusal);

  test.each([
    `${kafka} MODE ${ack} ON QUIESCE SUSPEND DECODE USING c`,
    `${kafka} MODE ${batch} ON QUIESCE SUSPEND DECODE USING c`,
    `${from} ENDPOINT e MODE ACK PARALLEL MAX 1 ACK TIMEOUT 1s ON QUIESCE BUFFER MAX SIZE 1B DECODE USING c`,
  ])('ON DECODE ERROR RETRY is read behind %s', (head) => {
    const statement = read(`${head} ${route} ON DECODE ERROR RETRY ON GENERAL ERROR LOG`);
    expect(statement).toMatchObject({ model: { decodeError: { kind: 'retry' } } });
  });
});

describe('NSPL 11: what is offered in sources', () => {
  test.each([
    [`${from} KAFKA c `, ['TOPIC']],
    [`${kafka} `, ['INSTANCES', 'MODE']],
    [`${kafka} MODE `, ['ACK', 'NO_ACK']],
    [`${kafka} MODE NO_ACK PARALLEL `, ['ON']],
    [`${kafka} MODE NO_ACK PARALLEL ON QUIESCE `, ['SUSPEND']],
    [`${from} REDIS PUBSUB c CHANNEL h MODE NO_ACK SEQUENTIAL ON QUIESCE `, ['BUFFER', 'DROP']],
    [`${mqtt} MODE NO_ACK SEQUENTIAL ON QUIESCE `, ['BUFFER', 'DROP']],
    [
      `${mqtt} SESSION PERSISTENT QOS 1 MODE NO_ACK SEQUENTIAL ON QUIESCE `,
      ['BUFFER', 'DROP', 'SUSPEND'],
    ],
    [`${from} ENDPOINT e MODE ACK `, ['PARALLEL']],
    [`${http} `, ['FILTER', 'TIMESTAMP', 'TO']],
    [`${http} ${route} ON DECODE ERROR `, ['LOG', 'SEND TO']],
  ])('%s', (text, expected) => {
    expect(offers(text)).toEqual(expected);
  });
});
