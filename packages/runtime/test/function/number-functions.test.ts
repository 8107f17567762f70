import { type IntegerType, integerBits, integerRange, type ScalarType } from '@nervix/model';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Value } from '../../src/column/column.js';
import { call, evaluateCase, given } from '../program/expression-fixture.js';
import { propertyRuns } from '../support/property-runs.js';

const INTEGERS: readonly IntegerType[] = ['U8', 'I8', 'U16', 'I16', 'U32', 'I32', 'U64', 'I64'];
const RUNS = propertyRuns(200, INTEGERS.length);
const isWide = (type: ScalarType): boolean => type === 'I64' || type === 'U64';
const shown = (value: bigint, type: ScalarType): Value => (isWide(type) ? value : Number(value));

function integers(name: string, type: IntegerType, result: ScalarType, ...values: bigint[]): Value {
  return evaluateCase(
    call(name, result, ...values.map((value) => given(type, shown(value, type)))),
  );
}

describe('functions of doubles (TYPE 6.4, TYPE 6.8)', () => {
  const of = (name: string, ...values: readonly number[]): Value =>
    evaluateCase(call(name, 'F64', ...values.map((value) => given('F64', value))));
  const FAILED = (name: string): string => `invalid_argument: ${name} produced a non-finite result`;

  test.each<[string, readonly number[], Value]>([
    ['acos', [1], 0],
    ['acos', [2], FAILED('acos')],
    ['asin', [0], 0],
    ['atan', [Infinity], Math.PI / 2],
    ['atan2', [1, 1], Math.PI / 4],
    ['atan2', [-0, -1], -Math.PI],
    ['cos', [0], 1],
    ['cos', [Infinity], FAILED('cos')],
    ['sin', [0], 0],
    ['tan', [0], 0],
    ['degrees', [Math.PI], 180],
    ['radians', [180], Math.PI],
    ['exp', [-Infinity], 0],
    ['exp', [710], FAILED('exp')],
    ['ln', [1], 0],
    ['ln', [0], FAILED('ln')],
    ['ln', [-1], FAILED('ln')],
    ['log', [1000], 3],
    ['log', [2, 8], 3],
    ['log', [0, 8], -0],
    ['log', [1, 8], FAILED('log')],
    ['log2', [8], 3],
    ['pow', [2, 10], 1024],
    ['pow', [Number.NaN, 0], 1],
    ['pow', [1, Number.NaN], 1],
    ['pow', [1, Infinity], 1],
    ['pow', [-1, Infinity], 1],
    ['pow', [2, Number.NaN], FAILED('pow')],
    ['pow', [10, 400], FAILED('pow')],
    ['pow', [0.5, Infinity], 0],
    ['sqrt', [-0], -0],
    ['sqrt', [2], Math.SQRT2],
    ['sqrt', [-1], FAILED('sqrt')],
  ])('%s%j', (name, values, expected) => {
    const result = of(name, ...values);
    if (typeof expected === 'number') expect(result).toBeCloseTo(expected, 14);
    else expect(result).toBe(expected);
    if (expected === 0) expect(Object.is(result, expected)).toBe(true);
  });

  test('an integer is the nearest double first, types may be mixed', () => {
    const parts = [given('U64', 18446744073709551615n), given('U8', 1)];
    expect(evaluateCase(call('pow', 'F64', ...parts))).toBe(2 ** 64);
    expect(evaluateCase(call('sqrt', 'F64', given('I64', 9007199254740993n)))).toBe(
      Math.sqrt(9007199254740992),
    );
  });

  test.each<[string, number, boolean]>([
    ['is_nan', Number.NaN, true],
    ['is_nan', Infinity, false],
    ['is_finite', -Infinity, false],
    ['is_finite', 1, true],
    ['is_infinite', -Infinity, true],
    ['is_infinite', Number.NaN, false],
  ])('%s(%d)', (name, value, expected) => {
    expect(evaluateCase(call(name, 'BOOL', given('F64', value)))).toBe(expected);
    expect(evaluateCase(call(name, 'BOOL', given('F32', value)))).toBe(expected);
  });
});

describe.each(INTEGERS)('bits of %s, against bigint (TYPE 6.4, TYPE 6.8)', (type) => {
  const { min, max } = integerRange(type);
  const bits = integerBits(type);
  const value = fc.oneof(fc.bigInt({ min, max }), fc.constantFrom(min, max, 0n, 1n));
  const cut = (result: bigint): Value =>
    shown(min < 0n ? BigInt.asIntN(bits, result) : BigInt.asUintN(bits, result), type);
  const ones = (each: bigint): number =>
    [...BigInt.asUintN(bits, each).toString(2)].filter((digit) => digit === '1').length;

  test('logic, counts and hexadecimal', () => {
    fc.assert(
      fc.property(value, value, (left, right) => {
        expect(integers('bitwise_and', type, type, left, right)).toBe(cut(left & right));
        expect(integers('bitwise_or', type, type, left, right)).toBe(cut(left | right));
        expect(integers('bitwise_xor', type, type, left, right)).toBe(cut(left ^ right));
        expect(integers('bitwise_not', type, type, left)).toBe(cut(~left));
        expect(integers('bit_count', type, 'I64', left)).toBe(BigInt(ones(left)));
        expect(integers('to_hex', type, 'STRING', left)).toBe(
          BigInt.asUintN(bits, left).toString(16),
        );
      }),
      { numRuns: RUNS },
    );
  });

  test('shifts are checked multiplication and floored division', () => {
    fc.assert(
      fc.property(value, fc.bigInt({ min: 0n, max: 70n }), (each, count) => {
        const parts = [given(type, shown(each, type)), given('I64', count)];
        const product = each * 2n ** count;
        expect(evaluateCase(call('shift_left', type, ...parts))).toBe(
          product < min || product > max
            ? 'overflow: shift_left result overflowed'
            : shown(product, type),
        );
        const divisor = 2n ** count;
        const quotient = (each - (((each % divisor) + divisor) % divisor)) / divisor;
        expect(evaluateCase(call('shift_right', type, ...parts))).toBe(shown(quotient, type));
      }),
      { numRuns: RUNS },
    );
  });

  test('a negative count fails', () => {
    for (const name of ['shift_left', 'shift_right']) {
      const parts = [given(type, shown(1n, type)), given('I8', -1)];
      expect(evaluateCase(call(name, type, ...parts))).toBe(
        `invalid_argument: ${name} count is negative`,
      );
      const far = [given(type, shown(0n, type)), given('U64', 18446744073709551615n)];
      expect(evaluateCase(call(name, type, ...far))).toBe(shown(0n, type));
    }
  });
});
