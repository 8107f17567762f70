import type { CsvCodecPlan, DataType, SchemaField, SchemaPlan } from '@nervix/model';
import { describe, expect, test } from 'vitest';
import { compileEncoder } from '../../../src/codec/compile-codec.js';
import type { Value } from '../../../src/column/column.js';
import { batchOf } from '../codec-arbitraries.js';
import { csvCodec, field, schemaOf } from '../codec-fixture.js';
import { decodeRows, encodeRow } from '../codec-suite.js';

const bytesOf = (text: string) => new TextEncoder().encode(text);
const inRecord = (place: string, cause: string) => `codec 'c' CSV record ${place}: ${cause}`;
const NULL = 'null is incompatible with required field';

describe('CSV text of one field (CN-308, CN-383)', () => {
  const misfit = (type: string) => inRecord("1 field 'f'", `value is incompatible with ${type}`);
  const missing = inRecord("1 field 'f'", NULL);
  test.each<[DataType, string, unknown]>([
    ['U8', '255', 255],
    ['U8', '007', 7],
    ['U8', '-0', 0],
    ['U8', '256', misfit('U8')],
    ['U8', '+1', misfit('U8')],
    ['U8', ' 1', misfit('U8')],
    ['U8', '1.0', misfit('U8')],
    ['U8', '-', misfit('U8')],
    ['U8', '"12"', 12],
    ['U8', '', missing],
    ['U8', '""', misfit('U8')],
    ['I64', '-9223372036854775808', -(2n ** 63n)],
    ['I64', '9223372036854775808', misfit('I64')],
    ['I64', '-0000000000000000000000000000000007', -7n],
    ['U64', '18446744073709551615', 2n ** 64n - 1n],
    ['U64', '18446744073709551616', misfit('U64')],
    ['U64', '00000000000000000000000000000001', 1n],
    ['F64', '1e-3', 0.001],
    ['F64', '-0.0', -0],
    ['F64', '01.50', 1.5],
    ['F64', '.5', misfit('F64')],
    ['F64', '1.', misfit('F64')],
    ['F64', 'NaN', misfit('F64')],
    ['F64', '1e999', misfit('F64')],
    ['F32', '1e39', misfit('F32')],
    ['F32', '1.0000000596046448', 1.0000001192092896],
    ['BOOL', 'true', true],
    ['BOOL', '"false"', false],
    ['BOOL', 'TRUE', misfit('BOOL')],
    ['BOOL', 'true ', misfit('BOOL')],
    ['STRING', ' a ', ' a '],
    ['STRING', '""', ''],
    ['STRING', '"a""b,\r\nc"', 'a"b,\r\nc'],
    ['STRING', 'a\rb\\n#', 'a\rb\\n#'],
    ['STRING', 'é\0', 'é\0'],
    ['DATETIME', '2024-02-29T12:00:00+02:00', 1709200800000000000n],
    ['DATETIME', ' 2024-02-29T12:00:00Z', misfit('DATETIME')],
    ['BYTES', 'AQI=', Uint8Array.of(1, 2)],
    ['BYTES', 'AQI', misfit('BYTES')],
    ['BYTES', '""', new Uint8Array(0)],
    ['BYTES', '', missing],
  ])('%s from %j', (type, text, outcome) => {
    const schema = schemaOf(field('f', type));
    // A line end, so that empty text is a record.
    const rows = decodeRows(csvCodec(), schema, bytesOf(`${text}\n`));
    expect(rows).toEqual(
      typeof outcome === 'string' && /codec/.test(outcome) ? outcome : [[outcome]],
    );
  });
});

const SCHEMA = schemaOf(
  field('id', 'I64'),
  field('name', 'STRING', { optional: true }),
  field('note', 'STRING'),
);

describe('CSV documents (CN-380 to CN-384, CN-386)', () => {
  const names = (rest: Partial<CsvCodecPlan> = {}) => csvCodec({ header: 'NAMES', ...rest });
  const loose = csvCodec({ strict: false });
  test.each<[string, CsvCodecPlan, string, readonly (readonly Value[])[] | string]>([
    ['nothing', csvCodec(), '', []],
    ['line ends alone', csvCodec(), '\n\r\n\n', []],
    [
      'LF',
      csvCodec(),
      '1,a,b\n2,c,d\n',
      [
        [1n, 'a', 'b'],
        [2n, 'c', 'd'],
      ],
    ],
    [
      'CRLF, none at the end',
      csvCodec(),
      '1,a,b\r\n2,c,d',
      [
        [1n, 'a', 'b'],
        [2n, 'c', 'd'],
      ],
    ],
    [
      'empty lines between',
      csvCodec(),
      '\n1,a,b\n\n\r\n2,c,d\n\n',
      [
        [1n, 'a', 'b'],
        [2n, 'c', 'd'],
      ],
    ],
    ['a byte order mark', csvCodec(), '\ufeff1,a,b', [[1n, 'a', 'b']]],
    ['one elsewhere is data', csvCodec(), '1,\ufeffa,b', [[1n, '\ufeffa', 'b']]],
    ['null and empty text', csvCodec(), '1,,', [[1n, null, '']]],
    ['quoted empty text', csvCodec(), '1,"",""', [[1n, '', '']]],
    ['a NULL token', csvCodec({ nullToken: '-' }), '1,-,a', [[1n, null, 'a']]],
    ['a quoted NULL token', csvCodec({ nullToken: '-' }), '1,"-",a', [[1n, '-', 'a']]],
    [
      'a NULL token in a required field',
      csvCodec({ nullToken: '-' }),
      '1,a,-',
      inRecord("1 field 'note'", NULL),
    ],
    [
      'another delimiter',
      csvCodec({ delimiter: '\t', quote: "'" }),
      "1\t'a\tb'\t\"",
      [[1n, 'a\tb', '"']],
    ],
    ['no quoting', csvCodec({ quote: null }), '1,"a","', [[1n, '"a"', '"']]],
    ['CN-381 a skipped header', csvCodec({ header: 'SKIP' }), 'x\n1,a,b', [[1n, 'a', 'b']]],
    ['CN-381 only a header', names(), 'note,id,name\n', []],
    ['CN-381 names in any order', names(), 'note,id,name\nb,1,a', [[1n, 'a', 'b']]],
    ['quoted names', names(), '"note","id"\nb,1', [[1n, null, 'b']]],
    ['CN-381 a repeated name', names(), 'id,id,note\n', inRecord('1', 'a column name is repeated')],
    [
      'CN-381 names differ by case',
      names(),
      'ID,name,note\n',
      inRecord("1 field 'ID'", 'column is not in the schema'),
    ],
    [
      'a required column is missing',
      names(),
      'id,name\n',
      inRecord("1 field 'note'", 'required column is missing'),
    ],
    [
      'LOOSE drops columns',
      names({ strict: false }),
      'x,note,id\n?,b,1,surplus',
      [[1n, null, 'b']],
    ],
    [
      'LOOSE lacks a required column',
      names({ strict: false }),
      'id\n1',
      inRecord("2 field 'note'", NULL),
    ],
    ['too few fields', csvCodec(), '1,a,b\n2,c', inRecord('2', 'expected 3 fields, found 2')],
    ['too many fields', csvCodec(), '1,a,b,c', inRecord('1', 'expected 3 fields, found 4')],
    ['LOOSE surplus', loose, '1,a,b,c,d', [[1n, 'a', 'b']]],
    ['LOOSE too few', loose, '1', inRecord("1 field 'note'", NULL)],
    [
      'a quote inside in STRICT',
      csvCodec(),
      '1,a"b,c',
      inRecord("1 field 'name'", 'quote inside an unquoted field'),
    ],
    ['a quote inside in LOOSE', loose, '1,a"b,c', [[1n, 'a"b', 'c']]],
    [
      'text after a quote',
      loose,
      '1,"a"b,c',
      inRecord("1 field 'name'", 'text after a closing quote'),
    ],
    [
      'no closing quote',
      csvCodec(),
      '1,a,b\n2,"c',
      inRecord("2 field 'name'", 'missing closing quote'),
    ],
    [
      'a lone CR after a quote',
      csvCodec(),
      '1,a,"b"\r',
      inRecord("1 field 'note'", 'text after a closing quote'),
    ],
    [
      'one bad record of many',
      csvCodec(),
      '1,a,b\nx,c,d\n3,e,f',
      inRecord("2 field 'id'", 'value is incompatible with I64'),
    ],
  ])('%s', (_, codec, text, outcome) => {
    expect(decodeRows(codec, SCHEMA, bytesOf(text))).toEqual(outcome);
  });

  test('are UTF-8', () => {
    const bytes = Uint8Array.of(0x31, 0x2c, 0xe9, 0x2c, 0x61);
    expect(decodeRows(csvCodec(), SCHEMA, bytes)).toBe(
      "failed to parse csv payload for codec 'c': invalid UTF-8 at byte 2",
    );
    expect(decodeRows(csvCodec(), SCHEMA, Uint8Array.of(0xff, 0xfe, 0x31, 0))).toBe(
      "codec 'c' input is UTF-16LE, expected UTF-8",
    );
  });

  test('hold an empty line as a record when the schema has one field', () => {
    const one = (flags: Partial<SchemaField>): SchemaPlan => schemaOf(field('f', 'STRING', flags));
    expect(decodeRows(csvCodec(), one({}), bytesOf('a\n\nb'))).toEqual([['a'], [''], ['b']]);
    expect(decodeRows(csvCodec(), one({ optional: true }), bytesOf('\n'))).toEqual([[null]]);
  });

  test('unfold into 65536 records and no more', () => {
    const schema = schemaOf(field('f', 'U8'));
    expect(decodeRows(csvCodec(), schema, bytesOf('1\n'.repeat(65_536)))).toHaveLength(65_536);
    expect(decodeRows(csvCodec(), schema, bytesOf('1\n'.repeat(65_537)))).toBe(
      "codec 'c' CSV payload has more than 65536 records",
    );
  });
});

describe('CSV encoding (CN-385)', () => {
  const fail = (name: string, cause: string) =>
    `codec 'c' failed to encode field '${name}': ${cause}`;
  const rows: readonly (readonly Value[])[] = [
    [1n, null, 'a'],
    [2n, '', 'x,"y"\r\n'],
    [3n, '-', '\ufeff'],
  ];
  test.each<[string, CsvCodecPlan, readonly string[]]>([
    ['quoted', csvCodec(), ['1,,a', '2,"","x,""y""\r\n"', '3,-,"\ufeff"']],
    [
      'with a NULL token',
      csvCodec({ nullToken: '-' }),
      ['1,-,a', '2,"","x,""y""\r\n"', '3,"-","\ufeff"'],
    ],
    [
      'unquoted',
      csvCodec({ quote: null }),
      [
        '1,,a',
        fail('name', 'value reads as null, and nothing is quoted'),
        fail('note', 'value begins with a byte order mark, and nothing is quoted'),
      ],
    ],
  ])('%s', (_, codec, outcomes) => {
    const batch = batchOf(SCHEMA, rows);
    const texts = rows.map((_row, index) => {
      const encoded = encodeRow(codec, batch, index);
      return typeof encoded === 'string' ? encoded : Buffer.from(encoded).toString();
    });
    expect(texts).toEqual(outcomes);
  });

  test('refuses what no text of a float is', () => {
    const batch = batchOf(schemaOf(field('x', 'F64')), [[Number.NaN]]);
    expect(encodeRow(csvCodec(), batch, 0)).toBe(
      fail('x', 'non-finite value is incompatible with F64'),
    );
  });

  test.each([
    ['NONE', '1,,a\n2,b,'],
    ['NAMES', 'id,name,note\n1,,a\n2,b,'],
    ['SKIP', 'id,name,note\n1,,a\n2,b,'],
  ] as const)('a container with HEADER %s', (header, text) => {
    const batch = batchOf(SCHEMA, [
      [1n, null, 'a'],
      [2n, 'b', 'c'],
    ]);
    const { bytes } = compileEncoder(csvCodec({ header }), SCHEMA).encodeContainer(batch);
    expect(Buffer.from(bytes ?? []).toString()).toBe(`${text}c`);
  });
});
