import { describe, expect, test } from 'vitest';
import { parseScript, printStatement, scriptCatalog } from '../src/index.ts';
import { expectRefusal, read } from './support/reading.ts';

const route = 'TO b FLUSH IMMEDIATE ON MESSAGE ERROR LOG';
const digest = '0'.repeat(64);

/** Statements that may wait, and nothing else. */
const WAITING = [
  'CREATE DOMAIN d',
  "CREATE USER u WITH PASSWORD 'p'",
  'CREATE RESOURCE r',
  'CREATE RELAY r SCHEMA s UNBRANCHED',
  `CREATE JUNCTION j FROM a UNBRANCHED ${route}`,
  'CREATE CODEC c FROM WIRE JSON SCHEMA w TO SCHEMA s ENCODE a AS RFC3339',
  'CREATE POOL p',
  'CREATE POLICY p FOR CLUSTER RULES {}',
  'CREATE PROJECT p',
  'CREATE ROLE r CAPABILITIES READ',
  'CREATE DELEGATION d FOR USER a TO USER b CAPABILITIES READ ON CLUSTER EXPIRES AFTER 1h',
  'ALTER DOMAIN SET CLASS prod',
  'ALTER NODE n SET POOL p',
  'ALTER POOL p DROP TRUST',
  'ALTER PROJECT p ADD DOMAIN d',
  'ALTER CLUSTER SET FEATURE LEVEL 2',
  "ALTER USER u SET PASSWORD '<redacted>'",
  'DROP RELAY r',
  'DROP DOMAIN d',
  'DROP USER u',
  'DROP POOL p',
  'DROP SECRET s',
  'START',
  'START AT NOW TIME RATE 1.0',
  'STOP',
  'REBIND RESOURCE r TO VERSION 1',
  'RESET WASM PROCESSOR p STATE IN DOMAIN d FOR UNBRANCHED',
  'CORDON NODE n',
  'UNCORDON NODE n',
  'QUARANTINE NODE n',
  'RELEASE NODE n',
  "COMPENSATE OPERATION 'o'",
  "CANCEL OPERATION 'o'",
  "RESOLVE OPERATION 'o' STEP 1 AS APPLIED EVIDENCE 'e'",
  'GRANT ROLE r ON CLUSTER TO USER u',
  'REVOKE ROLE r ON CLUSTER FROM USER u',
];

/** Statements that may also lose state. */
const LOSING = [
  'RELOCATE RELAY r ONTO NODE n FOLLOW PREFERENCES',
  'RELOCATE RELAY r ONTO NODE n FOLLOW PREFERENCES FOR RELAY q IGNORE PREFERENCES',
  'DRAIN NODE n',
  'DROP NODE n',
  'REBALANCE',
  'REBALANCE DOMAIN d MAX MOVES 5',
  'PROMOTE DOMAIN a TO b',
  "RESTORE DOMAIN d FROM 'f'",
  "APPLY PLAN 'p'",
  'COMMIT',
  `COMMIT EXPECT 'a' POSITION 1 BASIS '${digest}'`,
];

/** Statements that end where they end. */
const BARE = [
  'USE d',
  'LIST DOMAINS',
  'ATTACH DOMAIN CLOCK',
  "ATTACH TRANSACTION 't'",
  'BEGIN',
  'REVERT',
  "UPLOAD RESOURCE r VERSION './d'",
  "BACKUP CLUSTER TO 'f'",
  "DESCRIBE BACKUP 'f'",
  'CREATE SUBSCRIPTION s TO r',
  'DELETE SUBSCRIPTION s',
  'DESCRIBE DOMAIN',
  'DESCRIBE REBALANCE',
  'SHOW INGESTORS',
  'SHOW GRANTS',
  'LOOKUP l KEY 1',
  'PLAN STOP',
  'EXPLAIN STOP',
  'EXPLAIN PLACEMENT',
  "APPROVE PLAN 'p'",
];

describe('NSPL 14.2, 14.4: suffixes follow the whole statement', () => {
  test.each(WAITING)('%s may wait', (text) => {
    expect(printStatement(read(`${text} wait 30s`))).toMatch(/ WAIT 30s;$/u);
    expect(read(`${text} WAIT 30s`)).toEqual({
      kind: 'with_suffixes',
      statement: read(text),
      acceptStateLoss: false,
      wait: '30s',
    });
    const { errors } = parseScript(`${text} ACCEPT STATE LOSS`);
    expect(errors.map(({ message }) => message)).toEqual([
      expect.stringMatching(/^expected .*WAIT \| ;, found ACCEPT$/u),
    ]);
  });

  test.each(LOSING)('%s may lose state and wait', (text) => {
    const loss = `${text} ACCEPT STATE LOSS`;
    expect(printStatement(read(loss))).toBe(`${loss};`);
    expect(printStatement(read(`${loss} WAIT 5s`))).toBe(`${loss} WAIT 5s;`);
    expect(printStatement(read(`${text} WAIT soon`))).toBe(`${text} WAIT soon;`);
    const { errors } = parseScript(`${text} WAIT 5s ACCEPT STATE LOSS`);
    expect(errors.map(({ message }) => message)).toEqual(['expected ;, found ACCEPT']);
  });

  test.each(BARE)('%s takes none', (text) => {
    for (const suffix of ['WAIT 5s', 'ACCEPT STATE LOSS']) {
      const { errors } = parseScript(`${text} ${suffix}`);
      expect(errors.map(({ message }) => message)).toEqual([
        expect.stringMatching(new RegExp(`^expected .*, found ${suffix.split(' ')[0]}$`, 'u')),
      ]);
    }
  });

  test.each([
    ['STOP WAIT', 'expected duration_literal, found end of input', ''],
    ['STOP WAIT 5', 'expected duration_literal, found end of input', ''],
    ['STOP WAIT 5foo', "invalid duration '5foo': unknown unit 'foo'", '5foo'],
    ['DRAIN NODE n ACCEPT x', 'expected STATE, found x', 'x'],
    ['DRAIN NODE n x', 'expected - | . | ACCEPT STATE LOSS | WAIT | ;, found x', 'x'],
    ['STOP x', 'expected WAIT | ;, found x', 'x'],
    ['STOP WAIT 5s WAIT 5s', 'expected ;, found WAIT', 'WAIT'],
  ])('%s', (text, message, pointed) => {
    expectRefusal(text, message, pointed);
  });
});

describe('NSPL 3.2, 14.2: an expression has ended before a suffix', () => {
  test.each([
    `CREATE JUNCTION j FROM a UNBRANCHED TO b FLUSH IMMEDIATE ON MESSAGE ERROR SEND TO c SET x = y WAIT 5s`,
    'CREATE CODEC c FROM WIRE JSON SCHEMA w TO SCHEMA s ENCODE a AS RFC3339, b AS RFC3339 WAIT 5s',
    'CREATE CODEC c FROM WIRE JSON SCHEMA w TO SCHEMA s ENCODE a AS RFC3339, WAIT 5s',
    'CREATE CODEC c FROM WIRE JSON SCHEMA w TO SCHEMA s ENCODE wait AS RFC3339, WAIT AS RFC3339, WAIT 5s',
    'ALTER SCHEMA s ADD FIELD a U8 WAIT 5s',
    'ALTER SCHEMA s ADD FIELD a U8, WAIT 5s',
    'ALTER WIRE JSON SCHEMA s MODE STRICT, WAIT 5s',
    'ALTER JUNCTION j ADD FROM r WHERE x WAIT 5s',
    'ALTER JUNCTION j SET FILTER WHERE a IN (1, 2) WAIT 5s',
    'ALTER JUNCTION j ADD MATERIALIZED STATE r REQUIRED WAIT WAIT 5s',
    `ALTER JUNCTION j ADD ROUTE ${route} WAIT 5s`,
    'ALTER DEDUPLICATOR d SET DEDUPLICATE ON a, b WAIT 5s',
    'ALTER PLACEMENT p SET FROM a TO b, wait WAIT 5s',
    'ALTER RELAY r DROP MATERIALIZED STATE WAIT 5s',
  ])('%s', (text) => {
    expect(read(text)).toMatchObject({
      kind: 'with_suffixes',
      acceptStateLoss: false,
      wait: '5s',
    });
  });
});

test('what a statement with a suffix creates or drops is known to the catalog of a script', () => {
  const schema = 'CREATE SCHEMA s (a U8) WAIT 5s; CREATE POOL p WAIT 5s;';
  expect(scriptCatalog(schema).names?.('schema')).toEqual(['s']);
  expect(scriptCatalog(schema).fields?.('schema', 's')).toEqual(['a']);
  expect(scriptCatalog(schema).names?.('pool')).toEqual(['p']);
  expect(scriptCatalog(`${schema} DROP SCHEMA s WAIT 5s;`).names?.('schema')).toEqual([]);
  expect(scriptCatalog('PLAN CREATE SCHEMA s (a U8);').names?.('schema')).toEqual([]);
});
