import { AVRO_WIRE_TYPES, JSON_WIRE_TYPES, PLAIN_CLIENT_TYPES } from '@nervix/model';
import { describe, expect, test } from 'vitest';
import { completeAt, printStatement } from '../src/index.ts';
import { expectRefusal, read } from './support/reading.ts';

const codec = 'CREATE CODEC c FROM';
const jaq = 'WITH JAQ TRANSFORMATIONS';
const protobuf = `${codec} PROTOBUF USING RESOURCE r VERSION 1 CONFIG {} MESSAGE 'm'`;
const client = 'CREATE CLIENT c TYPE';
const signaling = 'CREATE SIGNALING PROTOCOL p FORMAT';
const udf = 'CREATE UDF f WITH ROTO_0_13';
const placement = 'CREATE PLACEMENT p FROM a TO b';

/** Canonical text on one line. */
function line(text: string): string {
  return printStatement(read(text)).replace(/\n */gu, ' ');
}

describe('NSPL 6.1, 9.3: wire schemas', () => {
  test.each([
    ['JSON', JSON_WIRE_TYPES],
    ['CBOR', JSON_WIRE_TYPES],
    ['AVRO', AVRO_WIRE_TYPES],
  ])('%s has its types', (format, types) => {
    const fields = types.map((type, index) => `f${index} ${type}`).join(', ');
    const text = `CREATE WIRE ${format} SCHEMA w MODE STRICT (${fields.toLowerCase()},)`;
    expect(line(text)).toBe(`CREATE WIRE ${format} SCHEMA w MODE STRICT ( ${fields} );`);
  });

  test('a field a line', () => {
    expect(
      printStatement(read('create wire avro schema W mode loose (A Map optional, b fixed)')),
    ).toBe(`CREATE WIRE AVRO SCHEMA w MODE LOOSE (
  a MAP OPTIONAL,
  b FIXED
);`);
  });
});

describe('NSPL 6.1, 9.3, 14.4: codecs and their canonical text', () => {
  test.each([
    [
      `${codec} wire CBOR SCHEMA w TO SCHEMA s ENCODE wait AS RFC3339, as AS RFC3339,`,
      'CREATE CODEC c FROM WIRE CBOR SCHEMA w TO SCHEMA s ENCODE wait AS RFC3339, as AS RFC3339;',
    ],
    [`${codec} SYSLOG TO SCHEMA s`, 'CREATE CODEC c FROM SYSLOG TO SCHEMA s;'],
    [
      `${codec} YAML TO SCHEMA s ${jaq} ON INGESTION '.a' ENCODE a AS RFC3339`,
      `CREATE CODEC c FROM YAML TO SCHEMA s ${jaq} ON INGESTION '.a' ENCODE a AS RFC3339;`,
    ],
    [
      `${codec} CBOR TO SCHEMA s ${jaq} ON EMITTING "it's" ON EMITTING BATCH $$.$$`,
      `CREATE CODEC c FROM CBOR TO SCHEMA s ${jaq} ON EMITTING "it's" ON EMITTING BATCH '.';`,
    ],
    [
      `${codec} XML TO SCHEMA s ${jaq} ON INGESTION 'i' ON EMITTING 'e'`,
      `CREATE CODEC c FROM XML TO SCHEMA s ${jaq} ON INGESTION 'i' ON EMITTING 'e';`,
    ],
    [
      `${protobuf} TO SCHEMA s ${jaq} ON EMITTING 'e'`,
      'CREATE CODEC c FROM PROTOBUF USING RESOURCE r VERSION 1 CONFIG {} ' +
        `MESSAGE 'm' TO SCHEMA s ${jaq} ON EMITTING 'e';`,
    ],
    [`${codec} CSV TO SCHEMA s`, 'CREATE CODEC c FROM CSV TO SCHEMA s;'],
    [
      `${codec} CSV HEADER NONE DELIMITER ',' QUOTE '"' MODE STRICT TO SCHEMA s`,
      'CREATE CODEC c FROM CSV TO SCHEMA s;',
    ],
    [
      `${codec} CSV HEADER SKIP DELIMITER "'" NULL '' TO SCHEMA s ENCODE a AS RFC3339`,
      `CREATE CODEC c FROM CSV HEADER SKIP DELIMITER "'" NULL '' TO SCHEMA s ` +
        'ENCODE a AS RFC3339;',
    ],
    [
      `${codec} CSV HEADER NAMES DELIMITER '\t' QUOTE none NULL 'NA' MODE LOOSE TO SCHEMA s`,
      `CREATE CODEC c FROM CSV HEADER NAMES DELIMITER TAB QUOTE NONE NULL 'NA' MODE LOOSE ` +
        'TO SCHEMA s;',
    ],
    [
      `${codec} CSV DELIMITER '"' QUOTE '|' TO SCHEMA s`,
      `CREATE CODEC c FROM CSV DELIMITER '"' QUOTE '|' TO SCHEMA s;`,
    ],
  ])('%s', (text, expected) => {
    expect(line(text)).toBe(expected);
  });

  test('NSPL 15.4: a comma behind ENCODE rules goes on only before a word and AS', () => {
    const wired = `${codec} WIRE JSON SCHEMA w TO SCHEMA s ENCODE a AS RFC3339`;
    const plain = read(wired);
    expect(read(`${wired}, ;`)).toEqual(plain);
    expect(read(`${wired}, WAIT 5s`)).toMatchObject({ statement: plain, wait: '5s' });
    expect(line(`${wired}, wait AS RFC3339,`)).toBe(`${wired}, wait AS RFC3339;`);
    expectRefusal(`${wired}, b`, 'expected AS, found end of input', '');
  });

  test('a protobuf codec', () => {
    const text = `CREATE CODEC c
  FROM PROTOBUF USING RESOURCE r VERSION LATEST
  CONFIG {
    'a' = 'b',
    'secret' = 'secret'
  }
  MESSAGE 'x.Y' BATCH MESSAGE 'x.Ys'
  TO SCHEMA s
  WITH JAQ TRANSFORMATIONS ON INGESTION '.'
  ENCODE t AS RFC3339;`;
    expect(printStatement(read(text))).toBe(text);
  });
});

describe('NSPL 6.2, 9.3: clients and their canonical text', () => {
  test.each(PLAIN_CLIENT_TYPES.filter((type) => type !== 'S3'))('%s', (type) => {
    const text = `CREATE CLIENT c TYPE ${type} MOUNT m VERSION 2 CONFIG { 'a' = 'b' };`;
    expect(line(text.toLowerCase())).toBe(text);
  });

  test.each([
    [`${client} S3 CONFIG {}`, 'CREATE CLIENT c TYPE S3 CONFIG {};'],
    [`${client} WEBSOCKETS CONFIG {}`, 'CREATE CLIENT c TYPE WEBSOCKETS CONFIG {};'],
    [
      `${client} WEBSOCKETS WITH SIGNALING PROTOCOL p MOUNT m VERSION LATEST CONFIG {}`,
      'CREATE CLIENT c TYPE WEBSOCKETS WITH SIGNALING PROTOCOL p MOUNT m VERSION LATEST ' +
        'CONFIG {};',
    ],
    [
      `${client} REDIS POOL SIZE MIN 0 MAX 4294967295 CONFIG {}`,
      'CREATE CLIENT c TYPE REDIS POOL SIZE MIN 0 MAX 4294967295 CONFIG {};',
    ],
  ])('%s', (text, expected) => {
    expect(line(text)).toBe(expected);
  });

  test('an S3 client takes one line', () => {
    const text = `CREATE CLIENT c TYPE S3 MOUNT m VERSION 1 CONFIG {'a' = 'b', 'c' = SECRET 's'};`;
    expect(printStatement(read(text))).toBe(text);
  });

  test('a pooled client', () => {
    const text = `CREATE CLIENT c
  TYPE POSTGRES
  POOL SIZE MIN 1 MAX 8
  MOUNT m VERSION 1
  CONFIG {
    'addr' = 'pg:5432',
    'password' = SECRET 'pg' KEY 'password'
  };`;
    expect(printStatement(read(text))).toBe(text);
  });

  test('NSPL 14.3: secret is a reference only before a string', () => {
    const text = `${client} KAFKA CONFIG {'a' = secret, 'b' = SECRET, 'c' = Secret 's' key 'k', 'd' = 1}`;
    const statement = read(text);
    if (statement.kind !== 'create_model' || statement.model.kind !== 'client') {
      throw new Error('no client');
    }
    expect(statement.model.config.map(({ value }) => value)).toEqual([
      { kind: 'text', text: 'secret' },
      { kind: 'text', text: 'SECRET' },
      { kind: 'secret', name: 's', key: 'k' },
      { kind: 'text', text: '1' },
    ]);
  });
});

describe('NSPL 6.2, 9.3: signaling protocols, hash maps, UDFs, placements', () => {
  test.each([
    `${signaling} JSON ON CONNECT SEND JAQ 'a' TIMEOUT 5s;`,
    `${signaling} RAW FAIL JAQ 'f', 'g' ON CONNECT ACCEPT DATA WAIT JAQ 'm' TIMEOUT soon;`,
    `${signaling} TOML ON CONNECT WAIT JAQ 'm' FAIL JAQ 'f' CAPTURE 'c' ACCEPT DATA ` +
      `SEND JAQ 'a', 'b' WAIT JAQ 'm', 'n' FAIL JAQ 'f', 'g' ACCEPT DATA TIMEOUT 1m30s;`,
    `${signaling} PROTOBUF USING RESOURCE r VERSION 7 CONFIG {'a' = 'b'} SEND MESSAGE 'x' ` +
      `WAIT MESSAGE 'y' ON CONNECT SEND JAQ 's' WAIT JAQ 'w' TIMEOUT 1s;`,
    `CREATE HASH MAP map KEY key FROM RESOURCE from VERSION LATEST PATH 'p' DECODE USING using;`,
    `${placement} REQUIRE COLOCATION;`,
    'CREATE PLACEMENT to FROM a, to TO to, from SUGGEST SEPARATION RANK 18446744073709551615;',
    'CREATE IF NOT EXISTS PLACEMENT p FROM a TO b NEUTRAL;',
  ])('%s', (text) => {
    expect(printStatement(read(text))).toBe(text);
  });

  test('a UDF keeps its code verbatim', () => {
    const text = `CREATE UDF f
  WITH ROTO_0_13
  ARGS (a U32, volatile VEC<ARRAY<F32, 2, 3>> OPTIONAL)
  RETURNS STRING OPTIONAL
  VOLATILE
  CODE $roto$
fn f(a: u32) -> String {
  "it's"
}
$roto$;`;
    expect(printStatement(read(text))).toBe(text);
  });

  test('code in ECMAScript stands between delimiters of its own', () => {
    const javascript = 'CREATE UDF f WITH ECMASCRIPT_2023 ARGS (a U8) RETURNS U8 CODE';
    expect(line(`${javascript} $x$ $roto$ $x$`)).toBe(`${javascript} $js$ $roto$ $js$;`);
    expect(line(`${javascript} $x$ $js$ $x$`)).toBe(`${javascript} $js_1$ $js$ $js_1$;`);
  });

  test('the delimiter of a UDF grows until the code does not hold it', () => {
    const text = `${udf} ARGS (a U8) RETURNS U8 CODE $x$ $roto$ $roto_1$ $x$`;
    expect(line(text)).toBe(
      `${udf} ARGS (a U8) RETURNS U8 CODE $roto_2$ $roto$ $roto_1$ $roto_2$;`,
    );
  });

  test('eight arguments and 64 KiB of code are allowed', () => {
    const parameters = [...'abcdefgh'].map((name) => `${name} U8`).join(', ');
    const text = `${udf} ARGS (${parameters}) RETURNS U8 CODE '${'é'.repeat(32_768)}'`;
    expect(() => read(text)).not.toThrow();
  });
});

const TYPES =
  'KAFKA | PULSAR | HTTP | SENTRY | OTEL | PROMETHEUS | RABBITMQ | MQTT | NATS | ZEROMQ | SQS | ' +
  'S3 | GCS | AZURE_BLOB | ICEBERG_REST | SYSLOG | CLICKHOUSE | WEBSOCKETS | REDIS | POSTGRES | ' +
  'MYSQL | MONGODB';
const POLICIES = 'REQUIRE COLOCATION | PREFER COLOCATION | NEUTRAL | SUGGEST SEPARATION';

describe('NSPL 6.1, 6.2, 10: what was expected', () => {
  test.each([
    ['CREATE WIRE SCHEMA w', 'JSON | CBOR | AVRO', 'SCHEMA'],
    ['CREATE WIRE CBOR SCHEMA w MODE STRICT (a MAP)', JSON_WIRE_TYPES.join(' | '), 'MAP'],
    ['CREATE WIRE AVRO SCHEMA w MODE STRICT (a NUMBER)', AVRO_WIRE_TYPES.join(' | '), 'NUMBER'],
    ['CREATE WIRE AVRO SCHEMA w (a INT)', 'MODE', '('],
    [`${codec} x`, 'WIRE | JSON | YAML | TOML | XML | CBOR | PROTOBUF | SYSLOG | CSV', 'x'],
    [`${codec} WIRE AVRO SCHEMA 'w'`, 'ref:wire_avro_schema', '"w"'],
    [`${codec} YAML TO SCHEMA s ENCODE`, 'WITH', 'ENCODE'],
    [`${codec} YAML TO SCHEMA s ${jaq} ON x`, 'INGESTION | EMITTING', 'x'],
    [`${codec} YAML TO SCHEMA s ${jaq} ON EMITTING BATCH 'x'`, 'jaq_program', 'BATCH'],
    [`${codec} YAML TO SCHEMA s ${jaq} ON EMITTING 'a' ON EMITTING 'b'`, 'BATCH', '"b"'],
    [`${codec} SYSLOG TO SCHEMA s ENCODE a`, 'WAIT | ;', 'ENCODE'],
    [`${codec} PROTOBUF RESOURCE`, 'USING', 'RESOURCE'],
    [`${codec} PROTOBUF USING RESOURCE r CONFIG`, 'VERSION', 'CONFIG'],
    [`${protobuf} BATCH 'm'`, 'MESSAGE', '"m"'],
    [`${codec} CSV QUOTE NONE DELIMITER TAB`, 'NULL | MODE | TO', 'DELIMITER'],
    [`${codec} CSV HEADER x`, 'NAMES | SKIP | NONE', 'x'],
    [`${codec} CSV DELIMITER NONE`, 'string_literal | TAB', 'NONE'],
    [`${client} x`, TYPES, 'x'],
    [`${client} MYSQL MOUNT`, 'POOL SIZE', 'MOUNT'],
    [`${client} KAFKA POOL SIZE MIN 1 MAX 2 CONFIG {}`, 'MOUNT | CONFIG', 'POOL'],
    [`${client} HTTP WITH SIGNALING PROTOCOL p CONFIG {}`, 'MOUNT | CONFIG', 'WITH'],
    [
      `${client} WEBSOCKETS MOUNT m VERSION 1 WITH SIGNALING PROTOCOL p CONFIG {}`,
      'CONFIG',
      'WITH',
    ],
    [`${client} KAFKA CONFIG {a = 'b'}`, 'config_key | }', 'a'],
    [`${client} KAFKA CONFIG {'a' = }`, 'SECRET | config_value', '}'],
    [`${client} KAFKA CONFIG {'a' = SECRET 's' x}`, 'KEY | , | }', 'x'],
    [`${client} KAFKA CONFIG {'a' = SECRET x}`, 'ref:secret | , | }', 'x'],
    [
      `${codec} PROTOBUF USING RESOURCE r VERSION 1 CONFIG {'a' = SECRET 's'} MESSAGE 'm'`,
      ', | }',
      '"s"',
    ],
    [`${signaling} x`, 'JSON | YAML | TOML | XML | CBOR | RAW | PROTOBUF', 'x'],
    [`${signaling} JSON ON CONNECT TIMEOUT 1s`, 'ACCEPT | SEND | WAIT', 'TIMEOUT'],
    [
      `${signaling} JSON ON CONNECT WAIT JAQ 'a', 'b' CAPTURE 'c'`,
      ', | FAIL | ACCEPT | SEND | WAIT | TIMEOUT',
      'CAPTURE',
    ],
    [
      `${signaling} JSON ON CONNECT WAIT JAQ 'a' CAPTURE 'c' FAIL JAQ 'f'`,
      'ACCEPT | SEND | WAIT | TIMEOUT',
      'FAIL',
    ],
    [
      `${signaling} JSON ON CONNECT SEND JAQ 'a' ACCEPT DATA`,
      ', | SEND | WAIT | TIMEOUT',
      'ACCEPT',
    ],
    ['CREATE HASH m', 'MAP', 'm'],
    ['CREATE HASH MAP m KEY k FROM r', 'RESOURCE', 'r'],
    [`CREATE HASH MAP m KEY k FROM RESOURCE r VERSION 1 PATH 'p' USING c`, 'DECODE USING', 'USING'],
    [`${udf} ARGS ()`, 'argument_name', ')'],
    [`${udf} ARGS (a U8,)`, 'argument_name', ')'],
    [`${udf} ARGS (a U8) RETURNS U8 x`, 'OPTIONAL | VOLATILE | CODE', 'x'],
    [`${udf} ARGS (a U8) RETURNS U8 CODE x`, 'string_literal', 'x'],
    ['CREATE UDF f WITH ROTO_0_11 ARGS', 'ROTO_0_13 | ECMASCRIPT_2023', 'ROTO_0_11'],
    ['CREATE UDF f WITH ECMASCRIPT_2024 ARGS', 'ROTO_0_13 | ECMASCRIPT_2023', 'ECMASCRIPT_2024'],
    [`${placement} RANK 1`, `, | ${POLICIES}`, 'RANK'],
    [`${placement} NEUTRAL x`, 'RANK | WAIT | ;', 'x'],
  ])('%s', (text, expected, found) => {
    expectRefusal(text, `expected ${expected}, found ${found}`, found.replaceAll('"', "'"));
  });
});

describe('NSPL 6.1, 6.2, 14.3: refusals with their own message', () => {
  const secret = (key: string, value: string) => `${client} OTEL CONFIG {'${key}' = '${value}'}`;
  const redacted = (key: string) =>
    `config key '${key}' holds a redacted value; give the value or a SECRET reference`;
  const parameters = [...'abcdefghi'].map((name) => `${name} U8`).join(', ');
  test.each([
    [`${codec} CSV DELIMITER ''`, 'CSV delimiter must be one ASCII character', "''"],
    [`${codec} CSV DELIMITER 'ab'`, 'CSV delimiter must be one ASCII character', "'ab'"],
    [`${codec} CSV DELIMITER 'é'`, 'CSV delimiter must be one ASCII character', "'é'"],
    [`${codec} CSV DELIMITER $$\n$$`, 'CSV delimiter must be one ASCII character', '$$\n$$'],
    [`${codec} CSV QUOTE '\r'`, 'CSV quote must be one ASCII character', "'\r'"],
    [`${codec} CSV QUOTE '\0'`, 'CSV quote must be one ASCII character', "'\0'"],
    [
      `${codec} CSV HEADER SKIP DELIMITER '"' NULL 'x' TO`,
      'CSV delimiter and quote must differ',
      `DELIMITER '"'`,
    ],
    [`${codec} CSV QUOTE ',' TO`, 'CSV delimiter and quote must differ', "QUOTE ','"],
    [
      `${codec} CSV DELIMITER TAB QUOTE '\t' TO`,
      'CSV delimiter and quote must differ',
      "DELIMITER TAB QUOTE '\t'",
    ],
    [`${client} REDIS POOL SIZE MIN x`, "invalid integer 'x'; expected 0 through 4294967295", 'x'],
    [
      `${client} REDIS POOL SIZE MIN 1 MAX 4294967296`,
      "invalid integer '4294967296'; expected 0 through 4294967295",
      '4294967296',
    ],
    [
      `${client} REDIS POOL SIZE MIN 1.5 MAX 2`,
      "invalid integer '1.5'; expected 0 through 4294967295",
      '1.5',
    ],
    [`${client} REDIS POOL SIZE MIN 0 MAX 0`, 'maximum pool size must be greater than zero', '0'],
    [
      `${client} REDIS POOL SIZE MIN 10 MAX 9 CONFIG {}`,
      'minimum pool size 10 must not exceed maximum pool size 9',
      'POOL SIZE MIN 10 MAX 9',
    ],
    [secret('Password', '<redacted>'), redacted('Password'), "'<redacted>'"],
    [secret('headers', '<redacted>'), redacted('headers'), "'<redacted>'"],
    [secret('addr', 'http://me:<redacted>@host'), redacted('addr'), "'http://me:<redacted>@host'"],
    [
      'CREATE UDF __NERVIX_f WITH',
      "UDF names beginning with '__nervix_' are reserved",
      '__NERVIX_f',
    ],
    [
      `${udf} ARGS (__nervix_a U8)`,
      "UDF argument names beginning with '__nervix_' are reserved",
      '__nervix_a',
    ],
    [`${udf} ARGS (a U8, A STRING)`, "duplicate UDF argument 'a'", 'A STRING'],
    [`${udf} ARGS (${parameters})`, 'a UDF takes at most 8 arguments', 'i U8'],
    [
      `${udf} ARGS (a U8) RETURNS U8 CODE '${'é'.repeat(32_768)}x'`,
      'UDF code exceeds the 64 KiB limit',
      `'${'é'.repeat(32_768)}x'`,
    ],
    [
      `${placement} NEUTRAL RANK 0`,
      'placement RANK 0 is invalid; RANK must be greater than zero',
      '0',
    ],
    [`${placement} NEUTRAL RANK x`, "invalid integer 'x'", 'x'],
  ])('%.80s', (text, message, pointed) => {
    expectRefusal(text, message, pointed);
  });

  test.each([
    `${client} HTTP CONFIG {'headers' = '<redacted>', 'note' = '<redacted>'}`,
    `${client} HTTP CONFIG {'password' = 'redacted', 'addr' = 'http://h/<redacted>'}`,
  ])('%s is accepted', (text) => {
    expect(() => read(text)).not.toThrow();
  });
});

test('NSPL 1.2: keywords are names of fields, arguments and runtime nodes', () => {
  for (const text of [
    `${codec} JSON TO SCHEMA with ${jaq} ON EMITTING '.' ENCODE encode AS RFC3339`,
    'CREATE UDF udf WITH ROTO_0_13 ARGS (optional U8 OPTIONAL, code U8) RETURNS U8 CODE $$$$',
    'CREATE PLACEMENT placement FROM from, to TO require, neutral NEUTRAL',
    `CREATE SIGNALING PROTOCOL protocol FORMAT RAW ON CONNECT WAIT JAQ 'x' TIMEOUT 1s`,
  ]) {
    expect(() => read(text)).not.toThrow();
  }
});

describe('NSPL 11: what may follow', () => {
  test.each([
    ['CREATE CLIENT c TYPE MYSQL ', ['POOL SIZE']],
    ['CREATE CLIENT c TYPE HTTP ', ['CONFIG', 'MOUNT']],
    ["CREATE CLIENT c TYPE HTTP CONFIG {'a' = ", ['SECRET']],
    ["CREATE CLIENT c TYPE HTTP CONFIG {'a' = SECRET 's' ", [',', 'KEY', '}']],
    [`${codec} CSV HEADER NAMES `, ['DELIMITER', 'MODE', 'NULL', 'QUOTE', 'TO']],
    [`${codec} CSV QUOTE `, ['NONE']],
    [`${protobuf} `, ['BATCH MESSAGE', 'TO']],
    [`${codec} YAML TO SCHEMA s `, ['WITH']],
    [`${codec} WIRE `, ['AVRO', 'CBOR', 'JSON']],
    [`${signaling} RAW ON CONNECT WAIT JAQ 'a', 'b' FAIL JAQ 'c' CAP`, []],
    [`${signaling} RAW ON CONNECT WAIT JAQ 'a' FAIL JAQ 'c' CAP`, ['CAPTURE']],
    ['CREATE SIG', ['SIGNALING PROTOCOL']],
    ['CREATE HAS', ['HASH MAP']],
    [`${udf} ARGS (a U8) RETURNS U8 OPTIONAL `, ['CODE', 'VOLATILE']],
    [
      `${placement} `,
      [',', 'NEUTRAL', 'PREFER COLOCATION', 'REQUIRE COLOCATION', 'SUGGEST SEPARATION'],
    ],
    [`${placement} NEUTRAL RA`, ['RANK']],
  ])('%s', (text, expected) => {
    const { items } = completeAt(text, Buffer.byteLength(text));
    expect(items.map(({ label }) => label)).toEqual(expected);
  });

  test('names are of the kind that the slot takes', () => {
    const names = (kind: string) => [`${kind}_1`];
    const first = (text: string) =>
      completeAt(text, Buffer.byteLength(text), { names }).items.map(({ label }) => label);
    expect(first('CREATE CLIENT c TYPE HTTP MOUNT ')).toEqual(['resource_1']);
    expect(first('CREATE CLIENT c TYPE WEBSOCKETS WITH SIGNALING PROTOCOL ')).toEqual([
      'signaling_protocol_1',
    ]);
    expect(first(`${codec} WIRE CBOR SCHEMA `)).toEqual(['wire_cbor_schema_1']);
    expect(first('CREATE PLACEMENT p FROM ')).toEqual(['runtime_node_1']);
  });
});
