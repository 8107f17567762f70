import { ERROR_ROW_FIELDS, functionNames } from '@nervix/model';
import { describe, expect, test } from 'vitest';
import { type Catalog, scriptCatalog } from '../src/index.ts';
import { completion, labels } from './support/completing.ts';
import { expectationsAt } from './support/completion-graph.ts';

const SCRIPT = `
CREATE DOMAIN d;
CREATE SCHEMA trip (id U32, fare F64, city STRING);
CREATE SCHEMA area (city STRING);
CREATE SCHEMA failure (id U32, why STRING, drop U8);
CREATE WIRE JSON SCHEMA trip_json MODE STRICT (id INTEGER, fare NUMBER);
CREATE CODEC trips FROM WIRE JSON SCHEMA trip_json TO SCHEMA trip;
CREATE BRANCH by_city SCHEMA area TTL 1h;
CREATE RELAY raw SCHEMA trip UNBRANCHED;
CREATE RELAY paid SCHEMA trip BRANCHED BY by_city;
CREATE RELAY failures SCHEMA failure UNBRANCHED;
CREATE RELAY rates SCHEMA area UNBRANCHED WITH MATERIALIZED STATE LAST BY TIMESTAMP;
CREATE VHOST v localhost;
CREATE ENDPOINT e ON v PATH '/' TYPE HTTP;
CREATE INGESTOR over_http FROM ENDPOINT e MODE NO_ACK SEQUENTIAL ON QUIESCE REJECT RETRY AFTER 1s
  DECODE USING trips TO raw UNBRANCHED FLUSH IMMEDIATE ON MESSAGE ERROR LOG ON GENERAL ERROR LOG;
CREATE INGESTOR over_mqtt FROM MQTT c TOPIC t MODE NO_ACK SEQUENTIAL ON QUIESCE DROP
  DECODE USING trips TO raw UNBRANCHED FLUSH IMMEDIATE ON MESSAGE ERROR LOG ON GENERAL ERROR LOG;
CREATE JUNCTION split FROM raw UNBRANCHED TO paid FLUSH IMMEDIATE ON MESSAGE ERROR LOG;
CREATE UDF grade WITH ROTO_0_13 ARGS (a U8) RETURNS U8 CODE 'x';
CREATE RESOURCE certificates;
CREATE RELAY gone SCHEMA trip UNBRANCHED;
DROP RELAY gone;
CREATE RELAY broken SCHEMA;
CREATE SUBSCRIPTION watch TO raw;
`;

const script = scriptCatalog(SCRIPT);
/** The script, and what only a node knows. */
const catalog: Catalog = {
  names: (kind) => script.names?.(kind) ?? [],
  fields: (kind, name) => script.fields?.(kind, name) ?? [],
  hasHeaders: (ingestor) => script.hasHeaders?.(ingestor) ?? false,
  completedVersions: (resource) => (resource === 'certificates' ? ['1', '3'] : []),
};

describe('NSPL 11: names of what exists', () => {
  test.each<[string, readonly string[]]>([
    ['USE |', ['d']],
    ['DESCRIBE RELAY |', ['failures', 'paid', 'rates', 'raw']],
    ['DESCRIBE RELAY RA|', ['rates', 'raw']],
    ['CREATE RELAY r SCHEMA |', ['area', 'failure', 'trip']],
    ['DROP WIRE JSON SCHEMA |', ['trip_json']],
    ['DELETE SUBSCRIPTION |', ['watch']],
    [
      'CREATE PLACEMENT p FROM |',
      ['failures', 'over_http', 'over_mqtt', 'paid', 'rates', 'raw', 'split'],
    ],
    ['REBIND RESOURCE certificates TO VERSION |', ['1', '3', 'LATEST']],
    ['REBIND RESOURCE certificates TO VERSION 3|', ['3']],
    ['REBIND RESOURCE other TO VERSION |', ['LATEST']],
    ['ALTER SCHEMA failure DROP FIELD |', ['drop', 'id', 'why']],
    ['ALTER WIRE JSON SCHEMA trip_json RENAME FIELD |', ['fare', 'id']],
  ])('%s', (marked, names) => {
    expect(labels(marked, catalog)).toEqual(names);
  });

  test('an item tells what it fills', () => {
    expect(completion('DESCRIBE RELAY PA|', catalog).items).toEqual([
      { label: 'paid', kind: 'reference', insertText: 'paid', detail: 'ref:relay' },
    ]);
    expect(completion('REBIND RESOURCE certificates TO VERSION 3|', catalog).items[0]?.kind).toBe(
      'version',
    );
  });

  test('a name that a statement cannot spell is left out; an identity is quoted', () => {
    const strange: Catalog = { names: (kind) => [`${kind}_a`, 'a-b.c', "it's"] };
    expect(labels('DESCRIBE RELAY |', strange)).toEqual(['relay_a']);
    const [first, second] = completion('DESCRIBE OPERATION |', strange).items;
    expect([first?.insertText, second?.insertText]).toEqual(["'a-b.c'", `"it's"`]);
  });

  test.each([
    'CORDON NODE',
    'UNCORDON NODE',
    'DRAIN NODE',
    'DROP NODE',
    'QUARANTINE NODE',
    'RELEASE NODE',
    'ALTER NODE',
    'RELOCATE RELAY r ONTO NODE',
    'DESCRIBE REVISIONS OF NODE',
  ])('nodes of the cluster behind %s, as statements can spell them', (words) => {
    const cluster: Catalog = {
      names: (kind) => (kind === 'node' ? ['a-1.example', 'b', '10', '10a', "it's", 'c-'] : []),
    };
    expect(labels(`${words} |`, cluster)).toEqual(['10', 'a-1.example', 'b']);
    expect(labels(`${words} A|`, cluster)).toEqual(['a-1.example']);
    for (const { insertText, kind } of completion(`${words} |`, cluster).items) {
      expect(kind).toBe('reference');
      expect(expectationsAt(`${words} ${insertText}`).readings).not.toEqual([]);
    }
  });

  test('without a catalog only words of the language are offered', () => {
    expect(completion('DESCRIBE RELAY |')).toMatchObject({ items: [], placeholders: [] });
  });
});

describe('NSPL 11: fields in routes', () => {
  const junction = 'CREATE JUNCTION j FROM raw, failures UNBRANCHED TO paid';
  const route = `${junction} SET a = 1 FLUSH IMMEDIATE ON MESSAGE ERROR SEND TO failures SET`;
  const ingestor = 'CREATE INGESTOR i FROM HTTP c EVERY 1s ON QUIESCE SUSPEND DECODE USING trips';
  const correlator = 'CREATE CORRELATOR c LEFT FROM raw RIGHT FROM failures CORRELATE WHERE';
  const trip = ['city', 'fare', 'id'];
  const errorRow = ERROR_ROW_FIELDS.map(({ name }) => name).sort();

  test.each<[string, readonly string[]]>([
    [`${junction} SET |`, trip],
    [`${junction} SET FA|`, ['fare']],
    [`${junction} SET a = 1, |`, trip],
    [`${junction} SET a = input.|`, trip],
    [`${junction} SET a = lower(input.C|`, ['city']],
    [`${junction} SET a = output.|`, trip],
    [`${junction} SET a = message.|`, trip],
    [`${route} |`, ['drop', 'id', 'why']],
    [`${route} a = error.|`, errorRow],
    [`${route} a = partial_output.|`, trip],
    [`${route} a = input.|`, trip],
    ['CREATE JUNCTION j FROM raw WHERE raw.id > 0, failures WHERE input.|', []],
    [
      'CREATE JUNCTION j FROM raw WHERE input.id > 0, failures WHERE input.|',
      ['drop', 'id', 'why'],
    ],
    [`${ingestor} FILTER WHERE input.|`, trip],
    [`${ingestor} TO raw SET |`, trip],
    [`${ingestor} TO raw BRANCHED BY by_city SET |`, ['city']],
    [`${correlator} left.|`, trip],
    [`${correlator} left.id = right.|`, ['drop', 'id', 'why']],
    ['CREATE SUBSCRIPTION s TO failures WHERE input.|', ['drop', 'id', 'why']],
    ['CREATE JUNCTION j FROM raw BRANCHED BY by_city TO paid SET a = branch.|', ['city']],
    ['CREATE JUNCTION j FROM raw UNBRANCHED USING MATERIALIZED STATE rates DEFAULT {|', ['city']],
    ['ALTER JUNCTION split ADD ROUTE TO failures SET a = input.|', trip],
    ['ALTER JUNCTION split ADD ROUTE TO failures SET |', ['drop', 'id', 'why']],
  ])('%s', (marked, fields) => {
    expect(labels(marked, catalog)).toEqual(fields);
  });

  test('a field that could be taken for an operation is quoted', () => {
    const items = completion(`${route} DR|`, catalog).items;
    expect(items.map(({ insertText }) => insertText)).toEqual(['`drop`']);
    expect(completion(`${route} a = input.|`, catalog).items[0]?.kind).toBe('field');
  });

  test('states that the statement uses, and their fields', () => {
    const using =
      'CREATE JUNCTION j FROM raw UNBRANCHED USING MATERIALIZED STATE rates REQUIRED SKIP TO paid';
    expect(labels(`${using} SET a = relay_state.|`, catalog)).toEqual(['rates']);
    expect(labels(`${using} SET a = relay_state.rates.|`, catalog)).toEqual(['city']);
    expect(labels(`${using} SET a = relay_state.rates.city.|`, catalog)).toEqual([]);
  });
});

describe('NSPL 11: functions in expressions', () => {
  const junction = 'CREATE JUNCTION j FROM raw UNBRANCHED TO paid';
  const window = 'CREATE WINDOW PROCESSOR w FROM raw WIDTH 5 MESSAGES STEP 5 MESSAGES UNBRANCHED';
  const decode = 'ON QUIESCE DROP DECODE USING trips TO raw';
  const retry = 'MODE ACK RETRY POLICY BACKOFF 1s MAX 1s';
  const sorted = (names: readonly string[]) => [...names].sort();

  test.each(['SET a =', 'SET a = lower(', 'SET a = concat(b,', 'SET a = 1 +', 'WHERE a = 2 *'])(
    'every builtin function behind %s',
    (clause) => {
      const { items } = completion(`${junction} ${clause} |`);
      expect(items.map(({ label }) => label)).toEqual(sorted(functionNames('anywhere', 'lookup')));
      expect(new Set(items.map(({ kind }) => kind))).toEqual(new Set(['function']));
    },
  );

  test('names that begin as the word does', () => {
    expect(labels(`${junction} SET a = LOW|`)).toEqual(['lower']);
    expect(labels(`${junction} SET a = lookup|`)).toEqual(['LOOKUP_HASH_MAP']);
  });

  test.each(['SET a = b AND', 'SET a = CASE WHEN', 'WHERE', 'SET a = b IN', "SET a = 'open"])(
    'an unfinished expression offers nothing of its own: %s',
    (clause) => {
      expect(labels(`${junction} ${clause} |`)).toEqual([]);
    },
  );

  test('a finished expression offers the clauses that may follow', () => {
    expect(labels(`${junction} SET a = 1 |`)).toEqual([
      'FLUSH EACH',
      'FLUSH IMMEDIATE',
      'INVOKE',
      'WHERE',
    ]);
  });

  test('functions of the script', () => {
    expect(completion(`${junction} SET a = udf::|`, catalog).items).toEqual([
      { label: 'grade', kind: 'function', insertText: 'grade', detail: 'ref:udf' },
    ]);
    expect(labels(`${junction} SET a = udf::GR|`, catalog)).toEqual(['grade']);
  });

  test.each<[string, boolean]>([
    ['CREATE INGESTOR i FROM ENDPOINT e MODE NO_ACK SEQUENTIAL', true],
    [
      'CREATE INGESTOR i FROM NATS c SUBJECT s QUEUE GROUP g INSTANCES 1 MODE NO_ACK SEQUENTIAL',
      true,
    ],
    ['CREATE INGESTOR i FROM ZEROMQ c MODE NO_ACK SEQUENTIAL', false],
  ])('header readers in %s', (head, areOffered) => {
    const quiesce = head.includes('ENDPOINT')
      ? 'ON QUIESCE BUFFER MAX SIZE 1KiB DECODE USING trips TO raw'
      : decode;
    const offered = labels(`${head} ${quiesce} SET a = read|`);
    expect(offered).toEqual(areOffered ? sorted(functionNames('header_source')) : []);
  });

  test('header readers where an ingestor is altered', () => {
    const added = 'ADD ROUTE TO raw SET a = read|';
    expect(labels(`ALTER INGESTOR over_http ${added}`, catalog)).toEqual(
      sorted(functionNames('header_source')),
    );
    expect(labels(`ALTER INGESTOR over_mqtt ${added}`, catalog)).toEqual([]);
    expect(labels(`ALTER INGESTOR unknown ${added}`, catalog)).toEqual([]);
  });

  test.each<[string, readonly string[]]>([
    [`HTTP c METHOD 'GET' PATH '/' ${retry} WITHOUT BODY INVOKE |`, ['write_header']],
    [
      `KAFKA c TOPIC t MODE NO_ACK RETRY POLICY BACKOFF 1s MAX 1s ENCODE USING trips INVOKE |`,
      ['write_header'],
    ],
    [
      "KAFKA c TOPIC t MODE NO_ACK RETRY POLICY BACKOFF 1s MAX 1s ENCODE USING trips INVOKE write_header('a', 'b'), |",
      ['write_header'],
    ],
    ['ZEROMQ c MODE NO_ACK RETRY POLICY BACKOFF 1s MAX 1s ENCODE USING trips INVOKE |', []],
  ])('header writers in TO %s', (sink, offered) => {
    expect(labels(`CREATE EMITTER e FROM raw TO ${sink}`)).toEqual(offered);
  });

  test('aggregates in the SET of window routes only', () => {
    const expected = new Set([
      ...functionNames('anywhere', 'lookup').filter(
        (name) => !functionNames('aggregate').includes(name.toUpperCase()),
      ),
      ...functionNames('aggregate'),
    ]);
    expect(new Set(labels(`${window} TO paid SET a = |`))).toEqual(expected);
    expect(labels(`${window} TO paid SET a = COUNT(input.id) WHERE a = APPROX|`)).toEqual([]);
    const error = 'SET a = COUNT(input.id) ON MESSAGE ERROR SEND TO failures SET a = APPROX';
    expect(labels(`${window} TO paid ${error}|`)).toEqual([]);
  });
});

describe('the catalog of a script', () => {
  test('definitions take effect in order and unreadable statements do not hide others', () => {
    expect(script.names?.('relay')).toEqual(['failures', 'paid', 'rates', 'raw']);
    expect(
      scriptCatalog("CREATE RELAY a SCHEMA s UNBRANCHED; STOP @; CREATE USER 'x").names?.('relay'),
    ).toEqual(['a']);
    const twice = 'CREATE RELAY a SCHEMA s UNBRANCHED;';
    expect(scriptCatalog(`${twice} ${twice}`).names?.('relay')).toEqual(['a']);
    expect(scriptCatalog(`${twice} DROP RELAY a; ${twice}`).names?.('relay')).toEqual(['a']);
  });

  test('what it does not know is empty', () => {
    expect(script.names?.('no_such_kind')).toEqual([]);
    expect(script.fields?.('relay', 'unknown')).toEqual([]);
    expect(script.fields?.('vhost', 'v')).toEqual([]);
    expect(script.hasHeaders?.('unknown')).toBe(false);
  });

  test('fields of what nodes read', () => {
    expect(script.fields?.('junction', 'split')).toEqual(['id', 'fare', 'city']);
    expect(script.fields?.('ingestor', 'over_http')).toEqual(['id', 'fare', 'city']);
    expect(script.fields?.('codec', 'trips')).toEqual(['id', 'fare', 'city']);
    expect(script.fields?.('branch', 'by_city')).toEqual(['city']);
    expect(script.fields?.('wire_json_schema', 'trip_json')).toEqual(['id', 'fare']);
  });
});
