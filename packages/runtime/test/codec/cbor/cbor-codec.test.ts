import type { DataType } from '@nervix/model';
import { describe, expect, test } from 'vitest';
import { compileEncoder } from '../../../src/codec/compile-codec.js';
import { batchOf } from '../codec-arbitraries.js';
import { cborCodec, field, schemaOf } from '../codec-fixture.js';
import { decodeRows, encodeRow } from '../codec-suite.js';

const hex = (text: string) => Uint8Array.from(Buffer.from(text.replaceAll(' ', ''), 'hex'));
const inField = (reason: string) => `codec 'c' failed to parse field 'f': ${reason}`;
const misfit = (type: string) => inField(`value is incompatible with ${type}`);
const found = (type: string, kind: string) => inField(`expected ${type}, found ${kind}`);
const syntax = (defect: string, at: number) =>
  `failed to parse cbor payload for codec 'c': ${defect} at byte ${at}`;
const VEC: DataType = { kind: 'vec', element: 'U8' };
const PAIR: DataType = { kind: 'array', element: 'F32', length: 2 };

/** Every kind of item against every type that a field can have. */
const TABLE: readonly [item: string, bytes: string, Readonly<Record<string, unknown>>][] = [
  ['0', '00', { U8: 0, I64: 0n, U64: 0n, F32: 0, F64: 0 }],
  ['23', '17', { U8: 23, I8: 23, U64: 23n, F64: 23 }],
  ['24', '1818', { U8: 24, I8: 24 }],
  ['127 in more bytes than needed', '1b000000000000007f', { I8: 127, I64: 127n, F32: 127 }],
  ['256', '190100', { U8: misfit('U8'), U16: 256, I16: 256 }],
  ['2^32 - 1', '1affffffff', { U32: 4294967295, I32: misfit('I32'), U64: 4294967295n }],
  ['2^53 + 1', '1b0020000000000001', { I64: 9007199254740993n, F64: 9007199254740992 }],
  ['2^63 - 1', '1b7fffffffffffffff', { I64: 2n ** 63n - 1n, F64: 2 ** 63 }],
  ['2^63', '1b8000000000000000', { I64: misfit('I64'), U64: 2n ** 63n }],
  ['2^64 - 1', '1bffffffffffffffff', { U64: 2n ** 64n - 1n, F32: 2 ** 64 }],
  ['2^24 + 1 to F32', '1a01000001', { F32: 16777216, F64: 16777217 }],
  ['once rounded', '1b0020000020000001', { F32: 9007200328482816 }],
  ['-1', '20', { I8: -1, I64: -1n, U8: misfit('U8'), U64: misfit('U64'), F32: -1 }],
  ['-128', '387f', { I8: -128 }],
  ['-129', '3880', { I8: misfit('I8'), I16: -129 }],
  ['-2^63', '3b7fffffffffffffff', { I64: -(2n ** 63n), F64: -(2 ** 63) }],
  ['-2^63 - 1', '3b8000000000000000', { I64: misfit('I64') }],
  ['-2^64', '3bffffffffffffffff', { I64: misfit('I64'), F64: -(2 ** 64) }],
  ['half 1.5', 'f93e00', { F32: 1.5, F64: 1.5, I64: found('I64', 'float') }],
  ['half subnormal', 'f90001', { F64: 2 ** -24 }],
  ['half -0', 'f98000', { F64: -0, F32: -0 }],
  ['half infinity', 'f97c00', { F64: Number.POSITIVE_INFINITY }],
  ['half NaN', 'f97e00', { F32: Number.NaN }],
  ['single', 'fa47c35000', { F32: 100000, F64: 100000 }],
  ['double 1.1', 'fb3ff199999999999a', { F64: 1.1, F32: Math.fround(1.1) }],
  ['double beyond F32', 'fb7e37e43c8800759c', { F64: 1e300, F32: misfit('F32') }],
  ['double 1.0', 'fb3ff0000000000000', { U8: found('U8', 'float') }],
  ['true', 'f5', { BOOL: true, U8: found('U8', 'boolean'), STRING: found('STRING', 'boolean') }],
  ['false', 'f4', { BOOL: false, F64: found('F64', 'boolean') }],
  ['text', '6161', { STRING: 'a', BOOL: found('BOOL', 'text'), BYTES: misfit('BYTES') }],
  ['empty text', '60', { STRING: '', BYTES: new Uint8Array(0), DATETIME: misfit('DATETIME') }],
  ['base64', '6441513d3d', { BYTES: Uint8Array.of(1), STRING: 'AQ==' }],
  ['chunks', '7f 62c3a9 60 6162 ff', { STRING: 'éb' }],
  ['instant', '74313937302d30312d30315430303a30303a30315a', { DATETIME: 1_000_000_000n }],
  [
    'bytes',
    '4101',
    { BYTES: found('BYTES', 'byte string'), STRING: found('STRING', 'byte string') },
  ],
  ['array', '820102', { [JSON.stringify(VEC)]: [1, 2], [JSON.stringify(PAIR)]: [1, 2] }],
  ['open array', '9f01ff', { [JSON.stringify(VEC)]: [1], U8: found('U8', 'array') }],
  [
    'long array',
    '83010203',
    { [JSON.stringify(PAIR)]: inField('expected ARRAY<F32, 2>, found array of length 3') },
  ],
  ['null in array', '8201f6', { [JSON.stringify(VEC)]: inField('list contains null at index 1') }],
  ['map', 'a0', { STRING: found('STRING', 'map'), [JSON.stringify(VEC)]: found('VEC<U8>', 'map') }],
  ['null', 'f6', { U8: inField('null is incompatible with required field') }],
  ['undefined', 'f7', { STRING: inField('null is incompatible with required field') }],
];

describe('CBOR items by type (CN-301, CN-303, CN-306)', () => {
  const cases = TABLE.flatMap(([item, bytes, outcomes]) =>
    Object.entries(outcomes).map(([type, outcome]) => [item, type, bytes, outcome] as const),
  );
  test.each(cases)('%s as %s', (_, name, bytes, outcome) => {
    const type = (name.startsWith('{') ? JSON.parse(name) : name) as DataType;
    const rows = decodeRows(cborCodec(), schemaOf(field('f', type)), hex(`a1 6166 ${bytes}`));
    expect(rows).toEqual(
      typeof outcome === 'string' && outcome.startsWith('codec') ? outcome : [[outcome]],
    );
  });
});

describe('CBOR payloads (CN-303, CN-306)', () => {
  const schema = schemaOf(field('a', 'U8'), field('b', 'STRING', { optional: true }));
  const deep = (levels: number) => `a2 6161 01 6178 ${'81'.repeat(levels)}00`;
  const cases: readonly [string, string, boolean, unknown][] = [
    ['open map', 'bf 6161 01 ff', true, [[1, null]]],
    ['another order', 'a2 6162 6178 6161 01', true, [[1, 'x']]],
    ['optional null', 'a2 6161 01 6162 f6', true, [[1, null]]],
    ['optional undefined', 'a2 6161 01 6162 f7', true, [[1, null]]],
    ['the last of repeated members', 'a3 6161 6178 6161 02 6161 03', true, [[3, null]]],
    ['a name in chunks', 'a1 7f 6161 ff 01', true, [[1, null]]],
    ['required missing', 'a0', true, "codec 'c' missing field 'a'"],
    ['unexpected in STRICT', 'a2 6161 01 6178 00', true, "codec 'c' has unexpected field 'x'"],
    ['unexpected in LOOSE', 'a2 6161 01 6178 a1 6179 80', false, [[1, null]]],
    ['bytes dropped in LOOSE', 'a2 6161 01 6178 5f 4100 40 ff', false, [[1, null]]],
    ['empty', '', true, "codec 'c' expected object payload"],
    ['an array', '81 a1 6161 01', true, "codec 'c' expected object payload"],
    ['trailing bytes', 'a1 6161 01 00', true, syntax('trailing bytes', 4)],
    ['cut', 'a1 6161', true, syntax('unexpected end', 3)],
    ['an endless length', 'a1 6161 5b ffffffffffffffff', false, syntax('unexpected end', 12)],
    ['an endless map', 'bb ffffffffffffffff 6161 01', false, syntax('unexpected end', 12)],
    ['a tag', 'a2 6161 01 6178 c001', false, syntax('tagged item', 6)],
    ['a bignum', 'a1 6161 c24101', true, syntax('tagged item', 3)],
    ['a simple value', 'a2 6161 01 6178 e0', false, syntax('unsupported simple value', 6)],
    ['a long simple value', 'a2 6161 01 6178 f8ff', false, syntax('unsupported simple value', 6)],
    ['a break', 'a1 6161 ff', true, syntax('unexpected break', 3)],
    ['a break for a value', 'bf 6161 ff', true, syntax('unexpected break', 3)],
    ['reserved lengths', 'a1 6161 1c', true, syntax('reserved additional information', 3)],
    ['an open integer', 'a1 6161 1f', true, syntax('reserved additional information', 3)],
    ['a numeric key', 'a1 01 01', false, syntax('map key that is not text', 1)],
    [
      'a numeric key inside',
      'a2 6161 01 6178 a1 01 01',
      false,
      syntax('map key that is not text', 7),
    ],
    ['broken UTF-8', 'a1 6162 62c328', true, syntax('invalid UTF-8', 4)],
    ['UTF-8 cut by chunks', 'a1 6162 7f 61c3 61a9 ff', true, syntax('invalid UTF-8', 5)],
    ['a chunk of bytes', 'a1 6162 7f 4161 ff', true, syntax('chunk of another kind', 4)],
    ['chunks in chunks', 'a1 6162 7f 7f 6161 ff ff', true, syntax('chunk of another kind', 4)],
    ['128 levels', deep(127), false, [[1, null]]],
    ['129 levels', deep(128), false, syntax('nesting deeper than 128', 6 + 127)],
  ];
  test.each(cases)('%s', (_, bytes, strict, outcome) => {
    expect(decodeRows(cborCodec(strict), schema, hex(bytes))).toEqual(outcome);
  });
});

describe('CBOR encoding (CN-304, CN-330)', () => {
  const schema = schemaOf(
    field('a', 'I64'),
    field('b', 'STRING', { optional: true }),
    field('x', 'F64'),
  );
  test.each<[string, readonly [bigint, string | null, number], string]>([
    ['null fields are left out', [1n, null, 0.5], 'a2 6161 01 6178 f93800'],
    ['shortest integers', [-25n, '', 65504], 'a3 6161 3818 6162 60 6178 f97bff'],
    ['single floats', [2n ** 40n, null, 65505], 'a2 6161 1b0000010000000000 6178 fa477fe100'],
    [
      'doubles',
      [-(2n ** 63n), 'é', 0.1],
      'a3 6161 3b7fffffffffffffff 6162 62c3a9 6178 fb3fb999999999999a',
    ],
    ['NaN', [0n, null, Number.NaN], 'a2 6161 00 6178 f97e00'],
  ])('%s', (_, row, bytes) => {
    expect(encodeRow(cborCodec(), batchOf(schema, [row]), 0)).toEqual(hex(bytes));
  });

  test('a container is one array', () => {
    const ids = schemaOf(field('a', 'U8'));
    const rows = Array.from({ length: 30 }, (_, id) => [id % 20]);
    const { bytes, refused } = compileEncoder(cborCodec(), ids).encodeContainer(batchOf(ids, rows));
    const members = rows.map(([id = 0]) => `a16161${id.toString(16).padStart(2, '0')}`);
    expect(refused).toEqual([]);
    expect(Buffer.from(bytes ?? []).toString('hex')).toBe(`981e${members.join('')}`);
  });
});
