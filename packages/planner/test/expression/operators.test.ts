import type { Expression } from '@nervix/model';
import { describe, expect, test } from 'vitest';
import {
  between,
  binary,
  bool,
  call,
  caseOf,
  cast,
  distinct,
  field,
  float,
  inSet,
  int,
  list,
  neg,
  nil,
  not,
  text,
  tryCast,
} from '../support/expressions.js';
import { typeOf, typing } from '../support/typing.js';

const NULL_REFUSED = 'NULL requires a declared optional assignment target';
const table = (rows: readonly [string, Expression, string][]) =>
  test.each(rows)('%s', (_, expression, expected) => expect(typeOf(expression)).toBe(expected));

describe('TYPE 2 literals', () =>
  table([
    ['integer', int(5), 'I64'],
    ['largest integer', int('9223372036854775807'), 'I64'],
    [
      'integer beyond I64',
      int('9223372036854775808'),
      'integer literal 9223372036854775808 does not fit Int64',
    ],
    ['float', float(1.5), 'F64'],
    ['text', text('a'), 'STRING'],
    ['boolean', bool(true), 'BOOL'],
    ['NULL alone is typed by its destination', nil, 'NULL'],
    ['list', list(int(1), field('opt_i64')), 'ARRAY<I64, 2>?'],
    [
      'mixed list',
      list(int(1), text('a')),
      'list elements must have one exact type, found Int64 and Utf8',
    ],
    ['empty list', list(), 'a list literal requires at least one element'],
  ]));

describe('TYPE 3 operators', () =>
  table([
    ['same integers', binary(field('u32'), 'add', field('opt_u32')), 'U32?'],
    ['float remainder', binary(field('f32'), 'rem', field('f32')), 'F32'],
    [
      'mixed widths',
      binary(field('u32'), 'add', int(5)),
      'binary operator Add requires matching operand types, found UInt32 and Int64',
    ],
    ['cast literal beside a narrow field', binary(field('i32'), 'gt', cast(int(5), 'I32')), 'BOOL'],
    ['text arithmetic', binary(text('a'), 'add', text('b')), 'operator Add is not valid for Utf8'],
    [
      'instant arithmetic',
      binary(field('at'), 'sub', field('at')),
      'operator Sub is not valid for Timestamp(Nanosecond, Some("+00:00"))',
    ],
    ['negation of signed', neg(field('i8')), 'I8'],
    ['negation of unsigned', neg(field('u8')), 'operator Neg is not valid for UInt8'],
    ['NOT over a number', not(int(1)), 'operator Not is not valid for Int64'],
    [
      'NOT 1 = 2 binds tighter',
      binary(not(int(1)), 'eq', int(2)),
      'operator Not is not valid for Int64',
    ],
    ['AND', binary(field('flag'), 'and', field('opt_flag')), 'BOOL?'],
    ['AND over numbers', binary(int(1), 'or', int(2)), 'operator Or is not valid for Int64'],
    ['equality of bytes', binary(field('bytes'), 'eq', field('bytes')), 'BOOL'],
    [
      'equality of lists',
      binary(field('vec'), 'not_eq', field('vec')),
      'operator NotEq is not valid for List(Int64)',
    ],
    ['ordering of text', binary(field('text'), 'lt', text('b')), 'BOOL'],
    ['ordering of instants', binary(field('at'), 'gt_eq', field('at')), 'BOOL'],
    [
      'ordering of booleans',
      binary(field('flag'), 'lt', bool(true)),
      'operator Lt is not valid for Boolean',
    ],
    [
      'ordering of bytes',
      binary(field('bytes'), 'lt_eq', field('bytes')),
      'operator LtEq is not valid for Binary',
    ],
    ['a = b = c compares a BOOL', binary(binary(int(1), 'eq', int(2)), 'eq', bool(true)), 'BOOL'],
    [
      'a < b < c is refused',
      binary(binary(int(1), 'lt', int(2)), 'lt', int(3)),
      'binary operator Lt requires matching operand types, found Boolean and Int64',
    ],
    [
      '1 + 2 AS STRING casts 2',
      binary(int(1), 'add', cast(int(2), 'STRING')),
      'binary operator Add requires matching operand types, found Int64 and Utf8',
    ],
    ['NULL = NULL', binary(nil, 'eq', nil), NULL_REFUSED],
    ['distinct is never null', distinct(field('opt_i64'), field('opt_i64')), 'BOOL'],
    [
      'distinct of other types',
      distinct(field('i64'), field('text')),
      'IS DISTINCT FROM requires matching operand types, found Int64 and Utf8',
    ],
    [
      'distinct of lists',
      distinct(field('vec'), field('vec')),
      'IS DISTINCT FROM is not valid for List(Int64)',
    ],
    ['between', between(field('i64'), int(1), field('opt_i64')), 'BOOL?'],
    [
      'between of other types',
      between(field('i64'), int(1), float(2)),
      'BETWEEN requires matching operand types, found Int64, Int64 and Float64',
    ],
    [
      'between of booleans',
      between(field('flag'), field('flag'), field('flag')),
      'BETWEEN is not valid for Boolean',
    ],
  ]));

describe('TYPE 3 IN', () =>
  table([
    ['constants', inSet(field('opt_i64'), int(1), neg(int(5))), 'BOOL?'],
    ['an empty set answers nulls too', inSet(field('opt_i64')), 'BOOL'],
    ['casts', inSet(field('u8'), cast(int(7), 'U8'), tryCast(text('9'), 'U8')), 'BOOL'],
    [
      'failing cast',
      inSet(field('u8'), cast(int(300), 'U8')),
      'IN set element 1: cannot cast value to UInt8',
    ],
    [
      'failing TRY_CAST is null',
      inSet(field('u8'), tryCast(int(300), 'U8')),
      'IN set element 1 is null',
    ],
    ['NULL', inSet(field('i64'), nil), 'IN set element 1: NULL is not a constant with a value'],
    [
      'a field',
      inSet(field('i64'), int(1), field('i64')),
      'IN set element 2: only literals, unary operators and casts are constants',
    ],
    [
      'a call',
      inSet(field('i64'), call('abs', int(1))),
      'IN set element 1: only literals, unary operators and casts are constants',
    ],
    [
      'other type',
      inSet(field('i64'), float(1)),
      'IN set element 1 has type Float64, expected Int64',
    ],
    ['bytes', inSet(field('bytes'), text('a')), 'IN is not valid for Binary'],
    [
      'overflowing negation',
      inSet(field('i64'), neg(cast(text('-9223372036854775808'), 'I64'))),
      'IN set element 1: integer negation overflowed',
    ],
    [
      'negated unsigned',
      inSet(field('u8'), neg(cast(int(1), 'U8'))),
      'IN set element 1: operator Neg is not valid for UInt8',
    ],
  ]));

describe('TYPE 3.1 conditionals', () => {
  const flag = field('flag');
  table([
    ['searched', caseOf([[flag, int(1)]], int(2)), 'I64'],
    ['missing ELSE is a typed null', caseOf([[flag, int(1)]]), 'I64?'],
    ['NULL beside a typed result', caseOf([[flag, nil]], int(2)), 'I64?'],
    [
      'an optional condition keeps the result',
      caseOf([[field('opt_flag'), int(1)]], int(2)),
      'I64',
    ],
    ['only NULL results', caseOf([[flag, nil]], nil), NULL_REFUSED],
    [
      'results of two types',
      caseOf([[flag, int(1)]], text('a')),
      'CASE results must have one exact type, found Int64 and Utf8',
    ],
    [
      'list result',
      caseOf([[flag, field('vec')]], field('vec')),
      'CASE result type List(Int64) is not supported by conditional selection',
    ],
    [
      'condition of another type',
      caseOf([[int(1), int(1)]], int(2)),
      'CASE WHEN condition must evaluate to Boolean, found Int64',
    ],
    ['NULL condition', caseOf([[nil, int(1)]], int(2)), NULL_REFUSED],
    ['simple', caseOf([[int(1), text('a')]], text('b'), field('i64')), 'STRING'],
    [
      'simple with another type',
      caseOf([[text('x'), text('a')]], text('b'), field('i64')),
      'CASE operand and WHEN values must have one exact type, found Int64 and Utf8',
    ],
    [
      'simple over a list',
      caseOf([[field('vec'), text('a')]], text('b'), field('vec')),
      'CASE operand must be scalar, found List(Int64)',
    ],
    ['NULL operand', caseOf([[int(1), int(1)]], int(2), nil), NULL_REFUSED],
    ['nested NULL result', call('coalesce', caseOf([[flag, nil]], int(1)), int(2)), 'I64'],
    ['a sensitive condition', caseOf([[field('sec_flag'), int(1)]], int(2)), 'I64!'],
  ]);
});

describe('TYPE 1.3 sensitivity', () =>
  table([
    ['operand', binary(field('sec_i64'), 'eq', int(1)), 'BOOL!'],
    ['cast', cast(field('sec_i64'), 'STRING'), 'STRING!'],
    ['function', call('length', field('sec_text')), 'I64!'],
    ['is_null', call('is_null', field('sec_text')), 'BOOL!'],
    ['IN', inSet(field('sec_i64'), int(1)), 'BOOL!'],
    ['leak_sensitive clears it', call('leak_sensitive', field('sec_text')), 'STRING'],
    [
      'only below the call',
      call('concat', call('leak_sensitive', field('sec_text')), field('sec_text')),
      'STRING!',
    ],
  ]));

test('IN elements become literals of the operand type', () => {
  const cases: [Expression, Expression, unknown][] = [
    [field('i64'), neg(int(5)), '-5'],
    [field('f32'), cast(text('0.1'), 'F32'), Math.fround(0.1)],
    [field('at'), cast(text('1970-01-01T00:00:01Z'), 'DATETIME'), '1000000000'],
    [field('flag'), not(bool(true)), false],
    [field('text'), cast(float(1e21), 'STRING'), '1000000000000000000000'],
  ];
  for (const [operand, element, value] of cases) {
    const typed = typeOf(inSet(operand, element));
    expect(typed).toBe('BOOL');
    expect(elementsOf(inSet(operand, element))).toEqual([value]);
  }
});

test.each(['NaN', 'inf', '-inf'])('the IN element %s stays a conversion of its text', (written) => {
  const value = typing(inSet(field('f64'), cast(text(written), 'F64')));
  expect(value).toMatchObject({
    elements: [{ kind: 'cast', operand: { kind: 'literal', value: written }, target: 'F64' }],
  });
});

function elementsOf(expression: Expression): unknown[] {
  const value = typing(expression);
  if (typeof value === 'string' || value.kind !== 'in') return [];
  return value.elements.map((element) => element.kind === 'literal' && element.value);
}
