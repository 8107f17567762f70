import fc from 'fast-check';
import { expect, test } from 'vitest';
import { humanDuration } from '../../src/control-plane/reads/human-duration.ts';

test.each([
  [0, '0s'],
  [-5, '0s'],
  [0.9, '0s'],
  [1, '1ms'],
  [250, '250ms'],
  [999, '999ms'],
  [1_000, '1s'],
  [1_999, '1s'],
  [2_000, '2s'],
  [65_000, '1m 5s'],
  [60_000, '1m'],
  [3_600_000, '1h'],
  [3_661_000, '1h 1m 1s'],
  [86_399_999, '23h 59m 59s'],
  [86_400_000, '1day'],
  [183_600_000, '2days 3h'],
])('TX-2: %d ms is %s', (millis, text) => {
  expect(humanDuration(millis)).toBe(text);
});

test('TX-2: units stand in order, none is zero, and their sum is the whole seconds', () => {
  const size: Record<string, number> = { day: 86_400, days: 86_400, h: 3_600, m: 60, s: 1 };
  fc.assert(
    fc.property(fc.integer({ min: 1_000, max: 1e12 }), (millis) => {
      const parts = humanDuration(millis)
        .split(' ')
        .map((part) => /^(\d+)(days?|h|m|s)$/.exec(part) ?? []);
      const values = parts.map(([, count, unit = '']) => Number(count) * (size[unit] ?? 0));
      expect(values.every((value) => value > 0)).toBe(true);
      expect(values.reduce((sum, value) => sum + value, 0)).toBe(Math.floor(millis / 1_000));
      expect([...values].sort((a, b) => b - a)).toEqual(values);
    }),
  );
});
