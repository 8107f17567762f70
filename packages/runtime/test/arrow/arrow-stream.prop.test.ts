import type { DataType } from '@nervix/model';
import {
  type RecordBatch as ArrowBatch,
  Bool,
  Dictionary,
  Field,
  FixedSizeList,
  Float64,
  Int32,
  Int64,
  List,
  makeData,
  makeVector,
  Schema,
  Struct,
  Table,
  TimestampNanosecond,
  tableFromIPC,
  tableToIPC,
  Utf8,
  type Vector,
  vectorFromArray,
} from 'apache-arrow';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readArrowStream } from '../../src/arrow/arrow-reader.js';
import { ArrowStreamWriter, writeArrowStream } from '../../src/arrow/arrow-writer.js';
import { RecordBatch } from '../../src/batch/record-batch.js';
import type { Value } from '../../src/column/column.js';
import { batches, batchOf, dataTypes } from '../codec/codec-arbitraries.js';
import { field, schemaOf } from '../codec/codec-fixture.js';
import { PROP_RUNS, rowsIn } from '../codec/codec-suite.js';
import { propertyRuns } from '../support/property-runs.js';

/** A value of the other library as a value of ours. */
function ourValue(value: unknown, type: DataType): Value {
  if (value === null || value === undefined) return null;
  if (typeof type !== 'string') {
    return Array.from(value as Iterable<unknown>, (element) => ourValue(element, type.element));
  }
  return value as Value;
}

/** Cells of a column; instants are read where they are kept, because the library rounds them. */
function cellsOf(vector: Vector, type: DataType): Value[] {
  return Array.from({ length: vector.length }, (_, row) => {
    const value = vector.get(row);
    return ourValue(value, type);
  });
}

/** Types whose values the other library gives exactly. */
function isExact(type: DataType): boolean {
  return typeof type === 'string' ? type !== 'DATETIME' : isExact(type.element);
}

function readBack(bytes: Uint8Array) {
  const outcome = readArrowStream(bytes);
  if (outcome.kind === 'refused') throw new Error(`${outcome.reason} at ${outcome.at}`);
  return outcome;
}

describe('Arrow streams of any schema', () => {
  test('come back as they were, slices and flags too', () => {
    fc.assert(
      fc.property(batches(dataTypes(), { isWide: true, rowsMax: 20 }), (batch) => {
        const parts = [batch, batch.slice(batch.rowCount >> 1, batch.rowCount), batch.slice(0, 0)];
        const { schema, batches: read } = readBack(writeArrowStream(batch.schema, parts));
        expect(schema).toEqual(batch.schema);
        expect(read.map(rowsIn)).toEqual(parts.map(rowsIn));
      }),
      { numRuns: PROP_RUNS },
    );
  });

  test('mean to another library what they mean to us', () => {
    fc.assert(
      fc.property(batches(dataTypes(), { isWide: true, rowsMax: 20 }), (batch) => {
        const sliced = batch.slice(batch.rowCount >> 1, batch.rowCount);
        const table = tableFromIPC(writeArrowStream(batch.schema, [batch, sliced]));
        const rows = [...rowsIn(batch), ...rowsIn(sliced)];
        expect(table.numRows).toBe(rows.length);
        batch.schema.fields.forEach(({ name, type, optional }, index) => {
          expect(table.schema.fields[index]).toMatchObject({ name, nullable: optional });
          if (!isExact(type)) return;
          const column = table.getChildAt(index) as Vector;
          expect(cellsOf(column, type)).toEqual(rows.map((row) => row[index]));
        });
      }),
      { numRuns: PROP_RUNS },
    );
  });

  test('come back as they were after the other library wrote them anew', () => {
    fc.assert(
      fc.property(batches(dataTypes(), { isWide: true, rowsMax: 20 }), (batch) => {
        const sliced = batch.slice(1, batch.rowCount);
        const table = tableFromIPC(writeArrowStream(batch.schema, [batch, sliced]));
        const { schema, batches: read } = readBack(tableToIPC(table, 'stream'));
        expect(schema).toEqual(batch.schema);
        expect(rowsIn(RecordBatch.concat(read))).toEqual([...rowsIn(batch), ...rowsIn(sliced)]);
      }),
      { numRuns: PROP_RUNS },
    );
  });
});

describe('Arrow streams of another library', () => {
  test('become batches: dictionaries, nulls, lists and several batches', () => {
    // The library's own builders round instants, so their data is given.
    const instants = makeData({
      type: new TimestampNanosecond('UTC'),
      data: BigInt64Array.of(1_700_000_000_123_456_789n, 7n, -1n),
      nullBitmap: Uint8Array.of(0b101),
      nullCount: 1,
      length: 3,
    });
    const columns = {
      text: vectorFromArray(['a', null, 'a'], new Dictionary(new Utf8(), new Int32())),
      flag: vectorFromArray([true, false, null], new Bool()),
      id: vectorFromArray([1n, null, -(2n ** 63n)], new Int64()),
      list: vectorFromArray(
        [['x', 'é'], [], null],
        new List(new Field('element', new Utf8(), true)),
      ),
      pair: vectorFromArray(
        [[1, 2], null, [3, 4]],
        new FixedSizeList(2, new Field('element', new Float64(), true)),
      ),
      at: makeVector(instants),
    };
    const table = new Table(columns as never);
    const { schema, batches: read } = readBack(tableToIPC(table.concat(table), 'stream'));
    expect(schema.fields.map(({ name, type }) => [name, type])).toEqual([
      ['text', 'STRING'],
      ['flag', 'BOOL'],
      ['id', 'I64'],
      ['list', { kind: 'vec', element: 'STRING' }],
      ['pair', { kind: 'array', element: 'F64', length: 2 }],
      ['at', 'DATETIME'],
    ]);
    const rows = [
      ['a', true, 1n, ['x', 'é'], [1, 2], 1_700_000_000_123_456_789n],
      [null, false, null, [], null, null],
      ['a', null, -(2n ** 63n), null, [3, 4], -1n],
    ];
    expect(read.map(rowsIn)).toEqual([rows, rows]);
  });

  test.each([
    [
      'structs',
      new Struct([new Field('a', new Int32())]),
      "field 'f' has a type that no schema has",
    ],
    ['local times', new TimestampNanosecond(), "field 'f' holds times other than UTC nanoseconds"],
  ])('are refused with %s', (_, type, reason) => {
    const schema = new Schema([new Field('f', type, true)]);
    const bytes = tableToIPC(new Table(schema, [] as ArrowBatch[]), 'stream');
    expect(readArrowStream(bytes)).toEqual({ kind: 'refused', reason, at: 0 });
  });

  test('are refused when a list holds null', () => {
    const type = new List(new Field('element', new Int32(), true));
    const table = new Table({ f: vectorFromArray([[1, null]], type) });
    expect(readArrowStream(tableToIPC(table, 'stream'))).toMatchObject({
      kind: 'refused',
      reason: 'a list holds null',
    });
  });
});

describe('broken Arrow streams', () => {
  const schema = schemaOf(
    field('a', 'I64'),
    field('b', 'STRING', { optional: true, sensitive: true }),
    field('c', { kind: 'vec', element: { kind: 'array', element: 'BYTES', length: 2 } }),
  );
  const bytes = Uint8Array.of(1, 2);
  const batch = batchOf(schema, [
    [1n, 'é', [[bytes, bytes]]],
    [2n, null, []],
  ]);
  const stream = writeArrowStream(schema, [batch]);

  test('are read from a Buffer that begins anywhere, which stays as it is', () => {
    const stream = tableToIPC(
      new Table({ id: vectorFromArray([1, null, 3], new Int32()) }),
      'stream',
    );
    const buffer = Buffer.concat([Buffer.of(0), stream]).subarray(1);
    const before = Buffer.from(buffer);
    expect(readArrowStream(buffer).kind).toBe('read');
    expect(buffer.equals(before)).toBe(true);
  });

  test('are refused when cut inside a message', () => {
    const ends = new Set([0, stream.length - 8, stream.length]);
    ends.add(new ArrowStreamWriter(schema).schema().length);
    for (let length = 0; length < stream.length; length += 1) {
      const outcome = readArrowStream(stream.subarray(0, length));
      if (!ends.has(length)) expect([length, outcome.kind]).toEqual([length, 'refused']);
    }
    expect(readArrowStream(new Uint8Array(0))).toMatchObject({ kind: 'refused' });
  });

  test('never throw, hang or give texts that are not UTF-8', () => {
    const edits = fc.array(fc.tuple(fc.nat(stream.length - 1), fc.nat(255)), { maxLength: 4 });
    fc.assert(
      fc.property(edits, fc.uint8Array({ maxLength: 64 }), (changes, noise) => {
        const changed = stream.slice();
        for (const [at, byte] of changes) changed[at] = byte;
        for (const input of [changed, noise]) {
          const outcome = readArrowStream(input);
          if (outcome.kind === 'read') for (const read of outcome.batches) rowsIn(read);
        }
      }),
      { numRuns: propertyRuns(2000) },
    );
  });
});
