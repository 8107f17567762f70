import { RELOCATABLE_KINDS, statementWords } from '@nervix/model';
import { describe, expect, test } from 'vitest';
import { printStatement } from '../src/index.ts';
import { expectRefusal, read } from './support/reading.ts';

const MEMBERS = RELOCATABLE_KINDS.map(statementWords).join(' | ');
const relocate = 'RELOCATE RELAY r ONTO NODE n FOLLOW PREFERENCES';

describe('NSPL 5, 9.3, 14.4: nodes and what runs on them, and the canonical text', () => {
  test.each([
    ['cordon node N-1', 'CORDON NODE n-1;'],
    ['UNCORDON NODE node', 'UNCORDON NODE node;'],
    ['DRAIN NODE 10.0.0.1', 'DRAIN NODE 10.0.0.1;'],
    ['DROP NODE a - 1 . b', 'DROP NODE a-1.b;'],
    ['QUARANTINE NODE reason', 'QUARANTINE NODE reason;'],
    ["QUARANTINE NODE n REASON 'r'", "QUARANTINE NODE n REASON 'r';"],
    ['RELEASE NODE n', 'RELEASE NODE n;'],
    ["RELEASE NODE n EVIDENCE 'e'", "RELEASE NODE n EVIDENCE 'e';"],
    ['ALTER CLUSTER SET FEATURE LEVEL 2', 'ALTER CLUSTER SET FEATURE LEVEL 2;'],
    ['ALTER NODE n-1 SET POOL p, DROP POOL', 'ALTER NODE n-1 SET POOL p, DROP POOL;'],
    [
      "ALTER NODE n SET LABELS {'a' = b, 'c' = 1.50,}, SET CAPACITY {'memory' = \"8GiB\"}",
      "ALTER NODE n SET LABELS {'a' = 'b', 'c' = '1.50'}, SET CAPACITY {'memory' = '8GiB'};",
    ],
    [
      "ALTER NODE n SET LABELS {}, SET MAINTENANCE FROM 'a' TO 'b', DROP LABELS, DROP CAPACITY, " +
        'DROP MAINTENANCE',
      "ALTER NODE n SET LABELS {}, SET MAINTENANCE FROM 'a' TO 'b', DROP LABELS, DROP CAPACITY, " +
        'DROP MAINTENANCE;',
    ],
    [relocate, `${relocate};`],
    [
      'RELOCATE ingestor a, WINDOW PROCESSOR w, HASH MAP map ONTO NODE n IGNORE PREFERENCES',
      'RELOCATE INGESTOR a, WINDOW PROCESSOR w, HASH MAP map ONTO NODE n IGNORE PREFERENCES;',
    ],
    [
      'DESCRIBE RELOCATION FROM RELAY from TO EMITTER to, RELAY r ONTO NODE n FOLLOW PREFERENCES',
      'DESCRIBE RELOCATION FROM RELAY from TO EMITTER to, RELAY r ONTO NODE n FOLLOW PREFERENCES;',
    ],
    [
      `${relocate} FOR RELAY a IGNORE PREFERENCES FOR RELAY b FOLLOW PREFERENCES, FOR RELAY c ` +
        'IGNORE PREFERENCES',
      `${relocate} FOR RELAY a IGNORE PREFERENCES, FOR RELAY b FOLLOW PREFERENCES, FOR RELAY c ` +
        'IGNORE PREFERENCES;',
    ],
    ['REBALANCE', 'REBALANCE;'],
    ['REBALANCE DOMAIN max MAX MOVES 5', 'REBALANCE DOMAIN max MAX MOVES 5;'],
    ['DESCRIBE REBALANCE MAX MOVES 1', 'DESCRIBE REBALANCE MAX MOVES 1;'],
    ['DESCRIBE REBALANCE DOMAIN d', 'DESCRIBE REBALANCE DOMAIN d;'],
  ])('%s', (text, expected) => {
    const printed = printStatement(read(text));
    expect(printed).toBe(expected);
    expect(printStatement(read(printed))).toBe(printed);
  });

  test.each(RELOCATABLE_KINDS.map(statementWords))('RELOCATE takes %s', (kind) => {
    const text = `RELOCATE ${kind} x ONTO NODE n IGNORE PREFERENCES`;
    expect(printStatement(read(text))).toBe(`${text};`);
  });
});

describe('NSPL 5, 10, 15.4: what was expected', () => {
  test.each([
    ['CORDON x', 'NODE', 'x'],
    ['CORDON NODE', 'node_id', ''],
    ["DRAIN NODE 'n'", 'node_id', '"n"'],
    ['DRAIN NODE 10a', '- | . | ACCEPT STATE LOSS | WAIT | ;', 'a'],
    ['CORDON NODE n-', 'hostname_label', ''],
    ['ALTER NODE', 'ref:node', ''],
    ['ALTER NODE n x', '- | . | SET | DROP', 'x'],
    ['ALTER NODE n SET x', 'POOL | LABELS | CAPACITY | MAINTENANCE', 'x'],
    ['ALTER NODE n DROP x', 'POOL | LABELS | CAPACITY | MAINTENANCE', 'x'],
    ['ALTER NODE n DROP POOL,', 'SET | DROP', ''],
    ["ALTER NODE n SET MAINTENANCE FROM 'a' x", 'TO', 'x'],
    ['ALTER CLUSTER SET x', 'FEATURE LEVEL', 'x'],
    ['QUARANTINE NODE n REASON x', 'string_literal', 'x'],
    ['RELOCATE x', `FROM | ${MEMBERS}`, 'x'],
    ['RELOCATE CLIENT c', `FROM | ${MEMBERS}`, 'CLIENT'],
    ['RELOCATE RELAY a x', ', | ONTO NODE', 'x'],
    ['RELOCATE RELAY a ONTO x', 'NODE', 'x'],
    ['RELOCATE RELAY a, ONTO', MEMBERS, 'ONTO'],
    ['RELOCATE FROM RELAY a ONTO', ', | TO', 'ONTO'],
    ['RELOCATE RELAY a ONTO NODE n x', '- | . | FOLLOW PREFERENCES | IGNORE PREFERENCES', 'x'],
    ['RELOCATE RELAY a ONTO NODE n FOLLOW x', 'PREFERENCES', 'x'],
    [`${relocate}, FOR`, 'FOR | ACCEPT STATE LOSS | WAIT | ;', ','],
    [`${relocate} FOR RELAY a IGNORE PREFERENCES x`, ', | FOR | ACCEPT STATE LOSS | WAIT | ;', 'x'],
    [`${relocate} FOR RELAY a IGNORE PREFERENCES, WAIT 5s`, 'FOR', 'WAIT'],
    ['REBALANCE MAX 5', 'MOVES', '5'],
    ['REBALANCE MAX MOVES 5 DOMAIN d', 'ACCEPT STATE LOSS | WAIT | ;', 'DOMAIN'],
  ])('%s', (text, expected, found) => {
    const pointed = found === '"n"' ? "'n'" : found;
    expectRefusal(text, `expected ${expected}, found ${found || 'end of input'}`, pointed);
  });
});

describe('NSPL 1.3, 14.2, OP-73: refusals with their own message', () => {
  const long = `${'a'.repeat(128)}-b`;
  test.each([
    [`CORDON NODE ${long}`, 'invalid node_id: name length 130 exceeds max length 128', long],
    ['RELOCATE RELAY branch ONTO', "invalid ref:relay: 'branch' is reserved", 'branch'],
    ["ALTER NODE n SET CAPACITY {'wings' = 2}", "unknown CAPACITY key 'wings'", "'wings'"],
    ["ALTER NODE n SET CAPACITY {'cost' = 2}", "unknown CAPACITY key 'cost'", "'cost'"],
    ['ALTER CLUSTER SET FEATURE LEVEL 0', 'FEATURE LEVEL must be greater than zero', '0'],
    ['REBALANCE MAX MOVES 0', 'MAX MOVES must be greater than zero', '0'],
    ['REBALANCE MAX MOVES x', "invalid integer 'x'", 'x'],
  ])('%s', (text, message, pointed) => {
    expectRefusal(text, message, pointed);
  });
});
