import type { CodecPlan, JaqFormat, ProtobufCodecPlan } from '@nervix/model';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { BatchBuilder } from '../../../src/batch/batch-builder.js';
import { compileDecoder, compileEncoder } from '../../../src/codec/compile-codec.js';
import { sharedDocumentReader } from '../../../src/codec/jaq/document-reader.js';
import { sharedJqEngine } from '../../../src/codec/jaq/jq-engine.js';
import { readValue } from '../../../src/column/column.js';
import { batchOf } from '../codec-arbitraries.js';
import { field, schemaOf } from '../codec-fixture.js';

afterAll(() => {
  sharedJqEngine().close();
  sharedDocumentReader().close();
});

const SCHEMA = schemaOf(field('f', 'F64'));
const ROWS = { onIngestion: '.batch[]', onEmitting: '.', onEmittingBatch: '{batch: .}' };

const CODECS: readonly (readonly [string, CodecPlan])[] = [
  ...(['JSON', 'CBOR', 'YAML', 'TOML'] as const).map((payload: JaqFormat) => {
    const codec = { name: 'c', format: 'JAQ', schema: 's', payload, transformations: ROWS };
    return [payload, codec as CodecPlan] as const;
  }),
  [
    'XML',
    {
      ...{ name: 'c', format: 'JAQ', schema: 's', payload: 'XML' },
      transformations: {
        onIngestion: '.c[] | {f: (.a.f | fromjson)}',
        onEmitting: '{t: "f", a: {f: (.f | tojson)}}',
        onEmittingBatch: null,
      },
    },
  ],
  ['PROTOBUF', protobufCodec()],
];

function protobufCodec(): ProtobufCodecPlan {
  const text =
    'syntax = "proto3"; message M { optional double f = 1; } message B { repeated M batch = 1; }';
  return {
    ...{ name: 'c', format: 'PROTOBUF', schema: 's', message: 'B', batchMessage: 'B' },
    descriptors: {
      resource: { name: 'p', version: 1 },
      ...{ roots: [], includes: [], files: [{ path: 'a.proto', text }] },
    },
    transformations: ROWS,
  };
}

/** Every finite double, by its bits. */
const double = fc
  .bigInt({ min: 0n, max: 2n ** 64n - 1n })
  .map((bits) => new Float64Array(BigUint64Array.of(bits).buffer)[0] as number)
  .filter(Number.isFinite);
const integral = fc.integer({ min: 0, max: 1023 }).map((exponent) => 2 ** exponent);
const EDGES = [0, -0, 1, -1, 2 ** 53, 2 ** 63, -(2 ** 63), 2 ** 64, 1e20, -1e20, 1e21, 5e-324];

describe.each(CODECS)('F64 through %s (CN-321, CN-323)', (_, codec) => {
  const encoder = compileEncoder(codec, SCHEMA);
  const decoder = compileDecoder(codec, SCHEMA);

  test('decodes to the bits that were encoded', () => {
    const values = fc.array(fc.oneof(double, integral), { minLength: 1, maxLength: 40 });
    fc.assert(
      fc.property(values, (made) => {
        const floats = [...EDGES, ...made];
        const { bytes, refused } = encoder.encodeContainer(
          batchOf(
            SCHEMA,
            floats.map((value) => [value]),
          ),
        );
        expect(refused).toEqual([]);
        const builder = new BatchBuilder(SCHEMA);
        const payload = bytes ?? new Uint8Array();
        expect(decoder.decode(payload, 0, payload.length, builder)).toBeUndefined();
        const { columns, rowCount } = builder.finish();
        expect(rowCount).toBe(floats.length);
        const column = columns[0];
        if (column === undefined) throw new Error('no column');
        expect(floats.map((_value, row) => readValue(column, row))).toEqual(floats);
      }),
      { numRuns: 20 },
    );
  });
});
