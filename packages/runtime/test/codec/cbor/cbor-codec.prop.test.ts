import { decode, encode } from 'cbor2';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readHalf } from '../../../src/codec/cbor/cbor-float.js';
import type { Value } from '../../../src/column/column.js';
import { batches, batchOf, dataTypes } from '../codec-arbitraries.js';
import { cborCodec, field, schemaOf } from '../codec-fixture.js';
import {
  encodeRow,
  expectResilience,
  expectRoundTrip,
  PROP_RUNS,
  rowReader,
  rowsIn,
  rowWriter,
} from '../codec-suite.js';

const codec = cborCodec();
/** Types that CBOR has a form of its own for. */
const plainTypes = fc.constantFrom(
  ...(['U8', 'I16', 'U32', 'I32', 'U64', 'I64', 'F32', 'F64', 'BOOL', 'STRING'] as const),
);

describe('CBOR payloads of any schema', () => {
  test('come back as they were (CN-303, CN-304, CN-306)', () => {
    fc.assert(
      fc.property(batches(dataTypes(), { isWide: true }), (batch) => expectRoundTrip(codec, batch)),
      { numRuns: PROP_RUNS },
    );
  });

  test('mean to another library what they mean to us, and its payloads likewise (CN-306)', () => {
    fc.assert(
      fc.property(batches(plainTypes, { isWide: true }), (batch) => {
        const { schema } = batch;
        const [write, read] = [rowWriter(codec, batch), rowReader(codec, schema)];
        rowsIn(batch).forEach((row, index) => {
          const ours = write(index) as Uint8Array;
          const members = schema.fields.flatMap(({ name }, at) =>
            row[at] === null ? [] : [[name, row[at]] as const],
          );
          const theirReading = Object.entries(decode<Record<string, Value>>(ours));
          expect(theirReading.map(([name, value]) => [name, widened(value)])).toEqual(
            members.map(([name, value]) => [name, widened(value as Value)]),
          );
          const theirs = encode(Object.fromEntries(members));
          expect(read(theirs)).toEqual([row]);
        });
      }),
      { numRuns: PROP_RUNS },
    );
  });

  test('are refused whole when cut, and judged when broken (CN-306)', () => {
    const schema = schemaOf(
      field('a', 'I64'),
      field('b', 'STRING', { optional: true }),
      field('c', { kind: 'vec', element: { kind: 'array', element: 'BYTES', length: 2 } }),
      field('d', 'DATETIME'),
      field('e', 'F64'),
    );
    const bytes = Uint8Array.of(1, 2);
    const batch = batchOf(schema, [[-(2n ** 40n), 'é"\n', [[bytes, bytes]], 1n, 0.1]]);
    const payload = encodeRow(codec, batch, 0) as Uint8Array;
    expectResilience(codec, schema, payload, { failsWhenCut: true });
  });

  test('hold every half-precision float as another library does (CN-306)', () => {
    const bytes = Uint8Array.of(0xf9, 0, 0);
    for (let bits = 0; bits < 65_536; bits += 1) {
      bytes[1] = bits >>> 8;
      bytes[2] = bits;
      const value = readHalf(bits);
      const isSame = Object.is(value, decode<number>(bytes));
      if (!isSame) expect([bits, value]).toEqual([bits, decode<number>(bytes)]);
    }
  });
});

/** The library reads integers as numbers when they are small. */
function widened(value: Value): Value {
  return typeof value === 'bigint' && BigInt(Number(value)) === value ? Number(value) : value;
}
