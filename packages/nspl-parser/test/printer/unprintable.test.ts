import type { Expression } from '@nervix/model';
import { describe, expect, test } from 'vitest';
import {
  completeAt,
  parseExpression,
  printExpression,
  printModel,
  printStatement,
  UnprintableError,
} from '../../src/index.ts';
import { expressionRefusal, read } from '../support/reading.ts';

const field = (name: string): Expression => ({ kind: 'field', scope: null, name });

/** What printing throws. */
function failure(print: () => string): unknown {
  try {
    return print();
  } catch (error) {
    return error;
  }
}

describe('NSPL 9.2: what no text reads back as cannot be printed', () => {
  test.each([Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY])('%d', (value) => {
    const error = failure(() => printExpression({ kind: 'float', value }));
    expect(error).toBeInstanceOf(UnprintableError);
    expect(error).toMatchObject({
      code: 'NSPL_UNPRINTABLE',
      message: `no literal stands for ${value}`,
    });
    expect(() => printStatement({ kind: 'start', at: { instant: null, timeRate: value } })).toThrow(
      UnprintableError,
    );
  });

  const tooLong = 'a'.repeat(129);
  test.each([
    ['a`b', "invalid character '`' in name"],
    ['a\nb', "invalid character '\n' in name"],
    ['a b', "invalid character ' ' in name"],
    ['', 'name must not be empty'],
    [tooLong, 'name length 129 exceeds max length 128'],
  ])('the name %j', (name, defect) => {
    const expressions: readonly Expression[] = [
      field(name),
      { kind: 'field', scope: 'input', name },
      { kind: 'relay_state', relay: name, name: 'a' },
      { kind: 'relay_state', relay: 'a', name },
      { kind: 'call', name, arguments: [] },
      { kind: 'udf_call', name, arguments: [] },
    ];
    for (const expression of expressions) {
      const error = failure(() => printExpression(expression));
      expect(error).toBeInstanceOf(UnprintableError);
      expect(error).toMatchObject({
        message: `${JSON.stringify(name)} cannot be written as a name: ${defect}`,
      });
    }
  });

  test('names that take backticks are printed', () => {
    for (const name of ['a-b', 'a.b', '0', '~', 'where', 'add']) {
      const printed = printExpression(field(name));
      expect(printed).toBe(`\`${name}\``);
      expect(parseExpression(printed)).toMatchObject({ expression: field(name) });
    }
  });

  test('a model with such a part', () => {
    const text = 'CREATE JUNCTION j FROM a UNBRANCHED TO b FLUSH IMMEDIATE ON MESSAGE ERROR LOG;';
    const statement = read(text);
    if (statement.kind !== 'create_model' || statement.model.kind !== 'junction') {
      throw new Error('no junction');
    }
    const { model } = statement;
    expect(printModel({ ...model, filter: field('x') })).toContain('FILTER WHERE x');
    expect(() => printModel({ ...model, filter: field('`') })).toThrow(UnprintableError);
  });
});

test('NSPL 3: a float literal too large for a number is refused', () => {
  const digits = `1${'0'.repeat(400)}`;
  const result = parseExpression(`a + ${digits}.0`);
  expect(result).toMatchObject({
    kind: 'refused',
    errors: [{ code: 'NSPL_REFUSED', span: { start: 4, end: 407 } }],
  });
  expect(expressionRefusal(`${digits}.0`)).toBe(
    `invalid float literal '${digits.slice(0, 64)}…': number too large to fit in target type`,
  );
  expect(parseExpression(`1${'0'.repeat(308)}.0`).kind).toBe('parsed');
});

test('NSPL 11: a name of a catalog that cannot be written is not offered', () => {
  const text = 'CREATE JUNCTION j FROM a UNBRANCHED TO b SET x = input.';
  const { items } = completeAt(text, text.length, { fields: () => ['ok', 'a`b', 'a-b'] });
  expect(items.map(({ insertText }) => insertText).sort()).toEqual(['`a-b`', 'ok']);
});
