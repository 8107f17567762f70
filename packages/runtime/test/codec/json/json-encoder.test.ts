import type { DataType } from '@nervix/model';
import { describe, expect, test } from 'vitest';
import { BatchBuilder } from '../../../src/batch/batch-builder.js';
import { compileJsonEncoder } from '../../../src/codec/json/json-encoder.js';
import type { Value } from '../../../src/column/column.js';
import { codecOf, field, schemaOf } from '../codec-fixture.js';

function encodeOne(type: DataType, value: Value): string {
  const schema = schemaOf(field('a', 'U8'), field('f', type, { optional: true }), field('z', 'U8'));
  const builder = new BatchBuilder(schema);
  builder.appendRow([1, value, 2]);
  const encoded = compileJsonEncoder(codecOf(), schema).encode(builder.finish(), 0);
  return encoded instanceof Uint8Array ? new TextDecoder().decode(encoded) : encoded.message;
}

describe('JSON encoder (CN-302, CN-304, CN-308)', () => {
  const cases: readonly [DataType, Value, string][] = [
    ['I64', -9223372036854775808n, '-9223372036854775808'],
    ['U64', 18446744073709551615n, '18446744073709551615'],
    ['F64', 0.1, '0.1'],
    ['F64', 1e21, '1e+21'],
    ['F64', -0, '-0.0'],
    ['F32', Math.fround(0.1), '0.1'],
    ['F32', 16777216, '16777216'],
    ['BOOL', false, 'false'],
    ['STRING', 'é"\\\n\u0001\u2028', '"é\\"\\\\\\n\\u0001\u2028"'],
    ['BYTES', Uint8Array.of(1, 2), '"AQI="'],
    ['DATETIME', 1709200800000000000n, '"2024-02-29T10:00:00+00:00"'],
    ['DATETIME', 1709200800120000000n, '"2024-02-29T10:00:00.120+00:00"'],
    ['DATETIME', -9223372036854775808n, '"1677-09-21T00:12:43.145224192+00:00"'],
    [{ kind: 'vec', element: 'I64' }, [1n, 2n], '[1,2]'],
    [
      { kind: 'array', element: { kind: 'array', element: 'U8', length: 1 }, length: 2 },
      [[1], [2]],
      '[[1],[2]]',
    ],
  ];
  test.each(cases)('%j %s', (type, value, expected) => {
    expect(encodeOne(type, value)).toBe(`{"a":1,"f":${expected},"z":2}`);
  });

  test('leaves null optional fields out', () => {
    expect(encodeOne('STRING', null)).toBe('{"a":1,"z":2}');
  });

  test.each([Number.NaN, Number.POSITIVE_INFINITY])('refuses %s', (value) => {
    const reason = 'non-finite value is incompatible with F64';
    expect(encodeOne('F64', value)).toBe(`codec 'c' failed to encode field 'f': ${reason}`);
  });
});
