import { BUDGET_KEYS, CAPABILITIES, INVENTORY_SUBJECTS } from '@nervix/model';
import { describe, expect, test } from 'vitest';
import { printStatement } from '../src/index.ts';
import { expectRefusal, read } from './support/reading.ts';

const delegation = 'CREATE DELEGATION n FOR USER a TO USER b CAPABILITIES READ ON DOMAIN d EXPIRES';

describe('NSPL 14.2, 14.4: authority and its canonical text', () => {
  test.each([
    ['create pool Pool', 'CREATE POOL pool;'],
    [
      "CREATE IF NOT EXISTS POOL p RESERVE 2 FAILURE DOMAIN 'rack-1' TRUST 't' BUDGET " +
        "{'cost' = 1}",
      "CREATE IF NOT EXISTS POOL p RESERVE 2 FAILURE DOMAIN 'rack-1' TRUST 't' BUDGET " +
        "{'cost' = '1'};",
    ],
    ['CREATE POOL p RESERVE 20 %', 'CREATE POOL p RESERVE 20%;'],
    [
      "ALTER POOL p SET RESERVE 2.5%, SET FAILURE DOMAIN 'x', SET TRUST 'y', SET BUDGET {}",
      "ALTER POOL p SET RESERVE 2.5%, SET FAILURE DOMAIN 'x', SET TRUST 'y', SET BUDGET {};",
    ],
    [
      'ALTER POOL p DROP RESERVE, DROP FAILURE DOMAIN, DROP TRUST, DROP BUDGET',
      'ALTER POOL p DROP RESERVE, DROP FAILURE DOMAIN, DROP TRUST, DROP BUDGET;',
    ],
    ['DROP POOL p', 'DROP POOL p;'],
    [
      "CREATE POLICY for FOR DOMAIN rules RULES {'rpo' = '5s', 'owner.mode' = ada}",
      "CREATE POLICY for FOR DOMAIN rules RULES {'rpo' = '5s', 'owner.mode' = 'ada'};",
    ],
    ["ALTER POLICY p SET RULES {'rto' = '1m'}", "ALTER POLICY p SET RULES {'rto' = '1m'};"],
    ['DROP POLICY p', 'DROP POLICY p;'],
    ['CREATE PROJECT domain', 'CREATE PROJECT domain;'],
    ['CREATE PROJECT p DOMAIN a, domain', 'CREATE PROJECT p DOMAIN a, domain;'],
    [
      'ALTER PROJECT p ADD DOMAIN a, DROP DOMAIN b, RENAME TO c',
      'ALTER PROJECT p ADD DOMAIN a, DROP DOMAIN b, RENAME TO c;',
    ],
    ['DROP PROJECT p', 'DROP PROJECT p;'],
    [
      `CREATE ROLE r CAPABILITIES ${CAPABILITIES.join(',')}`,
      `CREATE ROLE r CAPABILITIES ${CAPABILITIES.join(', ')};`,
    ],
    ['ALTER ROLE set SET CAPABILITIES read', 'ALTER ROLE set SET CAPABILITIES READ;'],
    ['DROP ROLE r', 'DROP ROLE r;'],
    [`${delegation} '2026-01-01T00:00:00Z'`, `${delegation} '2026-01-01T00:00:00Z';`],
    [`${delegation} AFTER 1h30m`, `${delegation} AFTER 1h30m;`],
    [`${delegation} AFTER 1h ON REVOKE FINISH STEP`, `${delegation} AFTER 1h;`],
    [
      `${delegation} AFTER 1h BUDGET {'wall_time' = '2h'} RUN SCOPE 's' ON REVOKE CANCEL`,
      `${delegation} AFTER 1h BUDGET {'wall_time' = '2h'} RUN SCOPE 's' ON REVOKE CANCEL;`,
    ],
    [`${delegation} AFTER 1h ON REVOKE freeze`, `${delegation} AFTER 1h ON REVOKE FREEZE;`],
    [
      "ALTER DELEGATION d SET EXPIRES 'x', SET BUDGET {}, SET EXPIRES AFTER 5m",
      "ALTER DELEGATION d SET EXPIRES 'x', SET BUDGET {}, SET EXPIRES AFTER 5m;",
    ],
    ['DROP DELEGATION d', 'DROP DELEGATION d;'],
    ['DROP SECRET s', 'DROP SECRET s;'],
    [
      'GRANT CAPABILITIES READ, DESIGN ON CLUSTER TO ROLE to',
      'GRANT CAPABILITIES READ, DESIGN ON CLUSTER TO ROLE to;',
    ],
    [
      "GRANT ROLE on ON PROJECT p TO USER u EXPIRES '2026-01-01T00:00:00Z'",
      "GRANT ROLE on ON PROJECT p TO USER u EXPIRES '2026-01-01T00:00:00Z';",
    ],
    ['REVOKE ROLE r ON POOL p FROM USER u', 'REVOKE ROLE r ON POOL p FROM USER u;'],
    ['SHOW GRANTS', 'SHOW GRANTS;'],
    ['SHOW GRANTS FOR ROLE r FORMAT JSON', 'SHOW GRANTS FOR ROLE r FORMAT JSON;'],
  ])('%s', (text, expected) => {
    const printed = printStatement(read(text));
    expect(printed).toBe(expected);
    expect(printStatement(read(printed))).toBe(printed);
  });

  test.each([
    'CLUSTER',
    'PROJECT p',
    'DOMAIN d',
    'POOL p',
    'NODE n-1.a',
    "OPERATION 'o'",
    'RELAY r IN DOMAIN d',
    'WASM PROCESSOR w IN DOMAIN d',
    'RESOURCE r IN DOMAIN in',
  ])('authority may reach %s', (scope) => {
    for (const text of [
      `GRANT ROLE r ON ${scope} TO USER u;`,
      `REVOKE ROLE r ON ${scope} FROM USER u;`,
      `CREATE POLICY p FOR ${scope} RULES {};`,
      `CREATE DELEGATION n FOR USER a TO USER b CAPABILITIES READ ON ${scope}, ${scope} EXPIRES 'x';`,
    ]) {
      expect(printStatement(read(text))).toBe(text);
    }
  });

  test.each(INVENTORY_SUBJECTS)('SHOW %s', (subject) => {
    expect(printStatement(read(`SHOW ${subject} FORMAT TEXT`))).toBe(`SHOW ${subject};`);
    expect(printStatement(read(`SHOW ${subject} FORMAT JSON`))).toBe(
      `SHOW ${subject} FORMAT JSON;`,
    );
  });

  test.each([...BUDGET_KEYS])('a budget bounds %s', (key) => {
    const text = `CREATE POOL p BUDGET {'${key}' = '1'};`;
    expect(printStatement(read(text))).toBe(text);
  });
});

const SCOPES =
  'CLUSTER | PROJECT | DOMAIN | POOL | NODE | OPERATION | INGESTOR | REINGESTOR | GENERATOR | ' +
  'JUNCTION | DEDUPLICATOR | CORRELATOR | REORDERER | WINDOW PROCESSOR | INFERENCER | ' +
  'WASM PROCESSOR | EMITTER | HASH MAP | RELAY | RESOURCE';

describe('NSPL 10, 14.2: what was expected', () => {
  test.each([
    ['CREATE POOL p x', 'RESERVE | FAILURE DOMAIN | TRUST | BUDGET | WAIT | ;', 'x'],
    ["CREATE POOL p TRUST 't' RESERVE 1", 'BUDGET | WAIT | ;', 'RESERVE'],
    ['CREATE POOL p RESERVE x', 'number_literal', 'x'],
    ['CREATE POOL p RESERVE 2 x', '% | FAILURE DOMAIN | TRUST | BUDGET | WAIT | ;', 'x'],
    ['ALTER POOL p SET x', 'RESERVE | FAILURE DOMAIN | TRUST | BUDGET', 'x'],
    ['ALTER POOL p DROP FAILURE x', 'DOMAIN', 'x'],
    ['ALTER POOL p DROP TRUST x', ', | WAIT | ;', 'x'],
    ['CREATE POLICY p FOR x', SCOPES, 'x'],
    ['CREATE POLICY p FOR RELAY r x', 'IN', 'x'],
    ['CREATE POLICY p FOR CLUSTER x', 'RULES', 'x'],
    ['ALTER POLICY p RULES', 'SET', 'RULES'],
    ['CREATE PROJECT p x', 'DOMAIN | WAIT | ;', 'x'],
    ['ALTER PROJECT p SET', 'ADD | DROP | RENAME', 'SET'],
    ['CREATE ROLE r CAPABILITIES x', CAPABILITIES.join(' | '), 'x'],
    ['CREATE ROLE r CAPABILITIES READ,', CAPABILITIES.join(' | '), ''],
    [`${delegation} 5`, 'timestamp | AFTER', '5'],
    [`${delegation} 'x' BUDGET {} x`, 'RUN SCOPE | ON | WAIT | ;', 'x'],
    [`${delegation} 'x' ON x`, 'REVOKE', 'x'],
    [`${delegation} 'x' ON REVOKE x`, 'FINISH | CANCEL | FREEZE', 'x'],
    ['ALTER DELEGATION d SET x', 'EXPIRES | BUDGET', 'x'],
    ['GRANT x', 'ROLE | CAPABILITIES', 'x'],
    ['GRANT ROLE r TO', 'ON', 'TO'],
    ['GRANT ROLE r ON CLUSTER FROM', 'TO', 'FROM'],
    ['REVOKE ROLE r ON CLUSTER TO', 'FROM', 'TO'],
    ['GRANT ROLE r ON CLUSTER TO x', 'USER | ROLE', 'x'],
    ['GRANT ROLE r ON CLUSTER TO USER u x', 'EXPIRES | WAIT | ;', 'x'],
    ['SHOW GRANTS x', 'FOR | FORMAT | ;', 'x'],
    ['DROP SECRET', 'ref:secret', ''],
    ['DROP ROLE', 'ref:role', ''],
    ["CREATE POOL p BUDGET {'cost' 1}", '=', '1'],
    ["CREATE POOL p BUDGET {'cost' = 1 x", ', | }', 'x'],
    ['CREATE POOL p BUDGET {x', 'config_key | }', 'x'],
  ])('%s', (text, expected, found) => {
    expectRefusal(text, `expected ${expected}, found ${found || 'end of input'}`, found);
  });
});

describe('OP-73: an unknown setting is refused naming it', () => {
  test.each([
    ["CREATE POOL p BUDGET {'cost' = 1, 'Cost' = 2}", "unknown BUDGET key 'Cost'", "'Cost'"],
    ["ALTER POOL p SET BUDGET {'ports' = 1}", "unknown BUDGET key 'ports'", "'ports'"],
    ["CREATE POLICY p FOR CLUSTER RULES {'owner.' = 1}", "unknown RULES key 'owner.'", "'owner.'"],
    ["ALTER POLICY p SET RULES {'' = 1}", "unknown RULES key ''", "''"],
    [`${delegation} 'x' BUDGET {'disks' = 1}`, "unknown BUDGET key 'disks'", "'disks'"],
    ["ALTER DELEGATION d SET BUDGET {'x' = 1}", "unknown BUDGET key 'x'", "'x'"],
  ])('%s', (text, message, pointed) => {
    expectRefusal(text, message, pointed);
  });
});
