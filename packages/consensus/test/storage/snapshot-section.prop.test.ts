import fc from 'fast-check';
import { expect, test } from 'vitest';
import { MalformedBytesError } from '../../src/storage/byte-codec.ts';
import { moveStateDigest, recordDigest } from '../../src/storage/digests.ts';
import { SECTION_BYTES_MAX, type StateRecord } from '../../src/storage/log-storage.ts';
import { FRAME_BYTES } from '../../src/storage/record-frame.ts';
import {
  ProofSum,
  SECTION_CONTENT_MAX,
  SectionReader,
  SectionWriter,
} from '../../src/storage/snapshot-section.ts';
import { propRuns } from '../support/prop-runs.ts';

const bytes = (maxLength: number) => fc.uint8Array({ maxLength }).map((it) => new Uint8Array(it));
const compare = (left: StateRecord, right: StateRecord): number =>
  Buffer.compare(left.key, right.key);
/** Records as a store has them: in order, each key once. */
const sets = fc
  .uniqueArray(fc.record({ key: bytes(9), value: bytes(80) }), {
    maxLength: 30,
    selector: ({ key }) => Buffer.from(key).toString('hex'),
  })
  .map((records) => records.sort(compare));
const contentMax = fc.integer({ min: 1, max: 120 });

function sectionsOf(records: readonly StateRecord[], max: number): Uint8Array[] {
  const writer = new SectionWriter(max);
  const sections: Uint8Array[] = [];
  const take = () => {
    const section = writer.take();
    if (section !== undefined) sections.push(section);
    return section !== undefined;
  };
  for (const record of records) while (!writer.add(record)) take();
  while (take());
  return sections;
}

function recordsOf(sections: readonly Uint8Array[]): StateRecord[] {
  const reader = new SectionReader();
  const records = sections.flatMap((section) => [...reader.read(section)]);
  reader.finish();
  return records;
}

test('CS-317 any set of records goes through sections of any size and comes back', () => {
  const property = fc.property(sets, contentMax, (records, max) => {
    const sections = sectionsOf(records, max);
    for (const section of sections) {
      expect(section.length).toBeGreaterThan(0);
      expect(section.length).toBeLessThanOrEqual(max);
    }
    expect(recordsOf(sections)).toEqual(records);
    const bytes = records.reduce((sum, { key, value }) => sum + 8 + key.length + value.length, 0);
    expect(sections.reduce((sum, { length }) => sum + length, 0)).toBe(bytes);
  });
  fc.assert(property, { numRuns: propRuns(200) });
});

test('CS-317 a record is only parted when it is larger than a section', () => {
  const property = fc.property(sets, contentMax, (records, max) => {
    const largest = records.reduce(
      (most, it) => Math.max(most, it.key.length + it.value.length),
      0,
    );
    fc.pre(largest + 8 <= max);
    for (const section of sectionsOf(records, max)) {
      // Each one can be read by itself.
      expect(() => recordsOf([section])).not.toThrow();
    }
  });
  fc.assert(property, { numRuns: propRuns(200) });
});

test('CS-317 a missing last section, or one that is cut, is noticed', () => {
  const property = fc.property(sets, contentMax, fc.nat(), (records, max, cut) => {
    const sections = sectionsOf(records, max);
    const last = sections.at(-1);
    fc.pre(last !== undefined && last.length > 1);
    const shorter = last!.subarray(0, 1 + (cut % (last!.length - 1)));
    const read = () => recordsOf([...sections.slice(0, -1), shorter]);
    let found: StateRecord[] = [];
    try {
      found = read();
    } catch (error) {
      expect(error).toBeInstanceOf(MalformedBytesError);
      return;
    }
    // A cut between two records is what the proof of all records is for.
    expect(proofOf(found).equals(totalsOf(records))).toBe(false);
  });
  fc.assert(property, { numRuns: propRuns(200) });
});

function proofOf(records: readonly StateRecord[]): ProofSum {
  const sum = new ProofSum();
  for (const record of records) sum.add(record);
  return sum;
}

/** The proof as a store keeps it: found here by asking the sum of exactly these records. */
function totalsOf(records: readonly StateRecord[]): Parameters<ProofSum['equals']>[0] {
  const stateDigest = records.reduce(
    (sum, { key, value }) => moveStateDigest(sum, 0n, recordDigest(key, value)),
    0n,
  );
  return { stateDigest, recordCount: BigInt(records.length) };
}

test('CS-317 the digest does not depend on the order in which records came to be', () => {
  const property = fc.property(sets, fc.infiniteStream(fc.nat()), (records, draws) => {
    const shuffled = [...records];
    for (let at = shuffled.length - 1; at > 0; at -= 1) {
      const other = draws.next().value % (at + 1);
      [shuffled[at], shuffled[other]] = [shuffled[other]!, shuffled[at]!];
    }
    expect(proofOf(records).equals(totalsOf(shuffled))).toBe(true);
    expect(proofOf(records).equals(totalsOf(shuffled.slice(1)))).toBe(records.length === 0);
  });
  fc.assert(property, { numRuns: propRuns(200) });
});

test('CS-317 sections as they are stored fit 8 MiB with their frame', () => {
  expect(SECTION_CONTENT_MAX + FRAME_BYTES).toBe(SECTION_BYTES_MAX);
  expect(SECTION_BYTES_MAX).toBe(8 * 1_024 * 1_024);
  const value = new Uint8Array(3 * 1_024 * 1_024);
  const records = [1, 2, 3, 4, 5].map((key) => ({ key: Uint8Array.of(key), value }));
  const sections = sectionsOf(records, SECTION_CONTENT_MAX);
  expect(sections.map(({ length }) => length <= SECTION_CONTENT_MAX)).toEqual([true, true, true]);
  expect(recordsOf(sections).map(({ key }) => key[0])).toEqual([1, 2, 3, 4, 5]);
});
