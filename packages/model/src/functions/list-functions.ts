import { INTEGER_OVERFLOW, INVALID_ARGUMENT, NON_FINITE } from './failure-kind.js';
import type { BuiltinFunction } from './function-signature.js';
import {
  count,
  familyOf,
  listOf,
  type SignatureChange,
  same,
  signature,
  T,
  VEC_OF_T,
} from './signature-builder.js';

const define = familyOf('list');
const MAY_BE_EMPTY: SignatureChange = { nullability: 'always' };
const element = signature([listOf('list', 'comparable')], T, MAY_BE_EMPTY);
const NUMBERS = listOf('list', 'numeric');

/** Functions over ARRAY and VEC, beside `concat` and `contains`, which texts have too. */
export const LIST_FUNCTIONS: readonly BuiltinFunction[] = [
  define(
    'array',
    'An ARRAY of the values; null where one of them is.',
    signature([same('value', 'any')], { kind: 'array' }, { rest: same('value', 'any') }),
  ),
  define(
    'vec',
    'A VEC of the values; null where one of them is.',
    signature([same('value', 'any')], VEC_OF_T, { rest: same('value', 'any') }),
  ),
  define('count', 'How many elements the list has.', signature([listOf('list', 'any')], 'I64')),
  define(
    'sum',
    'Sum of the elements; null of an empty list.',
    signature([NUMBERS], T, { ...MAY_BE_EMPTY, failures: [INTEGER_OVERFLOW, NON_FINITE] }),
  ),
  define('first', 'The first element; null of an empty list.', element),
  define('last', 'The last element; null of an empty list.', element),
  define('min', 'The smallest element, NaN above all; null of an empty list.', element),
  define('max', 'The largest element, NaN above all; null of an empty list.', element),
  define(
    'nth',
    'The element at a position counted from 0; null beyond the ends.',
    signature([listOf('list', 'comparable'), count('n')], T, MAY_BE_EMPTY),
  ),
  define(
    'overlap',
    'Whether the lists have an element in common.',
    signature([listOf('list', 'scalar'), listOf('other', 'scalar')], 'BOOL'),
  ),
  define(
    'slice',
    'The elements from a position counted from 0, at most length of them.',
    signature([listOf('list', 'any'), count('start'), count('length')], VEC_OF_T),
  ),
  define(
    'mean',
    'Arithmetic mean of the elements; null of an empty list.',
    signature([NUMBERS], 'F64', { ...MAY_BE_EMPTY, failures: [NON_FINITE] }),
  ),
  define(
    'dot',
    'Dot product of two lists of one length.',
    signature([NUMBERS, listOf('other', 'numeric')], T, {
      failures: [INVALID_ARGUMENT, INTEGER_OVERFLOW, NON_FINITE],
    }),
  ),
  define(
    'distance',
    'Euclidean distance of two lists of one length.',
    signature([NUMBERS, listOf('other', 'numeric')], 'F64', { failures: [INVALID_ARGUMENT] }),
  ),
];
