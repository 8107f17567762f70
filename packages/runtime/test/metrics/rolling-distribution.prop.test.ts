import { fc, test } from '@fast-check/vitest';
import { describe, expect } from 'vitest';
import {
  BLOCK_COUNT,
  BLOCK_SIZE,
  bucketMiddle,
  bucketOf,
} from '../../src/metrics/log-linear-buckets.js';
import { RollingDistribution } from '../../src/metrics/rolling-distribution.js';

const scaled = fc.oneof(
  fc.nat({ max: 1000 }),
  fc.maxSafeNat(),
  fc.integer({ min: 0, max: 52 }).map((exponent) => 2 ** exponent),
  fc.integer({ min: 1, max: 53 }).map((exponent) => 2 ** exponent - 1),
);
const observed = fc.record({
  value: fc.oneof(
    fc.nat({ max: 70_000 }),
    fc.double({ min: 0, max: 40, noNaN: true }),
    fc.double({ min: 0, max: 1e12, noNaN: true }),
  ),
  afterMs: fc.oneof(fc.constant(0), fc.nat({ max: 30_000 }), fc.nat({ max: 400_000 })),
});

/** The value at a rank of a distribution, counted from one. */
function valueAt(
  { values, counts }: { readonly values: readonly number[]; readonly counts: readonly number[] },
  rank: number,
): number | undefined {
  let seen = 0;
  return values.find((_, index) => {
    seen += counts[index] ?? 0;
    return seen >= rank;
  });
}

describe('TX-31: two significant digits', () => {
  test.prop([scaled])('the middle of a bucket is off by less than 1/128', (value) => {
    const bucket = bucketOf(value);
    expect(Number.isInteger(bucket)).toBe(true);
    expect(bucket).toBeLessThan(BLOCK_COUNT * BLOCK_SIZE);
    expect(Math.abs(bucketMiddle(bucket) - value)).toBeLessThanOrEqual(value / 128);
    expect(value < 2 * BLOCK_SIZE ? bucketMiddle(bucket) : value).toBe(value);
  });

  test.prop([scaled, scaled])('larger values have no smaller bucket', (one, other) => {
    expect(bucketOf(Math.min(one, other))).toBeLessThanOrEqual(bucketOf(Math.max(one, other)));
  });

  test.prop([fc.array(observed, { minLength: 1, maxLength: 200 }), fc.nat({ max: 1_000_000 })])(
    'every rank of a window is near that of the sorted values of its steps',
    (observations, quietMs) => {
      const distribution = new RollingDistribution();
      const kept: { value: number; atMs: number }[] = [];
      let nowMs = 0;
      for (const { value, afterMs } of observations) {
        nowMs += afterMs;
        distribution.observe(value, nowMs);
        kept.push({ value, atMs: nowMs });
      }
      nowMs += quietMs;
      const windows = distribution.read(nowMs);
      for (const { window, stepMs, steps } of [
        { window: windows.last1m, stepMs: 10_000, steps: 6 },
        { window: windows.last15m, stepMs: 60_000, steps: 15 },
      ]) {
        const oldest = Math.floor(nowMs / stepMs) - steps + 1;
        const exact = kept
          .filter(({ atMs }) => Math.floor(atMs / stepMs) >= oldest)
          .map(({ value }) => value)
          .sort((left, right) => left - right);
        expect(window.counts.reduce((sum, count) => sum + count, 0)).toBe(exact.length);
        exact.forEach((value, index) => {
          const shown = valueAt(window, index + 1) ?? Number.NaN;
          // Half a thousandth is lost to scaling.
          expect(Math.abs(shown - value)).toBeLessThanOrEqual((value + 0.0005) / 128 + 0.000501);
        });
      }
    },
  );
});
