import fc from 'fast-check';
import { expect, test } from 'vitest';
import { LogIndex } from '../../src/storage/log-index.ts';
import { propRuns } from '../support/prop-runs.ts';

interface ModelEntry {
  readonly index: bigint;
  readonly term: bigint;
  readonly bytes: number;
}

const steps = fc.array(
  fc.oneof(
    fc.record({
      kind: fc.constant('append' as const),
      newTerms: fc.nat(2),
      bytes: fc.integer({ min: 1, max: 99 }),
    }),
    fc.record({
      kind: fc.constant('purge' as const),
      share: fc.double({ min: 0, max: 1, noNaN: true }),
    }),
  ),
  { maxLength: 80 },
);

/** The entries that a retention by count and size keeps, found the slow way. */
function keptBy(log: readonly ModelEntry[], entriesKept: number, bytesKept: number): ModelEntry[] {
  for (let first = Math.max(0, log.length - entriesKept); first < log.length; first += 1) {
    const kept = log.slice(first);
    if (kept.reduce((sum, { bytes }) => sum + bytes, 0) <= bytesKept) return kept;
  }
  return [];
}

test('CS-311 random appends and purges agree with a plain array', () => {
  const property = fc.property(steps, fc.nat(10), fc.nat(300), (script, entriesKept, bytesKept) => {
    const index = new LogIndex({ index: 5n, term: 2n });
    let log: ModelEntry[] = [];
    let purged = { index: 5n, term: 2n };
    for (const step of script) {
      const last = log.at(-1) ?? purged;
      if (step.kind === 'append') {
        const position = { index: last.index + 1n, term: last.term + BigInt(step.newTerms) };
        index.append(position, step.bytes);
        log.push({ ...position, bytes: step.bytes });
      } else {
        const count = Math.round(step.share * log.length);
        const end = log[count - 1];
        if (end === undefined) continue;
        index.purge(end.index);
        purged = { index: end.index, term: end.term };
        log = log.slice(count);
      }
      const { index: lastIndex, term: lastTerm } = log.at(-1) ?? purged;
      expect(index.bounds).toEqual({
        purged,
        last: { index: lastIndex, term: lastTerm },
        retainedEntries: log.length,
        retainedBytes: log.reduce((sum, { bytes }) => sum + bytes, 0),
      });
      for (const entry of [purged, ...log]) expect(index.termAt(entry.index)).toBe(entry.term);
      const kept = keptBy(log, entriesKept, bytesKept);
      expect(index.indexBehind(entriesKept, bytesKept)).toBe(lastIndex - BigInt(kept.length));
    }
    expect(() => index.termAt(purged.index - 1n)).toThrow('is stored');
  });
  fc.assert(property, { numRuns: propRuns(300) });
});
