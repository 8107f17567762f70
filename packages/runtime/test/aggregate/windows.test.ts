import type { TypedProgram } from '@nervix/model';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Value } from '../../src/column/column.js';
import {
  BatchBuilder,
  compileWindows,
  type RecordBatch,
  readValue,
  type Windows,
} from '../../src/engine.js';
import { programIn } from '../support/programs.js';
import { propertyRuns } from '../support/property-runs.js';

const RUNS = propertyRuns(100);

const field = (name: string, type: 'STRING' | 'I64' | 'F64', optional = false) => ({
  name,
  type,
  optional,
  sensitive: false,
});
const INPUT = {
  name: 'events',
  fields: [field('tenant', 'STRING', true), field('n', 'I64'), field('x', 'F64', true)],
};
const keyed = (text: string): TypedProgram => programIn('processor_condition', text, INPUT);
const over = (text: string): TypedProgram => programIn('window_set', text, INPUT);

function batchOf(rows: readonly (readonly Value[])[]): RecordBatch {
  const builder = new BatchBuilder(INPUT);
  for (const row of rows) builder.appendRow(row);
  return builder.finish();
}

const rowsOf = (batch: RecordBatch): Value[][] =>
  Array.from({ length: batch.rowCount }, (_, row) =>
    batch.columns.map((column) => readValue(column, row)),
  );

function windowsOf(rows: number | null): Windows {
  return compileWindows({
    ...{ input: INPUT, keys: { tenant: keyed('tenant') }, rows },
    fields: {
      n: over('COUNT(input.n)'),
      sum: over('SUM(input.n) * 2'),
      low: over('MIN(input.x)'),
      spread: over('MAX(input.x) - MIN(input.x)'),
    },
  });
}

/** The same by hand, over the values of one window. */
function expectedOf(tenant: Value, rows: readonly (readonly Value[])[]): Value[] {
  const numbers = rows.map((row) => row[1] as bigint);
  const floats = rows.flatMap((row) => (row[2] === null ? [] : [row[2] as number]));
  const sum = numbers.reduce((left, right) => left + right, 0n) * 2n;
  const [low, high] = [Math.min(...floats), Math.max(...floats)];
  const extremes = floats.length === 0 ? [null, null] : [low, high - low];
  return [tenant, BigInt(rows.length), sum, ...extremes];
}

const byText = (rows: readonly Value[][]): string[] =>
  rows.map((row) => row.map(String).join()).sort();

describe('windows over groups', () => {
  const row = fc.tuple(
    fc.option(fc.constantFrom('a', 'b', 'c')),
    fc.bigInt({ min: -1000n, max: 1000n }),
    fc.option(fc.integer({ min: -8, max: 8 })),
  );

  test('hold so many records of each group, in any batches (RT-107, RT-111)', () => {
    fc.assert(
      fc.property(
        fc.array(row, { maxLength: 80 }),
        fc.integer({ min: 1, max: 9 }),
        fc.nat(80),
        (rows, size, cut) => {
          const windows = windowsOf(size);
          const parts = [rows.slice(0, cut), rows.slice(cut)].map((part) =>
            windows.run(batchOf(part)),
          );
          const rest = windows.flush();
          const groups = Map.groupBy(rows, ([tenant]) => tenant);
          const whole: Value[][] = [];
          const open: Value[][] = [];
          for (const [tenant, all] of groups) {
            for (let at = 0; at < all.length; at += size) {
              const part = all.slice(at, at + size);
              (part.length === size ? whole : open).push(expectedOf(tenant, part));
            }
          }
          expect(byText(parts.flatMap(({ batch }) => rowsOf(batch)))).toEqual(byText(whole));
          expect(byText(rowsOf(rest.batch))).toEqual(byText(open));
          expect(rowsOf(windows.flush().batch)).toEqual([]);
        },
      ),
      { numRuns: RUNS },
    );
  });

  test('without a size are the groups of all records', () => {
    const windows = windowsOf(null);
    const rows: Value[][] = [
      ['b', 1n, 2],
      ['a', 5n, null],
      ['b', 3n, 4],
    ];
    expect(windows.run(batchOf(rows)).batch.rowCount).toBe(0);
    expect(rowsOf(windows.flush().batch)).toEqual([
      ['b', 2n, 8n, 2, 2],
      ['a', 1n, 10n, null, null],
    ]);
  });

  test('leave out rows that fail in a key or an argument, and windows without a result', () => {
    const windows = compileWindows({
      ...{ input: INPUT, keys: { k: keyed('10 / n') }, rows: 2 },
      fields: { sum: over('SUM(10 / (input.n - 2))'), n: over('100 / (COUNT(input.n) - 2)') },
    });
    const rows: Value[][] = [0n, 5n, 2n, 5n, 5n].map((n) => [null, n, 0]);
    const { batch, failures, lost } = windows.run(batchOf(rows));
    expect(failures.map(({ row: at, kind }) => [at, kind])).toEqual([
      [0, 'division_by_zero'],
      [2, 'division_by_zero'],
    ]);
    expect(batch.rowCount).toBe(0);
    expect(lost).toEqual(['integer division by zero']);
    expect(rowsOf(windows.flush().batch)).toEqual([[2n, 3n, -100n]]);
  });

  test('refuse fields that read rows, and keys that read aggregates', () => {
    const plain = { input: INPUT, rows: 2 };
    expect(() => compileWindows({ ...plain, keys: {}, fields: { n: keyed('n') } })).toThrow(
      'it reads rows beside its aggregates',
    );
    const count = over('COUNT(input.n)');
    expect(() => compileWindows({ ...plain, keys: { count }, fields: {} })).toThrow(
      'it reads aggregates',
    );
  });
});
