import type { DataType, TypedAggregate, TypedLiteral } from '@nervix/model';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { AggregateInput } from '../../src/aggregate/aggregate-input.js';
import { compileAggregates } from '../../src/aggregate/compile-aggregates.js';
import type { Value } from '../../src/column/column.js';
import { SNAPSHOT } from '../program/expression-fixture.js';
import { Dice, randomBatch, SCALAR_SCHEMA as SCHEMA } from '../program/random-program.js';

const numRuns = Number(process.env['PROP_RUNS'] ?? 100);
const PANE = 7n;
const DELAY = 5n;

function literal(value: number): TypedLiteral {
  const type: DataType = Number.isInteger(value) ? 'I64' : 'F64';
  return { kind: 'literal', value, type, optional: false, sensitive: false };
}

function over(name: string, type: DataType, field: string, ...constants: number[]): TypedAggregate {
  const found = SCHEMA.fields.find((each) => each.name === field)!;
  const argument = {
    ...({ kind: 'column', row: 'input', field, type: found.type } as const),
    ...{ optional: found.optional, sensitive: false },
  };
  const settings = { constants: constants.map(literal), optional: true, sensitive: false };
  return { function: name, arguments: [argument], type, ...settings };
}

/** A row as the model of a window keeps it. */
interface Row {
  readonly input: AggregateInput;
  readonly at: number;
  readonly values: ReadonlyMap<string, Value>;
}

function present(rows: readonly Row[], field: string): (number | bigint | string | boolean)[] {
  return rows.flatMap(({ values }) => {
    const value = values.get(field) ?? null;
    return value === null ? [] : [value as number | bigint | string | boolean];
  });
}

/** Quantile of numbers with a linear way between neighbours, as of spreadsheets. */
function quantile(values: readonly number[], share: number): number | null {
  if (values.length === 0) return null;
  const sorted = values.toSorted((left, right) => left - right);
  const rank = share * (sorted.length - 1);
  const [low, high] = [sorted[Math.floor(rank)]!, sorted[Math.ceil(rank)]!];
  return low + (high - low) * (rank - Math.floor(rank));
}

/** The most frequent, then the smallest. */
function top(values: readonly (string | number | bigint | boolean)[], k: number): Value {
  const counts = new Map<string | number | bigint | boolean, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  const order = (left: unknown, right: unknown): number =>
    typeof left === 'string' && typeof right === 'string'
      ? Buffer.compare(Buffer.from(left), Buffer.from(right))
      : (left as number) < (right as number)
        ? -1
        : 1;
  const sorted = [...counts].sort(([left, one], [right, two]) => two - one || order(left, right));
  return sorted.slice(0, k).map(([value]) => value);
}

const LOWS = 'i32';

test('sketches of moving windows are those of their rows, in panes and with delays (RT-112, RT-115)', () => {
  const aggregates = [
    over('APPROX_COUNT_DISTINCT', 'I64', 'string_opt', 8),
    over('APPROX_COUNT_DISTINCT', 'I64', 'i64_opt', 8),
    over('APPROX_QUANTILE', 'F64', LOWS, 25, 512),
    over('APPROX_QUANTILE', 'F64', LOWS, 99.5, 512),
    over('APPROX_TOP_K', { kind: 'vec', element: 'STRING' }, 'string_opt', 3, 128),
    over('PERCENTILE_LINEAR_HISTOGRAM', 'F64', LOWS, 50, 10, 0, 100, Number(DELAY)),
  ];
  const program = compileAggregates(aggregates, SCHEMA, PANE);
  expect(program.structures.map(({ kind }) => kind)).toEqual([
    'hll',
    'hll',
    'quantile_sketch',
    'frequent_items',
    'linear_histogram',
  ]);
  const unpaned = compileAggregates(aggregates.slice(0, 2), SCHEMA);
  fc.assert(
    fc.property(fc.integer(), (seed) => {
      const dice = new Dice(seed);
      const window = program.newWindow();
      let retained: Row[] = [];
      let leaving: { due: bigint; rows: Row[] }[] = [];
      let now = 0n;
      for (let step = 0; step < 6; step += 1) {
        const batch = randomBatch(dice, 1 + dice.below(12), SCHEMA);
        const lows = BigInt64Array.from(
          { length: batch.rowCount },
          () => now + BigInt(dice.below(9)) - 4n,
        );
        const input = program.evaluate({ rowCount: batch.rowCount, input: batch }, lows, SNAPSHOT);
        const bytes = window.byteSize + window.bytesOf(input, 0, input.rows.length);
        window.admit(input, 0, input.rows.length);
        expect(window.byteSize).toBe(bytes);
        input.rows.forEach((row, at) => {
          const values = new Map(SCHEMA.fields.map(({ name }) => [name, batch.value(name, row)]));
          retained.push({ input, at, values });
        });
        now += BigInt(dice.below(6));
        const evicted = dice.chance(0.15) ? retained.length : dice.below(8);
        window.evictFirst(evicted, now);
        leaving.push({ due: now + DELAY, rows: retained.slice(0, evicted) });
        retained = retained.slice(evicted);
        now += BigInt(dice.below(6));
        leaving = leaving.filter(({ due }) => due > now);
        const result = window.results(now);
        if (result.kind !== 'row') throw new Error(result.detail);
        const found = aggregates.map((_, index) => result.batch.value(String(index), 0));
        const numbers = present(retained, LOWS) as number[];
        const counted = [...leaving.flatMap(({ rows }) => rows), ...retained];
        const buckets = (present(counted, LOWS) as number[])
          .map((value) => Math.min(9, Math.max(0, Math.floor(value / 10))))
          .sort((left, right) => left - right);
        const middle = buckets[Math.round((buckets.length - 1) / 2)];
        // Different values may meet in a register, in the same way in a sketch without panes.
        const whole = unpaned.newWindow();
        for (const { input, at } of retained) whole.admit(input, at, at + 1);
        const counts = whole.results(now);
        if (counts.kind !== 'row') throw new Error(counts.detail);
        expect(found.slice(0, 2)).toEqual([counts.batch.value('0', 0), counts.batch.value('1', 0)]);
        for (const [at, share] of [
          [2, 0.25],
          [3, 0.995],
        ] as const) {
          const expected = quantile(numbers, share);
          if (expected === null) expect(found[at]).toBeNull();
          else expect(found[at]).toBeCloseTo(expected, 3);
        }
        expect(found[4]).toEqual(top(present(retained, 'string_opt'), 3));
        expect(found[5]).toBe(middle === undefined ? null : (middle + 0.5) * 10);
      }
      window.clear();
      const empty = window.results(now);
      if (empty.kind !== 'row') throw new Error(empty.detail);
      expect(aggregates.map((_, index) => empty.batch.value(String(index), 0))).toEqual([
        ...[0n, 0n, null, null, [], null],
      ]);
    }),
    { numRuns },
  );
});

test('a NaN or an infinity enters no sketch and is refused by name (TYPE 9.1, RT-113)', () => {
  for (const [name, type, constants] of [
    ['APPROX_COUNT_DISTINCT', 'I64', [4]],
    ['APPROX_QUANTILE', 'F64', [50, 32]],
    ['PERCENTILE_LINEAR_HISTOGRAM', 'F64', [50, 10, 0, 1, 0]],
  ] as const) {
    const program = compileAggregates([over(name, type, 'f64_opt', ...constants)], SCHEMA);
    const dice = new Dice(7);
    let refused = 0;
    for (let round = 0; round < 40; round += 1) {
      const batch = randomBatch(dice, 20, SCHEMA);
      const rows = { rowCount: batch.rowCount, input: batch };
      const input = program.evaluate(rows, new BigInt64Array(batch.rowCount), SNAPSHOT);
      const unfit = Array.from({ length: 20 }, (_, row) => row).filter((row) => {
        const value = batch.value('f64_opt', row);
        return value !== null && !Number.isFinite(value);
      });
      expect(input.failures.map(({ row }) => row)).toEqual(unfit);
      for (const { detail } of input.failures) {
        expect(detail).toBe(`${name} requires finite floating-point arguments`);
      }
      refused += unfit.length;
    }
    expect(refused).toBeGreaterThan(0);
  }
});

test('panes and delayed rows count against MAX STATE SIZE, and go with their rows (RT-108, RT-115)', () => {
  const aggregates = [over('APPROX_COUNT_DISTINCT', 'I64', LOWS, 9)];
  const window = compileAggregates(aggregates, SCHEMA, 10n).newWindow();
  const program = compileAggregates(aggregates, SCHEMA, 10n);
  const batch = randomBatch(new Dice(3), 6, SCHEMA);
  const lows = BigInt64Array.of(-1n, 0n, 9n, 10n, 19n, 20n);
  const input = program.evaluate({ rowCount: 6, input: batch }, lows, SNAPSHOT);
  window.admit(input, 0, 6);
  const rows = window.bytesOf(input, 0, 6);
  expect(window.byteSize).toBe(rows + 4 * (512 + 128));
  window.evictFirst(3, 20n);
  expect(window.byteSize).toBe(window.bytesOf(input, 3, 6) + 2 * (512 + 128));
  window.evictFirst(3, 20n);
  expect(window.byteSize).toBe(0);
});
