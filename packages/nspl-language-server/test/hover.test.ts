import { expect, test } from 'vitest';
import { hover, hoverText, SourceDocument } from '../src/index.ts';

/** What is shown at the `|` of a text. */
function shown(marked: string, isMarkdown = false): string | undefined {
  const offset = marked.indexOf('|');
  const text = marked.replace('|', '');
  const document = new SourceDocument({ uri: 'file:///a', version: 1, text }, 'utf-8');
  const content = hover(document, offset, []);
  if (content === undefined) return undefined;
  const { start, end } = content.range;
  return `${text.slice(start.character, end.character)}: ${hoverText(content, isMarkdown)}`;
}

test('a clause, from any of its words, and what its absence means', () => {
  const text = 'CREATE RELAY a SCHEMA b UNBRANCHED CAPA|CITY 2';
  expect(shown(text)).toMatch(/^CAPACITY: CAPACITY — .+\n\nLeft out: 1\.$/);
  for (const phrase of ['FLUSH EA|CH', '|FLUSH EACH', 'FLUSH|EACH']) {
    const written = phrase === 'FLUSH|EACH' ? '|flush  each' : phrase;
    const junction = `CREATE JUNCTION j FROM a UNBRANCHED TO b ${written} 1s MAX BATCH SIZE 1B`;
    expect(shown(junction)).toMatch(/^flush +each: FLUSH EACH — ./i);
  }
});

test('a statement, from the words it begins with, with an example', () => {
  expect(shown('|STOP;', true)).toMatch(/^STOP: \*\*STOP\*\* — .*\n```nspl\nSTOP;\n```$/s);
  expect(shown('CREATE IF NOT EXISTS DEDUPLI|CATOR d FROM')).toMatch(/CREATE DEDUPLICATOR — ./);
});

test('the language of a UDF', () => {
  const udf = (language: string) =>
    `CREATE UDF f WITH ${language} ARGS (a U8) RETURNS U8 CODE 'x';`;
  expect(shown(udf('ECMA|SCRIPT_2023'))).toMatch(/WITH ECMASCRIPT_2023 — The code is ECMAScript/u);
  expect(shown(udf('ROTO|_0_13'))).toMatch(/WITH ROTO_0_13 — The code is Roto\./u);
});

test('nothing for names without a definition, other words, strings and comments', () => {
  for (const text of [
    'CREATE RELAY |capacity SCHEMA',
    'DROP RELAY ca|pacity;',
    'CREATE RELAY a SCHEMA b UNBRANCHED CAPACITY 2; // CAPA|CITY',
    "CREATE ENDPOINT e ON v PATH '/path |PATH' TYPE HTTP;",
    'CREATE SUBSCRIPTION s TO r WHERE some|thing = 1',
    'CREATE RELAY a  |  SCHEMA b UNBRANCHED',
    'nonsense |here',
    '|',
  ]) {
    expect(shown(text)).toBeUndefined();
  }
});

test('a function that is called, with its signatures; in a window the one over its rows', () => {
  expect(shown('CREATE JUNCTION j FROM a UNBRANCHED TO b SET x = sub|str (input.y, 2)')).toBe(
    'substr: substr(text STRING, start integer[, length integer]) -> STRING\n\n' +
      'The characters from a position on, at most length of them.\n\nAlso written substring.',
  );
  const junction = 'CREATE JUNCTION j FROM a UNBRANCHED TO b SET x = |max(input.y)';
  expect(shown(junction)).toMatch(/^max: max\(list list of T\) -> T OPTIONAL/u);
  const window =
    'CREATE WINDOW PROCESSOR w FROM a UNBRANCHED WIDTH 5 MESSAGES TO b SET x = |max(input.y)';
  expect(shown(window)).toMatch(/^max: MAX\(value T\) -> T/u);
  for (const text of [
    'CREATE JUNCTION j FROM a UNBRANCHED TO b SET x = udf::ma|x(1)',
    'SET x = ma|x',
  ]) {
    expect(shown(text) ?? '').not.toContain('largest');
  }
});

test('a fence is longer than what it encloses', () => {
  const range = { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } };
  expect(hoverText({ range, nspl: 'x ```` y' }, true)).toBe('`````nspl\nx ```` y\n`````');
});
