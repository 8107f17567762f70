import type { SchemaPlan } from '@nervix/model';
import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { writeArrowStream } from '../../../src/arrow/arrow-writer.js';
import { BatchBuilder } from '../../../src/batch/batch-builder.js';
import { decodeLines } from '../../../src/codec/decode-lines.js';
import { compileJsonDecoder } from '../../../src/codec/json/json-decoder.js';
import { compileJsonEncoder } from '../../../src/codec/json/json-encoder.js';
import { RecordKernel } from '../../../src/codec/json/kernel/record-kernel.js';
import { type Column, readValue, type Value } from '../../../src/column/column.js';
import { propertyRuns } from '../../support/property-runs.js';
import { batchOf, rowsOf } from '../codec-arbitraries.js';
import { codecOf, field, schemaOf } from '../codec-fixture.js';

const RUNS = propertyRuns(100);

const SCALARS = [
  ...(['U8', 'I8', 'U16', 'I16', 'U32', 'I32', 'U64', 'I64'] as const),
  ...(['F32', 'F64', 'BOOL', 'STRING', 'DATETIME'] as const),
];
const SCHEMA = schemaOf(
  ...SCALARS.map((type) => field(type.toLowerCase(), type)),
  ...SCALARS.map((type) => field(`${type.toLowerCase()}_or_none`, type, { optional: true })),
);
const TEXTS = schemaOf(field('a', 'STRING'), field('n', 'I64', { optional: true }));

const inOrder = (schema: SchemaPlan): number[] => schema.fields.map((_, index) => index);

function kernelOf(schema: SchemaPlan, order: (number | string)[] = inOrder(schema)): RecordKernel {
  const kernel = RecordKernel.for(schema, order);
  if (kernel === undefined) throw new Error('this host has no WebAssembly with SIMD');
  return kernel;
}

const valuesOf = (columns: readonly Column[]): Value[][] =>
  columns.map((column) =>
    Array.from({ length: column.length }, (_, row) => readValue(column, row)),
  );

/**
 * Numbers of the lines that the kernel takes, whose rows are those that the decoder of single payloads
 * makes of the same lines.
 */
function takenLines(kernel: RecordKernel, schema: SchemaPlan, body: Uint8Array): number[] {
  const decoder = compileJsonDecoder(codecOf(false), schema);
  const [own, single] = [new BatchBuilder(schema), new BatchBuilder(schema)];
  const taken: number[] = [];
  kernel.enter();
  let next = 0;
  for (let [start, line] = [0, 1]; start < body.length; line += 1) {
    const found = body.indexOf(0x0a, start);
    const end = found < 0 ? body.length : found;
    if (start >= next) next = kernel.decode(body, start, own);
    if (start < next) {
      taken.push(line);
      expect(decoder.decode(body.slice(start, end), 0, end - start, single)).toBeUndefined();
    }
    start = end + 1;
  }
  expect(own.rowCount).toBe(taken.length);
  expect(valuesOf(own.finish().columns)).toEqual(valuesOf(single.finish().columns));
  return taken;
}

function encodedLines(schema: SchemaPlan, rows: readonly (readonly Value[])[]): Buffer {
  const encoder = compileJsonEncoder(codecOf(), schema);
  const batch = batchOf(schema, rows);
  const lines: Uint8Array[] = [];
  for (let row = 0; row < batch.rowCount; row += 1) {
    const encoded = encoder.encode(batch, row);
    if (encoded instanceof Uint8Array) lines.push(encoded, Buffer.from('\n'));
  }
  return Buffer.concat(lines);
}

describe('kernels of one thread share a memory', () => {
  const bytesOf = (text: string) => new TextEncoder().encode(text);
  const decodeBody = (schema: SchemaPlan, text: string, strict = true) => {
    const rows = new BatchBuilder(schema);
    const failure = decodeLines(compileJsonDecoder(codecOf(strict), schema), bytesOf(text), rows);
    expect(failure).toBeUndefined();
    return rows.finish();
  };

  test('a schema of many texts leaves the tables of the others alone', () => {
    const one = schemaOf(field('a', 'STRING'));
    const line = '{"a":"x\\u0031\\n"}\n';
    const kernel = kernelOf(one);
    const many = schemaOf(
      ...Array.from({ length: 270 }, (_, index) => field(`t${index}`, 'STRING')),
    );
    const values = many.fields.map(({ name }) => `${name}\t"`);
    const batch = batchOf(many, Array(64).fill(values));
    const encoder = compileJsonEncoder(codecOf(), many);
    expect(encoder.encodeLines?.(batch)).toBeDefined();
    expect(takenLines(kernel, one, Buffer.from(line.repeat(3)))).toEqual([1, 2, 3]);
  });

  test('nulls hide nothing of what other records left there', () => {
    const types = SCALARS.map((type) => field(type.toLowerCase(), type, { optional: true }));
    const schema = schemaOf(...types);
    const secrets = SCALARS.map((type) => {
      if (type === 'STRING') return '"CANARY"';
      if (type === 'DATETIME') return '"2026-11-30T17:00:00Z"';
      return type === 'BOOL' ? 'true' : '77';
    });
    const full = `{${SCALARS.map((type, at) => `"${type.toLowerCase()}":${secrets[at]}`).join(',')}}\n`;
    const nulls = `{${SCALARS.map((type) => `"${type.toLowerCase()}":null`).join(',')}}\n`;
    decodeBody(schema, full.repeat(200));
    for (const text of [nulls.repeat(100), '{}\n'.repeat(100)]) {
      const byHand = new BatchBuilder(schema);
      for (let row = 0; row < 100; row += 1) byHand.appendRow(SCALARS.map(() => null));
      const wanted = Buffer.from(writeArrowStream(schema, [byHand.finish()]));
      expect(Buffer.from(writeArrowStream(schema, [decodeBody(schema, text)]))).toEqual(wanted);
    }
  });

  test.each(['', 'x', 'y'.repeat(70_000)])(
    'names that nobody declared may be short or long (%#)',
    (name) => {
      const schema = schemaOf(field('b', 'BOOL'));
      const line = `{"b":true,${JSON.stringify(name)}:1}\n`;
      const count = Math.ceil(700_000 / line.length);
      expect(decodeBody(schema, line.repeat(count), false).rowCount).toBe(count);
    },
  );
});

describe('kernel of JSON records', () => {
  const kernel = kernelOf(SCHEMA);
  const texts = kernelOf(TEXTS);

  test('makes the same rows as the decoder of payloads (CN-303)', () => {
    const edit = fc.tuple(fc.nat(), fc.constantFrom(...'\n\r\t {}[]",:0e.\\x\0é'));
    fc.assert(
      fc.property(
        rowsOf(SCHEMA, { rowsMax: 20 }),
        fc.array(edit, { maxLength: 3 }),
        (rows, edits) => {
          const body = encodedLines(SCHEMA, rows);
          if (body.length === 0) return;
          for (const [at, text] of edits) body.write(text, at % body.length);
          takenLines(kernel, SCHEMA, body);
        },
      ),
      { numRuns: RUNS },
    );
  });

  test('takes every line that an encoder wrote, in any order of members (CN-303)', () => {
    const schema = schemaOf(
      field('n', 'I32'),
      field('t', 'STRING', { optional: true }),
      field('b', 'BOOL', { optional: true }),
      field('x', 'F64'),
    );
    const usual = kernelOf(schema);
    const kernels = new Map<string, RecordKernel>();
    fc.assert(
      fc.property(
        rowsOf(schema, { rowsMax: 30 }),
        fc.shuffledSubarray([0, 1, 2, 3], { minLength: 4 }),
        (rows, order) => {
          const all = takenLines(usual, schema, encodedLines(schema, rows));
          expect(all).toHaveLength(rows.length);
          const members = ['"n":-7', '"t":"é\\n"', '"b":true', '"x":1.5'];
          const line = `{${order.map((at) => members[at]).join(', ')}}\n`;
          const ordered = kernels.get(order.join()) ?? kernelOf(schema, order);
          kernels.set(order.join(), ordered);
          expect(takenLines(ordered, schema, Buffer.from(line))).toEqual([1]);
        },
      ),
      { numRuns: RUNS },
    );
  });

  test('ends at every byte of a body where the decoder of payloads ends (CN-303)', () => {
    const body = Buffer.from(
      [
        '{"a":"0123456789abcdef\\u00e9\\ud83d\\ude00é😀","n":-12}',
        '{ "a": "\\"\\\\\\/\\b\\f\\n\\r\\t" , "n": null}',
        '{"a":""}',
      ].join('\n'),
    );
    for (let length = 0; length <= body.length; length += 1) {
      takenLines(texts, TEXTS, body.subarray(0, length));
    }
  });

  test.each([
    [
      'escapes',
      '"\\q"',
      '"\\u12g4"',
      '"\\u12"',
      '"\\ud800"',
      '"\\ud800\\u0041"',
      '"\\udc00"',
      '"\\',
    ],
    ['controls', '"a\tb"', '"\0"', '"0123456789abcde\x1f"'],
    ['syntax', 'x', '"a"x', '"a",', '{}', '1', '"a" :', '"a","n":01', '"a","n":1.5', '"a","n":-'],
  ])('leaves lines with bad %s (CN-305)', (_, ...values) => {
    for (const value of values) {
      const body = Buffer.from(`{"a":"x"}\n{"a":${value}}\n{"a":"y"}\n`);
      expect(takenLines(texts, TEXTS, body)).toEqual([1, 3]);
    }
  });

  test('leaves texts that are no UTF-8, wherever in a word they stand (CN-305)', () => {
    const defects = [
      '80',
      'c0af',
      'c3',
      'c328',
      'e282',
      'e08080',
      'eda080',
      'f0808080',
      'f4908080',
      'f8',
      'ff',
      'f09f98',
    ];
    for (const defect of defects) {
      for (let before = 0; before < 34; before += 1) {
        const text = Buffer.concat([Buffer.alloc(before, 'x'), Buffer.from(defect, 'hex')]);
        const body = Buffer.concat([Buffer.from('{"a":"'), text, Buffer.from('z"}\n{"a":"y"}\n')]);
        expect(takenLines(texts, TEXTS, body)).toEqual([2]);
      }
    }
  });

  test('takes bodies longer than its memory, and leaves a line that is (CN-303)', () => {
    const line = (length: number): string => `{"a":"${'é'.repeat(length / 2)}","n":1}\n`;
    const body = Buffer.from(`${line(30_000).repeat(9)}${line(300_000)}${line(10)}`);
    expect(takenLines(texts, TEXTS, body)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 11]);
  });

  test('skips values of undeclared members up to the end of their line (CN-304)', () => {
    const skipping = kernelOf(TEXTS, ['x', 0, 1]);
    const body = Buffer.from(
      '{"x":{"y":[1,"]"]},"a":"1"}\n{"x":1e999,"a":"2"}\n{"a":"3"}\n{"x":[1,\n2],"a":"4"}\n',
    );
    expect(takenLines(skipping, TEXTS, body)).toEqual([1, 3]);
  });

  test('reads numbers and instants as the decoder of payloads does (CN-306)', () => {
    const schema = schemaOf(
      field('n', 'U64'),
      field('d', 'F64'),
      field('f', 'F32'),
      field('t', 'DATETIME'),
    );
    const digits = fc.stringMatching(/^-?[0-9]{1,21}$/);
    const float = fc.stringMatching(/^-?[0-9]{1,18}(\.[0-9]{0,18})?([eE][+-]?[0-9]{1,3})?$/);
    const [date, clock] = ['[0-2][0-9]{3}-[01][0-9]-[0-3][0-9]', '[0-6][0-9]:[0-6][0-9]'];
    const instant = fc.stringMatching(
      new RegExp(
        `^${date}[Tt ][0-2][0-9]:${clock}(\\.[0-9]{0,11})?([Zz]|[+-][0-2][0-9]:[0-6][0-9])$`,
      ),
    );
    const kernelOfAll = kernelOf(schema);
    fc.assert(
      fc.property(fc.array(fc.tuple(digits, float, float, instant), { maxLength: 20 }), (rows) => {
        const lines = rows.map(([n, d, f, t]) => `{"n":${n},"d":${d},"f":${f},"t":"${t}"}\n`);
        takenLines(kernelOfAll, schema, Buffer.from(lines.join('')));
      }),
      { numRuns: propertyRuns(300) },
    );
  });
});

test('bodies are read alike where the host has no WebAssembly (CN-303)', async () => {
  const lines = Array.from({ length: 300 }, (_, at) => `{"a":"text ${at} é\\n","n":${at}}\n`);
  const body = Buffer.from(lines.join(''));
  const decode = (make: typeof compileJsonDecoder): Value[][] => {
    const builder = new BatchBuilder(TEXTS);
    expect(make(codecOf(), TEXTS).decodeLines(body, builder)).toBeUndefined();
    return valuesOf(builder.finish().columns);
  };
  vi.resetModules();
  vi.stubGlobal('WebAssembly', undefined);
  try {
    const { compileJsonDecoder: compileWithout } = await import(
      '../../../src/codec/json/json-decoder.js'
    );
    expect(decode(compileWithout)).toEqual(decode(compileJsonDecoder));
  } finally {
    vi.unstubAllGlobals();
  }
});
