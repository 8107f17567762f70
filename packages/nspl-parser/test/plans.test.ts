import { type Statement, statementLabel } from '@nervix/model';
import { describe, expect, test } from 'vitest';
import { STATEMENT_ENTRIES } from '../src/documentation.ts';
import { expectationsOf } from '../src/expectations.ts';
import { parseScript, printStatement } from '../src/index.ts';
import { Lexer } from '../src/lexer.ts';
import { STATEMENT_RULE, statementParser } from '../src/parser.ts';
import { expectationsAt } from './support/completion-graph.ts';
import { expectRefusal, read } from './support/reading.ts';
import { alternativesOf } from './support/recorded-rules.ts';

describe('NSPL 14.2, 14.4: plans and operations and their canonical text', () => {
  test.each([
    ['plan stop', 'PLAN STOP;'],
    ['PLAN FORMAT TEXT STOP', 'PLAN STOP;'],
    ['PLAN FORMAT JSON DROP NODE n-1', 'PLAN FORMAT JSON DROP NODE n-1;'],
    ['EXPLAIN format json DROP DOMAIN d CASCADE', 'EXPLAIN FORMAT JSON DROP DOMAIN d CASCADE;'],
    ["APPLY PLAN 'p'", "APPLY PLAN 'p';"],
    ["APPROVE PLAN 'p'", "APPROVE PLAN 'p';"],
    ["APPROVE PLAN 'p' EVIDENCE 'seen'", "APPROVE PLAN 'p' EVIDENCE 'seen';"],
    ['EXPLAIN PLACEMENT', 'EXPLAIN PLACEMENT;'],
    ['EXPLAIN PLACEMENT FORMAT JSON', 'EXPLAIN PLACEMENT FORMAT JSON;'],
    [
      'EXPLAIN PLACEMENT WASM PROCESSOR format FORMAT JSON',
      'EXPLAIN PLACEMENT WASM PROCESSOR format FORMAT JSON;',
    ],
    ['SHOW OPERATIONS', 'SHOW OPERATIONS;'],
    [
      "SHOW OPERATIONS WHERE (State = 'failed', domain='d') LIMIT 5 FORMAT JSON",
      "SHOW OPERATIONS WHERE (state = 'failed', domain = 'd') LIMIT 5 FORMAT JSON;",
    ],
    ["SHOW AUDIT WHERE (actor = 'ada') LIMIT 1", "SHOW AUDIT WHERE (actor = 'ada') LIMIT 1;"],
    ["DESCRIBE OPERATION 'o' FORMAT JSON", "DESCRIBE OPERATION 'o' FORMAT JSON;"],
    ["CANCEL OPERATION 'o'", "CANCEL OPERATION 'o';"],
    ["COMPENSATE OPERATION 'o'", "COMPENSATE OPERATION 'o';"],
    [
      "RESOLVE OPERATION 'o' STEP 2 AS NOT APPLIED EVIDENCE 'e'",
      "RESOLVE OPERATION 'o' STEP 2 AS NOT APPLIED EVIDENCE 'e';",
    ],
    ['DESCRIBE REVISIONS OF DOMAIN d', 'DESCRIBE REVISIONS OF DOMAIN d;'],
    ['DESCRIBE REVISIONS OF NODE N-1.a', 'DESCRIBE REVISIONS OF NODE n-1.a;'],
    ['DESCRIBE REVISIONS OF POOL p FORMAT JSON', 'DESCRIBE REVISIONS OF POOL p FORMAT JSON;'],
    ['DESCRIBE REVISIONS OF HASH MAP m', 'DESCRIBE REVISIONS OF HASH MAP m;'],
  ])('%s', (text, expected) => {
    const printed = printStatement(read(text));
    expect(printed).toBe(expected);
    expect(printStatement(read(printed))).toBe(printed);
  });

  test.each([
    [
      'CREATE SCHEMA s (a U8, b VEC<STRING> OPTIONAL)',
      'CREATE SCHEMA s (a U8, b VEC<STRING> OPTIONAL);',
    ],
    [
      "CREATE CLIENT c TYPE HTTP CONFIG {'a' = 'b', 'c' = 'd'}",
      "CREATE CLIENT c TYPE HTTP CONFIG {'a' = 'b', 'c' = 'd'};",
    ],
    ['CREATE CLIENT c TYPE HTTP CONFIG {}', 'CREATE CLIENT c TYPE HTTP CONFIG {};'],
    [
      "CREATE JUNCTION j FROM a UNBRANCHED TO b SET x = $$1\n  2$$, y = '{' FLUSH IMMEDIATE " +
        'ON MESSAGE ERROR LOG',
      "CREATE ATTACHED JUNCTION j FROM a UNBRANCHED TO b SET x = $s$1\n  2$s$, y = '{' FLUSH " +
        'IMMEDIATE ON MESSAGE ERROR LOG;',
    ],
  ])('a planned statement stands on one line: %s', (text, expected) => {
    for (const verb of ['PLAN', 'EXPLAIN FORMAT JSON']) {
      const printed = printStatement(read(`${verb} ${text}`));
      expect(printed).toBe(`${verb} ${expected}`);
      expect(printStatement(read(printed))).toBe(printed);
    }
  });
});

/** Statements of which there is no plan. */
const UNPLANNED = [
  'USE d',
  'LIST DOMAINS',
  'ATTACH DOMAIN CLOCK',
  "ATTACH TRANSACTION 't'",
  'DETACH DOMAIN CLOCK',
  'BEGIN',
  'REVERT',
  'COMMIT',
  "UPLOAD RESOURCE r VERSION './d'",
  "BACKUP CLUSTER TO 'f'",
  "RESTORE CLUSTER FROM 'f'",
  'CREATE SUBSCRIPTION s TO r',
  'DELETE SUBSCRIPTION s',
  'DESCRIBE DOMAIN',
  'DESCRIBE RELOCATION RELAY r ONTO NODE n FOLLOW PREFERENCES',
  'SHOW INGESTORS',
  'LOOKUP l KEY 1',
  'PLAN STOP',
  'EXPLAIN STOP',
  "APPLY PLAN 'p'",
  "APPROVE PLAN 'p'",
  "CANCEL OPERATION 'o'",
  "COMPENSATE OPERATION 'o'",
  "RESOLVE OPERATION 'o' STEP 1 AS APPLIED EVIDENCE 'e'",
  'DROP SECRET s',
];

/** A statement by itself: plans take no suffixes. */
function withoutSuffixes(text: string): string {
  const statement: Statement = read(text);
  return statement.kind === 'with_suffixes' ? printStatement(statement.statement) : text;
}

describe('NSPL 14.2, CP-52: only what changes something can be planned', () => {
  test.each(UNPLANNED)('%s cannot', (text) => {
    const label = statementLabel(read(text));
    for (const verb of ['PLAN', 'EXPLAIN', 'PLAN FORMAT JSON']) {
      const { errors } = parseScript(`${verb} ${text}`);
      expect(errors.map(({ message }) => message)).toEqual([
        `${verb.split(' ')[0]} does not apply to ${label}`,
      ]);
    }
  });

  test('every family of statements is planned or refused by its label', () => {
    const { host } = statementParser();
    const planned = new Set(alternativesOf('planned'));
    const others = alternativesOf(STATEMENT_RULE).filter((family) => !planned.has(family));
    expect(planned.size).toBeGreaterThan(10);
    expect(others.length).toBeGreaterThan(10);
    const reads = (family: string, text: string) =>
      expectationsOf(host.recordOf(family), new Lexer(text).next()?.tokens ?? []).isComplete;
    const untried = others.filter((family) => !UNPLANNED.some((text) => reads(family, text)));
    expect(untried).toEqual([]);
  });

  test('every documented statement is planned or refused by its label', () => {
    const texts = STATEMENT_ENTRIES.flatMap(({ examples }) => examples).map(withoutSuffixes);
    const outcomes = texts.map((text) => {
      const [error] = parseScript(`PLAN ${text}`).errors;
      const refusal = `PLAN does not apply to ${statementLabel(read(text))}`;
      return error === undefined || error.message === refusal ? 'as it should be' : text;
    });
    expect(texts.length).toBeGreaterThan(100);
    expect(new Set(outcomes)).toEqual(new Set(['as it should be']));
  });

  test('the refusal points at the words that begin the statement', () => {
    expectRefusal('PLAN SHOW INGESTORS', 'PLAN does not apply to SHOW', 'SHOW');
    expectRefusal(
      'EXPLAIN FORMAT JSON CREATE SUBSCRIPTION s TO r',
      'EXPLAIN does not apply to statement',
      'CREATE SUBSCRIPTION',
    );
  });

  test('what cannot be planned is not offered', () => {
    const offered = expectationsAt('EXPLAIN').labels;
    expect(offered).toEqual(expect.arrayContaining(['PLACEMENT', 'FORMAT', 'CREATE', 'RELOCATE']));
    const heads = UNPLANNED.map((text) => text.split(' ')[0] ?? '');
    const changes = ['CREATE', 'DROP'];
    expect(offered.filter((word) => heads.includes(word) && !changes.includes(word))).toEqual([]);
    expect(expectationsAt('PLAN SHOW').readings).toEqual([]);
  });

  test('a plan in a plan in a plan does not go deeper', () => {
    const { errors } = parseScript('PLAN '.repeat(100_000));
    expect(errors.map(({ message }) => message)).toEqual(['PLAN does not apply to statement']);
  });
});

describe('NSPL 10, 14.2: what was expected', () => {
  test.each([
    ['PLAN FORMAT x', 'TEXT | JSON', 'x'],
    ['APPLY x', 'PLAN', 'x'],
    ['APPLY PLAN p', 'ref:plan', 'p'],
    ["APPROVE PLAN 'p' x", 'EVIDENCE | ;', 'x'],
    [
      'EXPLAIN PLACEMENT CLIENT c',
      'INGESTOR | REINGESTOR | GENERATOR | JUNCTION | DEDUPLICATOR | CORRELATOR | REORDERER | ' +
        'WINDOW PROCESSOR | INFERENCER | WASM PROCESSOR | EMITTER | HASH MAP | RELAY | FORMAT | ;',
      'CLIENT',
    ],
    ['CANCEL OPERATION x', 'ref:operation', 'x'],
    ["RESOLVE OPERATION 'o' STEP 1 AS x", 'APPLIED | NOT', 'x'],
    ["RESOLVE OPERATION 'o' STEP 1 AS NOT x", 'APPLIED', 'x'],
    ["RESOLVE OPERATION 'o' STEP 1 AS APPLIED x", 'EVIDENCE', 'x'],
    ['SHOW OPERATIONS x', 'WHERE | LIMIT | FORMAT | ;', 'x'],
    ['SHOW OPERATIONS LIMIT 1 WHERE', 'FORMAT | ;', 'WHERE'],
    ['SHOW OPERATIONS WHERE x', '(', 'x'],
    ['SHOW OPERATIONS WHERE ()', 'filter_name', ')'],
    ['DESCRIBE OPERATION', 'ref:operation', ''],
    ['DESCRIBE REVISIONS x', 'OF', 'x'],
    ['DESCRIBE REVISIONS OF NODE', 'ref:node', ''],
  ])('%s', (text, expected, found) => {
    expectRefusal(text, `expected ${expected}, found ${found || 'end of input'}`, found);
  });
});

describe('NSPL 14.2: refusals with their own message', () => {
  test.each([
    ["SHOW OPERATIONS WHERE (colour = 'red')", "unknown filter 'colour'", 'colour'],
    ["SHOW AUDIT WHERE (actor = 'a', State = 1)", "unknown filter 'state'", 'State'],
    ['SHOW OPERATIONS WHERE (state = x)', "unsupported subscription literal 'x'", 'x'],
    ['SHOW OPERATIONS LIMIT 0', 'LIMIT must be greater than zero', '0'],
    ["RESOLVE OPERATION 'o' STEP 0 AS", 'STEP must be greater than zero', '0'],
    ["RESOLVE OPERATION 'o' STEP x AS", "invalid integer 'x'", 'x'],
  ])('%s', (text, message, pointed) => {
    expectRefusal(text, message, pointed);
  });
});
