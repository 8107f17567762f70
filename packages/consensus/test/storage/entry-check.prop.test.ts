import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Entry } from '../../src/raft/entry.ts';
import { ENTRY_KIND_CODE } from '../../src/raft/entry-kind.ts';
import { EntryCheck } from '../../src/storage/entry-check.ts';
import { encodeEntry } from '../../src/storage/entry-codec.ts';
import { entryKey } from '../../src/storage/level-keys.ts';
import { encodeRecord, RECORD_KIND } from '../../src/storage/record-frame.ts';
import { propRuns } from '../support/prop-runs.ts';

const u64 = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n });
const bytes = (minLength: number, maxLength: number) =>
  fc.uint8Array({ minLength, maxLength }).map((it) => new Uint8Array(it));
const entries: fc.Arbitrary<Entry> = fc.record({
  index: u64,
  term: u64,
  kind: fc.constantFrom('normal' as const, 'empty' as const, 'configuration' as const),
  payload: bytes(0, 200),
  chain: bytes(16, 16),
});

function stored(entry: Entry): readonly [key: Uint8Array, value: Uint8Array] {
  const key = entryKey(entry.index);
  return [key, encodeRecord(RECORD_KIND.entry, key, encodeEntry(entry))];
}

test('CS-72 CS-80 CS-310 the quick look at an entry reads what its codec wrote', () => {
  // One look for all: nothing of the entry before may show through.
  const check = new EntryCheck();
  const property = fc.property(entries, (entry) => {
    expect(check.load(...stored(entry))).toBe(true);
    expect({
      index: check.index,
      term: check.term,
      kind: check.kindCode,
      chain: new Uint8Array(check.chain),
      payload: new Uint8Array(check.payload),
      length: check.payloadLength,
    }).toEqual({
      ...entry,
      kind: ENTRY_KIND_CODE[entry.kind],
      length: entry.payload.length,
    });
  });
  fc.assert(property, { numRuns: propRuns(200) });
});

test('CS-72 CS-80 CS-310 the quick look passes no entry with a changed, missing or added byte', () => {
  const check = new EntryCheck();
  const property = fc.property(
    entries,
    fc.nat(),
    fc.integer({ min: 1, max: 255 }),
    (it, at, by) => {
      const [key, value] = stored(it);
      const all = Uint8Array.of(...key, ...value);
      const place = at % all.length;
      all[place] = (all[place] ?? 0) ^ by;
      expect(check.load(all.subarray(0, key.length), all.subarray(key.length))).toBe(false);
      expect(check.load(key, value.subarray(0, at % value.length))).toBe(false);
      expect(check.load(key, Uint8Array.of(...value, by))).toBe(false);
      expect(check.load(Uint8Array.of(...key, by), value)).toBe(false);
      expect(check.load(key.subarray(1), value)).toBe(false);
    },
  );
  fc.assert(property, { numRuns: propRuns(200) });
});
