import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { BatchBuilder } from '../../src/batch/batch-builder.js';
import { rowJson } from '../../src/batch/row-json.js';
import { compileJsonDecoder } from '../../src/codec/json-decoder.js';
import { compileJsonEncoder } from '../../src/codec/json-encoder.js';
import { readValue, type Value } from '../../src/column/column.js';
import { Dice, randomBatch, SCHEMA } from '../program/random-program.js';
import { codecOf, decodeOne, field, schemaOf } from './json-codec-fixture.js';

const RUNS = Number(process.env['PROP_RUNS'] ?? 100);

function isFiniteRow(values: readonly Value[]): boolean {
  return values.every((value) => typeof value !== 'number' || Number.isFinite(value));
}

describe('JSON codec', () => {
  test('decodes what it encodes (CN-304, CN-305, RT-4)', () => {
    const encoder = compileJsonEncoder(codecOf(), SCHEMA);
    const decoder = compileJsonDecoder(codecOf(), SCHEMA);
    fc.assert(
      fc.property(fc.integer(), (seed) => {
        const batch = randomBatch(new Dice(seed), 20);
        const builder = new BatchBuilder(SCHEMA);
        for (let row = 0; row < batch.rowCount; row += 1) {
          const values = batch.columns.map((column) => readValue(column, row));
          const encoded = encoder.encode(batch, row);
          if (!isFiniteRow(values)) {
            expect(encoded).toMatchObject({ kind: 'encode_failure' });
            continue;
          }
          if (!(encoded instanceof Uint8Array)) throw new Error(encoded.message);
          expect(decoder.decode(encoded, 0, encoded.length, builder)).toBeUndefined();
          const decoded = builder.finish();
          expect(decoded.columns.map((column) => readValue(column, 0))).toEqual(values);
          JSON.parse(rowJson(batch, row, { maskSensitive: true }));
        }
      }),
      { numRuns: RUNS },
    );
  });

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
      { numRuns: RUNS * 10 },
    );
  });

  test('reads the same from any layout and order of members (CN-303)', () => {
    const decoder = compileJsonDecoder(codecOf(), SCHEMA);
    const encoder = compileJsonEncoder(codecOf(), SCHEMA);
    fc.assert(
      fc.property(fc.integer(), (seed) => {
        const dice = new Dice(seed);
        const batch = randomBatch(dice, 1);
        const encoded = encoder.encode(batch, 0);
        if (!(encoded instanceof Uint8Array)) return;
        const members = new TextDecoder()
          .decode(encoded)
          .slice(1, -1)
          .match(/"[a-z0-9_]+":(?:"(?:[^"\\]|\\.)*"|[^,]*)/g)!;
        const shuffled = members
          .map((text) => [dice.next(), text] as const)
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
});
