import type { SchemaPlan } from '@nervix/model';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compileWindows } from '../../src/aggregate/compile-windows.js';
import { BatchBuilder } from '../../src/batch/batch-builder.js';
import type { RecordBatch } from '../../src/batch/record-batch.js';
import { readValue, type Value } from '../../src/column/column.js';
import { compileProjection } from '../../src/program/compile-projection.js';
import { Dice, randomBatch, SCALAR_SCHEMA } from '../program/random-program.js';
import { programIn } from '../support/programs.js';
import { propertyRuns } from '../support/property-runs.js';

/** Eight bytes a row are more than the least that is given back. */
const ROWS = 520;

const valuesOf = (batch: RecordBatch): Value[][] =>
  batch.columns.map((column) =>
    Array.from({ length: batch.rowCount }, (_, row) => readValue(column, row)),
  );

/** Whether two values are the same; matchers take long over many. */
function isSame(left: Value | undefined, right: Value | undefined): boolean {
  if (left instanceof Uint8Array && right instanceof Uint8Array) {
    return Buffer.compare(left, right) === 0;
  }
  return Object.is(left, right);
}

/** Checks the rows of a batch, by default all in order, against the values of another. */
function expectValues(batch: RecordBatch, values: Value[][], rows?: Int32Array): void {
  batch.columns.forEach((column, index) => {
    for (let row = 0; row < batch.rowCount; row += 1) {
      const expected = values[index]?.[rows?.[row] ?? row];
      const found = readValue(column, row);
      if (!isSame(found, expected)) expect([row, found]).toEqual([row, expected]);
    }
  });
}

/** A batch whose columns are large enough to be given back; by default of any two types. */
function largeBatch(dice: Dice, schema: SchemaPlan = anySchema(dice)): RecordBatch {
  const few = randomBatch(dice, 8, schema);
  return few.take(Int32Array.from({ length: ROWS }, () => dice.below(8)));
}

const anySchema = (dice: Dice): SchemaPlan => ({
  name: 'any',
  fields: [dice.pick(SCALAR_SCHEMA.fields), dice.pick(SCALAR_SCHEMA.fields)],
});

const READ: SchemaPlan = {
  name: 'read',
  fields: SCALAR_SCHEMA.fields.filter(({ name }) => /^(i64|i32|string|bool|f32)_opt$/.test(name)),
};
const EXPRESSIONS = {
  sum: 'i64_opt % 7 + i64_opt',
  product: 'i32_opt * 3 AS I32',
  text: "concat(string_opt, 'x')",
  upper: 'upper(string_opt)',
  flag: 'is_null(i32_opt) OR bool_opt',
  single: 'coalesce(f32_opt, 1.5 AS F32)',
};
const projection = compileProjection({
  input: READ,
  fields: Object.fromEntries(
    Object.entries(EXPRESSIONS).map(([name, text]) => [
      name,
      programIn('processor_condition', text, READ),
    ]),
  ),
});

const ALL = Int32Array.from({ length: ROWS }, (_, row) => row % 40);
const WASTE = randomBatch(new Dice(7), 40, {
  name: 'waste',
  fields: SCALAR_SCHEMA.fields.filter(({ name }) => /^(i64|u8|string|bool)$/.test(name)),
});

describe('batches that are given back', () => {
  test('leave those that share nothing with them as they were, and those to come', () => {
    fc.assert(
      fc.property(fc.integer(), (seed) => {
        const dice = new Dice(seed);
        const live: { batch: RecordBatch; values: Value[][] }[] = [];
        for (let step = 0; step < 4; step += 1) {
          const batch = largeBatch(dice);
          const values = valuesOf(batch);
          if (dice.chance(0.5)) batch.recycle();
          else live.push({ batch, values });
          const picked = Int32Array.from({ length: ROWS }, () => dice.below(ROWS));
          for (const { batch: other, values: expected } of live) {
            const taken = other.take(picked);
            expectValues(taken, expected, picked);
            taken.recycle();
          }
        }
        for (const { batch, values } of live) expectValues(batch, values);
      }),
      { numRuns: propertyRuns(50) },
    );
  });

  test('make no difference to what is computed in their memory', () => {
    fc.assert(
      fc.property(fc.integer(), (seed) => {
        const dice = new Dice(seed);
        const input = largeBatch(dice, READ);
        const snapshot = { generation: 1, nowNanos: 7n, randomBytes: () => new Uint8Array(16) };
        const first = projection.run(input, snapshot);
        const expected = valuesOf(first.batch);
        // What lies ready then has been written over from end to end.
        for (const each of [WASTE.take(ALL), WASTE.take(ALL)]) each.recycle();
        const again = projection.run(input, snapshot).batch;
        expect(again.rowCount).toBe(first.batch.rowCount);
        expectValues(again, expected);
      }),
      { numRuns: propertyRuns(50) },
    );
  });

  test('are empty, twice given back too', () => {
    const batch = largeBatch(new Dice(1), SCALAR_SCHEMA);
    const numbers = batch.columns.flatMap((column) =>
      column.kind === 'fixed' && column.values.byteLength > 4096 ? [column.values] : [],
    );
    expect(numbers.length).toBeGreaterThan(4);
    batch.recycle();
    batch.recycle();
    expect(numbers.map(({ length }) => length)).toEqual(numbers.map(() => 0));
  });

  test('stay where windows hold their rows', () => {
    const plain = { optional: false, sensitive: false } as const;
    const schema: SchemaPlan = { name: 's', fields: [{ name: 'x', type: 'F64', ...plain }] };
    const windows = compileWindows({
      ...{ input: schema, keys: {}, rows: null },
      fields: { spread: programIn('window_set', 'VAR_POP(input.x)', schema) },
    });
    const builder = new BatchBuilder(schema);
    for (let row = 0; row < 1000; row += 1) builder.appendRow([row % 2 === 0 ? 1 : 3]);
    const batch = builder.finish();
    windows.run(batch);
    batch.recycle();
    new BatchBuilder(schema).reserveRows(1000);
    expect(windows.flush().batch.value('spread', 0)).toBe(1);
  });
});
