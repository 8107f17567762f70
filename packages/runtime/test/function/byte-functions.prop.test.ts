import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { xxhash3 } from 'hash-wasm';
import { describe, expect, test } from 'vitest';
import { call, evaluateCase, given } from '../program/expression-fixture.js';
import { propertyRuns } from '../support/property-runs.js';

const RUNS = propertyRuns(200);
const bytes = fc.oneof(
  fc.uint8Array({ maxLength: 40 }),
  fc.uint8Array({ minLength: 200, maxLength: 1200 }),
);
const text = fc.string({ unit: 'grapheme', maxLength: 30 });
const of = (name: string, type: 'STRING' | 'BYTES' | 'U64', value: Uint8Array | string) =>
  evaluateCase(call(name, type, given(typeof value === 'string' ? 'STRING' : 'BYTES', value)));

describe('functions over BYTES, against the host (TYPE 6.3)', () => {
  test('digests', async () => {
    await fc.assert(
      fc.asyncProperty(bytes, async (value) => {
        const digest = of('sha256', 'BYTES', value) as Uint8Array;
        expect(Buffer.from(digest).toString('hex')).toBe(
          createHash('sha256').update(value).digest('hex'),
        );
        const hash = of('xxh3_64', 'U64', value) as bigint;
        expect(hash.toString(16).padStart(16, '0')).toBe(await xxhash3(value));
      }),
      { numRuns: RUNS },
    );
  });

  test('xxh3_64 of every short length', async () => {
    for (let length = 0; length <= 260; length += 1) {
      const value = Uint8Array.from({ length }, (_, index) => (index * 131 + length) & 0xff);
      const hash = of('xxh3_64', 'U64', value) as bigint;
      expect(hash.toString(16).padStart(16, '0')).toBe(await xxhash3(value));
    }
  });

  test('texts of bytes', () => {
    fc.assert(
      fc.property(bytes, text, (value, written) => {
        const buffer = Buffer.from(value);
        expect(of('base64_encode', 'STRING', value)).toBe(buffer.toString('base64'));
        expect(of('hex_encode', 'STRING', value)).toBe(buffer.toString('hex'));
        expect(of('base64_decode', 'BYTES', buffer.toString('base64'))).toEqual(value);
        expect(of('hex_decode', 'BYTES', buffer.toString('hex').toUpperCase())).toEqual(value);
        expect(of('bytes_from_utf8', 'BYTES', written)).toEqual(
          Uint8Array.from(Buffer.from(written)),
        );
        expect(of('bytes_to_utf8', 'STRING', Uint8Array.from(Buffer.from(written)))).toBe(written);
        expect(of('md5', 'STRING', written)).toBe(createHash('md5').update(written).digest('hex'));
      }),
      { numRuns: RUNS },
    );
  });

  test('bytes that are no UTF-8 fail, all others are kept', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 6 }), (value) => {
        const isText = Buffer.from(Buffer.from(value).toString()).equals(value);
        expect(of('bytes_to_utf8', 'STRING', value)).toBe(
          isText
            ? Buffer.from(value).toString()
            : 'cast_failed: bytes_to_utf8 input is not valid UTF-8',
        );
      }),
      { numRuns: propertyRuns(1000) },
    );
  });

  test.each<[string, string]>([
    ['base64_decode', 'AR=='],
    ['base64_decode', 'AQ='],
    ['base64_decode', 'AQ'],
    ['base64_decode', 'A-=='],
    ['base64_decode', 'AQ==\n'],
    ['base64_decode', '===='],
    ['hex_decode', '0'],
    ['hex_decode', '0g'],
    ['hex_decode', '00\n'],
    ['hex_decode', 'é0'],
  ])('%s refuses %j', (name, value) => {
    expect(of(name, 'BYTES', value)).toBe(`cast_failed: ${name} input is not valid encoded bytes`);
  });

  test.each<[readonly number[]]>([
    [[0xc0, 0x80]],
    [[0xed, 0xa0, 0x80]],
    [[0xf4, 0x90, 0x80, 0x80]],
    [[0xe2, 0x82]],
  ])('bytes_to_utf8 refuses %j', (value) => {
    expect(of('bytes_to_utf8', 'STRING', Uint8Array.from(value))).toContain('cast_failed');
  });

  test('a byte order mark is kept', () => {
    expect(of('bytes_to_utf8', 'STRING', Uint8Array.of(0xef, 0xbb, 0xbf, 0x61))).toBe('\ufeffa');
  });
});
