import { distance } from 'fastest-levenshtein';
import { beforeEach, expect, test, vi } from 'vitest';
import { diagnosticsJson, parseScript, renderDiagnostics } from '../src/index.ts';

vi.mock('fastest-levenshtein', { spy: true });
beforeEach(() => {
  vi.mocked(distance).mockClear();
});

const where = 'CREATE SUBSCRIPTION s TO r WHERE';
const junction = 'CREATE JUNCTION j FROM a UNBRANCHED TO b';

function hintOf(text: string): string | undefined {
  const { errors } = parseScript(text);
  expect(errors).toHaveLength(1);
  return errors[0]!.hint;
}

test.each([
  ['creat relay r', 'did you mean CREATE?'],
  ['CREATE JUNCTON j', 'did you mean JUNCTION?'],
  [`${junction} FLSUH EACH 1s`, 'did you mean FLUSH?'],
  [`${junction} FLUSH IMMEDIAT`, 'did you mean IMMEDIATE?'],
  ['CREATE RELAY r SCHEMA s UNBRANCHD', 'did you mean UNBRANCHED?'],
  ['CREATE SCHEMA s (a INT64)', 'did you mean I64?'],
  ['CREATE SCHEMA s (a STRNG)', 'did you mean STRING?'],
  ['FOO', undefined],
])('NSPL 10: a misspelt word: %s', (text, hint) => {
  expect(hintOf(text)).toBe(hint);
});

test.each([
  ['-- a comment', 'comments begin with // and end with the line'],
  ['/* a comment */', 'comments begin with // and end with the line'],
  [`${where} a IS NULL`, 'nulls are found with is_null(x), and values with NOT is_null(x)'],
  [`${where} a IS NOT NULL`, 'nulls are found with is_null(x), and values with NOT is_null(x)'],
  [`${where} a == 1`, 'equality is written ='],
  [`${where} a <> 1`, 'inequality is written !='],
  [`${where} a LIKE 'x%'`, "patterns are matched by a function: like(x, 'a%')"],
  ['CREATE SCHEMA IF NOT EXISTS s (a U8)', 'IF NOT EXISTS stands directly behind CREATE'],
])('NSPL 10: a habit of another language: %s', (text, hint) => {
  expect(hintOf(text)).toBe(hint);
});

test('NSPL 15.6: a word that is too long to be misspelt is compared with none', () => {
  expect(hintOf('x'.repeat(1_000_000))).toBeUndefined();
  expect(vi.mocked(distance)).not.toHaveBeenCalled();
  expect(hintOf('STRAT')).toBeDefined();
  expect(vi.mocked(distance)).toHaveBeenCalled();
});

test('a hint stands below the excerpt and in the data; a refusal of its own has none', () => {
  const text = 'STRAT';
  const { errors } = parseScript(text);
  expect(renderDiagnostics(text, errors).split('\n').at(-1)).toBe('  = hint: did you mean START?');
  expect(diagnosticsJson(text, errors)[0]).toMatchObject({ hint: 'did you mean START?' });
  const own = 'CREATE RELAY message SCHEMA s UNBRANCHED';
  expect(hintOf(own)).toBeUndefined();
  expect(diagnosticsJson(own, parseScript(own).errors)[0]).not.toHaveProperty('hint');
});
