import type { SchemaPlan } from '@nervix/model';
import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import type { RecordBatch } from '../../../src/batch/record-batch.js';
import { compileJsonEncoder, type JsonEncoder } from '../../../src/codec/json/json-encoder.js';
import { LineKernel } from '../../../src/codec/json/kernel/line-kernel.js';
import type { Container } from '../../../src/codec/payload-codec.js';
import type { Value } from '../../../src/column/column.js';
import { propertyRuns } from '../../support/property-runs.js';
import { batchOf, rowsOf } from '../codec-arbitraries.js';
import { codecOf, field, schemaOf } from '../codec-fixture.js';

const RUNS = propertyRuns(100);

const SCALARS = [
  ...(['U8', 'I8', 'U16', 'I16', 'U32', 'I32', 'U64', 'I64'] as const),
  ...(['F32', 'F64', 'BOOL', 'STRING', 'DATETIME'] as const),
];
const SCHEMA = schemaOf(
  ...SCALARS.map((type) => field(`${type.toLowerCase()}_or_none`, type, { optional: true })),
  ...SCALARS.map((type) => field(type.toLowerCase(), type)),
);
const TEXTS = schemaOf(field('t', 'STRING'), field('u', 'STRING', { optional: true }));

/** What the encoder of single rows makes of the rows of a batch. */
function rowByRow(encoder: JsonEncoder, batch: RecordBatch): Container {
  const refused: Container['refused'][number][] = [];
  let text = '';
  for (let row = 0; row < batch.rowCount; row += 1) {
    const encoded = encoder.encode(batch, row);
    if (encoded instanceof Uint8Array) text += `${Buffer.from(encoded).toString('latin1')}\n`;
    else refused.push({ row, failure: encoded });
  }
  return { bytes: text === '' ? null : Uint8Array.from(Buffer.from(text, 'latin1')), refused };
}

function expectLines(schema: SchemaPlan, batch: RecordBatch): void {
  const encoder = compileJsonEncoder(codecOf(), schema);
  const { bytes, refused } = encoder.encodeLines(batch);
  const expected = rowByRow(encoder, batch);
  expect(refused).toEqual(expected.refused);
  expect(bytes === null ? null : Buffer.from(bytes).toString()).toBe(
    expected.bytes === null ? null : Buffer.from(expected.bytes).toString(),
  );
}

describe('lines of JSON', () => {
  test('are what the encoder of single rows writes, of any part of a batch (CN-304)', () => {
    expect(LineKernel.for(SCHEMA)).toBeDefined();
    fc.assert(
      fc.property(
        rowsOf(SCHEMA, { rowsMax: 60, isWide: true }),
        fc.nat(30),
        fc.nat(30),
        (rows, before, after) => {
          const batch = batchOf(SCHEMA, rows);
          expectLines(SCHEMA, batch);
          const start = Math.min(before, rows.length);
          expectLines(SCHEMA, batch.slice(start, Math.max(start, rows.length - after)));
        },
      ),
      { numRuns: RUNS },
    );
  });

  test('escape every byte that asks for it, at every place in a word (CN-305)', () => {
    const rows: Value[][] = [];
    for (let byte = 0; byte < 128; byte += 1) {
      for (const length of [0, 1, 15, 16, 17, 31, 33]) {
        const text = 'x'.repeat(length);
        rows.push([`${text}${String.fromCharCode(byte)}é`, text]);
      }
    }
    expectLines(TEXTS, batchOf(TEXTS, rows));
  });

  test('hold rows and texts of any number and length (CN-304)', () => {
    const long = '\u0001'.repeat(120_000);
    const texts = [long, 'a', 'x'.repeat(300_000), null, long, long];
    const few = texts.map((text, at): Value[] => [`${at}`, text]);
    const many = Array.from({ length: 9000 }, (_, at): Value[] => [`text ${at}`, null]);
    expectLines(TEXTS, batchOf(TEXTS, [...few, ...many, ...few]));
    expectLines(TEXTS, batchOf(TEXTS, []));
  });

  test('leave out optional fields that are null, all of them too (CN-304)', () => {
    const schema = schemaOf(
      field('n', 'I32', { optional: true }),
      field('b', 'BOOL', { optional: true }),
    );
    const values: Value[][] = [
      [null, null],
      [-1, null],
      [null, false],
      [0, true],
    ];
    const rows = Array.from({ length: 40 }, (_, at): Value[] => values[at % 4]!);
    const { bytes } = compileJsonEncoder(codecOf(), schema).encodeLines(batchOf(schema, rows));
    const lines = '{}\n{"n":-1}\n{"b":false}\n{"n":0,"b":true}\n'.repeat(10);
    expect(Buffer.from(bytes!).toString()).toBe(lines);
  });

  test('are written of a batch between its beginning and its end (CN-304)', () => {
    const kernel = LineKernel.for(TEXTS);
    const batch = batchOf(TEXTS, [['a', null]]);
    kernel?.enter(batch);
    const parts: Uint8Array<ArrayBuffer>[] = [];
    expect(kernel?.encode(0, parts)).toBe(1);
    expect(Buffer.concat(parts).toString()).toBe('{"t":"a"}\n');
    kernel?.leave();
    expect(() => kernel?.encode(0, parts)).toThrow('a batch that was begun');
  });

  test('are the same where the host has no WebAssembly (CN-304)', async () => {
    const rows = Array.from({ length: 40 }, (_, at): Value[] => [`text "${at}"`, 'é\n']);
    const batch = batchOf(TEXTS, rows);
    const own = compileJsonEncoder(codecOf(), TEXTS).encodeLines(batch);
    vi.resetModules();
    vi.stubGlobal('WebAssembly', undefined);
    try {
      const { compileJsonEncoder: compileWithout } = await import(
        '../../../src/codec/json/json-encoder.js'
      );
      const encoder = compileWithout(codecOf(), TEXTS);
      expect(encoder.encodeLines(batch)).toEqual(own);
    } finally {
      vi.unstubAllGlobals();
    }
  });
});
