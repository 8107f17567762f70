import type { DataType } from '@nervix/model';
import { describe, expect, test } from 'vitest';
import { BatchBuilder } from '../../../src/batch/batch-builder.js';
import { compileJsonDecoder } from '../../../src/codec/json/json-decoder.js';
import { codecOf, decodeOne, field, schemaOf } from '../codec-fixture.js';

const PARSE = "failed to parse json payload for codec 'c': ";
const inField = (reason: string): string => `codec 'c' failed to parse field 'f': ${reason}`;

describe('values of one field (CN-303, CN-305)', () => {
  const cases: readonly [DataType, string, unknown][] = [
    ['U8', '0', 0],
    ['U8', '255', 255],
    ['U8', '-0', 0],
    ['U8', '256', inField('value is incompatible with U8')],
    ['U8', '-1', inField('value is incompatible with U8')],
    ['I8', '-128', -128],
    ['I32', '-2147483648', -2147483648],
    ['I32', '2147483648', inField('value is incompatible with I32')],
    ['I64', '9223372036854775807', 9223372036854775807n],
    ['I64', '-9223372036854775808', -9223372036854775808n],
    ['I64', '9223372036854775808', inField('value is incompatible with I64')],
    ['I64', '-9223372036854775809', inField('value is incompatible with I64')],
    ['I64', '9007199254740993', 9007199254740993n],
    ['I64', '-4294967296', -4294967296n],
    ['I64', '-1', -1n],
    ['I64', '-0', 0n],
    ['U64', '18446744073709551615', 18446744073709551615n],
    ['U64', '18446744073709551616', inField('value is incompatible with U64')],
    ['U64', '-1', inField('value is incompatible with U64')],
    ['I64', '1.0', inField('value is incompatible with I64')],
    ['I64', '1e2', inField('value is incompatible with I64')],
    ['I64', '"1"', inField('expected I64, found string')],
    ['I64', 'true', inField('expected I64, found boolean')],
    ['I64', '[1]', inField('expected I64, found array')],
    ['I64', '01', `${PARSE}unexpected byte at byte 6`],
    ['I64', '+1', `${PARSE}unexpected byte at byte 5`],
    ['F64', '0.1', 0.1],
    ['F64', '123456789012345678', 123456789012345680],
    ['F64', '-0.0', -0],
    ['F64', '2.2250738585072014e-308', 2 ** -1022],
    ['F64', '17976931348623157e292', Number.MAX_VALUE],
    ['F64', '1e-400', 0],
    ['F64', '1e400', inField('value is incompatible with F64')],
    ['F64', '1.', `${PARSE}unexpected byte at byte 7`],
    ['F64', '.5', `${PARSE}unexpected byte at byte 5`],
    ['F64', '1e', `${PARSE}unexpected byte at byte 7`],
    ['F64', '00.5', `${PARSE}unexpected byte at byte 6`],
    ['F64', 'NaN', `${PARSE}unexpected byte at byte 5`],
    ['F32', '0.1', Math.fround(0.1)],
    ['F32', '1.0000000596046448', 1.0000001192092896],
    ['F32', '16777217', 16777216],
    ['F32', '1e39', inField('value is incompatible with F32')],
    ['BOOL', 'true', true],
    ['BOOL', 'false', false],
    ['BOOL', '1', inField('expected BOOL, found number')],
    ['BOOL', 'tru', `${PARSE}unexpected byte at byte 8`],
    ['STRING', '""', ''],
    ['STRING', '"a\\u0000\\n\\"\\\\\\/\\b\\f\\r\\t"', 'a\0\n"\\/\b\f\r\t'],
    ['STRING', '"héllo 😀"', 'héllo 😀'],
    ['STRING', '"\\ud83d\\ude00\\u00e9"', '😀é'],
    ['STRING', '"\\ud83d"', `${PARSE}lone surrogate escape at byte 6`],
    ['STRING', '"\\ude00"', `${PARSE}lone surrogate escape at byte 6`],
    ['STRING', '"\\ud83d\\u0041"', `${PARSE}lone surrogate escape at byte 6`],
    ['STRING', '"\\x"', `${PARSE}invalid escape at byte 6`],
    ['STRING', '"\\u12g4"', `${PARSE}invalid escape at byte 6`],
    ['STRING', '"a\tb"', `${PARSE}control character in string at byte 7`],
    ['STRING', '1', inField('expected STRING, found number')],
    ['STRING', '{}', inField('expected STRING, found object')],
    ['BYTES', '"AQI="', Uint8Array.of(1, 2)],
    ['BYTES', '"AQI\\u003d"', Uint8Array.of(1, 2)],
    ['BYTES', '""', new Uint8Array(0)],
    ['BYTES', '"AQ"', inField('value is incompatible with BYTES')],
    ['BYTES', '"AR=="', inField('value is incompatible with BYTES')],
    ['DATETIME', '"2024-02-29T12:00:00+02:00"', 1709200800000000000n],
    ['DATETIME', '"2024-02-29 10:00:00.1234567891Z"', 1709200800123456789n],
    ['DATETIME', '"1969-12-31T23:59:59.25Z"', -750000000n],
    ['DATETIME', '"1677-09-21T00:12:43.145224192Z"', -9223372036854775808n],
    ['DATETIME', '"2262-04-11T23:47:16.854775807Z"', 9223372036854775807n],
    [
      'DATETIME',
      '"2262-04-11T23:47:16.854775808Z"',
      inField('value is incompatible with DATETIME'),
    ],
    ['DATETIME', '"2023-02-29T00:00:00Z"', inField('value is incompatible with DATETIME')],
    ['DATETIME', '1', inField('expected DATETIME, found number')],
    [{ kind: 'vec', element: 'I64' }, '[1, 9007199254740993 ]', [1n, 9007199254740993n]],
    [{ kind: 'vec', element: 'STRING' }, '[]', []],
    [{ kind: 'vec', element: 'U8' }, '[1,null]', inField('list contains null at index 1')],
    [{ kind: 'vec', element: 'U8' }, '[1,"x"]', inField('expected U8, found string')],
    [{ kind: 'vec', element: { kind: 'vec', element: 'BOOL' } }, '[[true],[]]', [[true], []]],
    [{ kind: 'array', element: 'F32', length: 2 }, '[0.5,1]', [0.5, 1]],
    [
      { kind: 'array', element: 'F32', length: 2 },
      '[1]',
      inField('expected ARRAY<F32, 2>, found array of length 1'),
    ],
    [
      { kind: 'array', element: 'F32', length: 2 },
      '[1,2,3]',
      inField('expected ARRAY<F32, 2>, found array of length 3'),
    ],
  ];
  test.each(cases)('%j from %s', (type, text, expected) => {
    expect(decodeOne(schemaOf(field('f', type)), `{"f":${text}}`)).toEqual(
      typeof expected === 'string' && /codec 'c'/.test(expected) ? expected : [expected],
    );
  });
});

describe('payloads (CN-303, CN-305, CN-386, TX-53)', () => {
  const schema = schemaOf(field('a', 'I64'), field('b', 'STRING', { optional: true }));
  const deep = (levels: number): string => `{"a":1,"x":${'['.repeat(levels)}${']'.repeat(levels)}}`;
  const cases: readonly [string, string, boolean, unknown][] = [
    ['compact', '{"a":1,"b":"x"}', true, [1n, 'x']],
    ['spaced', ' {\n"a" : 1 ,\t"b" : "x" } \r\n', true, [1n, 'x']],
    ['another order', '{"b":"x","a":1}', true, [1n, 'x']],
    ['optional missing', '{"a":1}', true, [1n, null]],
    ['optional null', '{"a":1,"b":null}', true, [1n, null]],
    ['required missing', '{"b":"x"}', true, "codec 'c' missing field 'a'"],
    [
      'required null',
      '{"a":null}',
      true,
      "codec 'c' failed to parse field 'a': null is incompatible with required field",
    ],
    ['repeated, the last counts', '{"a":"x","a":1,"b":"x","b":"y"}', true, [1n, 'y']],
    [
      'repeated, the last fails',
      '{"a":1,"a":"x"}',
      true,
      "codec 'c' failed to parse field 'a': expected I64, found string",
    ],
    ['escaped name', '{"\\u0061":1}', true, [1n, null]],
    ['names are case-sensitive', '{"A":1}', true, "codec 'c' has unexpected field 'A'"],
    ['undeclared, strict', '{"a":1,"x":2}', true, "codec 'c' has unexpected field 'x'"],
    [
      'undeclared and long, strict',
      `{"a":1,"${'n'.repeat(129)}":2}`,
      true,
      `codec 'c' has unexpected field '${'n'.repeat(128)}…'`,
    ],
    [
      'undeclared and long beyond the first plane, strict',
      `{"a":1,"${'😀'.repeat(100_000)}":2}`,
      true,
      `codec 'c' has unexpected field '${'😀'.repeat(128)}…'`,
    ],
    [
      'undeclared and as long as is shown, strict',
      `{"a":1,"${'😀'.repeat(128)}":2}`,
      true,
      `codec 'c' has unexpected field '${'😀'.repeat(128)}'`,
    ],
    ['undeclared, loose', '{"x":{"y":[1,2,"]"]},"a":1}', false, [1n, null]],
    [
      'undeclared with bad syntax, loose',
      '{"x":{"y":[1,2,]},"a":1}',
      false,
      `${PARSE}unexpected byte at byte 15`,
    ],
    [
      'undeclared beyond F64, loose',
      '{"x":1e400,"a":1}',
      false,
      `${PARSE}number out of range at byte 5`,
    ],
    ['empty', '', true, "codec 'c' expected object payload"],
    ['blank', ' \n', true, "codec 'c' expected object payload"],
    ['array', '[{"a":1}]', true, "codec 'c' expected object payload"],
    ['scalar', '12', true, "codec 'c' expected object payload"],
    ['broken scalar', 'nul', true, `${PARSE}unexpected end at byte 3`],
    ['empty object', '{}', true, "codec 'c' missing field 'a'"],
    ['trailing bytes', '{"a":1}}', true, `${PARSE}trailing bytes at byte 7`],
    ['second value', '{"a":1} {"a":2}', true, `${PARSE}trailing bytes at byte 8`],
    ['trailing comma', '{"a":1,}', true, `${PARSE}expected a string at byte 7`],
    ['unterminated', '{"a":1', true, `${PARSE}unexpected end at byte 6`],
    ['number runs to the end', '{"a":12', true, `${PARSE}unexpected end at byte 7`],
    ['comment', '{"a":1/**/}', true, `${PARSE}expected ',' or '}' at byte 6`],
    ['128 levels', deep(127), false, [1n, null]],
    ['129 levels', deep(128), false, `${PARSE}nesting deeper than 128 at byte 138`],
    ['one byte order mark', '\ufeff{"a":1}', true, [1n, null]],
    ['two byte order marks', '\ufeff\ufeff{"a":1}', true, `${PARSE}unexpected byte at byte 0`],
  ];
  test.each(cases)('%s', (_, payload, strict, expected) => {
    expect(decodeOne(schema, payload, strict)).toEqual(expected);
  });

  test.each([
    ['UTF-16LE', [0xff, 0xfe, 0x7b, 0]],
    ['UTF-16BE', [0xfe, 0xff, 0, 0x7b]],
    ['UTF-32LE', [0xff, 0xfe, 0, 0]],
    ['UTF-32BE', [0, 0, 0xfe, 0xff]],
  ])('a %s mark is refused', (name, bytes) => {
    expect(decodeOne(schema, Uint8Array.from(bytes))).toBe(
      `codec 'c' input is ${name}, expected UTF-8`,
    );
  });

  test.each([
    ['overlong', [0xc0, 0xaf]],
    ['surrogate', [0xed, 0xa0, 0x80]],
    ['above the last code point', [0xf4, 0x90, 0x80, 0x80]],
    ['cut', [0xe2, 0x82]],
    ['stray continuation', [0x80]],
  ])('UTF-8 is strict: %s', (_, bytes) => {
    const [head, tail] = ['{"a":1,"b":"', '"}'].map((text) => [...new TextEncoder().encode(text)]);
    const payload = Uint8Array.from([...head!, ...bytes, ...tail!]);
    expect(decodeOne(schema, payload)).toBe(`${PARSE}invalid UTF-8 at byte 12`);
  });

  test('no reason holds a value, since reasons reach logs and error records (RT-8, CN-374)', () => {
    for (const text of ['"canary"', '"canary', '300', '[7]', '{"canary":1}', '1e999']) {
      for (const type of ['U8', 'STRING', 'DATETIME', 'BYTES', 'F32', 'BOOL'] as const) {
        const failure = decodeOne(schemaOf(field('f', type)), `{"f":${text}}`);
        if (typeof failure === 'string') expect(failure).not.toMatch(/canary|300|1e999/);
      }
    }
  });

  test('a name may hold anything, and none becomes code', () => {
    const name = '"];throw 1;//\\ é\n`$';
    const odd = schemaOf(field(name, 'I64'));
    expect(decodeOne(odd, `{${JSON.stringify(name)}:5}`)).toEqual([5n]);
  });
});

test('a failing payload leaves earlier rows and later ones intact (CN-303)', () => {
  const schema = schemaOf(
    field('a', 'STRING'),
    field('v', { kind: 'vec', element: 'STRING' }, { optional: true }),
    field('b', 'I64', { optional: true }),
  );
  const decoder = compileJsonDecoder(codecOf(), schema);
  const builder = new BatchBuilder(schema);
  const decode = (text: string): string | undefined => {
    const bytes = new TextEncoder().encode(text);
    return decoder.decode(bytes, 0, bytes.length, builder)?.message;
  };
  for (let row = 0; row < 300; row += 1) {
    expect(decode(`{"a":"row ${row}","v":["x","y${row}"],"b":${row}}`)).toBeUndefined();
    const sizeBefore = builder.byteSize;
    expect(decode('{"a":"long text of a row that fails","v":["z"],"b":"x"}')).toContain("'b'");
    expect(decode('{"a":"long text of a row that fails","v":["z",1],"b":1}')).toContain("'v'");
    expect(builder.byteSize).toBe(sizeBefore);
    expect(decode(`{"a":"plain"}`)).toBeUndefined();
  }
  const batch = builder.finish();
  expect(batch.rowCount).toBe(600);
  for (let row = 0; row < 300; row += 1) {
    expect(batch.value('a', 2 * row)).toBe(`row ${row}`);
    expect(batch.value('v', 2 * row)).toEqual(['x', `y${row}`]);
    expect(batch.value('b', 2 * row)).toBe(BigInt(row));
    expect(batch.value('b', 2 * row + 1)).toBeNull();
    expect(batch.value('v', 2 * row + 1)).toBeNull();
  }
});

test('payloads of another layout are read alike before and after it is learnt (CN-303)', () => {
  const schema = schemaOf(
    field('a', 'I64'),
    field('b', 'STRING', { optional: true }),
    field('c', 'F32'),
  );
  const decoder = compileJsonDecoder(codecOf(false), schema);
  const builder = new BatchBuilder(schema);
  const decode = (text: string): string | undefined => {
    const bytes = new TextEncoder().encode(text);
    return decoder.decode(bytes, 0, bytes.length, builder)?.message;
  };
  for (let round = 0; round < 400; round += 1) {
    const extra = round % 7 === 0 ? '' : `"x\\"y":{"z":[${round}]},`;
    expect(decode(`{"c":0.5,${extra}"a":${round}}`)).toBeUndefined();
    expect(decode(`{"c":0.5,"x":1e400,"a":1}`)).toContain('out of range');
    expect(decode(`{"c":0.5,"x":[1,],"a":1}`)).toContain('unexpected byte');
    expect(decode(`{"c":0.5,"a":1,"a":2}`)).toBeUndefined();
  }
  const batch = builder.finish();
  expect(batch.rowCount).toBe(800);
  for (let round = 0; round < 400; round += 1) {
    const rows = [2 * round, 2 * round + 1];
    expect(rows.map((row) => batch.value('a', row))).toEqual([BigInt(round), 2n]);
    expect(rows.map((row) => batch.value('b', row))).toEqual([null, null]);
  }
});
