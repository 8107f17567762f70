import type { DataType } from '@nervix/model';
import avsc from 'avsc';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compileEncoder } from '../../../src/codec/compile-codec.js';
import { batches, batchOf } from '../codec-arbitraries.js';
import { avroCodec, field, schemaOf } from '../codec-fixture.js';
import {
  encodeRow,
  expectResilience,
  expectRoundTrip,
  PROP_RUNS,
  rowReader,
  rowsIn,
  rowWriter,
} from '../codec-suite.js';
import { avroValue, recordType } from './avro-model.js';

const scalars = fc.constantFrom<DataType>(
  ...(['I32', 'I64', 'F32', 'F64', 'BOOL', 'STRING', 'BYTES', 'DATETIME'] as const),
);
const items = fc.oneof(scalars, fc.constantFrom<DataType>('U8', 'I8', 'U16', 'I16', 'U32'));
const lists = fc.oneof(
  items.map((element): DataType => ({ kind: 'vec', element })),
  items.map((element): DataType => ({ kind: 'array', element, length: 2 })),
  items.map((element): DataType => ({ kind: 'vec', element: { kind: 'vec', element } })),
);
const types = fc.oneof({ weight: 2, arbitrary: scalars }, lists);

describe('Avro payloads of any schema', () => {
  test('come back as they were, whatever the wire order (CN-303, CN-304, CN-307)', () => {
    fc.assert(
      fc.property(batches(types, { isWide: true }), fc.boolean(), (batch, isReversed) => {
        const codec = avroCodec(batch.schema);
        const fieldOrder = isReversed ? codec.fieldOrder.toReversed() : codec.fieldOrder;
        expectRoundTrip({ ...codec, fieldOrder }, batch);
      }),
      { numRuns: PROP_RUNS },
    );
  });

  test('mean to another library what they mean to us, and its payloads likewise (CN-304)', () => {
    fc.assert(
      fc.property(batches(types, { isWide: true }), (batch) => {
        const { schema } = batch;
        const codec = avroCodec(schema);
        const model = recordType(schema);
        const [write, read] = [rowWriter(codec, batch), rowReader(codec, schema)];
        rowsIn(batch).forEach((row, index) => {
          const record = Object.fromEntries(
            schema.fields.map(({ name, type }, at) => [name, avroValue(row[at] ?? null, type)]),
          );
          const ours = write(index) as Uint8Array;
          expect({ ...(model.fromBuffer(Buffer.from(ours)) as object) }).toEqual(record);
          expect(read(Uint8Array.from(model.toBuffer(record)))).toEqual([row]);
        });
      }),
      { numRuns: PROP_RUNS },
    );
  });

  test('are refused whole when cut, and judged when broken (CN-307)', () => {
    const schema = schemaOf(
      field('a', 'I64'),
      field('b', 'STRING', { optional: true }),
      field('c', { kind: 'vec', element: { kind: 'array', element: 'BYTES', length: 2 } }),
      field('d', 'DATETIME'),
      field('e', 'F64'),
    );
    const bytes = Uint8Array.of(1, 2);
    const batch = batchOf(schema, [[-(2n ** 40n), 'é"\n', [[bytes, bytes]], 1n, 0.1]]);
    const codec = avroCodec(schema);
    expectResilience(codec, schema, encodeRow(codec, batch, 0) as Uint8Array, {
      failsWhenCut: true,
    });
  });

  test('in a container are one array of records (CN-330)', () => {
    fc.assert(
      fc.property(batches(types), (batch) => {
        const { bytes } = compileEncoder(avroCodec(batch.schema), batch.schema).encodeContainer(
          batch,
        );
        const model = avsc.Type.forSchema({ type: 'array', items: recordType(batch.schema) });
        const read = model.fromBuffer(Buffer.from(bytes ?? [])) as readonly unknown[];
        expect(read.length).toBe(batch.rowCount);
        expect(Buffer.from(bytes ?? []).equals(model.toBuffer(read))).toBe(true);
      }),
      { numRuns: PROP_RUNS },
    );
  });
});
