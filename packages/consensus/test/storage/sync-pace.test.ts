import { expect, test } from 'vitest';
import { SyncPace } from '../../src/storage/sync-pace.ts';

/** How many syncs of 0.2 ms it takes until the calling thread waits for one again. */
function pooledAfter(stallMs: number): number {
  const pace = new SyncPace();
  for (let i = 0; i < 100; i += 1) pace.took(0.2);
  pace.took(stallMs);
  let pooled = 0;
  for (; !pace.isQuick; pooled += 1) pace.took(0.2);
  return pooled;
}

test('CS-74 CS-77 a disk that stalls holds the thread that writes once, then longer the longer it did', () => {
  expect(pooledAfter(2)).toBe(0);
  const stalls = [10, 100, 1_000, 10_000].map(pooledAfter);
  expect(stalls[0]).toBeGreaterThan(0);
  expect(stalls).toEqual([...new Set(stalls)].sort((a, b) => a - b));
  expect(stalls.at(-1)).toBeLessThan(100);
});

test('CS-74 a disk that takes more than a millisecond is left to another thread for good', () => {
  const pace = new SyncPace();
  let waited = 0;
  for (let i = 0; i < 1_000; i += 1) {
    if (pace.isQuick) waited += 1;
    pace.took(1.5);
  }
  expect(waited).toBeLessThan(10);
});
