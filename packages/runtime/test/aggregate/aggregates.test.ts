import type { DataType, SchemaPlan, TypedAggregate, TypedExpression } from '@nervix/model';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compileAggregates } from '../../src/aggregate/compile-aggregates.js';
import { BatchBuilder } from '../../src/batch/batch-builder.js';
import { readValue, type Value } from '../../src/column/column.js';
import { compareScalars } from '../../src/program/scalar-order.js';
import { SNAPSHOT } from '../program/expression-fixture.js';
import { Dice, randomBatch, SCALAR_SCHEMA as SCHEMA } from '../program/random-program.js';
import { propertyRuns } from '../support/property-runs.js';

const RUNS = propertyRuns(100);

function column(field: string, schema: SchemaPlan): TypedExpression {
  const found = schema.fields.find(({ name }) => name === field)!;
  return {
    kind: 'column',
    row: 'input',
    field,
    type: found.type,
    optional: found.optional,
    sensitive: false,
  };
}

function aggregate(name: string, type: DataType, ...args: TypedExpression[]): TypedAggregate {
  const nothing = { constants: [], sensitive: false };
  return { function: name, arguments: args, type, optional: true, ...nothing };
}

const PAIR: SchemaPlan = {
  name: 'pair',
  fields: [
    { name: 'a', type: 'F64', optional: true, sensitive: false },
    { name: 'b', type: 'F64', optional: true, sensitive: false },
  ],
};

function pairs(rows: readonly (readonly [Value, Value])[]) {
  const builder = new BatchBuilder(PAIR);
  for (const row of rows) builder.appendRow(row);
  return builder.finish();
}

function overPairs(
  names: readonly [string, DataType, ...string[]][],
  rows: readonly (readonly [Value, Value])[],
  evicted = 0,
): Value[] | string {
  const program = compileAggregates(
    names.map(([name, type, ...fields]) =>
      aggregate(name, type, ...fields.map((field) => column(field, PAIR))),
    ),
    PAIR,
  );
  const batch = pairs(rows);
  const input = program.evaluate(
    { rowCount: rows.length, input: batch },
    new BigInt64Array(rows.length),
    SNAPSHOT,
  );
  if (input.failures.length > 0) return input.failures[0]!.detail;
  const window = program.newWindow();
  window.admit(input, 0, rows.length);
  window.evictFirst(evicted, 0n);
  const result = window.results(0n);
  if (result.kind === 'failed') return result.detail;
  return result.batch.columns.map((one) => readValue(one, 0));
}

describe('statistics (TYPE 9.1, RT-112, RT-113)', () => {
  const single = (...values: Value[]): [Value, Value][] => values.map((value) => [value, null]);
  const cases: readonly [string, Value[], Value | string][] = [
    ['VAR_POP', [1e8 + 1, 1e8 + 3], 1],
    ['VAR_POP', [5], 0],
    ['VAR_SAMP', [5], null],
    ['VAR_SAMP', [1, 3], 2],
    ['STDDEV_POP', [1e8 + 1, 1e8 + 3], 1],
    ['AVG', [], null],
    ['AVG', [1e308, 1.5e308], 1.25e308],
    ['AVG', [null, 3, null, 4], 3.5],
    ['SUM', [1e16, 1, -1e16], 1],
    ['SUM', [0.1, 0.2, 0.3], 0.6],
    ['SUM', [1.7e308, 1.7e308], 'SUM of the window does not fit Float64'],
    ['MAX', [Number.NaN, 7], Number.NaN],
    ['MAX', [7, Number.NaN], Number.NaN],
    ['MIN', [Number.NaN, 7], 7],
    ['MIN', [0, -0], 0],
    ['MIN', [-0, 0], -0],
    ['MAX', [Number.POSITIVE_INFINITY, 1], Number.POSITIVE_INFINITY],
    ['MAX', [null, null], null],
    ['AVG', [1, Number.NaN], 'AVG requires finite floating-point arguments'],
    ['SUM', [Number.POSITIVE_INFINITY], 'SUM requires finite floating-point arguments'],
  ];
  test.each(cases)('%s of %j', (name, values, expected) => {
    const result = overPairs([[name, 'F64', 'a']], single(...values));
    expect(typeof result === 'string' ? result : result[0]).toBe(expected);
  });

  test('a refusal names the first function of the structure', () => {
    const result = overPairs(
      [
        ['VAR_POP', 'F64', 'a'],
        ['AVG', 'F64', 'a'],
      ],
      single(Number.NaN),
    );
    expect(result).toBe('AVG requires finite floating-point arguments');
  });

  test('stepping never subtracts: after 1e16 left, 0.5 and 0.25 sum to 0.75', () => {
    expect(
      overPairs(
        [
          ['SUM', 'F64', 'a'],
          ['AVG', 'F64', 'a'],
        ],
        single(1e16, 0.5, 0.25),
        1,
      ),
    ).toEqual([0.75, 0.375]);
  });

  test('co-moments count the rows that have both', () => {
    const names: [string, DataType, ...string[]][] = [
      ['COVAR_POP', 'F64', 'a', 'b'],
      ['COVAR_SAMP', 'F64', 'a', 'b'],
      ['CORR', 'F64', 'a', 'b'],
      ['COUNT', 'I64', 'a'],
    ];
    expect(
      overPairs(names, [
        [1, 2],
        [3, 6],
        [9, null],
        [null, 4],
      ]),
    ).toEqual([2, 4, 1, 4n]);
    expect(
      overPairs(names, [
        [1, 2],
        [3, 2],
      ]),
    ).toEqual([0, 0, null, 2n]);
    expect(overPairs(names, [[1, 2]])).toEqual([0, null, null, 1n]);
    expect(overPairs(names, [[1, null]])).toEqual([null, null, null, 1n]);
  });

  test('ARG_MIN and ARG_MAX take the earliest of equal keys among rows with both', () => {
    const names: [string, DataType, ...string[]][] = [
      ['ARG_MIN', 'F64', 'a', 'b'],
      ['ARG_MAX', 'F64', 'a', 'b'],
    ];
    expect(
      overPairs(names, [
        [null, 0],
        [1, 5],
        [2, 5],
        [3, 7],
        [4, 7],
        [5, null],
      ]),
    ).toEqual([1, 3]);
    expect(
      overPairs(names, [
        [1, Number.NaN],
        [2, 0],
      ]),
    ).toEqual([2, 1]);
  });
});

test('integer SUM is exact and checked only when the window is emitted (RT-112)', () => {
  const schema: SchemaPlan = {
    name: 's',
    fields: [{ name: 'v', type: 'I64', optional: false, sensitive: false }],
  };
  const program = compileAggregates([aggregate('SUM', 'I64', column('v', schema))], schema);
  const builder = new BatchBuilder(schema);
  const max = 2n ** 63n - 1n;
  for (const value of [max, max, -max, 9007199254740993n, -9007199254740992n])
    builder.appendRow([value]);
  const input = program.evaluate(
    { rowCount: 5, input: builder.finish() },
    new BigInt64Array(5),
    SNAPSHOT,
  );
  const window = program.newWindow();
  window.admit(input, 0, 2);
  expect(window.results(0n)).toMatchObject({
    kind: 'failed',
    detail: 'SUM of the window does not fit Int64',
  });
  window.admit(input, 2, 3);
  expect(window.results(0n)).toMatchObject({ kind: 'row' });
  window.evictFirst(3, 0n);
  window.admit(input, 3, 5);
  const result = window.results(0n);
  expect(result.kind === 'row' && result.batch.value('0', 0)).toBe(1n);
});

test('FIRST and LAST follow low watermarks, then admission (RT-112)', () => {
  const args = ['FIRST', 'LAST'].map((name) => aggregate(name, 'F64', column('a', PAIR)));
  const program = compileAggregates(args, PAIR);
  const batch = pairs([
    [1, null],
    [2, null],
    [3, null],
    [4, null],
    [null, null],
  ]);
  const lows = BigInt64Array.of(5n, 3n, 3n, 5n, 1n);
  const window = program.newWindow();
  window.admit(program.evaluate({ rowCount: 5, input: batch }, lows, SNAPSHOT), 0, 5);
  const result = window.results(0n);
  expect(result.kind === 'row' && [result.batch.value('0', 0), result.batch.value('1', 0)]).toEqual(
    [2, 4],
  );
});

/** Plain recomputation over the retained rows. */
function recomputed(name: string, values: readonly Value[]): Value {
  const present = values.filter((value) => value !== null);
  switch (name) {
    case 'COUNT':
      return BigInt(values.length);
    case 'COUNT_IF':
      return BigInt(present.filter((value) => value === true).length);
    case 'BOOL_AND':
      return present.length === 0 ? null : present.every((value) => value === true);
    case 'BOOL_OR':
      return present.length === 0 ? null : present.some((value) => value === true);
    case 'SUM':
      return present.length === 0
        ? null
        : present.reduce<bigint>((sum, value) => sum + BigInt(value as bigint), 0n);
    case 'FIRST':
      return present[0] ?? null;
    case 'LAST':
      return present.at(-1) ?? null;
    default: {
      const sign = name === 'MIN' ? -1 : 1;
      return present.reduce<Value>(
        (best, value) => (best === null || compareScalars(value, best) * sign > 0 ? value : best),
        null,
      );
    }
  }
}

test('windows yield what recomputation over their rows yields (RT-110…113)', () => {
  const specs: [string, DataType, string][] = [
    ['COUNT', 'I64', 'string_opt'],
    ['COUNT_IF', 'I64', 'bool_opt'],
    ['BOOL_AND', 'BOOL', 'bool_opt'],
    ['BOOL_OR', 'BOOL', 'bool_opt'],
    ...(
      ['i64_opt', 'u64_opt', 'i32', 'f64_opt', 'f32', 'string_opt', 'datetime_opt', 'bool'] as const
    ).flatMap((field): [string, DataType, string][] =>
      ['MIN', 'MAX', 'FIRST', 'LAST'].map((name) => [name, column(field, SCHEMA).type, field]),
    ),
  ];
  const aggregates = specs.map(([name, type, field]) =>
    aggregate(name, type, column(field, SCHEMA)),
  );
  const names = new Set(specs.map(([, , name]) => name));
  const READ = { ...SCHEMA, fields: SCHEMA.fields.filter(({ name }) => names.has(name)) };
  const program = compileAggregates(aggregates, READ);
  fc.assert(
    fc.property(fc.integer(), (seed) => {
      const dice = new Dice(seed);
      const window = program.newWindow();
      let retained: Map<string, Value>[] = [];
      let low = 0n;
      for (let step = 0; step < 6; step += 1) {
        const batch = randomBatch(dice, 1 + dice.below(8), READ);
        const lows = BigInt64Array.from({ length: batch.rowCount }, () => low++);
        const input = program.evaluate({ rowCount: batch.rowCount, input: batch }, lows, SNAPSHOT);
        expect(input.failures).toEqual([]);
        const start = dice.below(batch.rowCount);
        window.admit(input, start, batch.rowCount);
        for (let row = start; row < batch.rowCount; row += 1) {
          retained.push(new Map(READ.fields.map(({ name }) => [name, batch.value(name, row)])));
        }
        const evicted = dice.chance(0.2) ? retained.length : dice.below(8);
        window.evictFirst(evicted, 0n);
        retained = retained.slice(evicted);
        expect(window.rowCount).toBe(retained.length);
        if (retained.length === 0) expect(window.byteSize).toBe(0);
        const result = window.results(0n);
        if (result.kind !== 'row') throw new Error(result.detail);
        const found = specs.map((_, index) => result.batch.value(String(index), 0));
        const expected = specs.map(([name, , field]) =>
          recomputed(
            name,
            retained.map((row) => row.get(field)!),
          ),
        );
        expect(found).toEqual(expected);
      }
    }),
    { numRuns: RUNS },
  );
});
