import type { CsvCodecPlan, DataType } from '@nervix/model';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compileEncoder } from '../../../src/codec/compile-codec.js';
import { propertyRuns } from '../../support/property-runs.js';
import { batches, batchOf } from '../codec-arbitraries.js';
import { csvCodec, field, schemaOf } from '../codec-fixture.js';
import {
  decodeRows,
  encodeRow,
  expectResilience,
  expectRoundTrip,
  PROP_RUNS,
  rowsIn,
} from '../codec-suite.js';

const types = fc.constantFrom<DataType>(
  ...(['U8', 'I8', 'U16', 'I16', 'U32', 'I32', 'U64', 'I64', 'F32', 'F64'] as const),
  ...(['BOOL', 'STRING', 'STRING', 'STRING', 'BYTES', 'DATETIME'] as const),
);
const dialects: fc.Arbitrary<CsvCodecPlan> = fc
  .record({
    delimiter: fc.constantFrom(',', ';', '\t', '|', '0'),
    quote: fc.constantFrom('"', "'"),
    nullToken: fc.constantFrom(null, 'a', 'é', '-', '1'),
    strict: fc.boolean(),
  })
  .map(csvCodec);

describe('CSV documents of any schema', () => {
  test('come back as they were, one record a payload (CN-385)', () => {
    fc.assert(
      fc.property(batches(types), dialects, (batch, codec) => expectRoundTrip(codec, batch)),
      { numRuns: PROP_RUNS },
    );
  });

  test('come back as they were, all records in a container (CN-330, CN-385)', () => {
    const headers = fc.constantFrom('NAMES', 'SKIP', 'NONE');
    fc.assert(
      fc.property(batches(types), dialects, headers, (batch, dialect, header) => {
        const codec = { ...dialect, header };
        const { bytes, refused } = compileEncoder(codec, batch.schema).encodeContainer(batch);
        expect(refused).toEqual([]);
        expect(decodeRows(codec, batch.schema, bytes ?? new Uint8Array(0))).toEqual(rowsIn(batch));
      }),
      { numRuns: PROP_RUNS },
    );
  });

  test('divide into the fields that another library finds (CN-380, CN-382)', () => {
    const text = fc.string({ unit: fc.constantFrom(...'ab",\n\r é'), maxLength: 30 });
    const schema = schemaOf(field('a', 'STRING'), field('b', 'STRING'));
    fc.assert(
      fc.property(fc.array(fc.tuple(text, text), { minLength: 1, maxLength: 4 }), (rows) => {
        const { bytes } = compileEncoder(csvCodec(), schema).encodeContainer(batchOf(schema, rows));
        const options = { record_delimiter: ['\n', '\r\n'] };
        expect(parse(Buffer.from(bytes ?? []), options)).toEqual(rows);
      }),
      { numRuns: PROP_RUNS },
    );
  });

  test('that another library takes read the same here (CN-382)', () => {
    const schema = schemaOf(field('a', 'STRING'), field('b', 'STRING'));
    const noise = fc.string({ unit: fc.constantFrom(...'ab"",,\n'), maxLength: 20 });
    fc.assert(
      fc.property(noise, (text) => {
        let model: unknown;
        try {
          const options = { record_delimiter: ['\n', '\r\n'], skip_empty_lines: true };
          model = parse(text, options);
        } catch {
          model = undefined;
        }
        const rows = decodeRows(csvCodec(), schema, new TextEncoder().encode(text));
        const isTwoWide = (model as string[][] | undefined)?.every(({ length }) => length === 2);
        if (isTwoWide === true) expect(rows).toEqual(model);
        else expect(rows).toBeTypeOf('string');
      }),
      { numRuns: propertyRuns(500) },
    );
  });

  test('are judged when cut or broken (CN-382)', () => {
    const schema = schemaOf(field('a', 'I64'), field('b', 'STRING'), field('d', 'DATETIME'));
    const codec = csvCodec({ header: 'NAMES' });
    const batch = batchOf(schema, [[-5n, 'é"\n', 1n]]);
    const record = encodeRow(codec, batch, 0) as Uint8Array;
    const payload = Buffer.concat([Buffer.from('a,b,d\n'), record]);
    expectResilience(codec, schema, payload, { failsWhenCut: false });
  });
});
