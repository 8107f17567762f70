import { type Expression, type TypedAggregate, WINDOW_AGGREGATES } from '@nervix/model';
import { describe, expect, test } from 'vitest';
import { WINDOW_SET } from '../../src/expression/scope-policy.js';
import { binary, call, field, float, int, neg, text } from '../support/expressions.js';
import { TYPE_COLUMNS, TYPE_SETS } from '../support/signature-rows.js';
import { scopeOf, typeOf } from '../support/typing.js';

const input = (name: string) => field(`input.${name}`);
const windowType = (expression: Expression) => typeOf(expression, scopeOf(WINDOW_SET));
const TYPES = Object.keys(TYPE_COLUMNS);
const columnOf = (type: string, prefix = '') => input(`${prefix}${TYPE_COLUMNS[type]}`);

const HISTOGRAM = [int(95), int(10), int(0), float(100.5), text('5s')] as const;

/**
 * Chapter 9: name, types of the first argument and of the second, result, and whether it may be null
 * (`!` never, `?` always, nothing when an argument may).
 */
const ROWS: readonly (readonly [string, string, string | null, string, '' | '!' | '?'])[] = [
  ['COUNT', 'a', null, 'I64', '!'],
  ['COUNT_IF', 'b', null, 'I64', '!'],
  ['BOOL_AND', 'b', null, 'BOOL', ''],
  ['BOOL_OR', 'b', null, 'BOOL', ''],
  ['SUM', 'n', null, 'T', ''],
  ['AVG', 'n', null, 'F64', ''],
  ['VAR_POP', 'n', null, 'F64', ''],
  ['STDDEV_POP', 'n', null, 'F64', ''],
  ['VAR_SAMP', 'n', null, 'F64', '?'],
  ['STDDEV_SAMP', 'n', null, 'F64', '?'],
  ['COVAR_POP', 'n', 'n', 'F64', ''],
  ['COVAR_SAMP', 'n', 'n', 'F64', '?'],
  ['CORR', 'n', 'n', 'F64', '?'],
  ['MIN', 'c', null, 'T', ''],
  ['MAX', 'c', null, 'T', ''],
  ['FIRST', 'a', null, 'T', ''],
  ['LAST', 'a', null, 'T', ''],
  ['ARG_MIN', 'a', 'c', 'T', ''],
  ['ARG_MAX', 'a', 'c', 'T', ''],
];

describe('TYPE 9 truth tables of aggregates', () => {
  test.each(ROWS)('%s', (name, firstSet, secondSet, result, nullability) => {
    const wrong: string[] = [];
    // BYTES is refused with the place of the argument, by the window.
    const types = TYPES.filter((type) => type !== 'BYTES');
    for (const first of types) {
      for (const second of secondSet === null ? [null] : types) {
        const args = [first, ...(second === null ? [] : [second])];
        const isTaken = args.every((type, index) =>
          TYPE_SETS[[firstSet, secondSet ?? ''][index] ?? '']?.includes(type),
        );
        const found = windowType(call(name, ...args.map((type) => columnOf(type))));
        const mark = nullability === '?' ? '?' : '';
        const expected = `${result === 'T' ? first : result}${mark}`;
        if (isTaken ? found !== expected : !found.includes(' requires ')) {
          wrong.push(`${args.join(', ')}: ${found}`);
        }
      }
    }
    expect(wrong).toEqual([]);
  });

  test.each(ROWS)('TYPE 1.2, 1.3 nulls and sensitivity of %s', (name, first, second, _, nulls) => {
    const args = [first, ...(second === null ? [] : [second])].map(
      (set) => TYPE_SETS[set]?.[0] ?? '',
    );
    const made = (prefixes: readonly string[]) =>
      windowType(call(name, ...args.map((type, index) => columnOf(type, prefixes[index] ?? ''))));
    for (const place of args.keys()) {
      const only = (prefix: string) => args.map((_type, index) => (index === place ? prefix : ''));
      expect(made(only('opt_')).endsWith('?')).toBe(nulls !== '!');
      expect(made(only('sec_'))).toMatch(/!$/u);
    }
  });

  test('every aggregate has a row or is a sketch', () => {
    const rows = ROWS.map(([name]) => name);
    expect([...WINDOW_AGGREGATES.keys()].filter((name) => !rows.includes(name))).toEqual([
      'PERCENTILE_LINEAR_HISTOGRAM',
      'APPROX_COUNT_DISTINCT',
      'APPROX_QUANTILE',
      'APPROX_TOP_K',
    ]);
  });
});

test.each<[string, Expression, string]>([
  [
    'BOOL_OR of a number',
    call('bool_or', input('i64')),
    'BOOL_OR requires Boolean input, found Int64',
  ],
  ['SUM of text', call('sum', input('text')), 'SUM requires numeric input, found Utf8'],
  ['CORR of one', call('corr', input('f32')), 'CORR expects 2 argument(s), found 1'],
  [
    'MAX of a list',
    call('max', input('vec')),
    'MAX requires numeric, Boolean, Utf8 or Timestamp input, found List(Int64)',
  ],
  [
    'TX-44 PERCENTILE',
    call('percentile', input('f64')),
    'PERCENTILE is not supported; use PERCENTILE_LINEAR_HISTOGRAM',
  ],
  ['per-row expression', call('sum', binary(input('i64'), 'mul', int(2))), 'I64'],
  ['function over a result', call('coalesce', call('max', input('opt_i64')), int(0)), 'I64'],
  [
    'list function of a window',
    call('mean', input('vec')),
    'input.vec is available only inside a window aggregate argument',
  ],
  ['plain text', text('a'), 'STRING'],
])('TYPE 9 %s', (_, expression, expected) => {
  expect(windowType(expression)).toBe(expected);
});

const histogram = (changes: Readonly<Record<number, Expression>> = {}) =>
  call(
    'percentile_linear_histogram',
    input('opt_f32'),
    ...HISTOGRAM.map((argument, index) => changes[index] ?? argument),
  );
const H = 'PERCENTILE_LINEAR_HISTOGRAM';

test.each<[string, Expression, string]>([
  ['histogram', histogram(), 'F64?'],
  [
    'TX-44 percentile',
    histogram({ 0: int(101) }),
    `${H} percentile argument must be between 0 and 100`,
  ],
  ['a fraction', histogram({ 0: float(99.9) }), 'F64?'],
  ['TX-44 buckets', histogram({ 1: int(0) }), `${H} bucket count must be greater than zero`],
  ['too many buckets', histogram({ 1: int(65_537) }), `${H} bucket count must be at most 65536`],
  ['TX-44 bounds', histogram({ 3: int(0) }), `${H} minimum must be less than maximum`],
  [
    'TX-44 delay',
    histogram({ 4: input('text') }),
    `${H} delay argument must be a duration string constant`,
  ],
  [
    'TX-44 delay duration',
    histogram({ 4: text('5x') }),
    `invalid ${H} delay duration '5x': unknown unit 'x'`,
  ],
  ['no literal', histogram({ 2: neg(int(1)) }), `${H} min argument must be a numeric constant`],
  [
    'buckets that are no integer',
    histogram({ 1: float(10) }),
    `${H} bucket count must be an integer constant`,
  ],
  ['distinct', call('approx_count_distinct', input('opt_text'), int(12)), 'I64'],
  [
    'precision',
    call('approx_count_distinct', input('text'), int(17)),
    'APPROX_COUNT_DISTINCT precision argument must be between 4 and 16',
  ],
  ['quantile', call('approx_quantile', input('u8'), float(50), int(32)), 'F64'],
  [
    'capacity',
    call('approx_quantile', input('u8'), int(50), int(31)),
    'APPROX_QUANTILE capacity argument must be between 32 and 4096',
  ],
  ['top k', call('approx_top_k', input('opt_text'), int(10), int(64)), 'VEC<STRING>'],
  [
    'k above the capacity',
    call('approx_top_k', input('text'), int(65), int(64)),
    'APPROX_TOP_K k argument must not exceed its capacity',
  ],
  [
    'k',
    call('approx_top_k', input('text'), int(0), int(64)),
    'APPROX_TOP_K k argument must be at least 1',
  ],
  [
    'top k of lists',
    call('approx_top_k', input('vec'), int(1), int(64)),
    'APPROX_TOP_K requires numeric, Boolean, Utf8 or Timestamp input, found List(Int64)',
  ],
])('TYPE 9 settings: %s', (_, expression, expected) => {
  expect(windowType(expression)).toBe(expected);
});

test('results are numbered in order of evaluation, with their settings apart', () => {
  const aggregates: TypedAggregate[] = [];
  const scope = scopeOf(WINDOW_SET, { aggregates });
  typeOf(binary(call('sum', input('i64')), 'add', call('count', input('i64'))), scope);
  typeOf(histogram(), scope);
  expect(aggregates).toMatchObject([
    { function: 'SUM', constants: [] },
    { function: 'COUNT' },
    {
      function: H,
      arguments: [{ kind: 'column', field: 'opt_f32' }],
      constants: [
        { value: '95' },
        { value: '10' },
        { value: '0' },
        { value: 100.5 },
        { type: 'I64', value: '5000000000' },
      ],
    },
  ]);
});
