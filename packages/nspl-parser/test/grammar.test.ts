import { type Rule, serializeGrammar } from 'chevrotain';
import { expect, test } from 'vitest';
import { parseStatement } from '../src/index.ts';
import { Lexer } from '../src/lexer.ts';
import { createStatementParser } from '../src/parser.ts';
import { NodeSpans } from '../src/spans.ts';

test('NSPL 15: the grammar is predictive with three tokens', () => {
  expect(() => createStatementParser(false)).not.toThrow();
});

/** What rules are made of, without the numbers that tell equal parts apart. */
function serialized(rules: Readonly<Record<string, Rule>>): unknown {
  return JSON.parse(
    JSON.stringify(serializeGrammar(Object.values(rules)), (key, value: unknown) =>
      key === 'idx' ? undefined : value,
    ),
  );
}

test('NSPL 15.2: rules recorded one by one are those that are checked', () => {
  const { host } = createStatementParser();
  expect(serialized(host.recorded())).toEqual(
    serialized(createStatementParser(false).host.recorded()),
  );
});

test('NSPL 15.6: reading one kind of statement does not record the rules of all', () => {
  const { host, statement } = createStatementParser();
  const tokens = new Lexer('STOP').next()?.tokens ?? [];
  expect(host.run(statement, tokens, new NodeSpans())).toEqual({ kind: 'stop' });
  const known = Object.keys(host.getGAstProductions());
  expect(known).toContain('stop');
  expect(known).not.toContain('ingestor');
  expect(known.length).toBeLessThan(Object.keys(host.recorded()).length / 4);
});

test('models are frozen, with their lists', () => {
  const text = 'CREATE JUNCTION j FROM a UNBRANCHED TO b FLUSH IMMEDIATE ON MESSAGE ERROR LOG';
  const result = parseStatement(text);
  if (result.kind === 'refused' || result.parsed.statement.kind !== 'create_model') {
    throw new Error('refused');
  }
  const isFrozen = (value: unknown): boolean =>
    typeof value !== 'object' ||
    value === null ||
    (Object.isFrozen(value) && Object.values(value).every(isFrozen));
  expect(isFrozen(result.parsed.statement)).toBe(true);
});

test('spans of models and routes', () => {
  const text = ' CREATE JUNCTION j FROM a UNBRANCHED TO b FLUSH IMMEDIATE ON MESSAGE ERROR LOG ;';
  const result = parseStatement(text);
  if (result.kind === 'refused' || result.parsed.statement.kind !== 'create_model') {
    throw new Error('refused');
  }
  const { statement, spans, span } = result.parsed;
  expect(span).toEqual({ start: 1, end: text.length });
  expect(spans.spanOf(statement.model)).toEqual({ start: 1, end: text.length - 2 });
  if (statement.model.kind !== 'junction') throw new Error('not a junction');
  const [route] = statement.model.routes;
  expect(spans.spanOf(route!)).toEqual({ start: text.indexOf('TO b'), end: text.length - 2 });
});
