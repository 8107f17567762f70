import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findBytes } from '../../src/program/byte-text.js';
import { TextSearch } from '../../src/program/text-search.js';
import { propertyRuns } from '../support/property-runs.js';

/** Texts of few letters, so that beginnings of a needle occur everywhere. */
const repeated = (longest: number) =>
  fc
    .tuple(fc.array(fc.constantFrom(0x61, 0x62), { minLength: 1, maxLength: 6 }), fc.nat(longest))
    .map(([unit, length]) => Uint8Array.from({ length }, (_, at) => unit[at % unit.length] ?? 0));

/** Accesses to bytes of a text. */
function counted(bytes: Uint8Array) {
  const count = { reads: 0 };
  const view = new Proxy(bytes, {
    get(target, key) {
      if (typeof key === 'string' && /^[0-9]+$/.test(key)) count.reads += 1;
      const value: unknown = Reflect.get(target, key, target);
      if (key !== 'subarray') return value;
      return (from: number, to: number) => counted(target.subarray(from, to)).view;
    },
  });
  return { view, count };
}

describe('looking for bytes in bytes', () => {
  test('finds the first place, or none (TYPE 6.2)', () => {
    fc.assert(
      fc.property(repeated(12_000), repeated(900), fc.nat(20), (text, needle, start) => {
        const from = Math.min(start, text.length);
        const expected = Buffer.from(text).indexOf(needle, from);
        const wanted = needle.length === 0 ? from : expected;
        expect(findBytes(text, from, text.length, needle, 0, needle.length)).toBe(wanted);
      }),
      { numRuns: propertyRuns(200) },
    );
  });

  test.each([
    ['aaaaaaaab', 'a', 4_000],
    ['babababac', 'ab', 8_000],
  ])('takes time that grows as the lengths do: %s', (_, unit, length) => {
    const text = Buffer.from(unit.repeat(length / unit.length));
    const needle = Buffer.from(`${unit.repeat(length / unit.length / 4)}x`);
    const { view, count } = counted(text);
    expect(findBytes(view, 0, text.length, needle, 0, needle.length)).toBe(-1);
    expect(count.reads).toBeLessThan(length * 4 + 3 * 4096);
  });

  test('a text like the needle is no slower to look through in many (TYPE 6.2)', () => {
    const needle = Buffer.from(`${'a'.repeat(2000)}b`);
    const search = new TextSearch(needle);
    const bytes = Buffer.from(`${'a'.repeat(300_000)}b`);
    expect(search.isWithin(bytes, 0, 299_999)).toBe(false);
    expect(search.isWithin(bytes, 0, 300_001)).toBe(true);
    expect(search.isWithin(bytes, 298_000, 300_001)).toBe(true);
    expect(search.isWithin(bytes, 298_001, 300_001)).toBe(false);
  });
});
