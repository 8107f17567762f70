import path from 'node:path';
import { expect, test } from 'vitest';
import { LevelLogStorage } from '../../src/storage/level-log-storage.ts';
import type { WritePoint } from '../../src/storage/log-storage.ts';
import { runChild } from '../support/child-lines.ts';
import { expectedPrints, LONG, printOf, STEPS } from '../support/scripted-history.ts';
import { readSections } from '../support/store-snapshots.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const WRITER = new URL('../support/history-writer.ts', import.meta.url);
const identity = { clusterId: 'c1', nodeId: 'n1' };
/** With `CRASH_KILLS` above this, a process is killed at every write of the history. */
const KILLS_OF_ALL = 100;
const isThorough = Number(process.env['CRASH_KILLS'] ?? 0) > KILLS_OF_ALL;
const newDirectory = (): string => path.join(temporaryDirectory(), 'consensus');

/** What each write of the history consists of, in order. */
async function writesOfHistory(): Promise<readonly (readonly WritePoint[])[]> {
  const writes: (readonly WritePoint[])[] = [];
  const storage = await LevelLogStorage.open({
    directory: newDirectory(),
    ...identity,
    intercept: (points, commit) => {
      writes.push(points);
      return commit();
    },
  });
  for (const step of STEPS) await step(storage);
  await storage.close();
  return writes;
}

/** A death before the first or after the last write of each kind, or before and after all. */
function deathsOf(writes: readonly (readonly WritePoint[])[]): readonly string[] {
  if (isThorough) return writes.flatMap((_, i) => [`${i + 1}:before`, `${i + 1}:after`]);
  return [...new Set(writes.flat())].map((point, i) => {
    const isOf = (points: readonly WritePoint[]): boolean => points.includes(point);
    if (i % 2 === 0) return `${writes.findIndex(isOf) + 1}:before`;
    return `${writes.findLastIndex(isOf) + 1}:after`;
  });
}

/** A cut that takes several batches may have stopped between two of them. */
async function isShorterLog(storage: LevelLogStorage, directory: string): Promise<boolean> {
  const { last } = storage.bounds;
  expect(last.index, directory).toBeGreaterThanOrEqual(299n);
  expect(last).toMatchObject({ term: 1n });
  expect(storage.applied.index).toBe(200n);
  return last.index < BigInt(LONG);
}

/** Opens the store and gives the number of steps whose effects are there. */
async function stepsDone(
  directory: string,
  acknowledged: number,
  prints: readonly string[],
): Promise<number> {
  const storage = await LevelLogStorage.open({ directory, ...identity });
  try {
    if (storage.snapshot !== undefined) await readSections(storage, storage.snapshot);
    const found = await printOf(storage);
    for (const done of [acknowledged + 1, acknowledged]) if (found === prints[done]) return done;
    // No print shows the vote of the sixth step, so between its two writes it looks undone.
    expect(acknowledged, 'the steps that may stop in between').toBe(2);
    expect(await isShorterLog(storage, directory)).toBe(true);
    return acknowledged;
  } finally {
    await storage.close();
  }
}

test('CS-320 the history makes every kind of write', async () => {
  const writes = await writesOfHistory();
  expect([...new Set(writes.flat())].sort()).toEqual([
    'anchor',
    'append',
    'apply',
    'format',
    'install-clear',
    'install-finish',
    'install-section',
    'purge',
    'snap-manifest',
    'snap-marker',
    'snap-section',
    'truncate',
    'vote',
  ]);
  expect(writes.filter((points) => points.includes('truncate')).length).toBeGreaterThan(1);
});

test('CS-320 CS-321 CS-323 a process that kills itself at a write goes on where it was', {
  timeout: isThorough ? 1_800_000 : 240_000,
}, async () => {
  const prints = await expectedPrints();
  for (const death of deathsOf(await writesOfHistory())) {
    const directory = newDirectory();
    let acknowledged = 0;
    const count = (line: string): void => {
      if (line.startsWith('done ')) acknowledged = Number(line.slice(5));
    };
    const first = await runChild(WRITER, [directory, '0', death], count);
    expect(first.signal, `${death}: ${first.errors}`).toBe('SIGKILL');
    const done = await stepsDone(directory, acknowledged, prints);
    expect(done, death).toBeGreaterThanOrEqual(acknowledged);
    const second = await runChild(WRITER, [directory, String(done)], count);
    expect(second, death).toEqual({ code: 0, signal: null, errors: '' });
    expect(await stepsDone(directory, STEPS.length, prints), death).toBe(STEPS.length);
  }
});
