import { type DataType, printDataType, type TypedExpression } from '@nervix/model';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Value } from '../../src/column/column.js';
import { evaluateCase, given } from '../program/expression-fixture.js';
import { propertyRuns } from '../support/property-runs.js';

const RUNS = propertyRuns(300);
const vec = (element: DataType): DataType => ({ kind: 'vec', element });
const array = (element: DataType, length: number): DataType => ({ kind: 'array', element, length });

function read(document: string | null, path: string, type: DataType, isTry = false): Value {
  return evaluateCase((context) => ({
    kind: 'json_read',
    isTry,
    document: context.part(given('STRING', document)),
    path,
    type,
    optional: true,
    sensitive: false,
  }));
}

function exists(document: string | null, path: string): Value {
  return evaluateCase(
    (context): TypedExpression => ({
      kind: 'json_exists',
      document: context.part(given('STRING', document)),
      path,
      type: 'BOOL',
      optional: true,
      sensitive: false,
    }),
  );
}

const C = (detail: string): string => `cast_failed: JSON_VALUE ${detail}`;
const INVALID = 'document is not valid JSON';

describe('JSON reads (TYPE 7)', () => {
  test.each<[string, string, DataType, Value]>([
    ['{"k":1,"k":"x"}', '$.k', 'I64', C('found a JSON string at $.k where I64 is declared')],
    ['[1e2]', '$[0]', 'U8', 100],
    ['2', '$', 'I64', 2n],
    ['2.0', '$', 'I64', 2n],
    ['20e-1', '$', 'I64', 2n],
    ['18446744073709551615', '$', 'U64', 18446744073709551615n],
    ['-9223372036854775808', '$', 'I64', -9223372036854775808n],
    ['-9223372036854775809', '$', 'I64', C('number at $ does not fit I64')],
    ['18446744073709551616', '$', 'U64', C('number at $ does not fit U64')],
    ['18446744073709551616', '$', 'F64', 2 ** 64],
    ['9007199254740995.0', '$', 'I64', 9007199254740996n],
    ['9007199254740995', '$', 'I64', 9007199254740995n],
    ['-0', '$', 'F64', 0],
    ['-0', '$', 'I8', 0],
    ['-0.0', '$', 'F64', -0],
    ['-0.0', '$', 'I64', 0n],
    ['1e400', '$', 'F64', C(INVALID)],
    ['1e39', '$', 'F32', C('number at $ does not fit F32')],
    ['1e-400', '$', 'F64', 0],
    ['16777217', '$', 'F32', 16777216],
    ['{"a":300}', '$.a', 'U8', C('number at $.a does not fit U8')],
    ['{"a":1.5}', '$.a', 'I64', C('found a fractional JSON number at $.a where I64 is declared')],
    ['{"a":true}', '$.a', 'STRING', C('found a JSON boolean at $.a where STRING is declared')],
    ['{"a":{}}', '$.a', 'BOOL', C('found a JSON object at $.a where BOOL is declared')],
    ['{"a":[]}', '$.a', 'F64', C('found a JSON array at $.a where F64 is declared')],
    ['{"a":3}', '$.a', vec('I64'), C('found a JSON number at $.a where VEC<I64> is declared')],
    [
      '{"t":[1,null]}',
      '$.t',
      vec('I64'),
      C('found JSON null in $.t where I64 elements are declared'),
    ],
    [
      '{"t":["x"]}',
      '$.t',
      vec('I64'),
      C('found a JSON string in $.t where I64 elements are declared'),
    ],
    ['{"t":[300]}', '$.t', vec('U8'), C('number in $.t does not fit U8')],
    [
      '{"p":[1,2,3]}',
      '$.p',
      array('I64', 2),
      C('array at $.p has 3 elements where 2 are declared'),
    ],
    [
      '{"p":[[1],[2,3]]}',
      '$.p',
      vec(array('I64', 1)),
      C('array in $.p has 2 elements where 1 are declared'),
    ],
    [
      '{"p":[[1,2],[3,4]]}',
      '$.p',
      array(array('I64', 2), 2),
      [
        [1n, 2n],
        [3n, 4n],
      ],
    ],
    ['{"t":["a","\\u00e9"]}', '$.t', vec('STRING'), ['a', 'é']],
    ['{"a b":{"c":[0,7]}}', '$["a b"].c[1]', 'U8', 7],
    ['{"\\u0061":1}', '$.a', 'I64', 1n],
    ['{"a":null}', '$.a', 'I64', null],
    ['{"a":1}', '$.b', 'I64', null],
    ['[1]', '$.a', 'I64', null],
    ['{"0":1}', '$[0]', 'I64', null],
    ['1', '$[0]', 'I64', null],
    ['[1]', '$[1]', 'I64', null],
    [' \t\r\n1 ', '$', 'I64', 1n],
    ['{"plain":""}', '$.plain', 'U8', C('found a JSON string at $.plain where U8 is declared')],
  ])('%s at %s', (document, path, type, expected) => {
    expect(read(document, path, type)).toEqual(expected);
    const isFault = typeof expected === 'string' && expected.startsWith('cast_failed');
    expect(read(document, path, type, true)).toEqual(isFault ? null : expected);
  });

  test('a null document gives null everywhere', () => {
    expect(read(null, '$', 'I64')).toBe(null);
    expect(exists(null, '$')).toBe(null);
  });

  const INVALID_DOCUMENTS = [
    ...[
      '',
      ' ',
      '\ufeff1',
      '1 2',
      '[1,]',
      '{"a":1,}',
      '{a:1}',
      "'a'",
      '01',
      '+1',
      '.5',
      '5.',
      '1e',
    ],
    ...['"\\x"', '"\\u12"', '"\\ud800"', '{"b":"\\udc00"}', '"\u0001"', '"a', '[', '{', ']', 'nul'],
    ...['{"a"}', '{"a":}', '[1 2]', '// c\n1', '\u00a01', 'NaN', '-', '{"\\ud800":1}', '1e400'],
  ];

  test.each(INVALID_DOCUMENTS)('%j is not JSON, for all three forms', (document) => {
    expect(read(document, '$.none', 'I64')).toBe(C(INVALID));
    expect(read(document, '$.none', 'I64', true)).toBe(null);
    expect(exists(document, '$.none')).toBe(`cast_failed: JSON_EXISTS ${INVALID}`);
  });

  test.each<[string, string, Value]>([
    ['{"a":null}', '$.a', true],
    ['{"a":1}', '$.b', false],
    ['{"k":{"a":1},"k":2}', '$.k.a', true],
    ['[[]]', '$[0][0]', false],
    ['[]', '$', true],
  ])('JSON_EXISTS(%s, %s)', (document, path, expected) => {
    expect(exists(document, path)).toBe(expected);
  });

  test('size is judged first, then nesting, then syntax', () => {
    const long = `"${'a'.repeat(16_777_214)}"`;
    expect(exists(long, '$')).toBe(true);
    const tooLong = 'invalid_argument: JSON_EXISTS document exceeds 16777216 bytes';
    expect(exists(`${long} `, '$')).toBe(tooLong);
    expect(exists(`${'['.repeat(200)}${'a'.repeat(16_777_216)}`, '$')).toBe(tooLong);
    const nested = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);
    expect(exists(nested(128), '$')).toBe(true);
    const detail = 'invalid_argument: JSON_VALUE document nests deeper than 128 levels';
    expect(read(nested(129), '$', 'I64')).toBe(detail);
    expect(read('['.repeat(129), '$', 'I64')).toBe(detail);
    expect(read('['.repeat(129), '$', 'I64', true)).toBe(null);
    expect(read(`"${'['.repeat(200)}\\"${'{'.repeat(200)}"`, '$', 'STRING')).toHaveLength(401);
  });

  test('values of any document are what the parser of the host reads', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 3 }), fc.integer({ min: 0, max: 2 }), (document, index) => {
        const parsed: unknown = JSON.parse(document);
        const isArray = Array.isArray(parsed);
        expect(exists(document, `$[${index}]`)).toBe(isArray && index < parsed.length);
        for (const type of ['STRING', 'F64', 'BOOL'] as const) {
          const value: unknown = isArray ? parsed[index] : undefined;
          const isOf = typeof value === { STRING: 'string', F64: 'number', BOOL: 'boolean' }[type];
          const expected = isOf && !Object.is(value, -0) ? (value as Value) : null;
          expect(read(document, `$[${index}]`, type, true) ?? null).toEqual(
            Object.is(value, -0) && isOf ? 0 : expected,
          );
        }
      }),
      { numRuns: RUNS },
    );
  });

  test('texts are JSON exactly where the parser of the host says so', () => {
    const pieces = [
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '"a"',
      '"',
      '1',
      '-',
      '.',
      'e',
      ' ',
      'true',
      '\\',
    ];
    const text = fc.oneof(
      fc.array(fc.constantFrom(...pieces)).map((parts) => parts.join('')),
      fc.tuple(fc.json(), fc.nat(), fc.constantFrom(...pieces)).map(([json, at, piece]) => {
        const cut = at % (json.length + 1);
        return json.slice(0, cut) + piece + json.slice(cut + 1);
      }),
    );
    fc.assert(
      fc.property(text, (document) => {
        fc.pre(document.isWellFormed());
        const isJson = canParse(document);
        expect(exists(document, '$') === true).toBe(isJson);
      }),
      { numRuns: propertyRuns(900) },
    );
  });

  test.each<DataType>(['DATETIME', 'BYTES'])('%s is no type of JSON', (type) => {
    expect(read('"x"', '$', type)).toBe(
      C(`found a JSON string at $ where ${printDataType(type)} is declared`),
    );
  });
});

function canParse(document: string): boolean {
  try {
    const value: unknown = JSON.parse(document, (_, each: unknown) => {
      // The language refuses lone surrogates and numbers beyond the doubles, unlike the host.
      if (typeof each === 'string' && !each.isWellFormed()) throw new SyntaxError('surrogate');
      if (typeof each === 'number' && !Number.isFinite(each)) throw new SyntaxError('range');
      return each;
    });
    return value !== undefined;
  } catch {
    return false;
  }
}
