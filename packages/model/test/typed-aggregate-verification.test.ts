import { expect, test } from 'vitest';
import {
  type DataType,
  type TypedAggregate,
  type TypedExpression,
  type TypedLiteral,
  typedAggregateDefect,
} from '../src/index.js';

const column = (type: DataType, optional = false): TypedExpression => ({
  ...{ kind: 'column', row: 'input', field: 'x', type, optional, sensitive: false },
});
const literal = (value: number): TypedLiteral => ({
  ...{ kind: 'literal', optional: false, sensitive: false },
  ...(Number.isInteger(value) ? { type: 'I64', value: String(value) } : { type: 'F64', value }),
});

function aggregate(
  name: string,
  type: DataType,
  read: readonly TypedExpression[],
  ...constants: number[]
): TypedAggregate {
  return {
    ...{ function: name, arguments: read, constants: constants.map(literal), type },
    ...{ optional: read.some(({ optional }) => optional), sensitive: false },
  };
}

const i64 = column('I64');
const H = 'PERCENTILE_LINEAR_HISTOGRAM';
const vec: DataType = { kind: 'vec', element: 'I64' };

test.each<[string, TypedAggregate]>([
  ['SUM', aggregate('SUM', 'I64', [i64])],
  ['MAX of a nullable', aggregate('MAX', 'STRING', [column('STRING', true)])],
  ['ARG_MIN', aggregate('ARG_MIN', 'STRING', [column('STRING'), i64])],
  ['a histogram', aggregate(H, 'F64', [i64], 99.9, 10, 0, 100.5, 2_000_000_000)],
  ['a count of different values', aggregate('APPROX_COUNT_DISTINCT', 'I64', [i64], 16)],
  ['a quantile', aggregate('APPROX_QUANTILE', 'F64', [i64], 50, 32)],
  ['the most frequent', aggregate('APPROX_TOP_K', vec, [i64], 3, 32)],
])('%s is an aggregate (TYPE 9)', (_, sound) => {
  expect(typedAggregateDefect(sound)).toBeUndefined();
});

test.each<[string, TypedAggregate, string]>([
  ['no aggregate', aggregate('NOPE', 'I64', [i64]), 'calls no aggregate'],
  ['another spelling', aggregate('sum', 'I64', [i64]), 'calls no aggregate'],
  ['no argument', aggregate('SUM', 'I64', []), 'calls SUM with other arguments'],
  ['a text', aggregate('SUM', 'STRING', [column('STRING')]), 'calls SUM with other arguments'],
  ['another type', aggregate('SUM', 'F64', [i64]), 'has type F64, which SUM has not'],
  [
    'a null that is none',
    { ...aggregate('SUM', 'I64', [column('I64', true)]), optional: false },
    'may be null',
  ],
  [
    'an argument that is none',
    aggregate('SUM', 'I64', [{ ...i64, kind: 'literal', value: 'x' } as TypedExpression]),
    'literal: is no decimal text',
  ],
  [
    'no precision',
    aggregate('APPROX_COUNT_DISTINCT', 'I64', [i64]),
    'calls APPROX_COUNT_DISTINCT with other arguments',
  ],
  ...[3, 17, 40].map((precision): [string, TypedAggregate, string] => [
    `a precision of ${precision}`,
    aggregate('APPROX_COUNT_DISTINCT', 'I64', [i64], precision),
    'gives APPROX_COUNT_DISTINCT a precision that it cannot have',
  ]),
  [
    'too large a capacity',
    aggregate('APPROX_QUANTILE', 'F64', [i64], 50, 2 ** 31),
    'gives APPROX_QUANTILE a capacity that it cannot have',
  ],
  [
    'more than is counted',
    aggregate('APPROX_TOP_K', vec, [i64], 33, 32),
    'asks APPROX_TOP_K for more than it counts',
  ],
  [
    'too many buckets',
    aggregate(H, 'F64', [i64], 50, 2 ** 40, 0, 1, 0),
    `gives ${H} a bucket_count that it cannot have`,
  ],
  [
    'half a bucket',
    aggregate(H, 'F64', [i64], 50, 1.5, 0, 1, 0),
    `gives ${H} a bucket_count that is not whole`,
  ],
  ['no range', aggregate(H, 'F64', [i64], 50, 10, 1, 1, 0), `gives ${H} no range`],
  [
    'a delay into the past',
    aggregate(H, 'F64', [i64], 50, 10, 0, 1, -1),
    `gives ${H} a delay that it cannot have`,
  ],
])('%s is refused (TYPE 9)', (_, unsound, defect) => {
  expect(typedAggregateDefect(unsound)).toBe(defect);
});
