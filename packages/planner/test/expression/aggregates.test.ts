import type { Expression } from '@nervix/model';
import { expect, test } from 'vitest';
import { WINDOW_SET } from '../../src/expression/scope-policy.js';
import { binary, call, field, int, text } from '../support/expressions.js';
import { scopeOf, typeOf } from '../support/typing.js';

const input = (name: string) => field(`input.${name}`);

test.each<[string, Expression, string]>([
  ['COUNT', call('count', input('opt_vec')), 'I64'],
  ['COUNT_IF', call('COUNT_IF', input('opt_flag')), 'I64'],
  ['BOOL_AND', call('bool_and', input('opt_flag')), 'BOOL?'],
  ['BOOL_OR', call('bool_or', input('flag')), 'BOOL'],
  [
    'BOOL_OR of a number',
    call('bool_or', input('i64')),
    'BOOL_OR requires Boolean input, found Int64',
  ],
  ['SUM', call('sum', input('u8')), 'U8'],
  ['SUM of text', call('sum', input('text')), 'SUM requires numeric input, found Utf8'],
  ['AVG', call('avg', input('opt_u8')), 'F64?'],
  ['VAR_POP', call('var_pop', input('f32')), 'F64'],
  ['STDDEV_POP', call('stddev_pop', input('f32')), 'F64'],
  ['VAR_SAMP', call('var_samp', input('f32')), 'F64?'],
  ['STDDEV_SAMP', call('stddev_samp', input('f32')), 'F64?'],
  ['COVAR_POP', call('covar_pop', input('f32'), input('i64')), 'F64'],
  ['COVAR_SAMP', call('covar_samp', input('f32'), input('i64')), 'F64?'],
  ['CORR', call('corr', input('f32'), input('i64')), 'F64?'],
  ['CORR of one', call('corr', input('f32')), 'CORR expects 2 argument(s), found 1'],
  ['MIN', call('min', input('text')), 'STRING'],
  ['MAX', call('max', input('opt_at')), 'DATETIME?'],
  [
    'MAX of a list',
    call('max', input('vec')),
    'MAX requires numeric, Boolean, Utf8 or Timestamp input, found List(Int64)',
  ],
  ['FIRST', call('first', input('vec')), 'VEC<I64>'],
  ['LAST', call('last', input('opt_text')), 'STRING?'],
  ['ARG_MIN', call('arg_min', input('text'), input('opt_i64')), 'STRING?'],
  ['ARG_MAX', call('arg_max', input('vec'), input('at')), 'VEC<I64>'],
  [
    'PERCENTILE',
    call('percentile', input('f64')),
    'PERCENTILE is not supported; use PERCENTILE_LINEAR_HISTOGRAM',
  ],
  [
    'a sketch',
    call('approx_top_k', input('f64')),
    'aggregate APPROX_TOP_K is not supported by this release',
  ],
  ['sensitive argument', call('count', input('sec_text')), 'I64!'],
  ['per-row expression', call('sum', binary(input('i64'), 'mul', int(2))), 'I64'],
  ['function over a result', call('coalesce', call('max', input('opt_i64')), int(0)), 'I64'],
  [
    'list function of a window',
    call('mean', input('vec')),
    'input.vec is available only inside a window aggregate argument',
  ],
  ['plain text', text('a'), 'STRING'],
])('TYPE 9 %s', (_, expression, expected) => {
  expect(typeOf(expression, scopeOf(WINDOW_SET))).toBe(expected);
});

test('results are numbered in order of evaluation', () => {
  const aggregates: never[] = [];
  const scope = scopeOf(WINDOW_SET, { aggregates });
  typeOf(binary(call('sum', input('i64')), 'add', call('count', input('i64'))), scope);
  expect(aggregates).toMatchObject([{ function: 'SUM' }, { function: 'COUNT' }]);
});
