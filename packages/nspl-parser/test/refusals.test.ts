import { describe, expect, test } from 'vitest';
import {
  lineColumn,
  parseScript,
  parseStatement,
  renderDiagnostic,
  summarize,
} from '../src/index.ts';
import { expectRefusal } from './support/reading.ts';

const junction = 'CREATE JUNCTION j FROM a UNBRANCHED TO b';
const route = 'FLUSH IMMEDIATE ON MESSAGE ERROR LOG';
const source = 'CREATE INGESTOR i FROM ENDPOINT e MODE';
const intake = `${source} NO_ACK SEQUENTIAL ON QUIESCE REJECT RETRY AFTER 1s DECODE USING c`;
const window = 'CREATE WINDOW PROCESSOR w FROM a';
const sink =
  "CREATE EMITTER e FROM a TO HTTP c METHOD 'GET' PATH p MODE ACK RETRY POLICY BACKOFF 1s";

const HEADS =
  'USE | LIST | BEGIN | REVERT | ATTACH DOMAIN CLOCK | DETACH DOMAIN CLOCK | ATTACH | UPLOAD | ' +
  'CREATE SUBSCRIPTION | DELETE SUBSCRIPTION | COMMIT | CREATE | START | STOP | DROP | ALTER | ' +
  'REBIND | RESET WASM | CORDON | UNCORDON | DRAIN | QUARANTINE | RELEASE | RELOCATE | ' +
  'REBALANCE | PROMOTE | GRANT | REVOKE | DESCRIBE | SHOW | LOOKUP | PLAN | EXPLAIN | APPLY | ' +
  'APPROVE | CANCEL | COMPENSATE | RESOLVE | BACKUP | RESTORE';
const KINDS =
  'SCHEMA | WIRE | CODEC | HASH MAP | UDF | BRANCH | RELAY | VHOST | SIGNALING PROTOCOL | ' +
  'ENDPOINT | CLIENT | INGESTOR | REINGESTOR | GENERATOR | JUNCTION | DEDUPLICATOR | ' +
  'REORDERER | CORRELATOR';
const CONSUMERS =
  'JUNCTION | DEDUPLICATOR | REORDERER | CORRELATOR | WINDOW | INFERENCER | WASM | REINGESTOR | ' +
  'EMITTER';
const CREATABLE =
  'PACED | UNPACED | DOMAIN | USER | SCHEMA | WIRE | CODEC | BRANCH | RELAY | CLIENT | VHOST | ' +
  'ENDPOINT | SIGNALING PROTOCOL | HASH MAP | UDF | PLACEMENT | RESOURCE | INGESTOR | ' +
  `GENERATOR | ATTACHED | DETACHED | ${CONSUMERS} | POOL | POLICY | PROJECT | ROLE | DELEGATION`;

describe('NSPL 10: what was expected, at the furthest place', () => {
  test.each([
    ['FOO', `expected ${HEADS}, found FOO`, 'FOO'],
    ['USE', 'expected ref:domain, found end of input', ''],
    ['USE `d`', 'expected ref:domain, found `d`', '`d`'],
    ['LIST x', 'expected DOMAINS, found x', 'x'],
    ['BEGIN x', 'expected ;, found x', 'x'],
    ['CREATE FOO', `expected SUBSCRIPTION | IF NOT EXISTS | ${CREATABLE}, found FOO`, 'FOO'],
    [
      'CREATE IF NOT EXISTS SUBSCRIPTION s',
      `expected ${CREATABLE}, found SUBSCRIPTION`,
      'SUBSCRIPTION',
    ],
    ['CREATE ATTACHED RELAY', `expected ${CONSUMERS}, found RELAY`, 'RELAY'],
    [
      'CREATE DOMAIN d PLACEMENT x',
      'expected REQUIRE COLOCATION | PREFER COLOCATION | NEUTRAL | SUGGEST SEPARATION, found x',
      'x',
    ],
    ['CREATE USER u WITH PASSWORD p', 'expected string_literal, found "<redacted>"', 'p'],
    ['CREATE SCHEMA s ()', 'expected field_name, found )', ')'],
    [
      'CREATE SCHEMA s (a INT32)',
      'expected U8 | I8 | U16 | I16 | U32 | I32 | U64 | I64 | BOOL | STRING | BYTES | ' +
        'DATETIME | F32 | F64 | ARRAY | VEC, found INT32',
      'INT32',
    ],
    ['CREATE SCHEMA s (a U8 x', 'expected OPTIONAL | SENSITIVE | , | ), found x', 'x'],
    ['CREATE WIRE SCHEMA w', 'expected JSON | CBOR | AVRO, found SCHEMA', 'SCHEMA'],
    ['CREATE WIRE JSON SCHEMA w MODE (', 'expected STRICT | LOOSE, found (', '('],
    [
      'CREATE CODEC c FROM WIRE JSON SCHEMA w TO SCHEMA s x',
      'expected ENCODE | WAIT | ;, found x',
      'x',
    ],
    ['CREATE BRANCH b SCHEMA s TTL 5', 'expected duration_literal, found end of input', ''],
    ['CREATE BRANCH b SCHEMA s TTL max', 'expected duration_literal, found max', 'max'],
    ['CREATE RELAY r SCHEMA s', 'expected BRANCHED BY | UNBRANCHED, found end of input', ''],
    ['CREATE RELAY r SCHEMA s BRANCHED x', 'expected BY, found x', 'x'],
    ['CREATE RELAY r SCHEMA s UNBRANCHED x', 'expected CAPACITY | WITH | WAIT | ;, found x', 'x'],
    ['CREATE VHOST v 10a', 'expected - | . | , | WITH | WAIT | ;, found a', 'a'],
    ['CREATE ENDPOINT e ON v PATH /x', 'expected string_literal, found /', '/'],
    ['CREATE CLIENT c TYPE HTTP', 'expected MOUNT | CONFIG, found end of input', ''],
    [`${source} x`, 'expected NO_ACK | ACK, found x', 'x'],
    [
      `${intake} TO r FLUSH IMMEDIATE`,
      'expected INHERIT | SET | WHERE | INVOKE | BRANCHED BY | UNBRANCHED, found FLUSH',
      'FLUSH',
    ],
    [
      `${intake} TO r UNBRANCHED ${route}`,
      'expected TO | ON DECODE ERROR | ON, found end of input',
      '',
    ],
    [`${junction} FLUSH EACH 1s`, 'expected MAX BATCH SIZE, found end of input', ''],
    [`${junction} FLUSH x`, 'expected EACH | IMMEDIATE, found x', 'x'],
    [
      `${junction} SET x = FLUSH EACH 1s`,
      'expected WHERE | INVOKE | FLUSH EACH | FLUSH IMMEDIATE, found EACH',
      'EACH',
    ],
    [`${junction} SET end = 1`, 'expected set_assignments, found end', 'end'],
    [`${junction} SET x = 1, WHERE y`, 'expected identifier, found WHERE', 'WHERE'],
    [`${junction} INVOKE f`, 'expected (, found end of input', ''],
    [`${junction} ${route} x`, 'expected TO | WAIT | ;, found x', 'x'],
    [
      `${junction} FLUSH IMMEDIATE ON MESSAGE ERROR SEND TO c LOG`,
      'expected SET, found LOG',
      'LOG',
    ],
    [
      'CREATE JUNCTION j FROM a b',
      'expected WHERE | , | COLLECT FOR | FILTER | BRANCHED BY | UNBRANCHED, found b',
      'b',
    ],
    ['CREATE JUNCTION j FROM a WHERE )', 'expected where_expression, found )', ')'],
    ['CREATE JUNCTION j FROM a WHERE b +', 'expected expression, found end of input', ''],
    [
      'CREATE JUNCTION j FROM a UNBRANCHED USING MATERIALIZED STATE m x',
      'expected REQUIRED SKIP | REQUIRED WAIT | DEFAULT, found x',
      'x',
    ],
    [
      'CREATE DEDUPLICATOR d FROM a MAX TIME 1s',
      'expected WHERE | , | COLLECT FOR | FILTER | DEDUPLICATE ON, found MAX',
      'MAX',
    ],
    ['CREATE DEDUPLICATOR d FROM a DEDUPLICATE ON )', 'expected deduplicate_on, found )', ')'],
    [`${window} WIDTH 10 MESSAGES x`, 'expected DURATION, found end of input', ''],
    [`${window} WIDTH 10 MESSAGES MAX`, 'expected duration_literal | STEP, found MAX', 'MAX'],
    [
      `${sink} MAX 1s WITHOUT BODY SET`,
      'expected WHERE | INVOKE | FLUSH EACH | FLUSH IMMEDIATE, found SET',
      'SET',
    ],
    [`${sink} MAX 1s BATCH`, 'expected ENCODE USING | WITHOUT BODY, found BATCH', 'BATCH'],
    ['START AT', 'expected NOW | timestamp, found end of input', ''],
    ['START AT NOW x', 'expected TIME RATE | WAIT | ;, found x', 'x'],
    ['STOP 1', 'expected WAIT | ;, found 1', '1'],
    [
      'DESCRIBE x',
      'expected DOMAIN | RELAY | INGESTOR | JUNCTION | DEDUPLICATOR | REINGESTOR | CORRELATOR | ' +
        'REORDERER | EMITTER | WINDOW | GENERATOR | INFERENCER | HASH MAP | ENDPOINT | ' +
        'PLACEMENT | UDF | WASM | TRANSACTION | RESOURCE | BACKUP | RELOCATION | REBALANCE | ' +
        'OPERATION | REVISIONS, found x',
      'x',
    ],
    [
      'SHOW x',
      'expected CREATE | UDFS | INGESTORS | PLACEMENTS | TRANSACTIONS | CLUSTER | RELAY | ' +
        'OPERATIONS | GRANTS | CAPABILITIES | AUTHORITY | RESERVATIONS | POOLS | POLICIES | ' +
        'ROLES | DELEGATIONS | PROJECTS | SECRETS | AUDIT, found x',
      'x',
    ],
    [
      'SHOW CREATE x',
      `expected ${KINDS} | WINDOW PROCESSOR | INFERENCER | WASM PROCESSOR | EMITTER | ` +
        'PLACEMENT, found x',
      'x',
    ],
    [
      'DROP x',
      `expected ${KINDS} | WINDOW | INFERENCER | WASM | EMITTER | PLACEMENT | DOMAIN | USER | ` +
        'POOL | POLICY | PROJECT | ROLE | DELEGATION | NODE | SECRET, found x',
      'x',
    ],
    ['DROP RELAY IF EXISTS r', 'expected WAIT | ;, found EXISTS', 'EXISTS'],
    ['DELETE x', 'expected SUBSCRIPTION, found x', 'x'],
    [
      'CREATE SUBSCRIPTION s TO r x',
      'expected BLOCKING | DROPPING | BATCH | WHERE | ;, found x',
      'x',
    ],
  ])('%s', (text, message, pointed) => {
    expectRefusal(text, message, pointed);
  });
});

describe('NSPL 1-6: refusals with their own message', () => {
  const tooLong = 'x'.repeat(129);
  test.each([
    [`USE ${tooLong}`, 'invalid ref:domain: name length 129 exceeds max length 128', tooLong],
    ['CREATE RELAY Message SCHEMA s', "invalid relay_name: 'Message' is reserved", 'Message'],
    ['CREATE JUNCTION j FROM branch', "invalid ref:relay: 'branch' is reserved", 'branch'],
    ['CREATE BRANCH b SCHEMA s TTL 5foo', "invalid duration '5foo': unknown unit 'foo'", '5foo'],
    ['CREATE BRANCH b SCHEMA s TTL 1s MAX INSTANCES x', "invalid integer 'x'", 'x'],
    [
      'CREATE BRANCH b SCHEMA s TTL 1s MAX INSTANCES 0 EVICT',
      'branch MAX INSTANCES must be greater than zero',
      '0',
    ],
    [
      'CREATE RELAY r SCHEMA s UNBRANCHED CAPACITY 0',
      'relay CAPACITY must be greater than zero',
      '0',
    ],
    [
      'CREATE RELAY r SCHEMA s UNBRANCHED CAPACITY 18446744073709551616',
      "invalid integer '18446744073709551616'",
      '18446744073709551616',
    ],
    [
      'CREATE SCHEMA s (a U8 OPTIONAL SENSITIVE OPTIONAL)',
      'schema field modifier OPTIONAL may appear at most once',
      'OPTIONAL',
    ],
    [
      'CREATE SCHEMA s (a U8 SENSITIVE SENSITIVE)',
      'schema field modifier SENSITIVE may appear at most once',
      'SENSITIVE',
    ],
    ['CREATE SCHEMA s (a ARRAY<U8, 0>)', 'array length must be a positive unsigned integer', '0'],
    [
      'CREATE SCHEMA s (a ARRAY<U8, 2147483648>)',
      'array length must not exceed 2147483647',
      '2147483648',
    ],
    [
      "CREATE ENDPOINT e ON v PATH 'x' TYPE HTTP",
      "invalid endpoint path 'x': must start with '/'",
      "'x'",
    ],
    [
      "CREATE ENDPOINT e ON v PATH '/' TYPE HTTP WITH SIGNALING PROTOCOL p",
      'SIGNALING PROTOCOL is only valid for WEBSOCKETS endpoints',
      'WITH SIGNALING PROTOCOL p',
    ],
    [
      'CREATE PACED DOMAIN d WITH PERIOD 0s SKEW 0s',
      "invalid duration '0s': it must be greater than zero",
      '0s',
    ],
    [
      'CREATE PACED DOMAIN d WITH PERIOD soon SKEW 0s',
      "invalid duration 'soon': number expected",
      'soon',
    ],
    [`${source} ACK PARALLEL MAX 0 ACK`, 'parallel max in-flight must be greater than zero', '0'],
    [
      `${source} NO_ACK SEQUENTIAL ON QUIESCE BUFFER MAX SIZE 5foo`,
      "invalid byte_size_literal: unknown unit 'foo'",
      '5foo',
    ],
    [
      `${intake} TO r UNBRANCHED ${route} ON DECODE ERROR RETRY`,
      'ON DECODE ERROR RETRY requires an ACK mode',
      'ON DECODE ERROR RETRY',
    ],
    [
      `${intake} TO r UNBRANCHED ${route} ON DECODE ERROR SEND TO d SET output.a = 1`,
      'ON DECODE ERROR SEND TO requires bare SET assignments only',
      'SET output.a = 1',
    ],
    [
      `${intake} TO r BRANCHED BY b SET output.a = 1 WHERE x FLUSH`,
      'branch construction accepts SET assignments with bare or branch targets only',
      'SET output.a = 1 WHERE x',
    ],
    [
      `${intake} TO r BRANCHED BY b INHERIT ALL FLUSH`,
      'branch construction accepts SET assignments with bare or branch targets only',
      'INHERIT ALL',
    ],
    [
      `${junction} FLUSH IMMEDIATE ON MESSAGE ERROR SEND TO c SET a = 1 INVOKE f()`,
      'ON MESSAGE ERROR SEND TO requires bare SET assignments only',
      'SET a = 1 INVOKE f()',
    ],
    [
      `${junction} FLUSH IMMEDIATE ON MESSAGE ERROR SEND TO c WHERE x`,
      'ON MESSAGE ERROR SEND TO requires bare SET assignments only',
      'WHERE x',
    ],
    [`${junction} INHERIT a, b, A`, "duplicate field 'a'", 'A'],
    [`${junction} INHERIT ALL EXCEPT a, a`, "duplicate field 'a'", 'a'],
    [
      `${junction} SET input.a = 1`,
      'SET targets must be bare, message.<field>, output.<field>, or branch.<field>',
      'input.a',
    ],
    [
      `${junction} SET output.a.b = 1`,
      'SET targets must be bare, message.<field>, output.<field>, or branch.<field>',
      'output.a.b',
    ],
    [
      'CREATE JUNCTION j FROM a UNBRANCHED USING MATERIALIZED STATE m DEFAULT {output.x = 1}',
      'materialized-state DEFAULT requires bare constant assignments',
      'output.x = 1',
    ],
    [
      `${window} WIDTH 1 MESSAGES STEP 1s DURATION`,
      'STEP DURATION requires WIDTH DURATION',
      '1s DURATION',
    ],
    [
      `${window} WIDTH 1s DURATION STEP 1 MESSAGES`,
      'STEP MESSAGES requires WIDTH MESSAGES',
      '1 MESSAGES',
    ],
    [
      `${window} WIDTH 1 MESSAGES STEP 2 MESSAGES`,
      'STEP MESSAGES must be less than or equal to WIDTH MESSAGES',
      '2 MESSAGES',
    ],
    [
      `${window} WIDTH 1s DURATION STEP 2s DURATION`,
      'STEP DURATION must be less than or equal to WIDTH DURATION',
      '2s DURATION',
    ],
    [
      `${window} WIDTH 1s DURATION STEP soon DURATION`,
      'invalid STEP duration: number expected',
      'soon DURATION',
    ],
    [
      `${window} WIDTH 1s DURATION STEP 1s DURATION MAX STATE SIZE 0B`,
      'MAX STATE SIZE must be greater than zero',
      '0B',
    ],
    [
      `${window} WIDTH 1 MESSAGES STEP 1 MESSAGES UNBRANCHED TO b SET x = 1 INVOKE f() ON`,
      'set-only output route may contain SET assignments and WHERE only',
      'SET x = 1 INVOKE f()',
    ],
    [
      `${window} WIDTH 1 MESSAGES STEP 1 MESSAGES UNBRANCHED TO b INHERIT ALL ON`,
      'set-only output route may contain SET assignments and WHERE only',
      'INHERIT ALL',
    ],
    ['START AT NOW TIME RATE x', "invalid time rate 'x': it is not a number", 'x'],
    [
      'CREATE SUBSCRIPTION s TO r BATCH SAMPLE RATE 1.5',
      'batch sample rate must be between 0.0 and 1.0',
      '1.5',
    ],
    ['DESCRIBE RELAY r WHERE (a = x)', "unsupported subscription literal 'x'", 'x'],
  ])('%s', (text, message, pointed) => {
    expectRefusal(text, message, pointed);
  });
});

test('NSPL 15.5: types nest no deeper than expressions', () => {
  const nested = (levels: number) =>
    `CREATE SCHEMA s (a ${'VEC<'.repeat(levels)}U8${'>'.repeat(levels)})`;
  expect(parseScript(nested(256)).errors).toEqual([]);
  expectRefusal(nested(257), 'expression nesting exceeds 256 levels', 'VEC');
  expect(parseScript(nested(256)).errors).toEqual([]);
});

test('a refused statement does not disturb the next', () => {
  const { statements, errors } = parseScript('USE; BEGIN; CREATE RELAY branch; STOP;');
  expect(statements.map(({ text }) => text)).toEqual(['BEGIN;', 'STOP;']);
  expect(errors.map(({ span }) => span)).toEqual([
    { start: 3, end: 3 },
    { start: 25, end: 31 },
  ]);
  expect(summarize(errors)).toBe(
    'parse error: expected ref:domain, found end of input; invalid relay_name: ' +
      "'branch' is reserved",
  );
});

test('parseStatement reads exactly one statement', () => {
  expect(parseStatement(';BEGIN;;').kind).toBe('parsed');
  expect(parseStatement('BEGIN; STOP')).toMatchObject({
    errors: [{ message: 'expected end of input, found STOP', span: { start: 7, end: 11 } }],
  });
  expect(parseStatement('')).toMatchObject({
    errors: [{ message: `expected ${HEADS}, found end of input` }],
  });
});

test('a diagnostic is shown under the line it points into', () => {
  const text = "// é\n\tUSE 'x'";
  const [error] = parseScript(text).errors;
  expect(lineColumn(text, error!.span.start)).toEqual({ line: 2, column: 6 });
  expect(renderDiagnostic(text, error!, 'a.nspl')).toBe(
    [
      'parse error: expected ref:domain, found "x"',
      ' --> a.nspl:2:6',
      '  |',
      "2 | \tUSE 'x'",
      '  | \t    ^^^',
    ].join('\n'),
  );
});

describe('long texts are quoted in part', () => {
  const long = 'x'.repeat(100_000);
  const cut = `${'x'.repeat(64)}…`;
  test.each([
    [`LIST ${long}`, `expected DOMAINS, found ${cut}`],
    [`LIST '${long}'`, `expected DOMAINS, found "${cut}"`],
    [`LIST '${'🙂'.repeat(65)}'`, `expected DOMAINS, found "${'🙂'.repeat(64)}…"`],
    [`LIST '${'🙂'.repeat(64)}'`, `expected DOMAINS, found "${'🙂'.repeat(64)}"`],
    [`LIST $${long}$ a`, `unterminated dollar-quoted string; expected $${'x'.repeat(63)}…`],
  ])('%.12s', (text, message) => {
    const { errors } = parseScript(text);
    expect(errors.map((error) => error.message)).toEqual([message]);
    expect(errors[0]?.span.end).toBe(Buffer.byteLength(text));
  });
});
