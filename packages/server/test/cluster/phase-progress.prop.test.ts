import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  commonProgress,
  hasReached,
  isSameProgress,
  latestProgress,
  NO_PROGRESS,
  type PhaseProgress,
  progressOf,
} from '../../src/cluster/phase-progress.ts';

const DOMAINS = ['a', 'b', 'c', 'd'];

const revisions = fc.option(fc.constantFrom(0, 1, 2, 3, Number.MAX_SAFE_INTEGER), {
  nil: undefined,
});
const progresses: fc.Arbitrary<PhaseProgress> = fc.record({
  revision: revisions,
  behind: fc.uniqueArray(
    fc.record({ domain: fc.constantFrom('a', 'b', 'c'), revision: revisions }),
    {
      selector: ({ domain }) => domain,
    },
  ),
});

describe('CP-5, CP-9: progress is cumulative, and nothing is no revision', () => {
  test('nothing has reached no revision, not even the first', () => {
    expect(hasReached(undefined, 0)).toBe(false);
    expect(hasReached(0, 0)).toBe(true);
    expect(hasReached(Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER)).toBe(true);
    expect(progressOf(NO_PROGRESS, 'a')).toBeUndefined();
  });

  test('everybody has come to the least of what each has, for every domain', () => {
    fc.assert(
      fc.property(fc.array(progresses, { minLength: 1, maxLength: 4 }), (all) => {
        const common = commonProgress(all);
        for (const domain of DOMAINS) {
          const each = all.map((progress) => progressOf(progress, domain));
          const least = each.includes(undefined)
            ? undefined
            : Math.min(...each.map((revision) => revision ?? 0));
          expect(progressOf(common, domain)).toBe(least);
        }
      }),
    );
    expect(commonProgress([])).toEqual(NO_PROGRESS);
  });

  test('somebody has come to the most of what each has, for every domain', () => {
    fc.assert(
      fc.property(fc.array(progresses, { maxLength: 4 }), (all) => {
        const latest = latestProgress(all);
        for (const domain of DOMAINS) {
          const each = all.flatMap((progress) => progressOf(progress, domain) ?? []);
          expect(progressOf(latest, domain)).toBe(
            each.length === 0 ? undefined : Math.max(...each),
          );
        }
      }),
    );
  });

  test('progress merged with itself is the same', () => {
    fc.assert(
      fc.property(progresses, (progress) => {
        const merged = commonProgress([progress]);
        expect(isSameProgress(merged, latestProgress([progress, merged]))).toBe(true);
      }),
    );
  });
});
