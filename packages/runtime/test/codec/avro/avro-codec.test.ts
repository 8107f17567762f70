import type { DataType } from '@nervix/model';
import { describe, expect, test } from 'vitest';
import { batchOf } from '../codec-arbitraries.js';
import { avroCodec, field, schemaOf } from '../codec-fixture.js';
import { decodeRows, encodeRow } from '../codec-suite.js';

const hex = (text: string) => Uint8Array.from(Buffer.from(text.replaceAll(' ', ''), 'hex'));
const inField = (reason: string) => `codec 'c' failed to parse field 'f': ${reason}`;
const syntax = (defect: string, at: number) =>
  `failed to parse avro payload for codec 'c': ${defect} at byte ${at}`;
const vec = (element: DataType): DataType => ({ kind: 'vec', element });
const PAIR: DataType = { kind: 'array', element: 'U8', length: 2 };

describe('Avro values of one field (CN-301, CN-307)', () => {
  test.each<[string, DataType, string, unknown]>([
    ['int', 'I32', 'feffffff0f', 2147483647],
    ['least int', 'I32', 'ffffffff0f', -2147483648],
    ['int outside 32 bits', 'I32', '8080808010', inField('value is incompatible with I32')],
    ['long', 'I64', '8080808010', 2n ** 31n],
    ['greatest long', 'I64', 'feffffffffffffffff01', 2n ** 63n - 1n],
    ['least long', 'I64', 'ffffffffffffffffff01', -(2n ** 63n)],
    ['a longer form of 1', 'I64', '8200', 1n],
    ['65 bits', 'I64', 'ffffffffffffffffff02', syntax('integer over 64 bits', 10)],
    ['eleven bytes', 'I64', 'ffffffffffffffffffff01', syntax('integer over 64 bits', 10)],
    ['boolean', 'BOOL', '01', true],
    ['another octet', 'BOOL', '02', syntax('invalid boolean', 1)],
    ['float', 'F32', '0000c03f', 1.5],
    ['double', 'F64', '9a9999999999f13f', 1.1],
    ['short double', 'F64', '9a99', syntax('unexpected end', 0)],
    ['text', 'STRING', '04c3a9', 'é'],
    ['broken UTF-8', 'STRING', '04c328', syntax('invalid UTF-8', 1)],
    ['negative length', 'STRING', '01', syntax('negative length', 1)],
    ['length beyond the end', 'STRING', '08 61', syntax('unexpected end', 1)],
    ['endless length', 'BYTES', 'feffffffffffffffff01', syntax('unexpected end', 10)],
    ['bytes', 'BYTES', '0400ff', Uint8Array.of(0, 255)],
    ['instant', 'DATETIME', '28 313937302d30312d30315430303a30303a30315a', 1_000_000_000n],
    ['no instant', 'DATETIME', '02 31', inField('value is incompatible with DATETIME')],
    ['no items', vec('U8'), '00', []],
    ['several blocks', vec('U8'), '02 02 04 04 06 00', [1, 2, 3]],
    ['a sized block', vec('U8'), '03 04 02 04 00', [1, 2]],
    ['a block of another size', vec('U8'), '03 06 02 04 00', syntax('block of another size', 4)],
    ['a block beyond the end', vec('U8'), '80808010 02', syntax('unexpected end', 4)],
    ['a negative size', vec('U8'), '01 01 02 00', syntax('negative length', 2)],
    ['an item out of range', vec('U8'), '02 8004 00', inField('value is incompatible with U8')],
    ['a negative U64', vec('U64'), '02 01 00', inField('value is incompatible with U64')],
    ['its length', PAIR, '04 02 04 00', [1, 2]],
    ['a shorter one', PAIR, '02 02 00', inField('expected ARRAY<U8, 2>, found array of length 1')],
    ['a longer one', PAIR, '06 020406 00', inField('expected ARRAY<U8, 2>, found a longer array')],
  ])('%s', (_, type, bytes, outcome) => {
    const schema = schemaOf(field('f', type));
    const rows = decodeRows(avroCodec(schema), schema, hex(bytes));
    expect(rows).toEqual(
      typeof outcome === 'string' && /codec/.test(outcome) ? outcome : [[outcome]],
    );
  });
});

describe('Avro datums (CN-303, CN-304, CN-307)', () => {
  const schema = schemaOf(field('a', 'I32'), field('b', 'STRING', { optional: true }));
  const codec = { ...avroCodec(schema), fieldOrder: ['b', 'a'] };

  test.each<[string, string, unknown]>([
    ['in wire order', '02 0278 0e', [[7, 'x']]],
    ['null', '00 0e', [[7, null]]],
    ['another union index', '04 0278 0e', syntax('invalid union index', 1)],
    ['a negative union index', '01 0e', syntax('invalid union index', 1)],
    ['trailing bytes', '00 0e 00', syntax('trailing bytes', 2)],
    ['empty', '', syntax('unexpected end', 0)],
  ])('%s', (_, bytes, outcome) => {
    expect(decodeRows(codec, schema, hex(bytes))).toEqual(outcome);
  });

  test('are written in wire order', () => {
    const batch = batchOf(schema, [
      [7, 'x'],
      [-1, null],
    ]);
    expect(encodeRow(codec, batch, 0)).toEqual(hex('02 0278 0e'));
    expect(encodeRow(codec, batch, 1)).toEqual(hex('00 01'));
  });

  test('cannot hold a U64 beyond a long', () => {
    const wide = schemaOf(field('f', vec('U64')));
    const batch = batchOf(wide, [[[2n ** 63n - 1n]], [[2n ** 63n]]]);
    expect(encodeRow(avroCodec(wide), batch, 0)).toEqual(hex('02 feffffffffffffffff01 00'));
    expect(encodeRow(avroCodec(wide), batch, 1)).toBe(
      "codec 'c' failed to encode field 'f': value exceeds an Avro long",
    );
  });
});
