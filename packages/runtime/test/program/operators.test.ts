import type { ScalarType, TypedExpression } from '@nervix/model';
import { describe, expect, test } from 'vitest';
import type { Value } from '../../src/column/column.js';
import {
  type Build,
  binary,
  call,
  cast,
  evaluateCase,
  type Given,
  given,
} from './expression-fixture.js';

const OVERFLOW = 'overflow: integer';
const NON_FINITE = 'invalid_argument: floating-point operation produced a non-finite result';
const ZERO = 'division_by_zero: integer';

describe('arithmetic (TYPE 3)', () => {
  const i64 = 2n ** 63n;
  const cases: readonly [ScalarType, Value, string, Value, Value][] = [
    ['I64', -5n, 'rem', 3n, -2n],
    ['I64', 7n, 'div', 0n, `${ZERO} division by zero`],
    ['I64', 7n, 'rem', 0n, `${ZERO} remainder by zero`],
    ['I64', -7n, 'div', 2n, -3n],
    ['I64', i64 - 1n, 'add', 1n, `${OVERFLOW} addition overflowed`],
    ['I64', i64 - 2n, 'add', 1n, i64 - 1n],
    ['I64', -i64, 'sub', 1n, `${OVERFLOW} subtraction overflowed`],
    ['I64', 3037000500n, 'mul', 3037000500n, `${OVERFLOW} multiplication overflowed`],
    ['I64', 9007199254740993n, 'add', 1n, 9007199254740994n],
    ['I64', 9007199254740991n, 'add', 9007199254740991n, 18014398509481982n],
    ['I64', -i64, 'div', -1n, `${OVERFLOW} division overflowed`],
    ['I64', -i64, 'rem', -1n, 0n],
    ['U64', 4n, 'sub', 9n, `${OVERFLOW} subtraction overflowed`],
    ['U64', 2n ** 64n - 1n, 'add', 1n, `${OVERFLOW} addition overflowed`],
    ['U16', 4, 'sub', 9, `${OVERFLOW} subtraction overflowed`],
    ['I16', -32768, 'rem', -1, 0],
    ['I16', -32768, 'div', -1, `${OVERFLOW} division overflowed`],
    ['U8', 200, 'add', 100, `${OVERFLOW} addition overflowed`],
    ['U32', 65536, 'mul', 65536, `${OVERFLOW} multiplication overflowed`],
    ['F64', 0, 'div', 0, NON_FINITE],
    ['F64', 1, 'div', 0, NON_FINITE],
    ['F64', 1, 'div', Number.POSITIVE_INFINITY, 0],
    ['F64', 2.25, 'rem', Number.POSITIVE_INFINITY, 2.25],
    ['F64', 1e308, 'mul', 10, NON_FINITE],
    ['F32', 16777216, 'add', 1, 16777216],
    ['F32', Math.fround(3e38), 'add', Math.fround(3e38), NON_FINITE],
    ['F64', null, 'add', 1, null],
    ['I64', 1n, 'div', null, null],
  ];
  test.each(cases)('%s: %s %s %s', (type, left, operator, right, expected) => {
    expect(evaluateCase(binary(operator, type, given(type, left), given(type, right)))).toBe(
      expected,
    );
  });

  const negations: readonly [ScalarType, Value, Value][] = [
    ['I8', -128, 'overflow: integer negation overflowed'],
    ['I64', -i64, 'overflow: integer negation overflowed'],
    ['I64', 0n, 0n],
    ['F64', 0, -0],
    ['F64', Number.NaN, Number.NaN],
    ['I32', null, null],
  ];
  test.each(negations)('minus %s %s', (type, value, expected) => {
    const build: Build = (context) => ({
      kind: 'unary',
      operator: 'neg',
      operand: context.part(given(type, value)),
      type,
      optional: true,
      sensitive: false,
    });
    expect(evaluateCase(build)).toBe(expected);
  });
});

describe('comparison (TYPE 3)', () => {
  const cases: readonly [ScalarType, Value, string, Value, Value][] = [
    ['STRING', '\ufffd', 'lt', '\u{1f600}', true],
    ['STRING', 'a', 'lt', 'ab', true],
    ['STRING', 'B', 'lt', 'a', true],
    ['F64', Number.NaN, 'eq', Number.NaN, false],
    ['F64', Number.NaN, 'not_eq', Number.NaN, true],
    ['F64', Number.NaN, 'lt_eq', 1, false],
    ['F64', -0, 'eq', 0, true],
    ['BYTES', Uint8Array.of(1, 2), 'eq', Uint8Array.of(1, 2), true],
    ['U64', 2n ** 64n - 1n, 'gt', 1n, true],
    ['I64', 9007199254740993n, 'eq', 9007199254740992n, false],
    ['DATETIME', 1n, 'lt', 2n, true],
    ['BOOL', true, 'not_eq', false, true],
    ['I64', null, 'eq', 1n, null],
  ];
  test.each(cases)('%s: %s %s %s', (type, left, operator, right, expected) => {
    expect(evaluateCase(binary(operator, 'BOOL', given(type, left), given(type, right)))).toBe(
      expected,
    );
  });

  const logic: readonly [Value, string, Value, Value][] = [
    [false, 'and', null, false],
    [null, 'and', false, false],
    [true, 'and', null, null],
    [null, 'and', null, null],
    [true, 'or', null, true],
    [null, 'or', true, true],
    [false, 'or', null, null],
    [true, 'and', true, true],
    [false, 'or', false, false],
  ];
  test.each(logic)('%s %s %s', (left, operator, right, expected) => {
    expect(evaluateCase(binary(operator, 'BOOL', given('BOOL', left), given('BOOL', right)))).toBe(
      expected,
    );
  });

  test('both operands of OR are evaluated: TRUE OR 1 / 0 = 1 fails (TYPE 12)', () => {
    const division = binary('div', 'I64', given('I64', 1n), given('I64', 0n));
    const build: Build = (context) => {
      const isOne = binary('eq', 'BOOL', division(context), given('I64', 1n))(context);
      return binary('or', 'BOOL', given('BOOL', true), isOne)(context);
    };
    expect(evaluateCase(build)).toBe('division_by_zero: integer division by zero');
  });

  test('the left failure of a / 0 + big * big is reported (TYPE 3)', () => {
    const big = given('I64', 2n ** 62n);
    const build: Build = (context) =>
      binary(
        'add',
        'I64',
        binary('div', 'I64', big, given('I64', 0n))(context),
        binary('mul', 'I64', big, big)(context),
      )(context);
    expect(evaluateCase(build)).toBe('division_by_zero: integer division by zero');
  });

  const distinct: readonly [Value, Value, boolean][] = [
    [Number.NaN, Number.NaN, true],
    [null, null, false],
    [null, 1, true],
    [0, -0, false],
  ];
  test.each(distinct)('%s IS DISTINCT FROM %s', (left, right, expected) => {
    const build: Build = (context) => ({
      kind: 'distinct',
      negated: false,
      left: context.part(given('F64', left)),
      right: context.part(given('F64', right)),
      type: 'BOOL',
      optional: false,
      sensitive: false,
    });
    expect(evaluateCase(build)).toBe(expected);
  });

  const between: readonly [Value, Value, Value, boolean, Value][] = [
    [3n, 10n, null, false, false],
    [12n, 10n, null, false, null],
    [12n, null, 11n, false, false],
    [3n, 10n, null, true, true],
    [10n, 10n, 10n, false, true],
    [5n, 10n, 1n, false, false],
    [null, 1n, 2n, false, null],
  ];
  test.each(between)('%s BETWEEN %s AND %s, negated %s', (value, low, high, negated, expected) => {
    const build: Build = (context) => ({
      kind: 'between',
      negated,
      operand: context.part(given('I64', value)),
      low: context.part(given('I64', low)),
      high: context.part(given('I64', high)),
      type: 'BOOL',
      optional: true,
      sensitive: false,
    });
    expect(evaluateCase(build)).toBe(expected);
  });

  const literal = (value: string): TypedExpression => ({
    kind: 'literal',
    value,
    type: 'I64',
    optional: false,
    sensitive: false,
  });
  const membership: readonly [Value, readonly string[], boolean, Value][] = [
    [null, [], false, false],
    [null, [], true, true],
    [null, ['1'], false, null],
    [1n, ['2', '1'], false, true],
    [9007199254740992n, ['9007199254740993'], false, false],
    [9007199254740993n, ['9007199254740993'], true, false],
  ];
  test.each(membership)('%s IN %j, negated %s', (value, elements, negated, expected) => {
    const build: Build = (context) => ({
      kind: 'in',
      negated,
      operand: context.part(given('I64', value)),
      elements: elements.map(literal),
      type: 'BOOL',
      optional: true,
      sensitive: false,
    });
    expect(evaluateCase(build)).toBe(expected);
  });
});

describe('conditionals (TYPE 3.1)', () => {
  const choose =
    (condition: Given, then: Build, otherwise: Build | null): Build =>
    (context) => ({
      kind: 'case',
      operand: null,
      // biome-ignore lint/suspicious/noThenProperty: the plan's own name.
      arms: [{ when: context.part(condition), then: then(context) }],
      otherwise: otherwise === null ? null : otherwise(context),
      type: 'I64',
      optional: true,
      sensitive: false,
    });
  const one: Build = (context) => context.part(given('I64', 1n));
  const failing = binary('div', 'I64', given('I64', 1n), given('I64', 0n));

  test('only the selected arm reports errors: IF TRUE THEN 1 ELSE 1 / 0 END (TYPE 12)', () => {
    expect(evaluateCase(choose(given('BOOL', true), one, failing))).toBe(1n);
    expect(evaluateCase(choose(given('BOOL', false), one, failing))).toContain('division_by_zero');
  });

  test('a null condition is no match, and a missing ELSE is null', () => {
    expect(evaluateCase(choose(given('BOOL', null), failing, one))).toBe(1n);
    expect(evaluateCase(choose(given('BOOL', null), one, null))).toBeNull();
  });
});

describe('conversions (TYPE 4, TYPE 4.1)', () => {
  const fails = (name: string): string => `cast_failed: cannot cast value to ${name}`;
  const cases: readonly [ScalarType, Value, ScalarType, Value][] = [
    ['I64', 300n, 'U8', fails('UInt8')],
    ['I64', 128n, 'I8', fails('Int8')],
    ['I64', 255n, 'U8', 255],
    ['U64', 2n ** 63n, 'I64', fails('Int64')],
    ['U64', 2n ** 63n, 'DATETIME', fails('Datetime')],
    ['I64', -1n, 'U64', fails('UInt64')],
    ['I64', 33554433n, 'F32', 33554432],
    ['I64', 9007199791611905n, 'F32', 9007200328482816],
    ['U64', 2n ** 64n - 1n, 'F64', 18446744073709552000],
    ['I64', 0n, 'BOOL', false],
    ['F64', 255.99, 'U8', 255],
    ['F64', -0.5, 'U8', 0],
    ['F64', -0.75, 'U8', 0],
    ['F64', -1, 'U8', fails('UInt8')],
    ['F64', 2 ** 63, 'I64', fails('Int64')],
    ['F64', -(2 ** 63), 'I64', -(2n ** 63n)],
    ['F64', Number.NaN, 'I32', fails('Int32')],
    ['F64', Number.NEGATIVE_INFINITY, 'DATETIME', fails('Datetime')],
    ['F64', 1.9, 'DATETIME', 1n],
    ['F64', Number.NaN, 'BOOL', true],
    ['F64', -0, 'BOOL', false],
    ['F64', 1e300, 'F32', Number.POSITIVE_INFINITY],
    ['F64', 1, 'STRING', '1'],
    ['F64', 1e21, 'STRING', `1${'0'.repeat(21)}`],
    ['F64', 1e-7, 'STRING', '0.0000001'],
    ['F64', 1e-9, 'STRING', '0.000000001'],
    ['F64', -0, 'STRING', '-0'],
    ['F64', Number.NaN, 'STRING', 'NaN'],
    ['F64', Number.NEGATIVE_INFINITY, 'STRING', '-inf'],
    ['F64', 123456.789, 'STRING', '123456.789'],
    ['F32', Math.fround(0.1), 'STRING', '0.1'],
    ['F32', Math.fround(1e20), 'STRING', `1${'0'.repeat(20)}`],
    ['BOOL', true, 'STRING', 'true'],
    ['BOOL', true, 'I64', 1n],
    ['BOOL', true, 'F32', 1],
    ['BOOL', true, 'DATETIME', fails('Datetime')],
    ['STRING', '+007', 'U8', 7],
    ['STRING', '-0', 'U8', 0],
    ['STRING', ' 42', 'I64', fails('Int64')],
    ['STRING', '42.0', 'I64', fails('Int64')],
    ['STRING', '4_2', 'I64', fails('Int64')],
    ['STRING', '٤', 'I64', fails('Int64')],
    ['STRING', '', 'I64', fails('Int64')],
    ['STRING', '-9223372036854775808', 'I64', -(2n ** 63n)],
    ['STRING', '1e5', 'F64', 100000],
    ['STRING', '.5', 'F64', 0.5],
    ['STRING', '5.', 'F64', 5],
    ['STRING', '.', 'F64', fails('Float64')],
    ['STRING', '+1.5', 'F64', 1.5],
    ['STRING', '1e999', 'F64', Number.POSITIVE_INFINITY],
    ['STRING', '-INFinity', 'F64', Number.NEGATIVE_INFINITY],
    ['STRING', 'nan', 'F64', Number.NaN],
    ['STRING', '0x10', 'F64', fails('Float64')],
    ['STRING', '1.0000000596046448', 'F32', 1.0000001192092896],
    ['STRING', '1.000000059604644775390625', 'F32', 1],
    ['STRING', ' YES ', 'BOOL', true],
    ['STRING', '\u00a0oFf\u2003', 'BOOL', false],
    ['STRING', 'o', 'BOOL', fails('Boolean')],
    ['STRING', '2024-02-29 12:00:00+02:00', 'DATETIME', 1709200800000000000n],
    ['STRING', '2030-06-30T23:59:60Z', 'DATETIME', fails('Datetime')],
    ['STRING', '2024-02-29T12:00:00', 'DATETIME', fails('Datetime')],
    ['STRING', '2024-02-29T12:00:00.Z', 'DATETIME', fails('Datetime')],
    ['STRING', '2024-02-29T24:00:00Z', 'DATETIME', fails('Datetime')],
    ['STRING', '2024-02-29t12:00:00-23:59', 'DATETIME', 1709294340000000000n],
    ['DATETIME', 1709200800000000000n, 'STRING', '2024-02-29T10:00:00+00:00'],
    ['DATETIME', -1n, 'STRING', '1969-12-31T23:59:59.999999999+00:00'],
    ['DATETIME', 1500000n, 'STRING', '1970-01-01T00:00:00.001500+00:00'],
    ['DATETIME', 300n, 'U8', fails('UInt8')],
    ['DATETIME', 5n, 'I64', 5n],
    ['DATETIME', 5n, 'BOOL', fails('Boolean')],
    ['F64', Number.NaN, 'F64', Number.NaN],
    ['STRING', null, 'I64', null],
  ];
  test.each(cases)('%s %s AS %s → %s', (from, value, to, expected) => {
    expect(evaluateCase(cast(to, given(from, value)))).toBe(expected);
    const isFailure = typeof expected === 'string' && expected.startsWith('cast_failed');
    expect(evaluateCase(cast(to, given(from, value), true))).toBe(isFailure ? null : expected);
  });

  test('TRY_CAST does not hide a failure of its operand', () => {
    const division = binary('div', 'I64', given('I64', 1n), given('I64', 0n));
    const build: Build = (context) => cast('U8', division(context), true)(context);
    expect(evaluateCase(build)).toContain('division_by_zero');
  });
});

describe('context functions (TYPE 6.1)', () => {
  test('now is the snapshot, uuid_v7 carries it', () => {
    expect(evaluateCase(call('now', 'DATETIME'))).toBe(1_700_000_000_000_000_000n);
    expect(evaluateCase(call('uuid_v4', 'STRING'))).toBe('abababab-abab-4bab-abab-abababababab');
    expect(evaluateCase(call('uuid_v7', 'STRING'))).toBe('018bcfe5-6800-7bab-abab-abababababab');
  });
});
