import path from 'node:path';
import { expect, test } from 'vitest';
import { LevelLogStorage } from '../../src/storage/level-log-storage.ts';
import type { LogStorage } from '../../src/storage/log-storage.ts';
import { keysOf, withDatabase } from '../support/raw-database.ts';
import { stateOf } from '../support/snapshot-suite.ts';
import { applied, entriesBehind, job, vote } from '../support/store-jobs.ts';
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
import { blockStarts, splitBlocks } from '../support/stored-blocks.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const BLOCK = 0x10;
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

/** Blocks that each batch deletes until none of these is left. */
async function deletions(
  directory: string,
  wanted: (storage: LogStorage) => Promise<void>,
  kept: number,
): Promise<void> {
  const left: number[] = [(await keysOf(directory, BLOCK)).length];
  expect(left[0]! - kept).toBeGreaterThan(2_048);
  while (left.at(-1)! > kept) {
    const storage = await open(directory);
    await wanted(storage);
    await write(storage);
    await wanted(storage);
    await storage.close();
    left.push((await keysOf(directory, BLOCK)).length);
    const deleted = left.at(-2)! - left.at(-1)!;
    expect(deleted).toBeGreaterThan(0);
    expect(deleted).toBeLessThanOrEqual(1_024);
  }
  expect(left.at(-1)).toBe(kept);
}

/** A store with this log, of which every entry has a block to itself. */
async function splitStore(through: number, term: number): Promise<string> {
  const directory = newDirectory();
  const storage = await open(directory);
  const log = founded(through, term);
  await storage.write(job({ hardState: vote(term), entries: log, configurations: [FIRST] }));
  await storage.close();
  await withDatabase(directory, splitBlocks);
  return directory;
}

test('CS-80 CS-115 a log that was replaced is never read and goes in bounded portions', async () => {
  const from = await open(newDirectory());
  await found(from, 2_000, [record('k', 10)], 2);
  await build(from);
  const directory = await splitStore(3_000, 1);
  let storage = await open(directory);
  await storage.write(job({ hardState: vote(2) }));
  await finish(storage.installSnapshot(await receive(from, storage)));
  await from.close();
  const wanted = async (it: LogStorage): Promise<void> => {
    expect(it.bounds).toMatchObject({ retainedEntries: 0 });
    expect(it.bounds.last.index).toBe(2_000n);
    expect([...it.headers()]).toEqual([]);
    expect(it.configurations).toEqual([FIRST]);
  };
  await wanted(storage);
  storage = await reopened(directory, storage);
  await storage.close();
  await deletions(directory, wanted, 0);
  expect(await keysOf(directory, CONFIGURATION)).toHaveLength(1);
});

test('CS-80 CS-115 a new log begins at the indexes of the former one while that is still there', async () => {
  const from = await open(newDirectory());
  await found(from, 2_000, [record('k', 10)], 2);
  const { chain } = await build(from);
  const directory = await splitStore(3_000, 1);
  let storage = await open(directory);
  await storage.write(job({ hardState: vote(2) }));
  await finish(storage.installSnapshot(await receive(from, storage)));
  await from.close();
  // The former log has blocks with the same first entries.
  const log = entriesBehind(chain, 2_001, 2_040, 2);
  for (const it of log) await storage.write(job({ entries: [it] }));
  const wanted = async (it: LogStorage): Promise<void> => {
    expect(await it.entries(2_001n, 2_040n, 1e6)).toEqual(log);
    expect(it.bounds).toMatchObject({ retainedEntries: 40, last: { index: 2_040n } });
  };
  await wanted(storage);
  storage = await reopened(directory, storage);
  await wanted(storage);
  // A cut and a purge find the blocks of this log only.
  const others = entriesBehind(log[29]!.chain, 2_031, 2_033, 3);
  await storage.write(job({ truncateFrom: 2_031n, hardState: vote(3, 2_030), entries: others }));
  expect(await storage.entries(2_001n, 2_033n, 1e6)).toEqual([...log.slice(0, 30), ...others]);
  await storage.close();
  expect(await withDatabase(directory, blockStarts)).toEqual(
    Array.from({ length: 31 }, (_, i) => BigInt(2_001 + i)),
  );
});

test('CS-80 CS-115 what a snapshot covers of a log that goes on goes in bounded portions', async () => {
  const from = await open(newDirectory());
  await found(from, 2_995, [record('k', 10)]);
  await build(from);
  const directory = await splitStore(3_000, 1);
  let storage = await open(directory);
  await finish(storage.installSnapshot(await receive(from, storage)));
  await from.close();
  const behind = founded(3_000).slice(2_995);
  const wanted = async (it: LogStorage): Promise<void> => {
    expect(it.bounds).toMatchObject({ purged: { index: 2_995n }, retainedEntries: 5 });
    expect(await it.entries(2_996n, 3_000n, 1e6)).toEqual(behind);
  };
  await wanted(storage);
  storage = await reopened(directory, storage);
  await wanted(storage);
  await storage.close();
  await deletions(directory, wanted, 5);
});

test('CS-80 CS-115 a block that a snapshot covers in part stays, and goes with the rest of it', async () => {
  const from = await open(newDirectory());
  await found(from, 6, [record('k', 10)]);
  await build(from);
  const directory = newDirectory();
  let storage = await open(directory);
  const log = founded(12);
  await storage.write(
    job({ hardState: vote(1), entries: log.slice(0, 3), configurations: [FIRST] }),
  );
  await storage.write(job({ entries: log.slice(3, 9) }));
  await storage.write(job({ entries: log.slice(9) }));
  await finish(storage.installSnapshot(await receive(from, storage)));
  await from.close();
  for (const _ of ['now', 'later']) {
    expect(storage.bounds).toMatchObject({ purged: { index: 6n }, retainedEntries: 6 });
    expect(await storage.entries(7n, 12n, 1e6)).toEqual(log.slice(6));
    await write(storage);
    storage = await reopened(directory, storage);
  }
  await storage.close();
  expect(await withDatabase(directory, blockStarts)).toEqual([4n, 10n]);
  storage = await open(directory);
  await storage.write(job({ applied: applied(9), hardState: vote(9, 9) }));
  await storage.write(job({ purgeThrough: 9n }));
  await storage.close();
  expect(await withDatabase(directory, blockStarts)).toEqual([10n]);
});
