import type { Model } from '@nervix/model';
import { describe, expect, test } from 'vitest';
import {
  parseConstruction,
  parseExpression,
  parseExpressionList,
  parseScript,
  printDocument,
  printExpression,
} from '../src/index.ts';
import { plain, read } from './support/reading.ts';

/** What a refusal says and the text that it points at; fails on what is read. */
function refusalOf(
  text: string,
  result: ReturnType<typeof parseConstruction | typeof parseExpressionList>,
): readonly [message: string, at: string] {
  if (result.kind === 'parsed') throw new Error(`${text} is read`);
  const [error, ...others] = result.errors;
  expect(others).toEqual([]);
  const { start, end } = error!.span;
  return [error!.message, Buffer.from(text).subarray(start, end).toString()];
}

describe('NSPL 3.2: expression lists by themselves', () => {
  test('items in written order, with their places', () => {
    const text = 'input.a, lower(é) , max(b, 2) AS I64';
    const source = text.replace('é', 'e');
    const result = parseExpressionList(source);
    if (result.kind === 'refused') throw new Error(JSON.stringify(result.errors));
    const { expressions, spans } = result;
    expect(expressions.map(printExpression)).toEqual(['input.a', 'lower(e)', 'max(b, 2) AS I64']);
    expect(expressions.map((each) => spans.spanOf(each))).toEqual([
      { start: 0, end: 7 },
      { start: 9, end: 17 },
      { start: 20, end: 36 },
    ]);
  });

  test('one item is what parseExpression reads', () => {
    const list = parseExpressionList('a + 1');
    const single = parseExpression('a + 1');
    if (list.kind === 'refused' || single.kind === 'refused') throw new Error('refused');
    expect(list.expressions).toEqual([single.expression]);
  });

  test.each([
    ['', 'expected expression, found end of input', ''],
    ['a,', 'expected expression, found end of input', ''],
    ['a,,b', 'expected expression, found ,', ','],
    ['a b', 'expected end of input, found b', 'b'],
    ['a; b', 'expected end of input, found ;', ';'],
    ['a, f(', 'expected expression, found end of input', ''],
    ['a, @', "unexpected character '@'", '@'],
  ])('refused: %s', (text, message, at) => {
    expect(refusalOf(text, parseExpressionList(text))).toEqual([message, at]);
  });

  test('no operation of ALTER ends them', () => {
    expect(parseExpressionList('a, drop').kind).toBe('parsed');
  });
});

describe('NSPL 3.2: constructions by themselves', () => {
  test.each([
    'INHERIT ALL',
    'INHERIT ALL EXCEPT a, b',
    'INHERIT a LEAK SENSITIVE, b',
    'SET a = 1, output.b = input.c',
    'WHERE a > 1',
    "INVOKE write_header('a', b)",
    "INHERIT a SET b = 1 WHERE input.c BETWEEN 1 AND 2 INVOKE write_header('a', b)",
  ])('read as in a route: %s', (text) => {
    const result = parseConstruction(text);
    if (result.kind === 'refused') throw new Error(JSON.stringify(result.errors));
    const statement = read(
      `CREATE JUNCTION j FROM a UNBRANCHED TO b ${text} FLUSH IMMEDIATE ON MESSAGE ERROR LOG`,
    );
    if (statement.kind !== 'create_model' || statement.model.kind !== 'junction') {
      throw new Error('no junction');
    }
    expect(plain(result.construction)).toEqual(plain(statement.model.routes[0]?.construction));
    expect(result.spans.spanOf(result.construction)).toEqual({ start: 0, end: text.length });
  });

  test.each([
    ['', 'expected INHERIT | SET | WHERE | INVOKE, found end of input', ''],
    [';', 'expected INHERIT | SET | WHERE | INVOKE, found ;', ';'],
    ['a = 1', 'expected INHERIT | SET | WHERE | INVOKE, found a', 'a'],
    ['SET', 'expected set_assignments, found end of input', ''],
    ['SET a', 'expected =, found end of input', ''],
    ['WHERE a SET b = 1', 'expected INVOKE | end of input, found SET', 'SET'],
    ['SET a = 1 FLUSH', 'expected WHERE | INVOKE | end of input, found FLUSH', 'FLUSH'],
    ['INHERIT a, a', "duplicate field 'a'", 'a'],
    ['SET input.a = 1', /^SET targets must be bare/u, 'input.a'],
    ["WHERE 'a", /string/u, "'a"],
  ])('refused: %s', (text, message, at) => {
    const [found, pointed] = refusalOf(text, parseConstruction(text));
    if (typeof message === 'string') expect(found).toBe(message);
    else expect(found).toMatch(message);
    expect(pointed).toBe(at);
  });
});

describe('NSPL 9.3: the document of an export', () => {
  const models = (text: string): Model[] =>
    parseScript(text).statements.flatMap(({ statement }) =>
      statement.kind === 'create_model' ? [statement.model] : [],
    );

  test('a blank line between each two statements and a line end behind the last', () => {
    const script = 'CREATE IF NOT EXISTS RELAY a SCHEMA s UNBRANCHED; CREATE SCHEMA s (x U8)';
    expect(printDocument(models(script))).toBe(
      'CREATE RELAY a SCHEMA s UNBRANCHED CAPACITY 1;\n\nCREATE SCHEMA s (\n  x U8\n);\n',
    );
    expect(printDocument([])).toBe('');
  });

  test('it is read as the same models', () => {
    const script =
      "CREATE SCHEMA s (x U8); CREATE CLIENT c TYPE HTTP CONFIG {'base_url' = 'b'}; " +
      'CREATE JUNCTION j FROM a UNBRANCHED TO b FLUSH IMMEDIATE ON MESSAGE ERROR LOG';
    const all = models(script);
    expect(all).toHaveLength(3);
    expect(models(printDocument(all, { withSecrets: true }))).toEqual(all);
  });
});
