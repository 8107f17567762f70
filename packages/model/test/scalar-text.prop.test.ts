import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { printDatetime, readDatetime } from '../src/datetime-text.js';
import {
  integerToSingle,
  printFloat,
  readDouble,
  readSingle,
  shortestFloat,
} from '../src/float-text.js';

const RUNS = Number(process.env['PROP_RUNS'] ?? 1_000);

function read(text: string): bigint | null {
  const bytes = new TextEncoder().encode(text);
  return readDatetime(bytes, 0, bytes.length);
}

describe('scalar texts (TYPE 4.1, CN-308)', () => {
  test('every DATETIME reads back from its text, and dates agree with the host', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), (instant) => {
        const text = printDatetime(instant);
        expect(read(text)).toBe(instant);
        const seconds =
          (instant - (((instant % 1000000000n) + 1000000000n) % 1000000000n)) / 1000000000n;
        expect(text.slice(0, 19)).toBe(new Date(Number(seconds) * 1000).toISOString().slice(0, 19));
      }),
      { numRuns: RUNS },
    );
  });

  test.each([
    '1582-10-15T00:00:00Z',
    '1700-02-29T00:00:00Z',
    '0000-03-01T00:00:00Z',
    '9999-12-31T23:59:59Z',
    '2262-04-11T23:47:16.854775808Z',
    '2024-01-01T00:00:00+24:00',
    '2024-01-01T00:00:00+0100',
    '2024-01-01T00:00:00ZZ',
    ' 2024-01-01T00:00:00Z',
    '2024-00-01T00:00:00Z',
    '2024-01-00T00:00:00Z',
    '2024-1-01T00:00:00.0Z',
  ])('%s is no DATETIME', (text) => {
    expect(read(text)).toBeNull();
  });

  test('floats read back from their texts, F32 in one rounding', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true }), fc.float({ noNaN: true }), (double, single) => {
        expect(readDouble(printFloat(double, false))).toBe(double);
        expect(readSingle(printFloat(single, true))).toBe(single);
        expect(printFloat(single, true)).not.toMatch(/e/i);
        if (Number.isFinite(single))
          expect(Math.fround(Number(shortestFloat(single, true)))).toBe(single);
      }),
      { numRuns: RUNS },
    );
  });

  test('decimals next to the middle of two F32 go to the nearer one', () => {
    const bits = new Int32Array(1);
    const floats = new Float32Array(bits.buffer);
    fc.assert(
      fc.property(fc.integer({ min: 0x00800000, max: 0x7f000000 }), (pattern) => {
        bits[0] = pattern;
        const low = floats[0]!;
        bits[0] = pattern + 1;
        const high = floats[0]!;
        const middle = (low + high) / 2;
        const digits = printFloat(middle, false);
        const exact = BigInt(Math.floor(middle)) === 0n || digits.includes('.') ? null : digits;
        if (exact === null || Number(exact) !== middle) return;
        const integer = BigInt(middle);
        if (integer > 2n ** 64n) return;
        expect(integerToSingle(integer + 1n)).toBe(high);
        expect(integerToSingle(integer - 1n)).toBe(low);
        expect(readSingle(`${integer + 1n}`)).toBe(high);
        expect(readSingle(`${integer}.0000000000000000000001`)).toBe(high);
        expect(readSingle(`-${integer - 1n}`)).toBe(-low);
      }),
      { numRuns: RUNS },
    );
    expect(readSingle('340282356779733661637539395458142568447')).toBe(3.4028234663852886e38);
    expect(readSingle('340282356779733661637539395458142568448')).toBe(Number.POSITIVE_INFINITY);
    expect(readSingle('0.7006492321624085e-45')).toBe(0);
    expect(readSingle('0.7006492321624086e-45')).toBe(2 ** -149);
  });
});
