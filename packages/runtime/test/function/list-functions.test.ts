import type { DataType, ScalarType } from '@nervix/model';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Value } from '../../src/column/column.js';
import { call, evaluateCase, given } from '../program/expression-fixture.js';
import { propertyRuns } from '../support/property-runs.js';

const RUNS = propertyRuns(200);
const vec = (element: DataType): DataType => ({ kind: 'vec', element });
const list = (element: ScalarType, values: readonly Value[] | null) => given(vec(element), values);

function ofList(
  name: string,
  element: ScalarType,
  values: readonly Value[] | null,
  type: DataType,
) {
  return evaluateCase(call(name, type, list(element, values)));
}

const DIFFERENT = 'invalid_argument: vector lengths differ: left has 3, right has 2';

describe('list functions (TYPE 6.7, TYPE 6.8)', () => {
  test.each<[string, ScalarType, readonly Value[] | null, DataType, Value]>([
    ['count', 'STRING', ['a', 'b'], 'I64', 2n],
    ['count', 'STRING', [], 'I64', 0n],
    ['count', 'STRING', null, 'I64', null],
    ['sum', 'I64', [], 'I64', null],
    ['sum', 'I64', [9223372036854775807n, 5n, -6n], 'I64', 9223372036854775806n],
    ['sum', 'I64', [9223372036854775807n, 1n], 'I64', 'overflow: integer sum overflowed'],
    ['sum', 'U8', [200, 55], 'U8', 255],
    ['sum', 'U8', [200, 56], 'U8', 'overflow: integer sum overflowed'],
    ['sum', 'F64', [0.1, 0.2], 'F64', 0.1 + 0.2],
    ['sum', 'F64', [-0], 'F64', -0],
    ['sum', 'F64', [Infinity], 'F64', 'invalid_argument: sum produced a non-finite result'],
    ['first', 'BOOL', [true, false], 'BOOL', true],
    ['first', 'BOOL', [], 'BOOL', null],
    ['last', 'DATETIME', [1n, 2n], 'DATETIME', 2n],
    ['min', 'F64', [0, -0, 1], 'F64', -0],
    ['max', 'F64', [1, Number.NaN, Infinity], 'F64', Number.NaN],
    ['min', 'F64', [Number.NaN, 7], 'F64', 7],
    ['max', 'STRING', ['\ufffd', '😀'], 'STRING', '😀'],
    ['min', 'BOOL', [true, false], 'BOOL', false],
    ['min', 'I64', [], 'I64', null],
    ['mean', 'I64', [1n, 2n], 'F64', 1.5],
    ['mean', 'I64', [], 'F64', null],
    ['mean', 'F32', [Math.fround(0.1), 1], 'F64', (Math.fround(0.1) + 1) / 2],
    ['mean', 'F64', [1e308, 1e308], 'F64', 'invalid_argument: mean produced a non-finite result'],
  ])('%s of %s, case %#', (name, element, values, type, expected) => {
    expect(ofList(name, element, values, type)).toEqual(expected);
  });

  test.each<[bigint, Value]>([
    [0n, 'a'],
    [1n, 'b'],
    [2n, null],
    [-1n, null],
    [9223372036854775807n, null],
  ])('nth %s', (position, expected) => {
    const parts = [list('STRING', ['a', 'b']), given('I64', position)];
    expect(evaluateCase(call('nth', 'STRING', ...parts))).toBe(expected);
  });

  test.each<[bigint, bigint, readonly bigint[]]>([
    [-2n, 1n, [7n]],
    [1n, 9n, [8n]],
    [0n, -1n, []],
    [5n, 1n, []],
    [0n, 9223372036854775807n, [7n, 8n]],
  ])('slice from %s, %s long', (start, length, expected) => {
    const parts = [list('I64', [7n, 8n]), given('I64', start), given('I64', length)];
    expect(evaluateCase(call('slice', vec('I64'), ...parts))).toEqual(expected);
  });

  test('contains and overlap compare as = does', () => {
    const contains = (values: readonly Value[], value: Value): Value =>
      evaluateCase(call('contains', 'BOOL', list('F64', values), given('F64', value)));
    expect(contains([Number.NaN], Number.NaN)).toBe(false);
    expect(contains([0], -0)).toBe(true);
    expect(contains([], 1)).toBe(false);
    expect(contains([1], null)).toBe(null);
    const overlap = (left: readonly Value[], right: readonly Value[]): Value =>
      evaluateCase(call('overlap', 'BOOL', list('BYTES', left), list('BYTES', right)));
    expect(overlap([Uint8Array.of(1)], [Uint8Array.of(2), Uint8Array.of(1)])).toBe(true);
    expect(overlap([Uint8Array.of(1)], [Uint8Array.of(1, 0)])).toBe(false);
    expect(overlap([], [])).toBe(false);
  });

  test('lists are joined; one null makes the result null, unlike text', () => {
    const concat = (...lists: readonly (readonly Value[] | null)[]): Value =>
      evaluateCase(call('concat', vec('STRING'), ...lists.map((each) => list('STRING', each))));
    expect(concat(['a'], [], ['b'])).toEqual(['a', 'b']);
    expect(concat(['a'], null)).toBe(null);
    const fixed = (values: readonly Value[]) =>
      given({ kind: 'array', element: 'U8', length: values.length }, values);
    expect(
      evaluateCase(
        call('concat', { kind: 'array', element: 'U8', length: 3 }, fixed([1, 2]), fixed([3])),
      ),
    ).toEqual([1, 2, 3]);
  });

  test('lists of values; a null element makes them null', () => {
    const array: DataType = { kind: 'array', element: 'I64', length: 2 };
    const of = (name: string, type: DataType, ...values: readonly Value[]): Value =>
      evaluateCase(call(name, type, ...values.map((value) => given('I64', value))));
    expect(of('array', array, 1n, 2n)).toEqual([1n, 2n]);
    expect(of('array', array, 1n, null)).toBe(null);
    expect(of('vec', vec('I64'), 1n)).toEqual([1n]);
    expect(of('vec', vec('I64'), null)).toBe(null);
  });

  const pair = (name: string, element: ScalarType, left: Value[], right: Value[]): Value =>
    evaluateCase(
      call(name, name === 'dot' ? element : 'F64', list(element, left), list(element, right)),
    );

  test.each<[string, ScalarType, Value[], Value[], Value]>([
    ['dot', 'I64', [1n, 2n], [3n, 4n], 11n],
    ['dot', 'I64', [], [], 0n],
    ['dot', 'U8', [16], [16], 'overflow: integer dot product overflowed'],
    ['dot', 'U8', [15, 15], [15, 15], 'overflow: integer dot product overflowed'],
    ['dot', 'F64', [1e308], [10], 'invalid_argument: dot produced a non-finite result'],
    ['dot', 'I64', [1n, 2n, 3n], [1n, 2n], DIFFERENT],
    ['distance', 'I64', [0n, 0n], [3n, 4n], 5],
    ['distance', 'F64', [], [], 0],
    [
      'distance',
      'F64',
      [1e308],
      [-1e308],
      'invalid_argument: distance produced a non-finite result',
    ],
    ['distance', 'I64', [1n, 2n, 3n], [1n, 2n], DIFFERENT],
  ])('%s of %s, case %#', (name, element, left, right, expected) => {
    expect(pair(name, element, left, right)).toEqual(expected);
  });

  test('integer sums are exact in bigint', () => {
    fc.assert(
      fc.property(fc.array(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })), (values) => {
        const sum = values.reduce((left, right) => left + right, 0n);
        const isIn = BigInt.asIntN(64, sum) === sum;
        const expected =
          values.length === 0 ? null : isIn ? sum : 'overflow: integer sum overflowed';
        expect(ofList('sum', 'I64', values, 'I64')).toBe(expected);
      }),
      { numRuns: RUNS },
    );
  });
});

describe('lists of texts (TYPE 6.2, TYPE 6.8)', () => {
  const split = (text: string | null, delimiter: string | null): Value =>
    evaluateCase(call('split', vec('STRING'), given('STRING', text), given('STRING', delimiter)));
  const join = (texts: readonly Value[] | null, separator: string | null): Value =>
    evaluateCase(call('join', 'STRING', list('STRING', texts), given('STRING', separator)));

  test.each<[string | null, string | null, Value]>([
    ['', ';', ['']],
    ['a;b;', ';', ['a', 'b', '']],
    ['aXXbXXX', 'XX', ['a', 'b', 'X']],
    ['abc', '', ['abc']],
    ['é😀é', 'é', ['', '😀', '']],
    [null, ';', null],
    ['a', null, null],
  ])('split %j at %j', (text, delimiter, expected) => {
    expect(split(text, delimiter)).toEqual(expected);
  });

  test('more than 65,536 parts fail', () => {
    expect(split(','.repeat(65_535), ',')).toHaveLength(65_536);
    expect(split(','.repeat(65_536), ',')).toBe('overflow: split result exceeds 65,536 parts');
  });

  test('join puts the separator between, and undoes split', () => {
    expect(join(['a', '', 'é'], '-')).toBe('a--é');
    expect(join([], '-')).toBe('');
    expect(join(null, '-')).toBe(null);
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(join(split(text, ',') as readonly Value[], ',')).toBe(text);
      }),
      { numRuns: RUNS },
    );
  });
});
