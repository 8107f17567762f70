import path from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { DEFAULT_DISK_SPACE, DiskSpaceWatch, judgeSpace } from '../../src/node/disk-space-watch.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

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

test.each(['while it takes its first look', 'after it'])(
  'a watch that is stopped %s leaves no timer and says nothing any more',
  async (moment) => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    onTestFinished(() => {
      vi.useRealTimers();
    });
    const seen: boolean[] = [];
    const directory = path.join(temporaryDirectory(), 'consensus');
    // No disk has as much, so the first look would find too little.
    const bounds = { lowBytes: Number.MAX_VALUE, enoughBytes: Number.MAX_VALUE };
    const watch = new DiskSpaceWatch(directory, bounds, ({ isLow }) => seen.push(isLow));
    const started = watch.start();
    if (moment === 'after it') await started;
    watch.stop();
    await started;
    expect(vi.getTimerCount()).toBe(0);
    expect(seen).toEqual(moment === 'after it' ? [true] : []);
  },
);
