import type { JaqCodecPlan, JaqFormat, JaqTransformations, SchemaPlan } from '@nervix/model';
import { afterAll, describe, expect, test } from 'vitest';
import { BatchBuilder } from '../../../src/batch/batch-builder.js';
import { compileEncoder } from '../../../src/codec/compile-codec.js';
import { sharedDocumentReader } from '../../../src/codec/jaq/document-reader.js';
import { JaqDecoder } from '../../../src/codec/jaq/jaq-decoder.js';
import { JaqEncoder } from '../../../src/codec/jaq/jaq-encoder.js';
import { JaqProgram, OUTPUT_DEPTH_MAX } from '../../../src/codec/jaq/jaq-program.js';
import { JqEngine, sharedJqEngine } from '../../../src/codec/jaq/jq-engine.js';
import { JSON_PAYLOAD } from '../../../src/codec/jaq/json-payload.js';
import { TREE_DEPTH_MAX } from '../../../src/codec/jaq/json-tree.js';
import type { Value } from '../../../src/column/column.js';
import { batchOf } from '../codec-arbitraries.js';
import { field, schemaOf } from '../codec-fixture.js';
import { decodeRows, encodeRow, expectResilience } from '../codec-suite.js';

afterAll(() => {
  sharedJqEngine().close();
  sharedDocumentReader().close();
});

const SCHEMA = schemaOf(
  field('id', 'I64'),
  field('name', 'STRING', { optional: true }),
  field('at', 'DATETIME', { optional: true }),
);

function jaqCodec(
  payload: JaqFormat,
  transformations: Partial<JaqTransformations> = {},
): JaqCodecPlan {
  const all = { onIngestion: '.', onEmitting: '.', onEmittingBatch: null, ...transformations };
  return { name: 'c', format: 'JAQ', schema: 's', payload, transformations: all };
}

const bytesOf = (text: string) => new TextEncoder().encode(text);
const hex = (text: string) => Uint8Array.from(Buffer.from(text.replaceAll(' ', ''), 'hex'));

function decode(
  text: string | Uint8Array,
  payload: JaqFormat = 'JSON',
  onIngestion = '.',
  schema: SchemaPlan = SCHEMA,
): Value[][] | string {
  const bytes = typeof text === 'string' ? bytesOf(text) : text;
  return decodeRows(jaqCodec(payload, { onIngestion }), schema, bytes);
}

function encode(codec: JaqCodecPlan, row: readonly Value[], schema = SCHEMA): string {
  const encoded = encodeRow(codec, batchOf(schema, [row]), 0);
  return typeof encoded === 'string' ? encoded : Buffer.from(encoded).toString();
}

describe('ingestion of JSON (CN-321, CN-322)', () => {
  test.each<[string, string, string, Value[][] | string]>([
    [
      'values one after the other',
      '{"id":1}{"id":2} \n{"id":3}\n',
      '.',
      [
        [1n, null, null],
        [2n, null, null],
        [3n, null, null],
      ],
    ],
    ['nothing', ' \n', '.', []],
    [
      'many outputs',
      '{"ids":[3,1,2]}',
      '.ids[] | {id: .}',
      [
        [3n, null, null],
        [1n, null, null],
        [2n, null, null],
      ],
    ],
    ['no output', '{"id":1}{"id":2}', 'select(.id > 1)', [[2n, null, null]]],
    [
      '64 bits that pass through',
      '{"n":9223372036854775807}',
      '{id: .n}',
      [[9223372036854775807n, null, null]],
    ],
    ['surplus keys', '{"id":1,"x":[{}]}', '.', [[1n, null, null]]],
    ['instants', '{"id":1,"at":"1970-01-01T00:00:00.000000001Z"}', '.', [[1n, null, 1n]]],
    [
      'a program with definitions and a comment',
      '{"id":1}',
      'def f: .id + 1; {id: f} # more',
      [[2n, null, null]],
    ],
    ['text with escapes', '{"id":1,"name":"é\\u0000\\n\\"😀"}', '.', [[1n, 'é\0\n"😀', null]]],
    ['a byte order mark', '\ufeff{"id":1}', '.', [[1n, null, null]]],
    ['no JSON', '{"id":1} {"id":', '.', "codec 'c' malformed JSON: unexpected end at input 1"],
    [
      'a lone surrogate',
      '{"id":1,"name":"\\ud800"}',
      '.',
      "codec 'c' malformed JSON: lone surrogate escape at input 0",
    ],
    [
      'a huge number',
      '{"id":1,"x":1e400}',
      '.',
      "codec 'c' malformed JSON: number out of range at input 0",
    ],
    [
      'an error',
      '{"id":1}{"id":"x"}',
      '.id + 1 | {id: .}',
      "codec 'c' evaluation failed at input 1",
    ],
    [
      'no object',
      '{"id":1}{"id":2}',
      '., (select(.id > 1) | .id)',
      "codec 'c' expected object payload at input 1 output 1",
    ],
    ['a missing field', '{"id":1}{}', '.', "codec 'c' missing field 'id' at input 1 output 0"],
    [
      'another type',
      '{"id":"1"}',
      '.',
      "codec 'c' failed to parse field 'id': expected I64, found string at input 0 output 0",
    ],
    [
      'a fraction',
      '{"id":1}',
      '{id: (.id / 2)}',
      "codec 'c' failed to parse field 'id': value is incompatible with I64 at input 0 output 0",
    ],
    ['a program that halts', '{"id":1}', 'halt', "codec 'c' evaluation was halted"],
    [
      'input of other values',
      '{"id":1}{"id":2}',
      'input',
      "codec 'c' evaluation failed at input 0",
    ],
  ])('%s', (_, text, program, outcome) => {
    expect(decode(text, 'JSON', program)).toEqual(outcome);
  });

  test.each([
    [65_536, undefined],
    [65_537, "codec 'c' more than 65536 outputs"],
  ])(
    'unfolds into %i messages or not',
    (count, message) => {
      const engine = new JqEngine(30_000);
      const program = JaqProgram.compile(engine, `range(${count}) | {id: .}`);
      if (typeof program === 'string') throw new Error(program);
      const decoder = new JaqDecoder(jaqCodec('JSON'), SCHEMA, {
        payload: JSON_PAYLOAD,
        isText: true,
        program,
      });
      const builder = new BatchBuilder(SCHEMA);
      expect(decoder.decode(bytesOf('0'), 0, 1, builder)?.message).toBe(message);
      expect(builder.rowCount).toBe(message === undefined ? count : 0);
      engine.close();
    },
    60_000,
  );

  test('shows programs no surroundings', () => {
    const schema = schemaOf(field('text', 'STRING'));
    const text = String((decode('1', 'JSON', '{text: (env | tostring)}', schema) as Value[][])[0]);
    expect(text).not.toContain(process.cwd());
    expect(text).not.toContain(String(process.env['PATH']));
  });

  test('is judged when cut or broken', () => {
    const codec = jaqCodec('JSON');
    const payload = bytesOf('{"id":-5,"name":"é","at":null}');
    expect(decodeRows(codec, SCHEMA, payload.subarray(0, 9))).toBeTypeOf('string');
    expect(decodeRows(codec, SCHEMA, payload)).toEqual([[-5n, 'é', null]]);
  });
});

const MISFIT =
  "codec 'c' failed to parse field 'id': value is incompatible with I64 at input 0 output 0";

describe('ingestion of other formats (CN-321, CN-324)', () => {
  test.each<[JaqFormat, string, string | Uint8Array, string, Value[][] | string]>([
    [
      'CBOR',
      'items',
      hex('a1626964 1b7fffffffffffffff bf626964 20 ff'),
      '.',
      [
        [2n ** 63n - 1n, null, null],
        [-1n, null, null],
      ],
    ],
    ['CBOR', 'bytes', hex('a2626964 01 646e616d65 42 0102'), '.', [[1n, 'AQI=', null]]],
    ['CBOR', 'chunks', hex('a2626964 01 646e616d65 7f 6161 62c3a9 ff'), '.', [[1n, 'aé', null]]],
    ['CBOR', 'nothing', hex(''), '.', []],
    [
      'CBOR',
      'a cut item',
      hex('a1626964'),
      '.',
      "codec 'c' malformed CBOR: unexpected end at input 0",
    ],
    ['CBOR', 'a tag', hex('01 c001'), '.', "codec 'c' malformed CBOR: tagged item at input 1"],
    [
      'CBOR',
      'NaN',
      hex('f97e00'),
      '.',
      "codec 'c' unusable CBOR: a number that is not finite at input 0",
    ],
    [
      'YAML',
      'documents',
      'id: 9223372036854775807\n---\n{id: 2, name: "é"}\n',
      '.',
      [
        [2n ** 63n - 1n, null, null],
        [2n, 'é', null],
      ],
    ],
    ['YAML', 'nothing', '# none\n', '.', []],
    ['YAML', 'words that are no booleans', 'id: 1\nname: no', '.', [[1n, 'no', null]]],
    ['YAML', 'a repeated key', 'id: 1\nid: 2', '.', "codec 'c' malformed YAML at input 0"],
    ['YAML', 'broken', 'id: [1', '.', "codec 'c' malformed YAML at input 0"],
    ['YAML', 'a float that is whole', 'id: 1.0', '.', MISFIT],
    ['YAML', 'an exponent', 'id: 1e3', '.', MISFIT],
    ['TOML', 'a float that is whole', 'id = 1.0', '.', MISFIT],
    ['CBOR', 'a float that is whole', hex('a1626964f93c00'), '.', MISFIT],
    ['JSON', 'a float that is whole', '{"id":1.0}', '.', MISFIT],
    [
      'YAML',
      'NaN',
      'id: .nan',
      '.',
      "codec 'c' unusable YAML: a number that is not finite at input 0",
    ],
    [
      'TOML',
      'a document',
      'at = 1970-01-01T00:00:01Z\nid = 9223372036854775807',
      '.',
      [[2n ** 63n - 1n, null, 1_000_000_000n]],
    ],
    ['TOML', 'nothing', '', '{id: length}', [[0n, null, null]]],
    [
      'TOML',
      'an instant with nanoseconds',
      'id = 1\nname = 2024-02-29 00:00:00.123456789Z',
      '.',
      [[1n, '2024-02-29T00:00:00.123456789Z', null]],
    ],
    [
      'TOML',
      'a day that does not exist',
      'id = 1\nname = 2023-02-29',
      '.',
      "codec 'c' unusable TOML: date does not exist at input 0",
    ],
    ['TOML', 'broken', 'id = ', '.', "codec 'c' malformed TOML at input 0"],
    [
      'XML',
      'a root',
      '<?xml version="1.0"?><!-- x --><r id="7">a<b/>&lt;<![CDATA[<c>]]></r>',
      '{id: (.a.id | tonumber), name: (.c | tojson)}',
      [[7n, '["a",{"t":"b"},"<<c>"]', null]],
    ],
    ['XML', 'nothing', ' \n', '.', []],
    ['XML', 'broken', '<r><b></r>', '.', "codec 'c' malformed XML at input 0"],
    [
      'XML',
      'an entity of its own',
      '<!DOCTYPE r [<!ENTITY e "x">]><r>&e;</r>',
      '.',
      "codec 'c' malformed XML at input 0",
    ],
    [
      'XML',
      'too deep',
      '<a>'.repeat(65) + '</a>'.repeat(65),
      '.',
      "codec 'c' unusable XML: nesting deeper than 64 at input 0",
    ],
  ])('%s: %s', (payload, _, text, program, outcome) => {
    expect(decode(text, payload, program)).toEqual(outcome);
  });

  test.each(['JSON', 'YAML', 'TOML', 'XML'] as const)('%s is UTF-8 (CN-386)', (payload) => {
    expect(decode(Uint8Array.of(0xff, 0xfe, 0x31, 0), payload)).toBe(
      "codec 'c' input is UTF-16LE, expected UTF-8",
    );
    expect(decode(Uint8Array.of(0x22, 0xff, 0x22), payload)).toMatch(/invalid UTF-8/);
  });

  test('CBOR is judged when broken', () => {
    const codec = jaqCodec('CBOR', { onIngestion: 'select(.id?)' });
    expectResilience(codec, SCHEMA, hex('a1 626964 01'), { failsWhenCut: false });
  });

  test('an alias cannot make a small document huge', () => {
    const levels = Array.from({ length: 9 }, (_, at) => `- &a${at + 1} [${`*a${at}, `.repeat(9)}]`);
    expect(decode(`- &a0 [x]\n${levels.join('\n')}\n`, 'YAML')).toBe(
      "codec 'c' unusable YAML: aliases at input 0",
    );
  });
});

describe('emission (CN-323, CN-324, CN-330)', () => {
  const row = [9223372036854775807n, 'a:b, "é"', null] as const;
  test.each<[JaqFormat, string, string]>([
    ['JSON', '.', '{"id": 9223372036854775807, "name": "a:b, \\"é\\""}'],
    ['JSON', '[.id, {a: 1}]', '[9223372036854775807, {"a": 1}]'],
    ['YAML', '[{a: .id}]', '[{a: 9223372036854775807}]'],
    ['YAML', '.name', '\'a:b, "é"\''],
    ['TOML', '{id, t: {n: .name}}', 'id = 9223372036854775807\n\n[t]\nn = "a:b, \\"é\\""'],
    ['TOML', '.id', "codec 'c' TOML cannot hold a value that is no table"],
    ['TOML', '{n: null}', "codec 'c' TOML cannot hold null"],
    [
      'XML',
      '{t: "r", a: {i: "<\\n"}, c: [.name, {t: "b"}, "<"]}',
      '<r i="&lt;&#10;">a:b, "é"<b/>&lt;</r>',
    ],
    ['XML', '.', "codec 'c' XML cannot hold an element without a name"],
    ['XML', '{t: "a b"}', "codec 'c' XML cannot hold an element without a name"],
    ['JSON', 'empty', "codec 'c' transformation produced no output"],
    ['JSON', '., .', "codec 'c' transformation produced multiple outputs"],
    ['JSON', 'error("x")', "codec 'c' evaluation failed"],
  ])('%s of %s', (payload, onEmitting, outcome) => {
    expect(encode(jaqCodec(payload, { onEmitting }), row)).toBe(outcome);
  });

  test('CBOR in preferred serialization', () => {
    const codec = jaqCodec('CBOR', { onEmitting: '[.id, -1, 1.5, null, true, .name]' });
    expect(encodeRow(codec, batchOf(SCHEMA, [[1n, 'é', null]]), 0)).toEqual(
      hex('86 01 20 f93e00 f6 f5 62c3a9'),
    );
  });

  test('a row at fault leaves the others alone', () => {
    const onEmitting = 'if .id == 2 then error("x") elif .id == 3 then empty else .id end';
    const batch = batchOf(
      SCHEMA,
      [1n, 2n, 3n, 4n].map((id) => [id, null, null]),
    );
    const encoder = compileEncoder(jaqCodec('JSON', { onEmitting }), SCHEMA);
    const { bytes, refused } = encoder.encodeContainer(batch);
    expect(Buffer.from(bytes ?? []).toString()).toBe('[1, 4]');
    expect(refused.map(({ row: at, failure }) => [at, failure.message])).toEqual([
      [1, "codec 'c' evaluation failed"],
      [2, "codec 'c' transformation produced no output"],
    ]);
    expect(Buffer.from(encoder.encode(batch, 3) as Uint8Array).toString()).toBe('4');
  });

  test.each<[JaqFormat, string, string | null, string]>([
    ['JSON', '.id', null, '[1, 2]'],
    ['JSON', '.id', '{ids: .}', '{"ids": [1, 2]}'],
    ['YAML', '{id}', null, '[{id: 1}, {id: 2}]'],
    ['TOML', '{id}', null, '[[batch]]\nid = 1\n\n[[batch]]\nid = 2'],
    ['XML', '{t: "i", c: [.id | tostring]}', null, '<batch><i>1</i><i>2</i></batch>'],
    ['CBOR', '.id', null, '\x82\x01\x02'],
  ])('a container of %s with %s and %j', (payload, onEmitting, onEmittingBatch, text) => {
    const batch = batchOf(
      SCHEMA,
      [1n, 2n].map((id) => [id, null, null]),
    );
    const codec = jaqCodec(payload, { onEmitting, onEmittingBatch });
    const { bytes } = compileEncoder(codec, SCHEMA).encodeContainer(batch);
    expect(Buffer.from(bytes ?? []).toString('latin1')).toBe(text);
  });

  test('a row that the format cannot hold leaves the others in the container', () => {
    const onEmitting = 'if .id == 2 then 184467440737095516161 else .id end';
    const batch = batchOf(
      SCHEMA,
      [1n, 2n, 3n].map((id) => [id, null, null]),
    );
    const encoder = compileEncoder(jaqCodec('CBOR', { onEmitting }), SCHEMA);
    const { bytes, refused } = encoder.encodeContainer(batch);
    expect(bytes).toEqual(hex('82 01 03'));
    expect(refused.map(({ row: at, failure }) => [at, failure.message])).toEqual([
      [1, "codec 'c' CBOR cannot hold an integer over 64 bits"],
    ]);
    const alone = encoder.encodeContainer(batch.slice(1, 2));
    expect(alone.bytes).toBeNull();
    expect(alone.refused.map(({ row: at }) => at)).toEqual([0]);
  });

  test('a batch program that fails rejects every member', () => {
    const batch = batchOf(
      SCHEMA,
      [1n, 2n].map((id) => [id, null, null]),
    );
    const codec = jaqCodec('JSON', { onEmittingBatch: 'empty' });
    const { bytes, refused } = compileEncoder(codec, SCHEMA).encodeContainer(batch);
    expect(bytes).toBeNull();
    expect(refused.map(({ row: at, failure }) => [at, failure.message])).toEqual(
      [0, 1].map((at) => [at, "codec 'c' transformation produced no output"]),
    );
  });
});

describe('programs (CN-320, CN-326)', () => {
  test.each([
    ['{a:', /^codec 'c' has invalid jaq transformation: syntax error/],
    ['. | nothing', /^codec 'c' has invalid jaq transformation: nothing\/0 is not defined/],
    ['.) | (.', /^codec 'c' has invalid jaq transformation/],
    ['import "x" as x; .', /^codec 'c' has invalid jaq transformation/],
  ])('%s does not compile', (onIngestion, message) => {
    const codec = jaqCodec('JSON', { onIngestion });
    expect(() => decodeRows(codec, SCHEMA, bytesOf('{}'))).toThrow(message);
  });

  test('a direction without one is refused', () => {
    const codec = jaqCodec('JSON', { onIngestion: null });
    expect(() => decodeRows(codec, SCHEMA, bytesOf('{}'))).toThrow(
      "codec 'c' has no jaq transformation for this direction",
    );
  });

  test('rows that are all endless hold the others up for a bounded time', () => {
    const engine = new JqEngine(1_000);
    const program = JaqProgram.compile(engine, 'if .id > 3 then (def f: f; f) else . end');
    if (typeof program === 'string') throw new Error(program);
    const parts = { payload: JSON_PAYLOAD, program, batchProgram: null, isolationMsMax: 2_000 };
    const encoder = new JaqEncoder(jaqCodec('JSON'), SCHEMA, parts);
    const rows = Array.from({ length: 64 }, (_, at): Value[] => [BigInt(at), null, null]);
    const batch = batchOf(SCHEMA, rows);
    const startedAt = performance.now();
    const encoded = rows.map((_, row) => encoder.encode(batch, row));
    expect(performance.now() - startedAt).toBeLessThan(10_000);
    const failed = encoded.filter((each) => !(each instanceof Uint8Array));
    expect(failed.length).toBeGreaterThanOrEqual(60);
    engine.close();
  });

  test.each([
    ['[.]', 'arrays'],
    ['{a: ., b: "x"}', 'objects'],
    ['{a: [.]}', 'both'],
  ])('an output nested too deep is refused and harms no other program: %s', (around) => {
    const engine = new JqEngine(5_000);
    const plain = JaqProgram.compile(engine, '.');
    if (typeof plain === 'string') throw new Error(plain);
    const deepest = around.includes('[.]}') ? OUTPUT_DEPTH_MAX / 2 : OUTPUT_DEPTH_MAX;
    for (const depth of [deepest, deepest + 1, 48, 64, 100, 400]) {
      const program = JaqProgram.compile(engine, `reduce range(${depth}) as $i (.; ${around})`);
      if (typeof program === 'string') throw new Error(program);
      const outcome = program.run(['1']);
      const failed = depth > deepest ? [0] : [];
      expect(outcome).toMatchObject({ kind: 'outputs', failedInputs: failed });
      for (const value of ['7', '{"a":[8]}']) {
        expect(plain.run([value])).toMatchObject({ outputs: [{ input: 0, json: value }] });
      }
    }
    engine.close();
  });

  test.each([
    'tojson',
    'tostring',
    'debug',
    '"\\(.)"',
    '@json',
    '[paths]',
    '[., .] | unique',
    '. == .',
  ])('an input nested as deep as may be harms no other program: %s', (source) => {
    const engine = new JqEngine(10_000);
    const [plain, deep] = ['.', `${source} | {n: 1}`].map((each) =>
      JaqProgram.compile(engine, each),
    );
    if (typeof plain !== 'object' || typeof deep !== 'object') throw new Error('not compiled');
    for (const depth of [24, 40, 60, 100, TREE_DEPTH_MAX]) {
      const input = '['.repeat(depth) + ']'.repeat(depth);
      const expected = [{ input: 0, json: '{"n":1}' }];
      expect(deep.run([input])).toMatchObject({ outputs: expected });
      expect(plain.run([input])).toMatchObject({ outputs: [{ input: 0, json: input }] });
    }
    engine.close();
  });

  test.each(['tojson', 'debug', 'def f: [f]; f'])(
    'what a program nests deeper than the engine can bear is given up, and the next one runs: %s',
    (source) => {
      const engine = new JqEngine(10_000);
      const [plain, deep] = ['.', `reduce range(20000) as $i (.; [.]) | ${source} | 1`].map(
        (each) => JaqProgram.compile(engine, each),
      );
      if (typeof plain !== 'object' || typeof deep !== 'object') throw new Error('not compiled');
      expect(deep.run(['1'])).toEqual({ kind: 'failed', cause: 'evaluation exceeded its limits' });
      const expected = [{ input: 0, json: '{"a":[7]}' }];
      expect(plain.run(['{"a":[7]}'])).toMatchObject({ outputs: expected });
      engine.close();
    },
  );

  test.each(['def f: f; f', 'last(repeat(1))', '[range(1e9)]', '"x" * (. * 1e9)'])(
    '%s is stopped, and the next one runs',
    (source) => {
      const engine = new JqEngine(1_500);
      const endless = JaqProgram.compile(engine, source);
      const plain = JaqProgram.compile(engine, '.');
      if (typeof endless === 'string' || typeof plain === 'string') throw new Error('not compiled');
      const startedAt = performance.now();
      const outcome = endless.run(['1']);
      expect(performance.now() - startedAt).toBeLessThan(20_000);
      if (outcome.kind === 'outputs') expect(outcome.failedInputs).toEqual([0]);
      expect(plain.run(['1'])).toEqual({
        kind: 'outputs',
        outputs: [{ input: 0, json: '1' }],
        failedInputs: [],
      });
      engine.close();
    },
    60_000,
  );
});
