import { RELOCATABLE_KINDS, statementWords } from '@nervix/model';
import { describe, expect, test } from 'vitest';
import { type Catalog, parseScript, referencedKinds, scriptCatalog } from '../src/index.ts';

/** The catalog of a script that can be read whole. */
function catalogOf(script: string): Catalog {
  expect(parseScript(script).errors).toEqual([]);
  return scriptCatalog(script);
}

const names = (script: string, kind: string) => catalogOf(script).names?.(kind);
const fields = (script: string, kind: string, name: string) =>
  catalogOf(script).fields?.(kind, name);

describe('NSPL 11: what a script drops is not offered', () => {
  test.each([
    ['domain', 'CREATE DOMAIN d', 'DROP DOMAIN d'],
    ['domain', 'CREATE DOMAIN d', 'DROP DOMAIN d CASCADE'],
    ['user', "CREATE USER d WITH PASSWORD 'p'", 'DROP USER d'],
    ['session_subscription', 'CREATE SUBSCRIPTION d TO r', 'DELETE SUBSCRIPTION d'],
    ['pool', 'CREATE POOL d', 'DROP POOL d'],
    ['policy', 'CREATE POLICY d FOR CLUSTER RULES {}', 'DROP POLICY d'],
    ['project', 'CREATE PROJECT d DOMAIN a', 'DROP PROJECT d'],
    ['role', 'CREATE ROLE d CAPABILITIES READ', 'DROP ROLE d'],
    [
      'delegation',
      'CREATE DELEGATION d FOR USER a TO USER b CAPABILITIES READ ON CLUSTER EXPIRES AFTER 1h',
      'DROP DELEGATION d',
    ],
    ['relay', 'CREATE RELAY d SCHEMA s UNBRANCHED', 'DROP RELAY d'],
    [
      'lookup',
      "CREATE HASH MAP d KEY k FROM RESOURCE r VERSION 1 PATH 'p' DECODE USING c",
      'DROP HASH MAP d',
    ],
  ])('%s', (kind, create, drop) => {
    expect(names(create, kind)).toEqual(['d']);
    expect(names(`${create}; ${drop}`, kind)).toEqual([]);
  });

  test('a statement with suffixes counts, one that is planned does not', () => {
    const script =
      'CREATE RELAY a SCHEMA s UNBRANCHED; CREATE RELAY b SCHEMA s UNBRANCHED WAIT 5s;';
    expect(names(`${script} DROP RELAY a WAIT 5s;`, 'relay')).toEqual(['b']);
    expect(names(`${script} PLAN DROP RELAY a; EXPLAIN DROP RELAY b;`, 'relay')).toEqual([
      'a',
      'b',
    ]);
  });
});

describe('NSPL 11: what a script alters is offered as altered', () => {
  const schema = 'CREATE SCHEMA s (a U8, b U8); CREATE SCHEMA t (z U8);';
  const relays =
    `${schema} CREATE RELAY r SCHEMA s UNBRANCHED; CREATE RELAY q SCHEMA t UNBRANCHED;` +
    'CREATE JUNCTION j FROM r UNBRANCHED TO q FLUSH IMMEDIATE ON MESSAGE ERROR LOG;';
  const source =
    `${schema} CREATE CODEC one FROM CSV TO SCHEMA s; CREATE CODEC two FROM CSV TO SCHEMA t;` +
    'CREATE INGESTOR i FROM MQTT c TOPIC f MODE NO_ACK SEQUENTIAL ON QUIESCE DROP DECODE USING one ' +
    'TO r UNBRANCHED FLUSH IMMEDIATE ON MESSAGE ERROR LOG ON GENERAL ERROR LOG;';

  test('fields of a schema and of a wire schema', () => {
    const operations =
      'ADD FIELD c U8, DROP FIELD a, RENAME FIELD b TO d, ALTER FIELD c SET OPTIONAL';
    expect(fields(`${schema} ALTER SCHEMA s ${operations}`, 'schema', 's')).toEqual(['d', 'c']);
    const wire = 'CREATE WIRE JSON SCHEMA s MODE STRICT (a INTEGER, b INTEGER);';
    expect(
      fields(
        `${wire} ALTER WIRE JSON SCHEMA s ADD FIELD c STRING, DROP FIELD b`,
        'wire_json_schema',
        's',
      ),
    ).toEqual(['a', 'c']);
  });

  test('the schema of a relay and the inputs of a node', () => {
    expect(fields(relays, 'junction', 'j')).toEqual(['a', 'b']);
    const altered = `${relays} ALTER RELAY r SET SCHEMA t, SET CAPACITY 5;`;
    expect(fields(altered, 'relay', 'r')).toEqual(['z']);
    expect(fields(altered, 'junction', 'j')).toEqual(['z']);
    expect(
      fields(`${relays} ALTER JUNCTION j ADD FROM q, DROP FROM r WAIT 5s;`, 'junction', 'j'),
    ).toEqual(['z']);
  });

  test('what an ingestor reads', () => {
    expect(fields(source, 'ingestor', 'i')).toEqual(['a', 'b']);
    const altered = catalogOf(
      `${source} ALTER INGESTOR i SET DECODE USING two, SET FROM HTTP c EVERY 1s ON QUIESCE SUSPEND`,
    );
    expect(altered.fields?.('ingestor', 'i')).toEqual(['z']);
    expect([catalogOf(source), altered].map((each) => each.hasHeaders?.('i'))).toEqual([
      false,
      true,
    ]);
  });

  test('new names', () => {
    const placement = 'CREATE PLACEMENT p FROM a TO b NEUTRAL;';
    expect(names(`${placement} ALTER PLACEMENT p SET RANK 1, RENAME TO q`, 'placement')).toEqual([
      'q',
    ]);
    const project = 'CREATE PROJECT p DOMAIN d;';
    expect(names(`${project} ALTER PROJECT p RENAME TO q`, 'project')).toEqual(['q']);
    expect(names('ALTER PROJECT p RENAME TO q; ALTER PLACEMENT p RENAME TO q', 'project')).toEqual(
      [],
    );
  });

  test('what exists is kept by IF NOT EXISTS', () => {
    const script = `${schema} CREATE IF NOT EXISTS SCHEMA s (c U8); CREATE IF NOT EXISTS SCHEMA u (c U8)`;
    expect(fields(script, 'schema', 's')).toEqual(['a', 'b']);
    expect(fields(script, 'schema', 'u')).toEqual(['c']);
  });
});

test('NSPL 10: a runtime node is whatever can be moved, hash maps and relays included', () => {
  const script =
    'CREATE RELAY r SCHEMA s UNBRANCHED; CREATE SCHEMA s (a U8); ' +
    "CREATE HASH MAP m KEY k FROM RESOURCE t VERSION 1 PATH 'p' DECODE USING c; " +
    'CREATE JUNCTION r FROM r UNBRANCHED TO q FLUSH IMMEDIATE ON MESSAGE ERROR LOG';
  expect(names(script, 'runtime_node')).toEqual(['m', 'r']);
  expect(referencedKinds('runtime_node').map(String)).toEqual([...RELOCATABLE_KINDS]);
  expect(RELOCATABLE_KINDS.map(statementWords)).toEqual(
    expect.arrayContaining(['RELAY', 'HASH MAP']),
  );
});
