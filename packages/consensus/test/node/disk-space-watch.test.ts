import { expect, test } from 'vitest';
import { DEFAULT_DISK_SPACE, judgeSpace } from '../../src/node/disk-space-watch.ts';

const MEBIBYTE = 1_024 * 1_024;

test.each([
  [511, false, true],
  [512, false, false],
  [700, false, false],
  [700, true, true],
  [767, true, true],
  [768, true, false],
])('CS-78 with %i MiB free, low before: %s, low now: %s', (free, wasLow, isLow) => {
  expect(judgeSpace(free * MEBIBYTE, wasLow, DEFAULT_DISK_SPACE)).toBe(isLow);
});
