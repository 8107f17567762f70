import { cp } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { LevelLogStorage } from '../../src/storage/level-log-storage.ts';
import type { WritePoint } from '../../src/storage/log-storage.ts';
import { runChild } from '../support/child-lines.ts';
import { withDatabase } from '../support/raw-database.ts';
import { expectedPrints, LONG, printOf, STEPS } from '../support/scripted-history.ts';
import { readSections } from '../support/store-snapshots.ts';
import { splitBlocks } from '../support/stored-blocks.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const WRITER = new URL('../support/history-writer.ts', import.meta.url);
const identity = { clusterId: 'c1', nodeId: 'n1' };
/** With `CRASH_KILLS` above this, a process is killed at every write of the history. */
const KILLS_OF_ALL = 100;
const isThorough = Number(process.env['CRASH_KILLS'] ?? 0) > KILLS_OF_ALL;
const newDirectory = (): string => path.join(temporaryDirectory(), 'consensus');

/** What each write of a process consists of, in order. */
type Writes = readonly (readonly WritePoint[])[];

/**
 * A process that carries out a part of the history. The first makes a log of one write, the other
 * finds it in so many blocks that cutting it takes more than one batch.
 */
interface Run {
  readonly first: number;
  readonly writes: Writes;
  /** A copy of the store that the process finds. */
  makePlace(): Promise<string>;
}

async function writesOf(directory: string, first: number, end?: number): Promise<Writes> {
  const writes: (readonly WritePoint[])[] = [];
  const storage = await LevelLogStorage.open({
    directory,
    ...identity,
    intercept: (points, commit) => {
      writes.push(points);
      return commit();
    },
  });
  for (const step of STEPS.slice(first, end)) await step(storage);
  await storage.close();
  return writes;
}

/** A copy of a closed store. */
async function copyOf(origin: string): Promise<string> {
  const directory = newDirectory();
  await cp(origin, directory, { recursive: true });
  await cp(`${origin}.anchor`, `${directory}.anchor`);
  return directory;
}

async function runsOfHistory(): Promise<readonly Run[]> {
  const origin = newDirectory();
  const creating = await writesOf(origin, 0, 1);
  await withDatabase(origin, splitBlocks);
  const makePlace = (): Promise<string> => copyOf(origin);
  const going = await writesOf(await makePlace(), 1);
  return [
    { first: 0, writes: creating, makePlace: async () => newDirectory() },
    { first: 1, writes: going, makePlace },
  ];
}

/** A death before the first or after the last write of each kind, or before and after all. */
function deathsOf(writes: Writes): readonly string[] {
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
  const writes = (await runsOfHistory()).flatMap((run) => run.writes);
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
  for (const run of await runsOfHistory()) {
    for (const death of deathsOf(run.writes)) await checkDeath(run, death, prints);
  }
});

/** Lets a process die at a write of its run, and another one go on. */
async function checkDeath(
  { first: begun, makePlace }: Run,
  death: string,
  prints: readonly string[],
): Promise<void> {
  const directory = await makePlace();
  let acknowledged = begun;
  const count = (line: string): void => {
    if (line.startsWith('done ')) acknowledged = Number(line.slice(5));
  };
  const first = await runChild(WRITER, [directory, String(begun), death], count);
  expect(first.signal, `${death}: ${first.errors}`).toBe('SIGKILL');
  const done = await stepsDone(directory, acknowledged, prints);
  expect(done, death).toBeGreaterThanOrEqual(acknowledged);
  const second = await runChild(WRITER, [directory, String(done)], count);
  expect(second, death).toEqual({ code: 0, signal: null, errors: '' });
  expect(await stepsDone(directory, STEPS.length, prints), death).toBe(STEPS.length);
}
