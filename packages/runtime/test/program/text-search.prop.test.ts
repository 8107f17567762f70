import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { TextSearch } from '../../src/program/text-search.js';
import { SEARCH_BYTES_MAX, SearchKernel } from '../../src/simd/search-kernel.js';
import { propertyRuns } from '../support/property-runs.js';

const byte = fc.constantFrom(0, 0x61, 0x62, 0xff);
const needles = fc
  .array(byte, { minLength: 1, maxLength: 5 })
  .map((bytes) => Uint8Array.from(bytes));
const texts = fc.array(fc.array(byte, { maxLength: 40 }), { maxLength: 40 });

/** Bytes in which texts lie one behind the other, and where each begins and ends. */
function placed(parts: readonly (readonly number[])[], before: number) {
  const bytes = Uint8Array.from([...Array<number>(before).fill(0x61), ...parts.flat()]);
  let end = before;
  const ranges = parts.map(({ length }) => {
    const start = end;
    end += length;
    return [start, end] as const;
  });
  return { bytes, ranges };
}

const isWithin = (bytes: Uint8Array, [start, end]: readonly [number, number], needle: Uint8Array) =>
  Buffer.from(bytes.subarray(start, end)).includes(Buffer.from(needle));

describe('looking for a text in many', () => {
  test('finds it in those that hold it, in whatever order they are asked (TYPE 6.2)', () => {
    fc.assert(
      fc.property(texts, needles, fc.nat(3), fc.array(fc.nat()), (parts, needle, before, again) => {
        const search = new TextSearch(needle);
        const { bytes, ranges } = placed(parts, before);
        const asked = again.map((at) => ranges[at % ranges.length] ?? ([0, before] as const));
        for (const order of [ranges, ranges.toReversed(), asked]) {
          search.restart();
          for (const range of order) {
            expect(search.isWithin(bytes, ...range)).toBe(isWithin(bytes, range, needle));
          }
        }
      }),
      { numRuns: propertyRuns(300) },
    );
  });

  test('finds it across the parts that a kernel looks through at once', () => {
    expect(SearchKernel.shared()).not.toBeNull();
    for (const needle of ['x', 'xy', 'xyz', 'xx'].map((text) => Buffer.from(text))) {
      for (let shift = -4; shift <= 2; shift += 1) {
        const bytes = new Uint8Array(SEARCH_BYTES_MAX * 2 + 7);
        const places = [5, SEARCH_BYTES_MAX + shift, SEARCH_BYTES_MAX * 2 + 7 - needle.length];
        for (const at of places) bytes.set(needle, at);
        const search = new TextSearch(needle);
        const found: number[] = [];
        for (let at = 0; at < bytes.length; at += 1) {
          if (search.isWithin(bytes, at, at + needle.length)) found.push(at);
        }
        expect(found).toEqual(places);
      }
    }
  });

  test('finds every byte of a part, and none of what lay there before', () => {
    const search = new TextSearch(Uint8Array.of(0x78));
    const full = new Uint8Array(SEARCH_BYTES_MAX).fill(0x78);
    for (let at = 0; at < full.length; at += 1) {
      expect(search.isWithin(full, at, at + 1)).toBe(true);
    }
    search.restart();
    const short = new Uint8Array(7);
    expect(search.isWithin(short, 0, 7)).toBe(false);
  });

  test('finds the same where the host has no WebAssembly', async () => {
    vi.resetModules();
    vi.stubGlobal('WebAssembly', undefined);
    try {
      const { TextSearch: Search } = await import('../../src/program/text-search.js');
      const bytes = Buffer.from('abcabxabcx');
      const search = new Search(Buffer.from('bx'));
      const found = [0, 3, 6].map((at) => search.isWithin(bytes, at, at + 4));
      expect(found).toEqual([false, true, false]);
    } finally {
      vi.unstubAllGlobals();
    }
  });
});
