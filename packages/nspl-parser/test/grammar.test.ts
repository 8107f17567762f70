import { expect, test } from 'vitest';
import { parseStatement } from '../src/index.ts';
import { createStatementParser } from '../src/parser.ts';

test('NSPL 15: the grammar is predictive with three tokens', () => {
  expect(() => createStatementParser(false)).not.toThrow();
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
