import type { SchemaPlan } from '@nervix/model';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { BatchBuilder } from '../../../src/batch/batch-builder.js';
import type { LineFailure } from '../../../src/codec/codec-failure.js';
import { isBlankLine } from '../../../src/codec/decode-lines.js';
import { compileJsonDecoder } from '../../../src/codec/json/json-decoder.js';
import { compileJsonEncoder } from '../../../src/codec/json/json-encoder.js';
import { type Column, readValue, type Value } from '../../../src/column/column.js';
import { propertyRuns } from '../../support/property-runs.js';
import { batchOf, rowsOf } from '../codec-arbitraries.js';
import { codecOf, decodeOne, field, schemaOf } from '../codec-fixture.js';

const RUNS = propertyRuns(100);

const SCALARS = [
  ...(['U8', 'I16', 'U32', 'I64', 'U64', 'F32', 'F64'] as const),
  ...(['BOOL', 'STRING', 'BYTES', 'DATETIME'] as const),
];
const SCHEMA = schemaOf(
  ...SCALARS.map((type) => field(type.toLowerCase(), type)),
  ...SCALARS.map((type) => field(`${type.toLowerCase()}_or_none`, type, { optional: true })),
);

describe('JSON codec', () => {
  test('judges documents as JSON.parse does (CN-305)', () => {
    const schema = schemaOf(field('d', 'BOOL'));
    fc.assert(
      fc.property(
        fc.jsonValue({ maxDepth: 6 }),
        fc.array(fc.tuple(fc.nat(), fc.nat(255))),
        (value, edits) => {
          const text = JSON.stringify({ x: value, d: true });
          const bytes = new TextEncoder().encode(text);
          for (const [at, byte] of edits.slice(0, 2)) bytes[at % bytes.length] = byte;
          let parsed: unknown;
          try {
            const document = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(
              bytes,
            );
            parsed = JSON.parse(document);
          } catch {
            parsed = undefined;
          }
          const outcome = decodeOne(schema, bytes, false);
          const failedToParse =
            typeof outcome === 'string' && outcome.startsWith('failed to parse');
          if (parsed === undefined) expect(failedToParse).toBe(true);
          // JSON.parse accepts lone surrogate escapes and numbers beyond F64.
          else if (failedToParse) expect(outcome).toMatch(/lone surrogate|out of range/);
          else if (typeof outcome !== 'string')
            expect(outcome).toEqual([(parsed as { d: boolean }).d]);
        },
      ),
      { numRuns: propertyRuns(1000) },
    );
  });

  test('reads the same from any layout and order of members (CN-303)', () => {
    const decoder = compileJsonDecoder(codecOf(), SCHEMA);
    const encoder = compileJsonEncoder(codecOf(), SCHEMA);
    fc.assert(
      fc.property(rowsOf(SCHEMA, { rowsMax: 1 }), fc.infiniteStream(fc.nat()), (rows, order) => {
        const batch = batchOf(SCHEMA, rows);
        const encoded = encoder.encode(batch, 0);
        if (!(encoded instanceof Uint8Array)) throw new Error(encoded.message);
        const members = new TextDecoder()
          .decode(encoded)
          .slice(1, -1)
          .match(/"[a-z0-9_]+":(?:"(?:[^"\\]|\\.)*"|[^,]*)/g)!;
        const shuffled = members
          .map((text) => [order.next().value, text] as const)
          .sort(([a], [b]) => a - b);
        const bytes = new TextEncoder().encode(
          `{ ${shuffled.map(([, text]) => text).join(' ,\n')} }`,
        );
        const builder = new BatchBuilder(SCHEMA);
        expect(decoder.decode(bytes, 0, bytes.length, builder)).toBeUndefined();
        const decoded = builder.finish();
        SCHEMA.fields.forEach(({ name }) => {
          expect(decoded.value(name, 0)).toEqual(batch.value(name, 0));
        });
      }),
      { numRuns: RUNS },
    );
  });

  test('reads a line where it finds it as it reads the line alone (CN-303)', () => {
    const encoder = compileJsonEncoder(codecOf(), SCHEMA);
    fc.assert(
      fc.property(
        rowsOf(SCHEMA, { rowsMax: 12 }),
        fc.array(fc.tuple(fc.nat(), fc.constantFrom(...'\n\r\t {}[]",:0e.\\x'))),
        (rows, edits) => {
          const batch = batchOf(SCHEMA, rows);
          const lines: Uint8Array[] = [];
          for (let row = 0; row < batch.rowCount; row += 1) {
            const encoded = encoder.encode(batch, row);
            if (encoded instanceof Uint8Array) lines.push(encoded);
          }
          const body = Buffer.concat(lines.flatMap((line) => [line, Buffer.from('\n')]));
          if (body.length === 0) return;
          for (const [at, text] of edits.slice(0, 3)) body.write(text, at % body.length);
          expectLines(SCHEMA, body);
        },
      ),
      { numRuns: RUNS },
    );
  });

  test('tells lines from each other whatever their layout is (CN-303)', () => {
    const schema = schemaOf(field('a', 'I64'), field('b', 'STRING', { optional: true }));
    const long = 'x'.repeat(5000);
    const body = Buffer.from(
      `{"a":1,"b":"é"}\n{"a":2} \r\n\n{"b":"y","a":3}\n{"a":4,"b":"${long}"}\n{"a":6}`,
    );
    expect(expectLines(schema, body)).toBe(5);
    expect(expectLines(schema, Buffer.from('{"a":1}\n{"a":5,\n"b":"z"}\n'))).toBe(0);
  });
});

/** Rows of a body, which are those of its lines read alone; none when a line is at fault. */
function expectLines(schema: SchemaPlan, body: Uint8Array): number {
  const alone = compileJsonDecoder(codecOf(), schema);
  const together = new BatchBuilder(schema);
  const separate = new BatchBuilder(schema);
  let fault: LineFailure | undefined;
  let start = 0;
  for (let line = 1; start < body.length && fault === undefined; line += 1) {
    const found = body.indexOf(0x0a, start);
    const end = found < 0 ? body.length : found;
    const bytes = body.slice(start, end);
    const failure = isBlankLine(bytes, 0, bytes.length)
      ? undefined
      : alone.decode(bytes, 0, bytes.length, separate);
    if (failure !== undefined) fault = { failure, line };
    start = end + 1;
  }
  expect(compileJsonDecoder(codecOf(), schema).decodeLines(body, together)).toEqual(fault);
  if (fault !== undefined) separate.truncate(0);
  const [left, right] = [together.finish(), separate.finish()];
  expect(left.columns.map((column) => columnValues(column, left.rowCount))).toEqual(
    right.columns.map((column) => columnValues(column, right.rowCount)),
  );
  return left.rowCount;
}

function columnValues(column: Column, rowCount: number): Value[] {
  return Array.from({ length: rowCount }, (_, row) => readValue(column, row));
}
