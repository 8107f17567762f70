import type { SchemaPlan } from '@nervix/model';
import { afterAll, describe, expect, test } from 'vitest';
import { compileEncoder } from '../../../src/codec/compile-codec.js';
import { sharedJqEngine } from '../../../src/codec/jaq/jq-engine.js';
import { compileDescriptors } from '../../../src/codec/protobuf/compile-descriptors.js';
import { batchOf } from '../codec-arbitraries.js';
import { field, schemaOf } from '../codec-fixture.js';
import { decodeRows, encodeRow } from '../codec-suite.js';
import { descriptorsOf, OLD, protobufCodec, RICH } from './proto-fixture.js';

afterAll(() => sharedJqEngine().close());

const hex = (text: string) => Uint8Array.from(Buffer.from(text.replaceAll(' ', ''), 'hex'));

/** What a program sees of a payload, as the text of one STRING field. */
const SEEN: SchemaPlan = schemaOf(field('text', 'STRING'));
const LOOK = { onIngestion: '{text: tojson}' };

function seen(text: string, payload: string): unknown {
  const rows = decodeRows(protobufCodec(text, { programs: LOOK }), SEEN, hex(payload));
  return typeof rows === 'string' ? rows : rows.map(([json]) => json);
}

/** The payload of what a program makes of a record, in hexadecimal, or why there is none. */
function made(text: string, onEmitting: string): string {
  const codec = protobufCodec(text, { programs: { onEmitting } });
  const encoded = encodeRow(codec, batchOf(SEEN, [['']]), 0);
  return typeof encoded === 'string' ? encoded : Buffer.from(encoded).toString('hex');
}

describe('CN-321, CN-325: what programs see of a message', () => {
  test.each([
    ['nothing set', RICH, '', '{}'],
    [
      '64 bits',
      RICH,
      '20 ffffffffffffffff7f 30 ffffffffffffffffff01',
      '{"f_int64":9223372036854775807,"f_uint64":18446744073709551615}',
    ],
    ['a negative int32 of ten bytes', RICH, '18 feffffffffffffffff01', '{"f_int32":-2}'],
    ['names as declared', RICH, 'f8ffffff0f 05', '{"camelCase":5}'],
    [
      'enums by name, unknown ones by number',
      RICH,
      '8001 01 c201 02 05 4d',
      '{"f_color":"RED","r_color":["CRIMSON",77]}',
    ],
    ['bytes as base64', RICH, '7a 03 00ff10', '{"f_bytes":"AP8Q"}'],
    [
      'defaults left out, unless presence is told',
      RICH,
      '18 00 72 00 9001 00 9a01 00',
      '{"o_int32":0,"o_string":""}',
    ],
    ['a list in parts, packed and not', RICH, 'a201 02 01 02 a001 03', '{"r_int64":[1,2,3]}'],
    ['a list of nothing', RICH, 'a201 00 c201 00', '{}'],
    [
      'a map, of one key the last',
      RICH,
      'd201 05 0a0161 1001 d201 05 0a0161 1002',
      '{"m_text":{"a":2}}',
    ],
    [
      'a map entry without its parts',
      RICH,
      'd201 00 e201 00',
      '{"m_text":{"":0},"m_bool":{"false":{}}}',
    ],
    ['of a oneof the last', RICH, 'f001 07 fa01 01 78', '{"c_string":"x"}'],
    [
      'a message in parts',
      RICH,
      '8a01 02 1801 8a01 02 2002',
      '{"f_self":{"f_int32":1,"f_int64":2}}',
    ],
    ['a part that takes a value back', RICH, '8a01 02 1801 8a01 02 1800', '{"f_self":{}}'],
    [
      'unknown fields of every kind',
      RICH,
      'c03e 01 c13e 0000000000000000 c23e 01 00 c33e c03e 01 c43e c53e 00000000 18 01',
      '{"f_int32":1}',
    ],
    ['a known field in another form', RICH, '1a 01 01 20 05', '{"f_int64":5}'],
    ['minus zero', RICH, '09 0000000000000080', '{"f_double":-0.0}'],
    ['a single as short as it is', RICH, '15 cdcccc3d', '{"f_float":0.1}'],
    [
      'groups',
      OLD,
      '08 01 23 0a 01 61 13 08 05 14 24 2b 08 07 2c',
      '{"id":1,"part":{"text":"a","deep":{"n":5}},"item":[{"n":7}]}',
    ],
    ['a closed enum without its number', OLD, '08 01 10 09 18 01 18 09', '{"id":1,"kinds":["A"]}'],
    ['extensions as unknown', OLD, '08 01 a006 05', '{"id":1}'],
  ])('%s', (_, text, payload, json) => {
    expect(seen(text, payload)).toEqual([json]);
  });

  test.each([
    ['a cut number', '18 ff', 'malformed PROTOBUF: cut off'],
    ['a cut text', '72 05 61', 'malformed PROTOBUF: cut off'],
    ['a length beyond everything', '72 ffffffffffffffffff01', 'malformed PROTOBUF: cut off'],
    ['a message that ends in its parent', '8a01 01 18 01', 'malformed PROTOBUF: cut off'],
    ['field 0', '00 01', 'malformed PROTOBUF: a tag of no field'],
    ['wire type 6', '1e 01', 'malformed PROTOBUF: a tag of no field'],
    ['an end without a start', '1c', 'malformed PROTOBUF: unexpected end of a group'],
    ['a start without an end', 'c33e', 'malformed PROTOBUF: cut off'],
    [
      'eleven bytes',
      '18 ffffffffffffffffffff01',
      'malformed PROTOBUF: a number of more than ten bytes',
    ],
    ['text that is none', '72 01 ff', 'malformed PROTOBUF: text is no UTF-8'],
    [
      'a double without a JSON form',
      '09 000000000000f07f',
      'unusable PROTOBUF: a number that is not finite',
    ],
  ])('CN-322: %s', (_, payload, cause) => {
    expect(seen(RICH, payload)).toBe(`codec 'c' ${cause} at input 0`);
  });

  test('CN-322: a required field that is missing', () => {
    expect(seen(OLD, '')).toContain('malformed PROTOBUF: a required field is missing');
  });

  test.each([
    [
      'messages',
      (depth: number) => nested(depth, (inner) => [0x8a, 0x01, ...varint(inner.length), ...inner]),
    ],
    [
      'unknown groups',
      (depth: number) => [
        ...Array(depth).fill([0xc3, 0x3e]).flat(),
        ...Array(depth).fill([0xc4, 0x3e]).flat(),
      ],
    ],
  ])('CN-305: %s nested too deep are refused, however deep', (_, make) => {
    for (const depth of [129, 5_000]) {
      const payload = Buffer.from(make(depth)).toString('hex');
      expect(seen(RICH, payload)).toContain('unusable PROTOBUF: nesting deeper than 128');
    }
  });
});

function varint(value: number): number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...varint(value >> 7)];
}

function nested(depth: number, around: (inner: number[]) => number[]): number[] {
  let bytes: number[] = [];
  for (let level = 0; level < depth; level += 1) bytes = around(bytes);
  return bytes;
}

describe('CN-323, CN-325: what programs make of records', () => {
  test.each([
    ['an empty message', '{}', ''],
    [
      'numbers to their limits',
      '"{\\"f_int64\\":-9223372036854775808,\\"f_uint64\\":18446744073709551615}" | fromjson',
      '2080808080808080808001' + '30ffffffffffffffffff01',
    ],
    ['nulls as not set', '{f_int32: null, r_int64: null}', ''],
    [
      'defaults',
      '{f_int32: 0, f_bool: false, f_string: "", f_color: "COLOR_NONE", f_double: 0, o_int32: 0}',
      '900100',
    ],
    ['enums by name and by number', '{f_color: "RED", r_color: [77]}', '800101c201014d'],
    ['a list as one run', '{r_int64: [1, 2]}', 'a201020102'],
    ['a list that is not packed', '{r_loose: [1, -1]}', 'a80102a80101'],
    ['a map', '{m_long: {"-1": "x"}}', 'da010e08ffffffffffffffffff01120178'],
    [
      'a long part behind its length',
      '{f_self: {f_string: ("a" * 200)}}',
      `8a01cb0172c801${'61'.repeat(200)}`,
    ],
  ])('%s', (_, program, payload) => {
    expect(made(RICH, program)).toBe(payload);
  });

  test.each([
    ['an unknown member', '{nope: 1}', "message 't.M' has no such field as one of the value"],
    ['no object', '[1]', "message 't.M' is to be an object"],
    ['a fraction', '{f_int32: 1.5}', "field 'f_int32' is to be an integer"],
    ['text for a number', '{f_int64: "1"}', "field 'f_int64' is to be an integer"],
    ['a number out of range', '{f_int32: 2147483648}', "field 'f_int32' is out of range"],
    ['a negative one', '{f_uint32: -1}', "field 'f_uint32' is out of range"],
    ['a single beyond its range', '{f_float: 1e39}', "field 'f_float' is out of range"],
    ['bytes that are no base64', '{f_bytes: "A"}', "field 'f_bytes' is no padded base64 text"],
    ['an unknown name', '{f_color: "BLUE"}', "field 'f_color' has a name that is none of its enum"],
    ['no list', '{r_int64: 1}', "field 'r_int64' is to be an array"],
    ['a null in a list', '{r_int64: [null]}', "field 'r_int64' is to be an integer"],
    ['no object for a map', '{m_text: []}', "field 'm_text' is to be an object"],
    ['a key that is none', '{m_long: {"x": "y"}}', "field 'm_long' has a key that is no int64"],
    ['a key out of range', '{m_color: {"-1": "RED"}}', "field 'm_color' is out of range"],
    ['two of a oneof', '{c_int32: 1, c_string: "x"}', "field 'c_string' excludes 'c_int32'"],
  ])('refused: %s', (_, program, reason) => {
    expect(made(RICH, program)).toBe(`codec 'c' PROTOBUF cannot hold it: ${reason}`);
  });

  test('proto2: required fields, closed enums and groups', () => {
    expect(made(OLD, '{id: 1, part: {text: "a"}, item: [{n: 7}], kind: 2}')).toBe(
      '08011002230a01612 42b08072c'.replace(' ', ''),
    );
    expect(made(OLD, '{}')).toContain("field 'id' is required");
    expect(made(OLD, '{id: 1, kind: 9}')).toContain('a number that is none of its enum');
  });
});

describe('CN-330: several records as one payload', () => {
  const rows = batchOf(SEEN, [['a'], ['b']]);
  const programs = { onEmitting: '{f_string: .text}' };
  const container = (codec: ReturnType<typeof protobufCodec>): string => {
    const { bytes, refused } = compileEncoder(codec, SEEN).encodeContainer(rows);
    return bytes === null
      ? (refused[0]?.failure.message ?? '')
      : Buffer.from(bytes).toString('hex');
  };

  test('leave out a record that the message cannot hold', () => {
    const some = '{f_string: (if .text == "a" then 7 else .text end)}';
    const codec = protobufCodec(RICH, { batchMessage: 't.All', programs: { onEmitting: some } });
    const { bytes, refused } = compileEncoder(codec, SEEN).encodeContainer(rows);
    expect(refused.map(({ row, failure }) => [row, failure.message])).toEqual([
      [0, "codec 'c' PROTOBUF cannot hold it: field 'f_string' is to be a string"],
    ]);
    expect(Buffer.from(bytes ?? []).toString('hex')).toBe('0a03720162');
  });

  test('are the one list of the batch message', () => {
    const codec = protobufCodec(RICH, { batchMessage: 't.All', programs });
    expect(container(codec)).toBe('0a037201610a03720162');
  });

  test('are what the batch program makes of them', () => {
    const onEmittingBatch = '{a: .[:1], b: .[1:]}';
    const codec = protobufCodec(RICH, {
      batchMessage: 't.Two',
      programs: { ...programs, onEmittingBatch },
    });
    expect(container(codec)).toBe('0a0372016112 03720162'.replace(' ', ''));
  });

  test.each(['t.Two', 't.M'])('a batch message %s without one list of them is refused', (name) => {
    const batchMessage = name === 't.M' ? 't.Color2' : name;
    const text = `${RICH} message Color2 { string x = 1; }`;
    expect(() => compileEncoder(protobufCodec(text, { batchMessage, programs }), SEEN)).toThrow(
      `BATCH MESSAGE '${batchMessage}' is to have exactly one repeated field of 't.M'`,
    );
  });

  test('without a batch message there is none', () => {
    expect(container(protobufCodec(RICH, { programs }))).toContain('no BATCH MESSAGE');
  });
});

describe('CN-325: descriptors', () => {
  const message = 'syntax = "proto3"; package p; message A { int32 x = 1; }';
  const importing = (name: string) =>
    `syntax = "proto3"; import "${name}"; message B { p.A a = 1; }`;

  test.each<[string, Parameters<typeof descriptorsOf>]>([
    ['relative to the root', [{ 'b.proto': importing('x/a.proto'), 'x/a.proto': message }]],
    [
      'below a directory for imports',
      [{ 'b.proto': importing('a.proto'), 'x/a.proto': message }, { includes: ['y', 'x'] }],
    ],
    [
      'by one file that is named',
      [
        { 'b.proto': importing('a.proto'), 'a.proto': message, 'c.proto': 'no proto' },
        { roots: ['b.proto'] },
      ],
    ],
  ])('imports are found %s', (_, given) => {
    const types = compileDescriptors(descriptorsOf(...given));
    expect(types.message('B').fields[0]?.value.kind).toBe('message');
    expect(types.message('.p.A').name).toBe('p.A');
  });

  test('well-known types need no files', () => {
    const text =
      'syntax = "proto3"; import "google/protobuf/timestamp.proto"; ' +
      'message B { google.protobuf.Timestamp at = 1; }';
    const types = compileDescriptors(descriptorsOf({ 'b.proto': text }));
    const { value } = types.message('B').fields[0] ?? {};
    expect(value?.kind === 'message' && [...value.message.byName.keys()]).toEqual([
      'seconds',
      'nanos',
    ]);
  });

  test.each<[string, Parameters<typeof descriptorsOf>, string, RegExp]>([
    [
      'no files',
      [{ 'a.txt': '' }],
      'A',
      /^protobuf resource 'protos' version 3 contains no \.proto files$/u,
    ],
    [
      'a missing file',
      [{ 'a.proto': message }, { roots: ['b.proto'] }],
      'A',
      /file 'b\.proto' was not found/u,
    ],
    [
      'a missing import',
      [{ 'b.proto': importing('n.proto') }],
      'B',
      /b\.proto: import 'n\.proto' was not found/u,
    ],
    ['no descriptor', [{ 'a.proto': 'syntax = "proto3"; message {' }], 'A', /a\.proto: .*line 1/u],
    [
      'a type that is nowhere',
      [{ 'a.proto': 'syntax = "proto3"; message A { Nope x = 1; }' }],
      'A',
      /^failed to compile protobuf descriptors: .*Nope/u,
    ],
    [
      'one name twice',
      [{ 'a.proto': message, 'b.proto': message }],
      'p.A',
      /^failed to compile protobuf descriptors: .*A/u,
    ],
    ['a missing message', [{ 'a.proto': message }], 'A', /^protobuf message 'A' was not found$/u],
    [
      'an enum in place of a message',
      [{ 'a.proto': RICH }],
      't.Color',
      /^protobuf message 't\.Color' was not found$/u,
    ],
  ])('%s is told', (_, given, name, problem) => {
    expect(() => compileDescriptors(descriptorsOf(...given)).message(name)).toThrow(problem);
  });

  test('a chain of types that is longer than any stack is refused', () => {
    const types = Array.from(
      { length: 60_000 },
      (_, index) => `message M${index}{M${index + 1} f=1;}`,
    );
    const text = `syntax = "proto3"; ${types.join('')} message M60000 {}`;
    const given = descriptorsOf({ 'a.proto': text });
    expect(() => compileDescriptors(given).message('M0')).toThrow(
      /^failed to compile protobuf descriptors: /u,
    );
  });

  test('names that are words of JavaScript are names', () => {
    const text =
      'syntax = "proto3"; message A { int32 constructor = 1; string toString = 2; ' +
      'int32 hasOwnProperty = 3; A prototype = 4; }';
    const codec = protobufCodec(text, { message: 'A', programs: LOOK });
    const rows = decodeRows(codec, SEEN, hex('0801 120178 1803 2200'));
    expect(rows).toEqual([['{"constructor":1,"toString":"x","hasOwnProperty":3,"prototype":{}}']]);
  });
});
