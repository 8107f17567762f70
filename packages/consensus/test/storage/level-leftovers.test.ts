import path from 'node:path';
import { expect, test } from 'vitest';
import { LevelLogStorage } from '../../src/storage/level-log-storage.ts';
import type { LogStorage } from '../../src/storage/log-storage.ts';
import { keysOf } from '../support/raw-database.ts';
import { stateOf } from '../support/snapshot-suite.ts';
import { job, vote } from '../support/store-jobs.ts';
import {
  build,
  FIRST,
  finish,
  found,
  founded,
  readSections,
  receive,
  record,
} from '../support/store-snapshots.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const ENTRY = 0x10;
const CONFIGURATION = 0x11;
const MANIFEST = 0x40;
const SECTION = 0x41;
const UNREFERENCED = 0x42;
const RECORDS = [record('a', 5_000_000), record('bb', 5_000_000)];

const newDirectory = (): string => path.join(temporaryDirectory(), 'consensus');
const open = (directory: string): Promise<LevelLogStorage> =>
  LevelLogStorage.open({ directory, clusterId: 'c1', nodeId: 'n1' });

/** Ends the process and begins another one, as far as the store is concerned. */
async function reopened(directory: string, storage: LogStorage): Promise<LevelLogStorage> {
  await storage.close();
  return open(directory);
}

/** A write that changes nothing but the vote, and whatever deletions are due. */
async function write(storage: LogStorage): Promise<void> {
  const { term, commit } = storage.hardState;
  await storage.write(job({ hardState: { term: term + 1n, commit, votedFor: undefined } }));
}

const generationsIn = async (directory: string, prefix: number): Promise<readonly number[]> =>
  (await keysOf(directory, prefix)).map((key) => Number(`0x${key.slice(2, 18)}`));

test('CS-83 CS-112 what an interrupted build has left goes with the batches after the opening', async () => {
  const directory = newDirectory();
  let storage = await open(directory);
  await found(storage, 5, RECORDS);
  const making = storage.buildSnapshot(FIRST);
  await making.step();
  await making.step();
  storage = await reopened(directory, storage);
  expect(storage.snapshot).toBeUndefined();
  const state = await stateOf(storage);
  // No number is given again while sections of it are there, or two snapshots could be mixed up.
  const made = await build(storage);
  await readSections(storage, made);
  await write(storage);
  await storage.close();
  const wanted = made.sections.map(() => Number(made.generation));
  expect(await generationsIn(directory, SECTION)).toEqual(wanted);
  storage = await open(directory);
  expect(await stateOf(storage)).toEqual(state);
  await storage.close();
});

test('CS-83 CS-113 what an interrupted transfer has left goes as well', async () => {
  const from = await open(newDirectory());
  await found(from, 9, RECORDS);
  const manifest = await build(from);
  const [first] = await readSections(from, manifest);
  await from.close();
  const directory = newDirectory();
  let storage = await open(directory);
  await found(storage, 3);
  await storage.receiveSnapshot(manifest).section(first!);
  storage = await reopened(directory, storage);
  await write(storage);
  await storage.close();
  expect(await keysOf(directory, SECTION)).toEqual([]);
});

test('CS-112 a generation that lost its place is gone after the next opening', async () => {
  const directory = newDirectory();
  let storage = await open(directory);
  await found(storage, 5, RECORDS);
  const older = await build(storage);
  const unpin = storage.pinSnapshot(older.generation);
  const newer = await build(storage);
  // The pin keeps the older one for as long as the process lives.
  await write(storage);
  await readSections(storage, older);
  unpin();
  storage = await reopened(directory, storage);
  expect(storage.snapshot).toEqual(newer);
  await write(storage);
  await readSections(storage, newer);
  await storage.close();
  const wanted = newer.sections.map(() => Number(newer.generation));
  expect(await generationsIn(directory, SECTION)).toEqual(wanted);
  expect(await generationsIn(directory, MANIFEST)).toEqual([Number(newer.generation)]);
  expect(await keysOf(directory, UNREFERENCED)).toEqual([]);
});

test('CS-80 CS-115 entries outside of the log are never read and go in bounded portions', async () => {
  const from = await open(newDirectory());
  await found(from, 9_000, [record('k', 10)], 2);
  await build(from);
  const directory = newDirectory();
  let storage = await open(directory);
  const log = founded(3_000);
  await storage.write(job({ hardState: vote(2), entries: log, configurations: [FIRST] }));
  await finish(storage.installSnapshot(await receive(from, storage)));
  await from.close();
  expect(storage.bounds).toMatchObject({ retainedEntries: 0 });
  storage = await reopened(directory, storage);
  await storage.close();
  const left: number[] = [(await keysOf(directory, ENTRY)).length];
  expect(left[0]).toBeGreaterThan(1_000);
  while (left.at(-1)! > 0) {
    storage = await open(directory);
    expect(storage.bounds).toMatchObject({ retainedEntries: 0 });
    expect(storage.bounds.last.index).toBe(9_000n);
    expect([...storage.headers()]).toEqual([]);
    expect(storage.configurations).toEqual([FIRST]);
    await write(storage);
    await storage.close();
    left.push((await keysOf(directory, ENTRY)).length);
    const deleted = left.at(-2)! - left.at(-1)!;
    expect(deleted).toBeGreaterThan(0);
    expect(deleted).toBeLessThanOrEqual(1_024);
  }
  expect(await keysOf(directory, CONFIGURATION)).toHaveLength(1);
});
