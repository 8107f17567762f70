import { describe, expect, test } from 'vitest';
import { printStatement } from '../src/index.ts';
import { read } from './support/reading.ts';

const route = 'TO b FLUSH IMMEDIATE ON MESSAGE ERROR LOG';
const source =
  'FROM ENDPOINT e MODE NO_ACK SEQUENTIAL ON QUIESCE REJECT RETRY AFTER 1s DECODE USING c';
const entry = 'TO r UNBRANCHED FLUSH IMMEDIATE ON MESSAGE ERROR LOG';
const sink = "TO HTTP c METHOD 'GET' PATH p MODE ACK RETRY POLICY BACKOFF 1s MAX 2s";
const tail = 'FLUSH IMMEDIATE ON MESSAGE ERROR LOG ON GENERAL ERROR IGNORE';

/** Texts as people may write them and the one line their canonical form joins to. */
const LINES: readonly [text: string, canonical: string][] = [
  ['use D', 'USE d;'],
  ['LIST domains', 'LIST DOMAINS;'],
  ['begin', 'BEGIN;'],
  ['COMMIT', 'COMMIT;'],
  ['REVERT', 'REVERT;'],
  ['STOP', 'STOP;'],
  ['START', 'START;'],
  ['START AT now', 'START AT NOW TIME RATE 1.0;'],
  [
    "START AT '2024-01-01T00:00:00Z' TIME RATE 2.5",
    "START AT '2024-01-01T00:00:00Z' TIME RATE 2.5;",
  ],
  ['START AT dawn', "START AT 'dawn' TIME RATE 1.0;"],
  ['CREATE DOMAIN d', 'CREATE UNPACED DOMAIN d;'],
  ['CREATE UNPACED DOMAIN d PLACEMENT NEUTRAL', 'CREATE UNPACED DOMAIN d;'],
  [
    'CREATE IF NOT EXISTS PACED DOMAIN d WITH PERIOD 60s SKEW 0s PLACEMENT REQUIRE COLOCATION',
    'CREATE IF NOT EXISTS PACED DOMAIN d WITH PERIOD 1m SKEW 0s PLACEMENT REQUIRE COLOCATION;',
  ],
  [
    'CREATE DOMAIN d PLACEMENT PREFER COLOCATION',
    'CREATE UNPACED DOMAIN d PLACEMENT PREFER COLOCATION;',
  ],
  [
    'CREATE DOMAIN d PLACEMENT SUGGEST SEPARATION',
    'CREATE UNPACED DOMAIN d PLACEMENT SUGGEST SEPARATION;',
  ],
  ["CREATE USER u WITH PASSWORD 'p'", "CREATE USER u WITH PASSWORD 'p';"],
  [
    'CREATE SCHEMA s (time DATETIME, type STRING OPTIONAL SENSITIVE,)',
    'CREATE SCHEMA s ( time DATETIME, type STRING OPTIONAL SENSITIVE );',
  ],
  [
    'CREATE SCHEMA s (a VEC<ARRAY<F32, 3, 224>> SENSITIVE OPTIONAL)',
    'CREATE SCHEMA s ( a VEC<ARRAY<F32, 3, 224>> OPTIONAL SENSITIVE );',
  ],
  [
    'CREATE WIRE JSON SCHEMA w MODE LOOSE (a integer, b NULL OPTIONAL)',
    'CREATE WIRE JSON SCHEMA w MODE LOOSE ( a INTEGER, b NULL OPTIONAL );',
  ],
  [
    'CREATE CODEC c FROM WIRE JSON SCHEMA w TO SCHEMA s',
    'CREATE CODEC c FROM WIRE JSON SCHEMA w TO SCHEMA s;',
  ],
  [
    'CREATE CODEC c FROM WIRE JSON SCHEMA w TO SCHEMA s ENCODE a AS RFC3339, b AS RFC3339,',
    'CREATE CODEC c FROM WIRE JSON SCHEMA w TO SCHEMA s ENCODE a AS RFC3339, b AS RFC3339;',
  ],
  [
    'CREATE BRANCH b SCHEMA s TTL soon MAX INSTANCES 5 EVICT LRU',
    'CREATE BRANCH b SCHEMA s TTL soon MAX INSTANCES 5 EVICT LRU;',
  ],
  [
    'CREATE RELAY to SCHEMA schema UNBRANCHED',
    'CREATE RELAY to SCHEMA schema UNBRANCHED CAPACITY 1;',
  ],
  [
    'CREATE RELAY r SCHEMA s BRANCHED BY b CAPACITY 8 WITH MATERIALIZED STATE LAST BY TIMESTAMP',
    'CREATE RELAY r SCHEMA s BRANCHED BY b CAPACITY 8 WITH MATERIALIZED STATE LAST BY TIMESTAMP;',
  ],
  [
    'CREATE VHOST v a-1 . example.com, 10 WITH TLS t VERSION latest',
    'CREATE VHOST v a-1.example.com, 10 WITH TLS t VERSION LATEST;',
  ],
  ["CREATE ENDPOINT e ON v PATH '/x' TYPE HTTP", "CREATE ENDPOINT e ON v PATH '/x' TYPE HTTP;"],
  [
    "CREATE ENDPOINT e ON v PATH '/' TYPE WEBSOCKETS WITH SIGNALING PROTOCOL protocol",
    "CREATE ENDPOINT e ON v PATH '/' TYPE WEBSOCKETS WITH SIGNALING PROTOCOL protocol;",
  ],
  ['CREATE CLIENT c TYPE HTTP CONFIG {}', 'CREATE CLIENT c TYPE HTTP CONFIG {};'],
  [
    "CREATE CLIENT c TYPE HTTP MOUNT m VERSION 2 CONFIG {'a' = b, 'c' = 1.50,}",
    "CREATE CLIENT c TYPE HTTP MOUNT m VERSION 2 CONFIG { 'a' = 'b', 'c' = '1.50' };",
  ],
  [
    `CREATE INGESTOR i ${source} ${entry} ON GENERAL ERROR LOG`,
    `CREATE INGESTOR i ${source} ${entry} ON GENERAL ERROR LOG;`,
  ],
  [
    `CREATE INGESTOR i ${source} TIMESTAMP AT at FILTER WHERE a ${entry} ON DECODE ` +
      'ERROR SEND TO d SET a = error.code ON GENERAL ERROR LOG',
    `CREATE INGESTOR i ${source} TIMESTAMP AT at FILTER WHERE a ${entry} ON DECODE ` +
      'ERROR SEND TO d SET a = error.code ON GENERAL ERROR LOG;',
  ],
  [
    'CREATE DETACHED JUNCTION j FROM a WHERE x, b COLLECT FOR 5s FILTER WHERE y ' +
      `UNBRANCHED ${route}`,
    'CREATE DETACHED JUNCTION j FROM a WHERE x, b COLLECT FOR 5s FILTER WHERE y ' +
      `UNBRANCHED ${route};`,
  ],
  [
    'CREATE JUNCTION j FROM a UNBRANCHED USING MATERIALIZED STATE m DEFAULT {x = 1, y ' +
      `= 'a'} ${route}`,
    'CREATE ATTACHED JUNCTION j FROM a UNBRANCHED USING MATERIALIZED STATE m DEFAULT { ' +
      `x = 1, y = 'a' } ${route};`,
  ],
  [
    'CREATE DEDUPLICATOR d FROM a DEDUPLICATE ON max(input.v), max MAX TIME 5m ' +
      `UNBRANCHED USING MATERIALIZED STATE m REQUIRED WAIT ${route}`,
    'CREATE ATTACHED DEDUPLICATOR d FROM a DEDUPLICATE ON max(input.v), max MAX TIME ' +
      `5m UNBRANCHED USING MATERIALIZED STATE m REQUIRED WAIT ${route};`,
  ],
  [
    'CREATE WINDOW PROCESSOR w FROM a WIDTH 10s DURATION 10 MESSAGES STEP 5 MESSAGES ' +
      'MAX STATE SIZE 1KiB UNBRANCHED TO b SET x = count() WHERE x ON MESSAGE ERROR ' +
      'IGNORE',
    'CREATE ATTACHED WINDOW PROCESSOR w FROM a WIDTH 10 MESSAGES 10s DURATION STEP 5 ' +
      'MESSAGES MAX STATE SIZE 1024B UNBRANCHED TO b SET x = count() WHERE x ON MESSAGE ' +
      'ERROR IGNORE;',
  ],
  [
    `CREATE EMITTER e FROM a ${sink} ENCODE USING j INHERIT ALL INVOKE ` +
      `write_header('a', 'b') ${tail}`,
    `CREATE ATTACHED EMITTER e FROM a ${sink} ENCODE USING j INHERIT ALL INVOKE ` +
      `write_header('a', 'b') ${tail};`,
  ],
  [
    `CREATE EMITTER e FROM a ${sink} WITHOUT BODY WHERE x INVOKE f() ${tail}`,
    `CREATE ATTACHED EMITTER e FROM a ${sink} WITHOUT BODY WHERE x INVOKE f() ${tail};`,
  ],
  ['CREATE SUBSCRIPTION s TO r BLOCKING', 'CREATE SUBSCRIPTION s TO r;'],
  [
    'CREATE SUBSCRIPTION s TO r DROPPING BATCH SAMPLE RATE 1 WHERE a = 1',
    'CREATE SUBSCRIPTION s TO r DROPPING BATCH SAMPLE RATE 1.0 WHERE a = 1;',
  ],
  ['DELETE SUBSCRIPTION s', 'DELETE SUBSCRIPTION s;'],
  ['DESCRIBE DOMAIN', 'DESCRIBE DOMAIN;'],
  ['DESCRIBE RELAY r', 'DESCRIBE RELAY r;'],
  [
    "DESCRIBE RELAY r WHERE (a = 'x', b = 1, c = true)",
    "DESCRIBE RELAY r WHERE (a = 'x', b = 1, c = TRUE);",
  ],
  ['SHOW INGESTORS', 'SHOW INGESTORS;'],
  ['SHOW TRANSACTIONS', 'SHOW TRANSACTIONS;'],
];

describe('NSPL 4-6, 9.3: statements and their canonical text', () => {
  test.each(LINES)('%s', (text, expected) => {
    const printed = printStatement(read(text), { withSecrets: true });
    expect(printed.replace(/\n */gu, ' ')).toBe(expected);
    expect(printStatement(read(printed), { withSecrets: true })).toBe(printed);
  });
});

describe('NSPL 1.2: keywords are names', () => {
  test.each([
    'CREATE RELAY relay SCHEMA unbranched UNBRANCHED',
    'CREATE JUNCTION from FROM where WHERE x, collect COLLECT FOR 1s UNBRANCHED TO ' +
      'flush FLUSH IMMEDIATE ON MESSAGE ERROR LOG',
    'CREATE SUBSCRIPTION to TO dropping DROPPING',
    'DROP RELAY relay',
    'CREATE CODEC to FROM WIRE JSON SCHEMA to TO SCHEMA encode ENCODE encode AS RFC3339',
  ])('%s', (text) => {
    expect(() => read(text)).not.toThrow();
  });
});

test('NSPL 9.1: groups, alignment and blocks', () => {
  const junction = `CREATE ATTACHED JUNCTION split_trips
  FROM trips WHERE input.fare > 0.0, legacy_trips COLLECT FOR 50ms MAX BATCH SIZE 64KiB
  FILTER WHERE input.city != ''
  BRANCHED BY by_city
  USING MATERIALIZED STATE rates REQUIRED SKIP
  TO paid_trips
    INHERIT ALL EXCEPT raw
    SET fare = message.fare * 1.2,
        city = lower(input.city)
    WHERE output.fare > 10.0
    FLUSH EACH 1s MAX BATCH SIZE 1MiB
    ON MESSAGE ERROR SEND TO failures SET id = input.id, why = error.message;`;
  expect(printStatement(read(junction))).toBe(junction);
  const client = `CREATE CLIENT c
  TYPE HTTP MOUNT m VERSION 1
  CONFIG {
    'a' = 'b',
    'c' = 'd'
  };`;
  expect(printStatement(read(client))).toBe(client);
  const schema = `CREATE SCHEMA s (
  a U32,
  b VEC<STRING> OPTIONAL
);`;
  expect(printStatement(read(schema))).toBe(schema);
});

test('NSPL 9.3: an emitter has its sink as a group and its construction beside it', () => {
  const emitter = `CREATE DETACHED EMITTER e
  FROM a WHERE x
  USING MATERIALIZED STATE m REQUIRED WAIT
  TO HTTP c METHOD 'POST' PATH input.path
    MODE ACK RETRY POLICY BACKOFF 250ms MAX 30s
    ENCODE USING j
  INHERIT id, secret LEAK SENSITIVE
  SET a = 1,
      output.b = 2
  WHERE output.a > 0
  INVOKE write_header('a', 'b'), write_header('c', d)
  FLUSH EACH 2s MAX BATCH SIZE 4MiB
  ON MESSAGE ERROR LOG
  ON GENERAL ERROR LOG;`;
  expect(printStatement(read(emitter))).toBe(emitter);
});

test('NSPL 9.3: an ingestor', () => {
  const ingestor = `CREATE IF NOT EXISTS INGESTOR i
  FROM ENDPOINT e MODE ACK PARALLEL MAX 64 ACK TIMEOUT 5s ON QUIESCE BUFFER MAX SIZE 1MiB
  DECODE USING c
  TIMESTAMP NOW
  FILTER WHERE input.a > 1
  TO r
    INHERIT ALL
    BRANCHED BY b SET k = input.k, branch.l = 2
    FLUSH IMMEDIATE
    ON MESSAGE ERROR IGNORE
  TO s
    UNBRANCHED
    FLUSH EACH 1s MAX BATCH SIZE 1MB
    ON MESSAGE ERROR LOG
  ON DECODE ERROR RETRY
  ON GENERAL ERROR IGNORE;`;
  expect(printStatement(read(ingestor))).toBe(ingestor);
});
