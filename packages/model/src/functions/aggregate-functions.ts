import { INTEGER_OVERFLOW, INVALID_ARGUMENT } from './failure-kind.js';
import type { BuiltinFunction } from './function-signature.js';
import {
  exact,
  familyOf,
  number,
  ofClass,
  type SignatureChange,
  same,
  signature,
  T,
  VEC_OF_T,
  word,
} from './signature-builder.js';

const define = familyOf('aggregate', { place: 'aggregate' });
const REFUSES: SignatureChange = { failures: [INVALID_ARGUMENT] };
const NEVER_NULL: SignatureChange = { nullability: 'never' };
const moment = signature([ofClass('value', 'numeric')], 'F64', REFUSES);
const sample: typeof moment = { ...moment, nullability: 'always' };
const pair = signature([ofClass('a', 'numeric'), ofClass('b', 'numeric')], 'F64', REFUSES);
const samplePair: typeof pair = { ...pair, nullability: 'always' };
const truth = signature([exact('condition', 'BOOL')], 'BOOL');
const extreme = signature([same('value', 'comparable')], T);
const ordered = signature([same('value', 'any')], T);
const keyed = signature([same('value', 'any'), ofClass('key', 'comparable')], T);

/** Functions over the rows of a window. */
export const AGGREGATE_FUNCTIONS: readonly BuiltinFunction[] = [
  define(
    'COUNT',
    'How many rows there are.',
    signature([ofClass('value', 'any')], 'I64', NEVER_NULL),
  ),
  define(
    'COUNT_IF',
    'How many rows meet the condition.',
    signature([exact('condition', 'BOOL')], 'I64', NEVER_NULL),
  ),
  define('BOOL_AND', 'Whether every row meets the condition.', truth),
  define('BOOL_OR', 'Whether any row meets the condition.', truth),
  define(
    'SUM',
    'Sum of the values.',
    signature([same('value', 'numeric')], T, { failures: [INTEGER_OVERFLOW, INVALID_ARGUMENT] }),
  ),
  define('AVG', 'Arithmetic mean of the values.', moment),
  define('VAR_POP', 'Variance of the values as a population.', moment),
  define('STDDEV_POP', 'Standard deviation of the values as a population.', moment),
  define('VAR_SAMP', 'Variance of the values as a sample.', sample),
  define('STDDEV_SAMP', 'Standard deviation of the values as a sample.', sample),
  define('COVAR_POP', 'Covariance of the pairs as a population.', pair),
  define('COVAR_SAMP', 'Covariance of the pairs as a sample.', samplePair),
  define('CORR', 'Correlation of the pairs.', samplePair),
  define('MIN', 'The smallest value; NaN is above every number.', extreme),
  define('MAX', 'The largest value; NaN is above every number.', extreme),
  define('FIRST', 'Value of the earliest row.', ordered),
  define('LAST', 'Value of the latest row.', ordered),
  define('ARG_MIN', 'Value of the row with the smallest key.', keyed),
  define('ARG_MAX', 'Value of the row with the largest key.', keyed),
  define(
    'PERCENTILE_LINEAR_HISTOGRAM',
    'A percentile, read from a histogram of equal buckets.',
    signature(
      [
        ofClass('value', 'numeric'),
        number('percentile', 'percentile'),
        number('buckets', 'bucket_count'),
        number('min', 'lower_bound'),
        number('max', 'upper_bound'),
        word('delay', 'delay'),
      ],
      'F64',
      REFUSES,
    ),
  ),
  define(
    'APPROX_COUNT_DISTINCT',
    'About how many different values there are.',
    signature([same('value', 'comparable'), number('precision', 'precision')], 'I64', {
      ...NEVER_NULL,
      ...REFUSES,
    }),
  ),
  define(
    'APPROX_QUANTILE',
    'About a percentile of the values.',
    signature(
      [
        ofClass('value', 'numeric'),
        number('percentile', 'percentile'),
        number('capacity', 'capacity'),
      ],
      'F64',
      REFUSES,
    ),
  ),
  define(
    'APPROX_TOP_K',
    'About the k most frequent values.',
    signature(
      [same('value', 'comparable'), number('k', 'top_count'), number('capacity', 'capacity')],
      VEC_OF_T,
      { ...NEVER_NULL, ...REFUSES },
    ),
  ),
];
