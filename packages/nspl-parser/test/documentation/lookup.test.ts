import { describe, expect, test } from 'vitest';
import {
  clauseEntryAt,
  SHARED_CLAUSES,
  STATEMENT_ENTRIES,
  sharedClauseEntry,
  sharedClauseOfRule,
  statementEntry,
  statementEntryId,
  statementEntryOfWords,
} from '../../src/documentation.ts';
import { read } from '../support/reading.ts';

const words = (text: string): readonly string[] => text.split(' ');

describe('the statement of a text', () => {
  test.each([
    ['create relay r schema s', 'create-relay'],
    ['CREATE IF NOT EXISTS DETACHED WINDOW PROCESSOR w FROM r', 'create-window-processor'],
    ['CREATE IF NOT EXISTS PACED DOMAIN d', 'create-domain'],
    ['CREATE WIRE CBOR SCHEMA w', 'create-wire-schema'],
    ['DROP WIRE JSON SCHEMA w', 'drop-model'],
    ['DROP NODE n', 'drop-node'],
    ['EXPLAIN PLACEMENT', 'explain-placement'],
    ['EXPLAIN DROP RELAY r', 'explain'],
    ['DESCRIBE RELAY r', 'describe-relay'],
    ['DESCRIBE JUNCTION j', 'describe-model'],
    ['START', 'start'],
  ])('%s', (text, id) => {
    expect(statementEntryOfWords(words(text))?.id).toBe(id);
  });

  test.each(['', 'CREATE', 'CREATE IF NOT EXISTS', 'HELP', 'SHOW EVERYTHING'])(
    'none: %j',
    (text) => {
      expect(statementEntryOfWords(words(text))).toBeUndefined();
    },
  );

  test('is the one that its example was written for', () => {
    for (const { id, examples } of STATEMENT_ENTRIES) {
      for (const example of examples) {
        const first = example.split(/[\s;]+/u);
        expect(statementEntryOfWords(first)?.id).toBe(id);
      }
    }
  });
});

test('a statement that was read has its documentation', () => {
  expect(statementEntryId(read('DROP RELAY r WAIT 1s'))).toBe('drop-model');
  expect(statementEntryId(read('SHOW POOLS'))).toBe('show-pools');
  expect(statementEntryId(read('UNCORDON NODE n'))).toBe('cordon-node');
  expect(statementEntry('create-relay')?.title).toBe('CREATE RELAY');
  expect(statementEntry('create-nothing')).toBeUndefined();
});

describe('the clause at a word', () => {
  const text = words('CREATE RELAY flush SCHEMA s UNBRANCHED CAPACITY 4 WITH MATERIALIZED STATE');
  const relay = statementEntry('create-relay')!;
  const at = (word: string) => clauseEntryAt(relay, text, text.indexOf(word));

  test('is found by any of its words', () => {
    expect(at('CAPACITY')).toMatchObject({ start: 6, length: 1, clause: { omitted: '1' } });
    const junction = statementEntry('create-junction')!;
    const body = words('TO b flush each 1s MAX BATCH SIZE 1B ON MESSAGE ERROR LOG');
    expect(clauseEntryAt(junction, body, 3)).toMatchObject({ start: 2, length: 2 });
    expect(clauseEntryAt(junction, body, 6)?.clause.keywords).toEqual(['MAX BATCH SIZE']);
    expect(clauseEntryAt(junction, body, 11)?.clause.keywords).toEqual(['ON MESSAGE ERROR']);
    expect(clauseEntryAt(junction, body, 12)?.clause.keywords).toEqual(['LOG']);
  });

  test('is the longest of those that are possible', () => {
    const emitter = statementEntry('alter-emitter')!;
    const found = clauseEntryAt(emitter, words('SET FLUSH EACH 1s'), 1);
    expect(found?.clause.keywords).toContain('SET FLUSH EACH');
  });

  test('is not found where there is none', () => {
    expect(at('s')).toBeUndefined();
    expect(clauseEntryAt(relay, text, 99)).toBeUndefined();
    expect(clauseEntryAt(relay, words('WITH MATERIALIZED'), 0)).toBeUndefined();
  });
});

test('shared clauses are found by id and by rule', () => {
  for (const clause of SHARED_CLAUSES) {
    expect(sharedClauseEntry(clause.id)).toBe(clause);
    for (const rule of clause.rules) expect(sharedClauseOfRule(rule)).toBe(clause);
  }
  expect(sharedClauseOfRule('statement')).toBeUndefined();
});
