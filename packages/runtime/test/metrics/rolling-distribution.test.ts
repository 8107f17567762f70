import { describe, expect, test } from 'vitest';
import { RollingDistribution } from '../../src/metrics/rolling-distribution.js';

const nothing = { values: [], counts: [] };

describe('CL-100: the windows of a distribution', () => {
  test('a quiet minute empties the short window only (TX-30)', () => {
    const distribution = new RollingDistribution();
    distribution.observe(10, 5_000);
    distribution.observe(10, 9_000);
    const tens = { values: [10], counts: [2] };
    expect(distribution.read(9_000)).toEqual({ last1m: tens, last15m: tens });
    expect(distribution.read(59_999).last1m).toEqual(tens);
    expect(distribution.read(69_000)).toEqual({ last1m: nothing, last15m: tens });
  });

  test('the windows move in steps of ten seconds and of a minute', () => {
    const distribution = new RollingDistribution();
    for (let step = 0; step < 6; step += 1) {
      distribution.observe(step / 100, step * 10_000);
    }
    expect(distribution.read(59_999).last1m.values).toEqual([0, 0.01, 0.02, 0.03, 0.04, 0.05]);
    expect(distribution.read(60_000).last1m.values).toEqual([0.01, 0.02, 0.03, 0.04, 0.05]);
    expect(distribution.read(89_999).last1m.values).toEqual([0.03, 0.04, 0.05]);
    expect(distribution.read(14 * 60_000).last15m.values).toEqual([
      0, 0.01, 0.02, 0.03, 0.04, 0.05,
    ]);
    expect(distribution.read(15 * 60_000).last15m).toEqual(nothing);
  });

  test('a slot whose turn comes again forgets what it held', () => {
    const distribution = new RollingDistribution();
    distribution.observe(1, 0);
    distribution.observe(2, 60_000);
    expect(distribution.read(60_000).last1m).toEqual({ values: [2], counts: [1] });
    distribution.observe(3, 3_600_000);
    expect(distribution.read(3_600_000)).toEqual({
      last1m: { values: [3], counts: [1] },
      last15m: { values: [3], counts: [1] },
    });
  });

  test('values that are all the same are kept exactly', () => {
    const distribution = new RollingDistribution();
    for (let count = 0; count < 3; count += 1) distribution.observe(100, 0);
    expect(distribution.read(0).last1m).toEqual({ values: [100], counts: [3] });
  });

  test('thousandths are the smallest step', () => {
    const distribution = new RollingDistribution();
    for (const value of [0, 0.0004, 0.0006, 0.012]) distribution.observe(value, 0);
    expect(distribution.read(0).last1m).toEqual({ values: [0, 0.001, 0.012], counts: [2, 1, 1] });
  });

  test('values beyond the range count as its end', () => {
    const distribution = new RollingDistribution();
    distribution.observe(1e300, 0);
    expect(distribution.read(0).last1m).toEqual({
      values: [Number.MAX_SAFE_INTEGER / 1000],
      counts: [1],
    });
  });
});
