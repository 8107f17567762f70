import { BUILTIN_FUNCTIONS, type ScalarType, type TypedExpression } from '@nervix/model';
import { describe, expect, test } from 'vitest';
import type { Value } from '../../src/column/column.js';
import { kernelNames } from '../../src/function/kernel-table.js';
import { type Build, call, evaluateCase, given } from './expression-fixture.js';

function typeOf(value: Value): ScalarType {
  if (typeof value === 'bigint') return 'I64';
  if (typeof value === 'boolean') return 'BOOL';
  return typeof value === 'number' ? 'F64' : 'STRING';
}

describe('text functions (TYPE 6.2, TYPE 6.8)', () => {
  const cases: readonly [string, readonly Value[], Value][] = [
    ['lower', ['ΣΟΦΟΣ'], 'σοφος'],
    ['lower', ['ABC xyz'], 'abc xyz'],
    ['upper', ['straße'], 'STRASSE'],
    ['upper', ['a[`{z'], 'A[`{Z'],
    ['initcap', ['hello wORLD-foo 3d'], 'Hello World-Foo 3d'],
    ['initcap', ['ΣΣ'], 'Σσ'],
    ['trim', ['\u0085 a \u00a0'], 'a'],
    ['trim', ['\u200ba\ufeff'], '\u200ba\ufeff'],
    ['ltrim', [' a '], 'a '],
    ['rtrim', [' a '], ' a'],
    ['length', ['é😀'], 2n],
    ['octet_length', ['é😀'], 6n],
    ['bit_length', ['é'], 16n],
    ['left', ['héllo', 2n], 'hé'],
    ['left', ['héllo', -2n], 'hél'],
    ['left', ['héllo', -9n], ''],
    ['right', ['héllo', 4n], 'éllo'],
    ['right', ['héllo', -1n], 'éllo'],
    ['substr', ['héllo', 0n, 2n], 'hé'],
    ['substr', ['abc', -5n, 2n], 'ab'],
    ['substr', ['abc', 2n], 'bc'],
    ['substr', ['abc', 9n], ''],
    ['substr', ['abc', 1n, -1n], ''],
    ['substr', ['abc', 9223372036854775807n], ''],
    ['concat', [null, 'z'], 'z'],
    ['concat', ['a', null, 'é'], 'aé'],
    ['concat', [null], ''],
    ['concat_ws', ['-', 'a', null, 'b'], 'a-b'],
    ['concat_ws', [null, 'a'], null],
    ['repeat', ['ab', 3n], 'ababab'],
    ['repeat', ['ab', -1n], ''],
    [
      'repeat',
      ['ab', 9223372036854775807n],
      'overflow: repeat result exceeds the text one STRING column holds',
    ],
    ['replace', ['aaa', 'aa', '$&'], '$&a'],
    ['replace', ['é1', '', '-'], '-é-1-'],
    ['reverse', ['a😀b'], 'b😀a'],
    ['lpad', ['abc', 6n, 'xy'], 'xyxabc'],
    ['rpad', ['abc', 2n, ''], 'ab'],
    ['rpad', ['abc', 5n, ''], 'abc'],
    ['lpad', ['abc', 0n, 'x'], ''],
    ['split_part', ['a,b,c', ',', 2n], 'b'],
    ['split_part', ['a,b,c', ',', 4n], ''],
    ['split_part', ['a,b', '', 1n], 'a,b'],
    ['split_part', ['a,b', ',', 0n], ''],
    ['ascii', ['é'], 233n],
    ['ascii', ['😀x'], 128512n],
    ['ascii', [''], 0n],
    ['normalize_nfc', ['e\u0301'], 'é'],
    ['translate', ['hello', 'lo', 'L'], 'heLL'],
    ['translate', ['aab', 'aa', 'xy'], 'xxb'],
    ['translate', ['a😀', '😀', 'é'], 'aé'],
    ['md5', [''], 'd41d8cd98f00b204e9800998ecf8427e'],
    ['strpos', ['héllo', 'l'], 3n],
    ['strpos', ['abc', ''], 1n],
    ['strpos', ['abc', 'x'], 0n],
    ['contains', ['abc', 'bc'], true],
    ['contains', ['abc', ''], true],
    ['starts_with', ['abc', 'abcd'], false],
    ['starts_with', ['abc', 'ab'], true],
    ['ends_with', ['abc', 'bc'], true],
    ['ends_with', ['abc', 'b'], false],
    ['upper', [null], null],
    ['left', ['abc', null], null],
  ];
  const long = 'x'.repeat(30_000);
  const tooLong: readonly [string, readonly Value[]][] = [
    ['replace', [long, 'x', long]],
    ['replace', [long, '', long]],
    ['repeat', [long, 30_000n]],
    ['lpad', [long, 900_000_000n, long]],
    ['rpad', [long, 900_000_000n, long]],
    ['concat', new Array<Value>(540).fill('x'.repeat(1_000_000))],
  ];
  test.each(tooLong)(
    '%s fails the row before it builds too long a text, case %#',
    (name, values) => {
      const build: Build = (context) => {
        const parts = new Map<Value, TypedExpression>();
        for (const value of values) {
          if (!parts.has(value)) parts.set(value, context.part(given(typeOf(value), value)));
        }
        return call(name, 'STRING', ...values.flatMap((value) => parts.get(value) ?? []))(context);
      };
      expect(evaluateCase(build)).toBe(
        `overflow: ${name} result exceeds the text one STRING column holds`,
      );
    },
  );

  test.each(cases)('%s, case %#', (name, values, expected) => {
    const isFailure = typeof expected === 'string' && expected.startsWith('overflow');
    const type = expected === null || isFailure ? 'STRING' : typeOf(expected);
    const parts = values.map((value, index) =>
      given(value === null && index > 0 && name === 'left' ? 'I64' : typeOf(value), value),
    );
    expect(evaluateCase(call(name, type, ...parts))).toBe(expected);
  });
});

describe('numeric functions (TYPE 6.4, TYPE 6.8)', () => {
  const nonFinite = (name: string): string =>
    `invalid_argument: ${name} produced a non-finite result`;
  const cases: readonly [string, ScalarType, readonly Value[], Value][] = [
    ['abs', 'I8', [-128], 'overflow: integer absolute value overflowed'],
    ['abs', 'I64', [-9223372036854775808n], 'overflow: integer absolute value overflowed'],
    ['abs', 'I64', [-7n], 7n],
    ['abs', 'F64', [-0], 0],
    ['abs', 'F64', [Number.NaN], nonFinite('floating-point absolute value')],
    ['ceil', 'F64', [-0.5], -0],
    ['floor', 'F64', [-0.5], -1],
    ['round', 'F64', [2.5], 3],
    ['round', 'F64', [-2.5], -3],
    ['round', 'F64', [0.49999999999999994], 0],
    ['round', 'F64', [-0.3], -0],
    ['round', 'F64', [Number.POSITIVE_INFINITY], nonFinite('round')],
    ['trunc', 'F64', [-1.9], -1],
    ['sign', 'F64', [-0], -0],
    ['sign', 'F64', [Number.NEGATIVE_INFINITY], -1],
    ['sign', 'F64', [Number.NaN], nonFinite('sign')],
    ['sign', 'I64', [-5n], -1n],
    ['round', 'I64', [5n], 5n],
    ['sqrt', 'F64', [2.25], 1.5],
    ['sqrt', 'F64', [-0], -0],
    ['sqrt', 'F64', [-1], nonFinite('sqrt')],
    ['greatest', 'F64', [Number.NaN, 2], Number.NaN],
    ['least', 'F64', [Number.NaN, 2], 2],
    ['greatest', 'F64', [-0, 0], -0],
    ['greatest', 'F64', [null, 1], 1],
    ['greatest', 'F64', [null, null], null],
    ['greatest', 'STRING', ['a', 'ab'], 'ab'],
    ['greatest', 'BOOL', [false, true], true],
    ['clamp', 'F64', [5, 1, 3], 3],
    ['clamp', 'F64', [-0, 0, 1], -0],
    ['clamp', 'F64', [Number.NaN, 0, 1], Number.NaN],
    ['clamp', 'F64', [1, 3, 2], 'invalid_argument: clamp lower bound is above its upper bound'],
    ['clamp', 'F64', [1, Number.NaN, 2], 'invalid_argument: clamp bound is NaN'],
    ['clamp', 'F64', [null, 3, 2], null],
    ['nullif', 'I64', [1n, 1n], null],
    ['nullif', 'I64', [1n, null], 1n],
    ['nullif', 'F64', [Number.NaN, Number.NaN], Number.NaN],
    ['coalesce', 'I64', [null, 2n, 3n], 2n],
  ];
  test.each(cases)('%s of %s, case %#', (name, type, values, expected) => {
    expect(evaluateCase(call(name, type, ...values.map((value) => given(type, value))))).toBe(
      expected,
    );
  });

  const rounding: readonly [ScalarType, Value, bigint, Value][] = [
    ['F64', -0.125, 2n, -0.13],
    ['F64', 1.115, 2n, 1.11],
    ['F64', 1.375, 2n, 1.38],
    ['F64', 1234.5, -2n, 1200],
    ['F64', 40, -2n, 0],
    ['F64', -40, -2n, -0],
    ['F64', 50, -2n, 100],
    ['F64', 1.7e308, -308n, 'invalid_argument: round produced a non-finite result'],
    ['F64', 0.1, 9223372036854775807n, 0.1],
    ['F64', 0.1, -9223372036854775808n, 0],
    ['F32', Math.fround(0.15), 1n, Math.fround(0.2)],
    ['I64', 155n, -1n, 160n],
    ['I64', -155n, -1n, -160n],
    ['I64', 155n, 3n, 155n],
    ['I8', 127, -1n, 'overflow: integer rounding overflowed'],
    ['I64', 9223372036854775807n, -18n, 9000000000000000000n],
    ['I64', 9223372036854775807n, -19n, 'overflow: integer rounding overflowed'],
  ];
  test.each(rounding)('round(%s %s, %s)', (type, value, decimals, expected) => {
    expect(evaluateCase(call('round', type, given(type, value), given('I64', decimals)))).toBe(
      expected,
    );
  });

  test.each([
    ['is_nan', Number.NaN, true],
    ['is_finite', Number.NaN, false],
    ['is_finite', 1, true],
    ['is_infinite', Number.NEGATIVE_INFINITY, true],
    ['is_infinite', Number.NaN, false],
  ])('%s(%s)', (name, value, expected) => {
    expect(evaluateCase(call(name, 'BOOL', given('F64', value)))).toBe(expected);
  });
});

test('TYPE 6.7 lists of both containers hold their elements, and are null where one of them is', () => {
  const listOf =
    (kind: 'vec' | 'array', ...values: (number | null)[]): Build =>
    (context) => {
      const elements = values.map((value) =>
        context.part(given('I64', value === null ? null : BigInt(value))),
      );
      const type =
        kind === 'vec'
          ? ({ kind, element: 'I64' } as const)
          : ({ kind, element: 'I64', length: values.length } as const);
      return { kind: 'list', elements, type, optional: true, sensitive: false };
    };
  for (const kind of ['vec', 'array'] as const) {
    expect(evaluateCase(listOf(kind, 1, 2))).toEqual([1n, 2n]);
    expect(evaluateCase(listOf(kind, 1, null))).toBe(null);
  }
  expect(evaluateCase(listOf('vec'))).toEqual([]);
});

test('every function of the table has a kernel, or looks at nulls or at its surroundings (TYPE 6)', () => {
  const others = [
    ...['coalesce', 'is_null', 'nullif', 'greatest', 'least', 'leak_sensitive', 'concat.text'],
    ...['concat_ws', 'now', 'uuid_v4', 'uuid_v7', 'read_header', 'read_headers'],
    ...['write_header', 'LOOKUP_HASH_MAP'],
  ];
  const overloads = [...BUILTIN_FUNCTIONS.values()].flatMap(({ signatures }) =>
    signatures.map(({ overload }) => overload),
  );
  expect([...kernelNames(), ...others].sort()).toEqual([...new Set(overloads)].sort());
});
