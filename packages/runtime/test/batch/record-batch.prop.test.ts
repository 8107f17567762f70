import type { DataType, SchemaPlan } from '@nervix/model';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { BatchBuilder } from '../../src/batch/batch-builder.js';
import { fromTransferable, toTransferable } from '../../src/batch/batch-transfer.js';
import { RecordBatch } from '../../src/batch/record-batch.js';
import { rowJson } from '../../src/batch/row-json.js';
import { readValue, type Value } from '../../src/column/column.js';
import { Dice, randomValue, SCALARS } from '../program/random-program.js';
import { propertyRuns } from '../support/property-runs.js';

const RUNS = propertyRuns(100);
const LISTS: readonly DataType[] = [
  { kind: 'vec', element: 'STRING' },
  { kind: 'vec', element: { kind: 'vec', element: 'I64' } },
  { kind: 'array', element: 'F32', length: 2 },
  { kind: 'array', element: { kind: 'vec', element: 'BOOL' }, length: 2 },
];
const SCHEMA: SchemaPlan = {
  name: 'all',
  fields: [...SCALARS, ...LISTS].map((type, index) => ({
    name: `f${index}`,
    type,
    optional: index % 2 === 0,
    sensitive: index % 5 === 0,
  })),
};

function cellOf(dice: Dice, type: DataType): Value {
  if (typeof type === 'string') return randomValue(dice, type);
  const length = type.kind === 'vec' ? dice.below(4) : type.length;
  return Array.from({ length }, () => cellOf(dice, type.element));
}

type Row = readonly Value[];

function randomRows(dice: Dice, count: number): Row[] {
  return Array.from({ length: count }, () =>
    SCHEMA.fields.map(({ type, optional }) =>
      optional && dice.chance(0.3) ? null : cellOf(dice, type),
    ),
  );
}

function batchOf(rows: readonly Row[], builder = new BatchBuilder(SCHEMA)): RecordBatch {
  for (const row of rows) builder.appendRow(row);
  return builder.finish();
}

function rowsOf(batch: RecordBatch): Row[] {
  return Array.from({ length: batch.rowCount }, (_, row) =>
    batch.columns.map((column) => readValue(column, row)),
  );
}

describe('record batches (RT-1, RT-4, RT-6)', () => {
  test('slices, takes, joins and transfers keep every value', () => {
    fc.assert(
      fc.property(fc.integer(), (seed) => {
        const dice = new Dice(seed);
        const rows = randomRows(dice, dice.below(dice.chance(0.2) ? 40 : 20));
        const batch = batchOf(rows);
        expect(rowsOf(batch)).toEqual(rows);
        const start = dice.below(rows.length + 1);
        const end = start + dice.below(rows.length - start + 1);
        const slice = batch.slice(start, end);
        expect(rowsOf(slice)).toEqual(rows.slice(start, end));
        const picks = Int32Array.from({ length: rows.length === 0 ? 0 : dice.below(20) }, () =>
          dice.below(rows.length),
        );
        expect(rowsOf(batch.take(picks))).toEqual([...picks].map((row) => rows[row]));
        const other = randomRows(dice, dice.below(20));
        const joined = RecordBatch.concat([slice, batchOf(other), slice]);
        const expected = [...rows.slice(start, end), ...other, ...rows.slice(start, end)];
        expect(rowsOf(joined)).toEqual(expected);
        const { message, transfer } = toTransferable(slice);
        const posted = structuredClone(message, { transfer });
        expect(rowsOf(fromTransferable(posted))).toEqual(rows.slice(start, end));
        expect(rowsOf(batch)).toEqual(rows);
      }),
      { numRuns: RUNS },
    );
  });

  test('a builder starts again empty and forgets dropped rows', () => {
    fc.assert(
      fc.property(fc.integer(), (seed) => {
        const dice = new Dice(seed);
        const builder = new BatchBuilder(SCHEMA);
        for (let round = 0; round < 3; round += 1) {
          const rows = randomRows(dice, 1 + dice.below(dice.chance(0.1) ? 100 : 25));
          const kept = dice.below(rows.length);
          for (const row of rows) builder.appendRow(row);
          builder.truncate(kept);
          const again = randomRows(dice, 3);
          expect(rowsOf(batchOf(again, builder))).toEqual([...rows.slice(0, kept), ...again]);
        }
      }),
      { numRuns: propertyRuns(50) },
    );
  });
});

test('byte size is values, offsets and validity of the rows (RT-5)', () => {
  const schema: SchemaPlan = {
    name: 's',
    fields: [
      { name: 'a', type: 'I64', optional: false, sensitive: false },
      { name: 'b', type: 'STRING', optional: true, sensitive: false },
      { name: 'c', type: 'BOOL', optional: false, sensitive: false },
    ],
  };
  const builder = new BatchBuilder(schema);
  for (let row = 0; row < 10; row += 1)
    builder.appendRow([BigInt(row), row === 0 ? null : 'abc', true]);
  const batch = builder.finish();
  expect(batch.byteSize).toBe(80 + (44 + 27 + 2) + 2);
  expect(batch.slice(1, 9).byteSize).toBe(64 + (36 + 24) + 1);
  expect(RecordBatch.empty(schema).byteSize).toBe(4);
});

test('row objects show null, exact integers and masks (TX-59, CL-60)', () => {
  const flags = { optional: true, sensitive: false };
  const schema: SchemaPlan = {
    name: 's',
    fields: [
      { name: 'u', type: 'U64', ...flags },
      { name: 't', type: 'DATETIME', ...flags },
      { name: 'b', type: 'BYTES', ...flags },
      { name: 'n', type: 'F64', ...flags },
      { name: 'z', type: 'F32', ...flags },
      { name: 's', type: 'STRING', optional: true, sensitive: true },
      { name: 'v', type: { kind: 'vec', element: 'I64' }, ...flags },
    ],
  };
  const builder = new BatchBuilder(schema);
  builder.appendRow([2n ** 64n - 1n, 1n, Uint8Array.of(1), Number.NaN, -0, 'secret', [1n]]);
  builder.appendRow([null, null, null, Number.NEGATIVE_INFINITY, Math.fround(0.1), null, null]);
  const batch = builder.finish();
  const [first, second] = [0, 1].map((row) => rowJson(batch, row, { maskSensitive: true }));
  expect(first).toBe(
    '{"u":18446744073709551615,"t":"1970-01-01T00:00:00.000000001+00:00","b":"AQ==",' +
      '"n":"NaN","z":-0.0,"s":"<masked>","v":[1]}',
  );
  expect(second).toBe(
    '{"u":null,"t":null,"b":null,"n":"-Infinity","z":0.1,"s":"<masked>","v":null}',
  );
  expect(rowJson(batch, 0, { maskSensitive: false })).toContain('"s":"secret"');
});
