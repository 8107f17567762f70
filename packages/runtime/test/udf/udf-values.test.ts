import type { ArrayType, DataType, VecType } from '@nervix/model';
import { describe, expect, test } from 'vitest';
import type { Value } from '../../src/column/column.js';
import { callUdf, udfPlan } from '../support/udf-plans.js';

const vec = (element: DataType): VecType => ({ kind: 'vec', element });
const array = (element: DataType, length: number): ArrayType => ({
  kind: 'array',
  element,
  length,
});
const bytes = (...octets: number[]) => Uint8Array.from(octets);

const I64_MIN = -(2n ** 63n);
const U64_MAX = 2n ** 64n - 1n;

/** Values of each type that come out as they went in. */
const EXACT: readonly [DataType, readonly Value[]][] = [
  ['U8', [0, 255]],
  ['I8', [-128, 127]],
  ['U16', [0, 65_535]],
  ['I16', [-32_768, 32_767]],
  ['U32', [0, 4_294_967_295]],
  ['I32', [-2_147_483_648, 2_147_483_647]],
  ['U64', [0n, 9_007_199_254_740_993n, U64_MAX]],
  ['I64', [I64_MIN, -1n, 2n ** 63n - 1n]],
  ['DATETIME', [I64_MIN, 1_700_000_000_123_456_789n, 2n ** 63n - 1n]],
  ['F32', [Math.fround(0.1), -0, 3.4028234663852886e38]],
  ['F64', [5e-324, -0, Number.MAX_VALUE, 0.1]],
  ['BOOL', [true, false]],
  ['STRING', ['', 'a', 'Łódź', '\u{1F600}', 'a\0b', '\uFFFF']],
  ['BYTES', [bytes(), bytes(0, 255, 128)]],
  [vec('I64'), [[], [1n], [U64_MAX >> 1n, -5n]]],
  [vec('STRING'), [['', 'ü', 'z'], [], ['x']]],
  [vec('BYTES'), [[bytes(1), bytes()], []]],
  [vec(vec('U8')), [[[1, 2], []], [], [[3]]]],
  [vec(array('F64', 2)), [[[1, 2]], []]],
  [array('BOOL', 3), [[true, false, true]]],
  [array(vec('DATETIME'), 2), [[[1n], []]]],
  [
    array(array('I16', 2), 2),
    [
      [
        [1, -2],
        [3, 4],
      ],
    ],
  ],
];

describe('values cross exactly (TYPE 8)', () => {
  test.each(EXACT)('%j', (type, values) => {
    const identity = udfPlan('function f(a) { return a; }', [type], type);
    expect(
      callUdf(
        identity,
        values.map((value) => [value]),
      ),
    ).toStrictEqual(values);
  });

  test.each(EXACT)('%j, and null where it may be missing', (type, values) => {
    const identity = udfPlan('function f(a) { return a; }', [{ optional: type }], {
      optional: type,
    });
    const rows: readonly Value[] = [null, ...values, null];
    expect(
      callUdf(
        identity,
        rows.map((value) => [value]),
      ),
    ).toStrictEqual(rows);
  });

  test('lists are made of plain arrays, octets of Uint8Array, wide integers of BigInt', () => {
    const code = `const kind = (value) => Array.isArray(value) ? 'array'
      : value instanceof Uint8Array ? 'octets' : value === null ? 'null' : typeof value;
      function f(...values) { return values.map(kind).join(); }`;
    const types = ['U32', 'U64', 'DATETIME', 'F32', 'BOOL', 'BYTES', vec('U8')] as const;
    const plan = udfPlan(code, [...types, { optional: 'I8' }], 'STRING');
    expect(callUdf(plan, [[1, 1n, 1n, 1, true, bytes(1), [1], null]])).toEqual([
      'number,bigint,bigint,number,boolean,octets,array,null',
    ]);
  });

  test('eight arguments of one row stay together, row by row', () => {
    const plan = udfPlan(
      'function f(a, b, c, d, e, f, g, h) { return [a, b, c, d, e, f, g, h].join("|"); }',
      ['STRING', 'U8', { optional: 'STRING' }, 'BOOL', 'I64', vec('STRING'), 'F64', 'BYTES'],
      'STRING',
    );
    const rows: Value[][] = [
      ['x', 1, null, true, 5n, ['p', 'q'], 0.5, bytes(7, 8)],
      ['ÿ', 2, 'z', false, -5n, [], -1, bytes()],
    ];
    expect(callUdf(plan, rows)).toEqual(['x|1||true|5|p,q|0.5|7,8', 'ÿ|2|z|false|-5||-1|']);
  });
});

describe('results are checked row by row (TYPE 8, TX-55)', () => {
  const returning = (expression: string, returns: DataType) =>
    callUdf(udfPlan(`const f = (a) => ${expression};`, ['I32'], returns), [[0], [1]]);
  const OVERFLOW = 'overflow: numeric overflow';
  test.each<[string, DataType, readonly Value[]]>([
    ['a === 0 ? 255 : 256', 'U8', [255, OVERFLOW]],
    ['a === 0 ? -129 : -128', 'I8', [OVERFLOW, -128]],
    ['a === 0 ? -1n : 1n', 'U64', [OVERFLOW, 1n]],
    ['2n ** 63n - BigInt(a)', 'I64', [OVERFLOW, 2n ** 63n - 1n]],
    ['2n ** 63n - BigInt(a)', 'DATETIME', [OVERFLOW, 2n ** 63n - 1n]],
    ['4n / BigInt(a)', 'I64', ['division_by_zero: division by zero or signed overflow', 4n]],
    ['4n % BigInt(a)', 'I64', ['division_by_zero: division by zero or signed overflow', 0n]],
    ['a / 2', 'I32', [0, 'invalid_argument: result is no whole number']],
    [
      '1 / a',
      'F64',
      ['invalid_argument: floating-point operation produced a non-finite result', 1],
    ],
    [
      'a === 0 ? 1e300 : 1.5',
      'F32',
      ['invalid_argument: floating-point operation produced a non-finite result', 1.5],
    ],
    [
      'a === 0 ? "\\ud800" : "ok"',
      'STRING',
      ['invalid_argument: result is no well-formed text', 'ok'],
    ],
    ['a === 0 ? [1, 256] : [1]', vec('U8'), [OVERFLOW, [1]]],
    ['a === 0 ? reject() : a', 'I32', ["invalid_argument: UDF 'f' rejected the row", 1]],
    [
      'a === 0 ? reject("too small") : a',
      'I32',
      ["invalid_argument: UDF 'f' rejected the row: too small", 1],
    ],
  ])('%s as %j', (expression, returns, expected) => {
    expect(returning(expression, returns)).toStrictEqual(expected);
  });

  test('reasons that the code holds are told for each row, and no others however many', () => {
    const code = 'const f = (a) => reject(a % 2 === 0 ? "even" : "odd " + a);';
    const rows = Array.from({ length: 200 }, (_, row) => [row]);
    const told = "invalid_argument: UDF 'f' rejected the row";
    expect(callUdf(udfPlan(code, ['I32'], 'I32'), rows)).toEqual(
      rows.map(([row = 0]) => (row % 2 === 0 ? `${told}: even` : told)),
    );
  });

  test('a reason that does not stand in the code is not told: it may quote a value', () => {
    const plan = udfPlan('const f = (a) => reject("secret " + a);', ['STRING'], 'STRING');
    expect(callUdf(plan, [['value']])).toEqual(["invalid_argument: UDF 'f' rejected the row"]);
  });

  test('a rejection that code catches is none', () => {
    const code = 'const f = (a) => { try { return reject("no"); } catch { return a; } };';
    expect(callUdf(udfPlan(code, ['I32'], 'I32'), [[4]])).toEqual([4]);
  });
});

describe('results of another type fail the batch (TYPE 8)', () => {
  test.each<[string, DataType, string]>([
    ['"1"', 'I32', 'no I32'],
    ['1', 'I64', 'no I64'],
    ['1n', 'U8', 'no U8'],
    ['1', 'BOOL', 'no BOOL'],
    ['1', 'STRING', 'no STRING'],
    ['new String("x")', 'STRING', 'no STRING'],
    ['[1, 2]', 'BYTES', 'no BYTES'],
    ['new Uint16Array(2)', 'BYTES', 'no BYTES'],
    ['new Proxy(new Uint8Array(2), {})', 'BYTES', 'no BYTES'],
    ['"ab"', vec('STRING'), 'no list of the declared type'],
    ['({ length: 1, 0: 1 })', vec('U8'), 'no list of the declared type'],
    ['[1, 2]', array('U8', 3), 'no list of the declared type'],
    ['[null]', vec('U8'), 'unexpected null'],
    ['[1, , 3]', vec('U8'), 'undefined'],
    ['null', 'I32', 'unexpected null'],
    ['undefined', 'I32', 'undefined'],
    ['(async () => 1)()', 'I32', 'no I32'],
    ['(function* () { yield 1; })()', vec('I32'), 'no list of the declared type'],
  ])('%s as %j', (expression, returns, problem) => {
    const plan = udfPlan(`const f = (a) => ${expression};`, ['I32'], returns);
    expect(() => callUdf(plan, [[0]])).toThrow(`UDF 'f': call failed: result: ${problem}`);
  });
});
