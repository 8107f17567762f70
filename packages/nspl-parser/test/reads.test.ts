import { DESCRIBABLE_KINDS, MODEL_KINDS, REBINDABLE_KINDS, statementWords } from '@nervix/model';
import { describe, expect, test } from 'vitest';
import { completeAt, printStatement } from '../src/index.ts';
import { expectRefusal, read } from './support/reading.ts';

const reset = 'RESET WASM PROCESSOR p STATE IN DOMAIN d FOR';
const rebind = 'REBIND RESOURCE r TO VERSION';

describe('NSPL 5, 9.3: reads, resources and resets and their canonical text', () => {
  test.each([
    ['show udfs', 'SHOW UDFS;'],
    ['show ingestors', 'SHOW INGESTORS;'],
    ['show placements', 'SHOW PLACEMENTS;'],
    ['show transactions', 'SHOW TRANSACTIONS;'],
    ['show cluster status', 'SHOW CLUSTER STATUS;'],
    ['SHOW RELAY R materialized state', 'SHOW RELAY r MATERIALIZED STATE;'],
    ['SHOW CREATE CLIENT with WITH SECRETS', 'SHOW CREATE CLIENT with WITH SECRETS;'],
    ['DESCRIBE WASM PROCESSOR w FORMAT TEXT', 'DESCRIBE WASM PROCESSOR w;'],
    ['DESCRIBE WASM PROCESSOR format FORMAT json', 'DESCRIBE WASM PROCESSOR format FORMAT JSON;'],
    ['DESCRIBE TRANSACTION', 'DESCRIBE TRANSACTION;'],
    [
      "DESCRIBE TRANSACTION 'x' OPERATION 3 FORMAT JSON",
      "DESCRIBE TRANSACTION 'x' OPERATION 3 FORMAT JSON;",
    ],
    ['DESCRIBE TRANSACTION OPERATION 1 FORMAT TEXT', 'DESCRIBE TRANSACTION OPERATION 1;'],
    ["LOOKUP key KEY 'k'", "LOOKUP key KEY 'k';"],
    ['LOOKUP m KEY 1.50', 'LOOKUP m KEY 1.50;'],
    ['LOOKUP m KEY False', 'LOOKUP m KEY FALSE;'],
    ['CREATE RESOURCE R', 'CREATE RESOURCE r;'],
    ['CREATE IF NOT EXISTS RESOURCE if', 'CREATE IF NOT EXISTS RESOURCE if;'],
    ['DESCRIBE RESOURCE r', 'DESCRIBE RESOURCE r;'],
    ['DESCRIBE RESOURCE version VERSION 3', 'DESCRIBE RESOURCE version VERSION 3;'],
    [`${rebind} latest`, `${rebind} LATEST;`],
    [
      `${rebind} 4 FOR VHOST b, WASM PROCESSOR w, CLIENT z, HASH MAP map, VHOST A, codec c, ` +
        'SIGNALING PROTOCOL s, INFERENCER i, CLIENT client',
      `${rebind} 4 FOR CLIENT client, CLIENT z, CODEC c, HASH MAP map, INFERENCER i, ` +
        'SIGNALING PROTOCOL s, VHOST a, VHOST b, WASM PROCESSOR w;',
    ],
    [`${reset} UNBRANCHED`, `${reset} UNBRANCHED;`],
    [`${reset} all branches`, `${reset} ALL BRANCHES;`],
    [
      `${reset} BRANCH VALUES {A='x', b = - 7, true = true, c = 1.5e3}`,
      `${reset} BRANCH VALUES { a = 'x', b = -7, true = TRUE, c = 1.5e3 };`,
    ],
    ['ALTER DOMAIN SET PLACEMENT neutral', 'ALTER DOMAIN SET PLACEMENT NEUTRAL;'],
    [
      'ALTER DOMAIN SET PLACEMENT SUGGEST SEPARATION',
      'ALTER DOMAIN SET PLACEMENT SUGGEST SEPARATION;',
    ],
  ])('%s', (text, expected) => {
    expect(printStatement(read(text))).toBe(expected);
  });

  test.each(MODEL_KINDS.map(statementWords))('DROP and SHOW CREATE take %s', (kind) => {
    for (const head of ['DROP', 'SHOW CREATE']) {
      expect(printStatement(read(`${head} ${kind.toLowerCase()} X`))).toBe(`${head} ${kind} x;`);
    }
  });

  test.each(DESCRIBABLE_KINDS.map(statementWords))('DESCRIBE takes %s', (kind) => {
    expect(printStatement(read(`describe ${kind.toLowerCase()} X`))).toBe(`DESCRIBE ${kind} x;`);
  });
});

const REBOUND = REBINDABLE_KINDS.map(statementWords).join(' | ');

describe('NSPL 5, 10: what was expected', () => {
  test.each([
    ['SHOW CREATE WIRE SCHEMA w', 'JSON | CBOR | AVRO', 'SCHEMA'],
    ['DROP WIRE SCHEMA w', 'JSON | CBOR | AVRO', 'SCHEMA'],
    ['SHOW CLUSTER x', 'STATUS', 'x'],
    ['SHOW RELAY r x', 'MATERIALIZED', 'x'],
    ['SHOW CREATE CODEC c x', 'WITH | ;', 'x'],
    ['SHOW CREATE CODEC c WITH x', 'SECRETS', 'x'],
    ['DROP HASH x', 'MAP', 'x'],
    ['DESCRIBE WASM PROCESSOR w FORMAT x', 'TEXT | JSON', 'x'],
    ['DESCRIBE WASM PROCESSOR w x', 'FORMAT | ;', 'x'],
    ['DESCRIBE TRANSACTION x', 'transaction_id | OPERATION | FORMAT | ;', 'x'],
    ['DESCRIBE TRANSACTION FORMAT JSON OPERATION 1', ';', 'OPERATION'],
    ['LOOKUP m x', 'KEY', 'x'],
    ['LOOKUP m KEY =', 'string_literal | number_literal | TRUE | FALSE', '='],
    ['DESCRIBE RESOURCE r x', 'VERSION | ;', 'x'],
    [`REBIND RESOURCE r TO x`, 'VERSION', 'x'],
    [`${rebind} 1 FOR x`, REBOUND, 'x'],
    [`${rebind} 1 FOR WASM x`, 'PROCESSOR', 'x'],
    [`${rebind} 1 x`, 'FOR | WAIT | ;', 'x'],
    [`RESET x`, 'WASM', 'x'],
    [`${reset} x`, 'UNBRANCHED | ALL BRANCHES | BRANCH', 'x'],
    [`${reset} BRANCH VALUES {a = x}`, '- | number_literal | string_literal | TRUE | FALSE', 'x'],
    [`${reset} BRANCH VALUES {}`, 'field_name', '}'],
    ['ALTER DOMAIN x', 'SET', 'x'],
    [
      'ALTER DOMAIN SET PLACEMENT x',
      'REQUIRE COLOCATION | PREFER COLOCATION | NEUTRAL | SUGGEST SEPARATION',
      'x',
    ],
  ])('%s', (text, expected, found) => {
    expectRefusal(text, `expected ${expected}, found ${found}`, found);
  });
});

describe('NSPL 5: refusals with their own message', () => {
  test.each([
    ["DESCRIBE TRANSACTION '' FORMAT", 'transaction_id must not be empty', "''"],
    [
      'DESCRIBE TRANSACTION OPERATION 0',
      'operation_number must be greater than zero; operations are numbered from 1',
      '0',
    ],
    ['DESCRIBE RESOURCE r VERSION LATEST', "invalid integer 'LATEST'", 'LATEST'],
    [`${rebind} x`, "invalid integer 'x'", 'x'],
    [
      `${rebind} 1 FOR HASH MAP m, VHOST m, HASH MAP M`,
      "duplicate FOR member HASH MAP 'm'",
      'HASH MAP M',
    ],
    [`${reset} BRANCH VALUES {a = 1, A = 2}`, "duplicate branch field 'a'", 'A = 2'],
    ['LOOKUP m KEY x', "unsupported subscription literal 'x'", 'x'],
    ['SHOW RELAY branch MATERIALIZED STATE', "invalid ref:relay: 'branch' is reserved", 'branch'],
    ['DROP RELAY message', "invalid ref:relay: 'message' is reserved", 'message'],
  ])('%s', (text, message, pointed) => {
    expectRefusal(text, message, pointed);
  });
});

describe('NSPL 11: what may follow', () => {
  const names = (kind: string) => [`${kind}_1`];
  test.each([
    ['DROP WIRE ', ['AVRO', 'CBOR', 'JSON']],
    ['SHOW CREATE WIN', ['WINDOW PROCESSOR']],
    ['SHOW RELAY r ', ['MATERIALIZED']],
    ['DESCRIBE TRANSACTION OPERATION 1 ', [';', 'FORMAT']],
    ['DESCRIBE WASM PROCESSOR w ', [';', 'FORMAT']],
    ['DESCRIBE WASM PROCESSOR w FORMAT ', ['JSON', 'TEXT']],
    ['DROP HASH MAP ', ['lookup_1']],
    ['LOOKUP ', ['lookup_1']],
    ['SHOW CREATE WIRE AVRO SCHEMA ', ['wire_avro_schema_1']],
    [
      `${rebind} 1 FOR `,
      [
        ...['CLIENT', 'CODEC', 'HASH MAP', 'INFERENCER', 'SIGNALING PROTOCOL', 'VHOST'],
        'WASM PROCESSOR',
      ],
    ],
    [`${rebind} 1 FOR CLIENT c `, [',', ';', 'WAIT']],
    ['RESET', ['RESET WASM']],
    [`${reset} `, ['ALL BRANCHES', 'BRANCH', 'UNBRANCHED']],
    ['ALTER DOMAIN SET ', ['CLASS', 'ON', 'PLACEMENT']],
  ])('%s', (text, expected) => {
    const { items } = completeAt(text, Buffer.byteLength(text), { names });
    expect(items.map(({ label }) => label)).toEqual(expected);
  });
});
