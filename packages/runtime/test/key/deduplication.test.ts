import type { TypedProgram } from '@nervix/model';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Value } from '../../src/column/column.js';
import { BatchBuilder, compileDeduplication, type RecordBatch } from '../../src/engine.js';
import { programIn } from '../support/programs.js';
import { propertyRuns } from '../support/property-runs.js';

const RUNS = propertyRuns(100);
const MINUTE = 60_000_000_000n;

const field = (name: string, type: 'STRING' | 'I64' | 'F64' | 'DATETIME', optional = false) => ({
  name,
  type,
  optional,
  sensitive: false,
});
const INPUT = {
  name: 'events',
  fields: [
    field('k', 'STRING', true),
    field('x', 'F64'),
    field('n', 'I64'),
    field('at', 'DATETIME'),
  ],
};
const program = (text: string): TypedProgram => programIn('processor_condition', text, INPUT);

function batchOf(rows: readonly (readonly Value[])[]): RecordBatch {
  const builder = new BatchBuilder(INPUT);
  for (const row of rows) builder.appendRow(row);
  return builder.finish();
}

describe('deduplication of batches', () => {
  test('lets through what a map of keys and times does (RT-93)', () => {
    const row = fc.tuple(
      fc.option(fc.constantFrom('a', 'b', '', 'nul', 'a0')),
      fc.constantFrom(0, -0, 1.5),
      fc.constantFrom(1n, 2n),
      fc.integer({ min: 0, max: 40 }),
    );
    fc.assert(
      fc.property(fc.array(row, { maxLength: 60 }), fc.nat(60), (parts, cut) => {
        let clock = -(2n ** 40n);
        const rows = parts.map(([k, x, n, step]): Value[] => {
          clock += BigInt(step) * 1_000_000_000n;
          return [k, x, n, clock];
        });
        const dedup = compileDeduplication({
          ...{ input: INPUT, keys: [program('k'), program('x'), program('n')] },
          ...{ time: program('at'), withinNanos: MINUTE },
        });
        const seen = new Map<string, bigint>();
        const expected = rows.filter(([k, x, n, at]) => {
          const key = JSON.stringify([k, Object.is(x, -0) ? '-0' : x, String(n)]);
          const last = seen.get(key);
          if (last !== undefined && (at as bigint) - last < MINUTE) return false;
          seen.set(key, at as bigint);
          return true;
        });
        const found: (Value | undefined)[] = [];
        for (const part of [rows.slice(0, cut), rows.slice(cut)]) {
          const { batch, sourceRows, failures } = dedup.run(batchOf(part));
          expect(failures).toEqual([]);
          expect(batch.rowCount).toBe(sourceRows.length);
          for (const index of sourceRows) found.push(part[index]?.[3]);
        }
        expect(found).toEqual(expected.map((each) => each[3]));
      }),
      { numRuns: RUNS },
    );
  });

  test('forgets keys that are too old to make repetitions', () => {
    const dedup = compileDeduplication({
      ...{ input: INPUT, keys: [program('n')], time: program('at'), withinNanos: MINUTE },
    });
    for (let cycle = 0n; cycle < 50n; cycle += 1n) {
      const rows = Array.from({ length: 500 }, (_, at): Value[] => {
        return [null, 0, cycle * 500n + BigInt(at), cycle * 30_000_000_000n];
      });
      expect(dedup.run(batchOf(rows)).batch.rowCount).toBe(500);
      expect(dedup.run(batchOf(rows)).batch.rowCount).toBe(0);
    }
    expect(dedup.size).toBeLessThan(3000);
  });

  test('leaves out rows without a key and says why', () => {
    const dedup = compileDeduplication({
      ...{ input: INPUT, keys: [program('10 / n')], time: program('at'), withinNanos: MINUTE },
    });
    const rows: Value[][] = [0n, 5n, 0n, 5n].map((n) => [null, 0, n, 0n]);
    const { sourceRows, failures } = dedup.run(batchOf(rows));
    expect([...sourceRows]).toEqual([1]);
    expect(failures.map(({ row, kind }) => [row, kind])).toEqual([
      [0, 'division_by_zero'],
      [2, 'division_by_zero'],
    ]);
  });

  test('refuses a time that is none', () => {
    const rest = { input: INPUT, keys: [], withinNanos: MINUTE };
    expect(() => compileDeduplication({ ...rest, time: program('n') })).toThrow('no instant');
  });
});
