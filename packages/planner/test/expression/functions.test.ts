import type { Expression } from '@nervix/model';
import { describe, expect, test } from 'vitest';
import { INGESTOR_FILTER } from '../../src/expression/scope-policy.js';
import { BUILTIN_FUNCTIONS } from '../../src/index.js';
import { call, field, float, int, nil, text } from '../support/expressions.js';
import { scopeOf, typeOf, typing } from '../support/typing.js';

const table = (rows: readonly [string, Expression, string][]) =>
  test.each(rows)('%s', (_, expression, expected) => expect(typeOf(expression)).toBe(expected));

describe('TYPE 6.1', () =>
  table([
    ['coalesce', call('coalesce', field('opt_i64'), int(1)), 'I64'],
    ['coalesce of optionals', call('coalesce', field('opt_i64'), field('opt_i64')), 'I64?'],
    ['coalesce of lists', call('coalesce', field('opt_vec'), field('vec')), 'VEC<I64>'],
    [
      'coalesce of two types',
      call('coalesce', int(1), text('a')),
      "function 'coalesce' requires matching argument types, found Int64 and Utf8",
    ],
    ['coalesce()', call('coalesce'), "unknown function 'coalesce' with arity 0"],
    ['is_null', call('is_null', field('opt_vec')), 'BOOL'],
    ['nullif', call('nullif', int(1), int(2)), 'I64?'],
    [
      'nullif of lists',
      call('nullif', field('vec'), field('vec')),
      "function 'nullif' requires scalar input, found List(Int64)",
    ],
    ['greatest', call('greatest', field('opt_bytes'), field('bytes')), 'BYTES'],
    ['least of one', call('LEAST', field('opt_flag')), 'BOOL?'],
    ['clamp', call('clamp', field('at'), field('at'), field('opt_at')), 'DATETIME?'],
    [
      'clamp of booleans',
      call('clamp', field('flag'), field('flag'), field('flag')),
      "function 'clamp' requires numeric, Utf8 or Timestamp input, found Boolean",
    ],
    [
      'clamp arity',
      call('clamp', int(1)),
      "function 'clamp' expects exactly 3 argument(s), found 1",
    ],
    ['now', call('now'), 'DATETIME'],
    ['uuid_v4', call('uuid_v4'), 'STRING'],
    ['uuid_v7', call('UUID_V7'), 'STRING'],
    ['NULL argument', call('is_null', nil), 'NULL requires a declared optional assignment target'],
  ]));

describe('TYPE 6.2', () =>
  table([
    ['trim of a number', call('trim', int(1)), "function 'trim' requires Utf8 input, found Int64"],
    [
      'alias reports the canonical name',
      call('BTRIM', int(1)),
      "function 'trim' requires Utf8 input, found Int64",
    ],
    ['char_length', call('char_length', field('opt_text')), 'I64?'],
    ['octet_length', call('octet_length', text('a')), 'I64'],
    ['left takes any integer type', call('left', text('a'), field('u8')), 'STRING'],
    [
      'left of a float count',
      call('left', text('a'), float(1)),
      "function 'left' requires integer input, found Float64",
    ],
    ['substr of two', call('substr', text('a'), int(1)), 'STRING'],
    ['substring of three', call('substring', text('a'), int(1), int(2)), 'STRING'],
    [
      'substr of four',
      call('substr', text('a'), int(1), int(2), int(3)),
      "unknown function 'substr' with arity 4",
    ],
    [
      'concat is optional when an argument is',
      call('concat', field('opt_text'), text('z')),
      'STRING?',
    ],
    ['concat_ws', call('concat_ws', text(','), text('a'), text('b')), 'STRING'],
    [
      'concat_ws of a separator',
      call('concat_ws', text(',')),
      "unknown function 'concat_ws' with arity 1",
    ],
    ['split_part', call('split_part', text('a'), text(','), int(1)), 'STRING'],
    ['strpos', call('strpos', text('a'), text('b')), 'I64'],
    ['contains', call('contains', text('a'), text('b')), 'BOOL'],
    [
      'contains of a list',
      call('contains', field('vec'), int(1)),
      "function 'contains' requires Utf8 input, found List(Int64)",
    ],
  ]));

describe('TYPE 6.4', () =>
  table([
    ['abs', call('abs', field('i8')), 'I8'],
    ['ceiling', call('ceiling', field('opt_f32')), 'F32?'],
    ['round', call('round', field('f64')), 'F64'],
    [
      'round to digits',
      call('round', field('f64'), int(2)),
      "function 'round' with 2 arguments is not supported by this release",
    ],
    ['sqrt', call('sqrt', field('u8')), 'F64'],
    ['sqrt of text', call('sqrt', text('a')), "function 'sqrt' requires numeric input, found Utf8"],
    ['is_nan', call('is_nan', field('f32')), 'BOOL'],
    [
      'is_nan of an integer',
      call('is_nan', int(1)),
      "function 'is_nan' requires floating-point input, found Int64",
    ],
  ]));

describe('TYPE 6 names', () =>
  table([
    ['unknown', call('frobnicate', int(1)), "unknown function 'frobnicate' with arity 1"],
    ['later release', call('md5', text('a')), "function 'md5' is not supported by this release"],
    [
      'list function outside windows',
      call('max', field('vec')),
      "function 'max' is not supported by this release",
    ],
    [
      'TYPE 9 aggregate outside windows',
      call('avg', int(1)),
      "unknown function 'avg' with arity 1",
    ],
    [
      'CN-206 write_header',
      call('write_header', text('a'), text('b')),
      'write_header must be a top-level call in an INVOKE clause',
    ],
    [
      'read_header elsewhere',
      call('read_header', text('a')),
      "function 'read_header' is only available to ingestors whose connector supports headers",
    ],
    [
      'UDF',
      { kind: 'udf_call', name: 'score', arguments: [] },
      "referenced UDF 'udf::score' does not exist",
    ],
    [
      'JSON_VALUE',
      {
        kind: 'json_read',
        function: 'JSON_VALUE',
        document: text('{}'),
        path: '$.a',
        target: 'I64',
      },
      'JSON_VALUE is not supported by this release',
    ],
    [
      'JSON_EXISTS',
      { kind: 'json_exists', document: text('{}'), path: '$.a' },
      'JSON_EXISTS is not supported by this release',
    ],
    [
      'TX-42 relay_state',
      { kind: 'relay_state', relay: 'r', name: 'x' },
      "materialized-state reference 'relay_state.r' has no matching USING MATERIALIZED STATE declaration",
    ],
  ]));

test('CN-48 read_header in an ingestor is optional and not sensitive', () => {
  expect(typeOf(call('read_header', text('x-a')), scopeOf(INGESTOR_FILTER))).toBe('STRING?');
});

test('typed calls carry the canonical name, and leak_sensitive leaves none', () => {
  expect(typing(call('CHAR_LENGTH', text('a')))).toMatchObject({
    expression: { kind: 'call', function: 'length' },
  });
  expect(typing(call('leak_sensitive', field('input.sec_text')))).toMatchObject({
    expression: { kind: 'column', field: 'sec_text' },
  });
});

test('every function has a lower-case name, and no alias is a name of another', () => {
  const written = [...BUILTIN_FUNCTIONS.values()].flatMap(({ name, aliases }) => [
    name,
    ...aliases,
  ]);
  expect(new Set(written).size).toBe(written.length);
  for (const name of written) expect(name).toMatch(/^[a-z0-9_]+$/);
  for (const [key, definition] of BUILTIN_FUNCTIONS) expect(definition.name).toBe(key);
});
