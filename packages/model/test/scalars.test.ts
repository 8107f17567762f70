import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  canonicalText,
  columnTypeName,
  containsBytes,
  type DataType,
  equalData,
  equalTypes,
  integerRange,
  isNestedDeeper,
  nameDefect,
  printByteCount,
  printClockDuration,
  printDataType,
  readByteCount,
  readByteSize,
  readDuration,
} from '../src/index.js';

const RUNS = Number(process.env['PROP_RUNS'] ?? 100);

const dataType: fc.Arbitrary<DataType> = fc.letrec<{ type: DataType }>((tie) => ({
  type: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom<DataType>('U8', 'I64', 'F32', 'BOOL', 'STRING', 'BYTES', 'DATETIME'),
    fc.record({ kind: fc.constant('vec' as const), element: tie('type') }),
    fc.record({
      kind: fc.constant('array' as const),
      element: tie('type'),
      length: fc.integer({ min: 1, max: 9 }),
    }),
  ),
})).type;

const TOO_LONG = 'it is longer than a duration can be';

describe('NSPL 1.4: durations', () => {
  test.each<[string, bigint]>([
    ['250ms', 250_000_000n],
    ['1h30m', 5_400_000_000_000n],
    ['1m30s500ms', 90_500_000_000n],
    ['1.5s', 1_500_000_000n],
    ['1M', 2_630_016_000_000_000n],
    ['1y', 31_557_600_000_000_000n],
    ['0s', 0n],
  ])('%s', (text, nanos) => {
    expect(readDuration(text)).toEqual({ kind: 'ok', value: nanos });
  });

  test.each(['', 'ms', '5', '5 s', '5x', '5S', '-1s', '1e3s', '99999999999999999999s'])(
    '%j is refused with a reason',
    (text) => {
      const result = readDuration(text);
      expect(result.kind).toBe('refused');
      expect(result).toHaveProperty('reason', expect.stringMatching(/\w/));
    },
  );

  test.each([
    [`0.${'0'.repeat(63)}9s`, { kind: 'ok', value: 0n }],
    [`${'0'.repeat(100)}5s`, { kind: 'ok', value: 5_000_000_000n }],
    [`0.${'9'.repeat(65)}s`, { kind: 'refused', reason: 'its fraction has more than 64 digits' }],
    ['18446744073709551615s', { kind: 'ok', value: ((1n << 64n) - 1n) * 1_000_000_000n }],
    ['18446744073709551616s', { kind: 'refused', reason: TOO_LONG }],
    [`${'9'.repeat(64)}ns`, { kind: 'refused', reason: TOO_LONG }],
    [`${'9'.repeat(65)}ns`, { kind: 'refused', reason: TOO_LONG }],
    [`${'9'.repeat(65)}ns1x`, { kind: 'refused', reason: "unknown unit 'x'" }],
    [`1${'x'.repeat(65)}`, { kind: 'refused', reason: `unknown unit '${'x'.repeat(64)}…'` }],
  ])('digits of %s are read up to a bound', (text, result) => {
    expect(readDuration(text)).toEqual(result);
  });

  test('a printed clock duration reads back as the same duration', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 1n << 63n }), (nanos) => {
        expect(readDuration(printClockDuration(nanos))).toEqual({ kind: 'ok', value: nanos });
      }),
      { numRuns: RUNS },
    );
  });
});

describe('NSPL 1.4: byte sizes', () => {
  test.each<[string, bigint]>([
    ['1B', 1n],
    ['64KiB', 65_536n],
    ['64kib', 65_536n],
    ['1.5MB', 1_500_000n],
    ['2GiB', 2_147_483_648n],
    ['1EiB', 1n << 60n],
  ])('%s', (text, bytes) => {
    expect(readByteSize(text)).toEqual({ kind: 'ok', value: bytes });
  });

  test.each([
    [`0.${'0'.repeat(63)}9B`, { kind: 'ok', value: 0n }],
    [`${'0'.repeat(100)}5kB`, { kind: 'ok', value: 5_000n }],
    [`1${'0'.repeat(63)}B`, { kind: 'ok', value: 10n ** 63n }],
    [`1${'0'.repeat(64)}B`, { kind: 'refused', reason: 'it is larger than a byte count can be' }],
    [`0.${'0'.repeat(65)}B`, { kind: 'refused', reason: 'its fraction has more than 64 digits' }],
  ])('digits of %s are read up to a bound', (text, result) => {
    expect(readByteSize(text)).toEqual(result);
  });

  test.each(['', '5', 'KiB', '5 KiB', '5XB', '-1B'])('%j is refused', (text) => {
    expect(readByteSize(text).kind).toBe('refused');
  });
});

describe('NSPL 1.4: byte counts', () => {
  test.each<[string, bigint, string]>([
    ['64MiB', 64n << 20n, '64MiB'],
    ['2048kib', 2n << 20n, '2MiB'],
    ['1TiB', 1n << 40n, '1TiB'],
    ['1PiB', 1n << 50n, '1024TiB'],
    ['1.5KiB', 1536n, '1536B'],
    ['1.5kB', 1500n, '1500B'],
    ['0B', 0n, '0B'],
    ['18446744073709551615B', (1n << 64n) - 1n, '18446744073709551615B'],
  ])('%s', (text, bytes, printed) => {
    expect(readByteCount(text)).toEqual({ kind: 'ok', value: bytes });
    expect(printByteCount(bytes)).toBe(printed);
  });

  test.each([
    ['1.5B', 'it is not a whole number of bytes'],
    ['1.0001kB', 'it is not a whole number of bytes'],
    ['18446744073709551616B', 'it is larger than a byte count can be'],
    ['16EiB', 'it is larger than a byte count can be'],
    ['5XB', "unknown unit 'XB'"],
  ])('%s is refused', (text, reason) => {
    expect(readByteCount(text)).toEqual({ kind: 'refused', reason });
  });
});

describe('NSPL 1.3: names', () => {
  test.each<[string, boolean, string | undefined]>([
    ['a_1', true, undefined],
    ['a.b', true, undefined],
    ['a.b', false, "dot '.' is not allowed"],
    ['', true, 'name must not be empty'],
    ['a b', true, "invalid character ' ' in name"],
    ['x'.repeat(129), true, 'name length 129 exceeds max length 128'],
  ])('%j with dots %s', (name, allowDot, defect) => {
    expect(nameDefect(name, allowDot)).toBe(defect);
  });
});

describe('TYPE 1: data types', () => {
  test('types print in declaration spelling, outermost length first', () => {
    const matrix: DataType = {
      kind: 'array',
      length: 2,
      element: { kind: 'array', length: 3, element: 'F32' },
    };
    expect(printDataType(matrix)).toBe('ARRAY<F32, 2, 3>');
    expect(printDataType({ kind: 'vec', element: matrix })).toBe('VEC<ARRAY<F32, 2, 3>>');
    expect(columnTypeName({ kind: 'vec', element: 'U8' })).toBe('List(UInt8)');
  });

  test('types are equal exactly when they print alike', () => {
    fc.assert(
      fc.property(dataType, dataType, (left, right) => {
        expect(equalTypes(left, right)).toBe(printDataType(left) === printDataType(right));
        expect(equalTypes(left, left)).toBe(true);
        expect(containsBytes(left)).toBe(printDataType(left).includes('BYTES'));
      }),
      { numRuns: RUNS },
    );
  });

  test('integer ranges', () => {
    expect(integerRange('U64')).toEqual({ min: 0n, max: 18_446_744_073_709_551_615n });
    expect(integerRange('I8')).toEqual({ min: -128n, max: 127n });
  });
});

describe('canonical text', () => {
  test('equal data has equal text, whatever the order of its keys', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
        const reversed = Object.fromEntries(Object.entries(value).reverse());
        expect(canonicalText(reversed)).toBe(canonicalText(value));
        expect(equalData(reversed, value)).toBe(true);
      }),
      { numRuns: RUNS },
    );
  });

  test('different data has different text', () => {
    expect(equalData({ a: 1n }, { a: 1 })).toBe(false);
    expect(equalData({ a: [1, 2] }, { a: [2, 1] })).toBe(false);
    expect(equalData({ a: null }, {})).toBe(false);
    expect(equalData({ a: undefined }, {})).toBe(true);
    expect(equalData({ a: null }, { a: undefined, b: 1 })).toBe(false);
    expect(equalData([], {})).toBe(false);
    expect(equalData({ toString: 1 }, { a: 1 })).toBe(false);
    expect(equalData({ b: null }, { a: 1, b: undefined })).toBe(false);
    expect(equalData({ a: -0 }, { a: 0 })).toBe(false);
    expect(equalData({ a: Number.NaN }, { a: null })).toBe(false);
    expect(equalData({ a: Number.NaN }, { a: Number.NaN })).toBe(true);
    expect(canonicalText([-0, Number.NaN])).toBe('[{"$float":"-0"},{"$float":"NaN"}]');
  });

  test('data is equal exactly when its text is', () => {
    const value = fc.jsonValue({ maxDepth: 2 });
    fc.assert(
      fc.property(value, value, (left, right) => {
        expect(equalData(left, right)).toBe(canonicalText(left) === canonicalText(right));
        expect(equalData(left, structuredClone(left))).toBe(true);
      }),
      { numRuns: RUNS },
    );
  });

  test('data nested far deeper than a call stack is compared', () => {
    const nested = (leaf: number): object =>
      Array.from({ length: 100_000 }).reduce<object>((inner) => ({ inner }), { leaf });
    expect(equalData(nested(1), nested(1))).toBe(true);
    expect(equalData(nested(1), nested(2))).toBe(false);
  });
});

test('nesting is measured without recursion', () => {
  let value: object = {};
  for (let depth = 1; depth < 200_000; depth += 1) value = { value };
  expect(isNestedDeeper(value, 199_999)).toBe(true);
  expect(isNestedDeeper(value, 200_000)).toBe(false);
  expect(isNestedDeeper('text', 0)).toBe(false);
});
