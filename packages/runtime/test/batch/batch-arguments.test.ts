import type { SchemaPlan } from '@nervix/model';
import { describe, expect, test } from 'vitest';
import { BatchBuilder } from '../../src/batch/batch-builder.js';
import { RecordBatch } from '../../src/batch/record-batch.js';
import { readValue } from '../../src/column/column.js';
import { compileProjection } from '../../src/program/compile-projection.js';
import { programIn } from '../support/programs.js';

const schemaOf = (name: string, second: 'I64' | 'F64' = 'I64'): SchemaPlan => ({
  name,
  fields: [
    { name: 'text', type: 'STRING', optional: true, sensitive: false },
    { name: 'number', type: second, optional: false, sensitive: false },
    { name: 'flag', type: 'BOOL', optional: false, sensitive: false },
    { name: 'list', type: { kind: 'vec', element: 'I64' }, optional: false, sensitive: false },
  ],
});
const SCHEMA = schemaOf('probe');

function batchOf(rowCount: number): RecordBatch {
  const builder = new BatchBuilder(SCHEMA);
  for (let row = 0; row < rowCount; row += 1) {
    builder.appendRow([`text ${row}`, BigInt(row), row % 2 === 0, [BigInt(row)]]);
  }
  return builder.finish();
}

const refusal = (argument: string) =>
  expect.objectContaining({
    code: 'RUNTIME_INVALID_ARGUMENT',
    details: expect.objectContaining({ argument }),
  });

describe.each([3, 2000])('a batch of %i rows (RT-4)', (rowCount) => {
  // Memory that others wrote lies ready for what would read past an end.
  batchOf(4000).recycle();
  const batch = batchOf(rowCount);

  test.each([
    [0, rowCount + 1, 'end'],
    [-1, 2, 'start'],
    [2, 1, 'start'],
    [0.5, 2, 'start'],
    [0, Number.NaN, 'end'],
    [0, Number.POSITIVE_INFINITY, 'end'],
  ])('has no slice of %d to %d', (start, end, argument) => {
    expect(() => batch.slice(start, end)).toThrow(refusal(argument));
  });

  test.each([[[rowCount]], [[0, -1]], [[2 ** 31 - 1]], [[-(2 ** 31)]]])(
    'takes no rows %j',
    (rows) => {
      expect(() => batch.take(Int32Array.from(rows))).toThrow(refusal('rows'));
    },
  );

  test('takes positions in one form', () => {
    expect(() => batch.take([0] as never)).toThrow(refusal('rows'));
    expect(batch.take(Int32Array.of(2, 0)).value('text', 0)).toBe('text 2');
    expect(batch.slice(1, 1).rowCount).toBe(0);
  });

  test.each([-1, rowCount, 0.5, Number.NaN])('reads no value of row %d', (row) => {
    for (const column of batch.columns) {
      expect(() => readValue(column, row)).toThrow(refusal('row'));
    }
    expect(() => batch.value('number', row)).toThrow(refusal('row'));
    expect(() => batch.value('unknown', 0)).toThrow(refusal('name'));
    expect(() => batch.column('unknown')).toThrow(refusal('name'));
  });

  test('is made of the columns of its schema only', () => {
    const { columns } = batch;
    const other = schemaOf('other', 'F64');
    expect(() => new RecordBatch(SCHEMA, rowCount - 1, columns)).toThrow(refusal('columns'));
    expect(() => new RecordBatch(SCHEMA, rowCount, columns.slice(1))).toThrow(refusal('columns'));
    expect(() => batch.withSchema(other)).toThrow(refusal('columns'));
    const foreign = RecordBatch.empty(other);
    expect(() => RecordBatch.concat([batch, foreign])).toThrow(refusal('columns'));
    expect(() => RecordBatch.concat([])).toThrow(refusal('batches'));
  });

  test('is empty when it was given back, and says so when it is read', () => {
    const given = batchOf(rowCount);
    const [text, number] = given.columns;
    const half = given.slice(0, 1);
    given.recycle();
    given.recycle();
    expect([given.rowCount, given.byteSize]).toEqual([0, 0]);
    const gone = expect.objectContaining({ code: 'RUNTIME_BATCH_RECYCLED' });
    expect(() => given.columns).toThrow(gone);
    expect(() => given.value('text', 0)).toThrow(gone);
    expect(() => given.take(new Int32Array(0)).columns).toThrow(gone);
    expect(() => RecordBatch.concat([batch, given])).toThrow(gone);
    const fields = { next: programIn('processor_condition', 'number + 1', SCHEMA) };
    expect(() => compileProjection({ input: SCHEMA, fields }).run(given)).toThrow(gone);
    batchOf(rowCount);
    if (rowCount > 1000) {
      // What shares large columns reads nothing rather than what others wrote since.
      for (const column of [text!, number!]) expect(() => readValue(column, 0)).toThrow(gone);
      expect(() => half.value('number', 0)).toThrow(gone);
    } else {
      expect(half.value('number', 0)).toBe(0n);
    }
  });
});

describe('a builder of batches', () => {
  test('is cut and grown to counts of rows that can be', () => {
    const builder = new BatchBuilder(SCHEMA);
    builder.appendRow(['a', 1n, true, []]);
    for (const count of [2, -1, 0.5, Number.NaN]) {
      expect(() => builder.truncate(count)).toThrow(refusal('rowCount'));
    }
    for (const count of [-1, Number.NaN, 2 ** 31, Number.POSITIVE_INFINITY]) {
      expect(() => builder.reserveRows(count)).toThrow(refusal('count'));
    }
    expect(builder.finish().value('text', 0)).toBe('a');
    builder.rowCount = 5000;
    expect(() => builder.finish()).toThrow(refusal('rowCount'));
  });
});

test.each([0, 1500])('batches have %i fields', (count) => {
  const fields = Array.from({ length: count }, (_, index) => ({
    ...{ name: `f${index}`, type: 'I64', optional: false, sensitive: false },
  })) as SchemaPlan['fields'];
  const builder = new BatchBuilder({ name: 'wide', fields });
  for (const value of [1n, 2n]) builder.appendRow(fields.map(() => value));
  const batch = builder.finish().take(Int32Array.of(1, 0, 1));
  expect([batch.rowCount, batch.columns.length]).toEqual([3, count]);
  expect(batch.columns.every((column) => readValue(column, 1) === 1n)).toBe(true);
});
