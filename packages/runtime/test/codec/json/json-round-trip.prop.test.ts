import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compileEncoder } from '../../../src/codec/compile-codec.js';
import { propertyRuns } from '../../support/property-runs.js';
import { batches, batchOf, dataTypes } from '../codec-arbitraries.js';
import { codecOf, field, schemaOf } from '../codec-fixture.js';
import {
  decodeRows,
  encodeRow,
  expectResilience,
  expectRoundTrip,
  PROP_RUNS,
} from '../codec-suite.js';

const codec = codecOf();

describe('JSON payloads of any schema', () => {
  test('come back as they were (CN-303, CN-304, CN-305)', () => {
    fc.assert(
      fc.property(batches(dataTypes()), (batch) => expectRoundTrip(codec, batch)),
      { numRuns: PROP_RUNS },
    );
  });

  test('hold long texts of any mixture, read in place or by the general decoder (CN-305)', () => {
    const schema = schemaOf(field('t', 'STRING'), field('n', 'I64'));
    const part = fc.constantFrom(
      'a run of plain text, ',
      'é',
      '"',
      '\\',
      '\n',
      '\0',
      '😀',
      'x',
      'ab',
    );
    const text = fc.array(part, { maxLength: 40 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(text, fc.boolean(), (value, isReordered) => {
        const record = isReordered ? { n: 7, t: value } : { t: value, n: 7 };
        const payload = new TextEncoder().encode(JSON.stringify(record));
        expect(decodeRows(codec, schema, payload)).toEqual([[value, 7n]]);
        expectRoundTrip(codec, batchOf(schema, [[value, 7n]]));
        const cut = payload.subarray(0, payload.length - (value.length % payload.length) - 1);
        expect(decodeRows(codec, schema, cut)).toBeTypeOf('string');
      }),
      { numRuns: propertyRuns(300) },
    );
  });

  test('are refused whole when cut, and judged when broken (CN-305)', () => {
    const schema = schemaOf(
      field('a', 'I64'),
      field('b', 'STRING', { optional: true }),
      field('c', { kind: 'vec', element: { kind: 'array', element: 'BYTES', length: 2 } }),
      field('d', 'DATETIME'),
    );
    const bytes = Uint8Array.of(1, 2);
    const batch = batchOf(schema, [[-5n, 'é"\n', [[bytes, bytes]], 1n]]);
    const payload = encodeRow(codec, batch, 0) as Uint8Array;
    expectResilience(codec, schema, payload, { failsWhenCut: true });
  });
});

describe('JSON containers (CN-330)', () => {
  test('are arrays that leave out the rows that cannot be encoded', () => {
    const schema = schemaOf(field('a', 'I64'), field('x', 'F64'));
    const batch = batchOf(schema, [
      [1n, 0.5],
      [2n, Number.NaN],
      [3n, -0],
    ]);
    const { bytes, refused } = compileEncoder(codec, schema).encodeContainer(batch);
    expect(Buffer.from(bytes ?? []).toString()).toBe('[{"a":1,"x":0.5},{"a":3,"x":-0.0}]');
    expect(refused.map(({ row, failure }) => [row, failure.field])).toEqual([[1, 'x']]);
  });

  test('do not exist when no row can be encoded', () => {
    const schema = schemaOf(field('x', 'F32'));
    const batch = batchOf(schema, [[Number.POSITIVE_INFINITY]]);
    expect(compileEncoder(codec, schema).encodeContainer(batch)).toMatchObject({
      bytes: null,
      refused: [{ row: 0 }],
    });
  });
});
