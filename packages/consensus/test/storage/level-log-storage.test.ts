import { cp, rm } from 'node:fs/promises';
import path from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { InvariantError } from '../../src/assert.ts';
import { type Entry, ZERO_CHAIN } from '../../src/raft/entry.ts';
import { storedBytes } from '../../src/storage/entry-codec.ts';
import { DiskJournalFile } from '../../src/storage/journal-file.ts';
import { LevelLogStorage } from '../../src/storage/level-log-storage.ts';
import type { WriteInterceptor } from '../../src/storage/log-storage.ts';
import { SyncPace } from '../../src/storage/sync-pace.ts';
import {
  expectRaftError,
  logStorageSuite,
  type StoragePlace,
} from '../support/log-storage-suite.ts';
import { withDatabase } from '../support/raw-database.ts';
import { snapshotSuite } from '../support/snapshot-suite.ts';
import { applyingJob, chainAt, entries, entriesBehind, job, vote } from '../support/store-jobs.ts';
import {
  build,
  FIRST,
  finish,
  found,
  founded,
  receive,
  record,
} from '../support/store-snapshots.ts';
import { blockStarts, splitBlocks } from '../support/stored-blocks.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const identity = { clusterId: 'c1', nodeId: 'n1' };

function makePlace(): StoragePlace {
  const directory = path.join(temporaryDirectory(), 'consensus');
  return { open: (opening) => LevelLogStorage.open({ directory, ...identity, ...opening }) };
}

logStorageSuite('level', makePlace);
snapshotSuite('level', makePlace);

test('CS-79 a creation interrupted after the format batch is completed', async () => {
  const directory = path.join(temporaryDirectory(), 'consensus');
  await (await LevelLogStorage.open({ directory, ...identity })).close();
  await rm(`${directory}.anchor`);
  const storage = await LevelLogStorage.open({ directory, ...identity });
  await storage.write(applyingJob(1, 1));
  await storage.close();
});

test('CS-76 the anchor follows every batch and is synced with every vote', async () => {
  const directory = path.join(temporaryDirectory(), 'consensus');
  let anchors = 0;
  const storage = await LevelLogStorage.open({
    directory,
    ...identity,
    intercept: async (points, commit) => {
      await commit();
      if (points.includes('anchor')) anchors += 1;
    },
  });
  await storage.write(job({ hardState: vote(1) }));
  await storage.write(applyingJob(1, 1));
  await storage.write(applyingJob(2, 1));
  expect(anchors).toBe(3);
  await storage.close();
});

test('a store of many batches and terms opens with everything it was given', async () => {
  const directory = path.join(temporaryDirectory(), 'consensus');
  const before = await LevelLogStorage.open({ directory, ...identity });
  for (let i = 1; i <= 300; i += 1) {
    await before.write({ ...applyingJob(i, 1), hardState: vote(1 + Math.floor(i / 100)) });
  }
  const { bounds, applied, hardState } = before;
  await before.close();
  const after = await LevelLogStorage.open({ directory, ...identity });
  expect(after.bounds).toEqual(bounds);
  expect(after.applied).toEqual(applied);
  expect(after.hardState).toEqual({ ...hardState, commit: 300n });
  await after.close();
});

test.each([
  ['this thread', true],
  ['another thread', false],
])('CS-74 every batch is synced by %s before it counts, one at a time', async (_, isQuick) => {
  const directory = path.join(temporaryDirectory(), 'consensus');
  const storage = await LevelLogStorage.open({ directory, ...identity });
  vi.spyOn(SyncPace.prototype, 'isQuick', 'get').mockReturnValue(isQuick);
  const spied = vi.spyOn(DiskJournalFile.prototype, isQuick ? 'syncHere' : 'sync');
  onTestFinished(() => {
    vi.restoreAllMocks();
  });
  await storage.write(job({ hardState: vote(1) }));
  expect(spied).toHaveBeenCalledTimes(1);
  const { promise, resolve } = Promise.withResolvers<void>();
  spied.mockReturnValueOnce(promise);
  let isWritten = false;
  const writing = storage.write(applyingJob(1, 3)).then(() => {
    isWritten = true;
  });
  await expect(storage.write(applyingJob(4, 1))).rejects.toThrow('one job is written at a time');
  expect([isWritten, storage.bounds.last.index]).toEqual([false, 0n]);
  resolve();
  await writing;
  await storage.write(job({ purgeThrough: 2n }));
  expect(spied).toHaveBeenCalledTimes(3);
  await storage.close();
});

test('CS-77 a sync by the thread that writes fails like any other, and latches the store', async () => {
  const directory = path.join(temporaryDirectory(), 'consensus');
  const storage = await LevelLogStorage.open({ directory, ...identity });
  await storage.write(job({ hardState: vote(1) }));
  vi.spyOn(SyncPace.prototype, 'isQuick', 'get').mockReturnValue(true);
  const spied = vi.spyOn(DiskJournalFile.prototype, 'syncHere');
  onTestFinished(() => {
    vi.restoreAllMocks();
  });
  spied.mockImplementationOnce(() => {
    throw new Error('input/output error');
  });
  const failed = { code: 'RAFT_STORAGE_FAILED', details: { isUncertain: true } };
  expect(() => storage.writeAtOnce(applyingJob(1, 3))).toThrow(expect.objectContaining(failed));
  expect([storage.bounds.last.index, storage.applied.index]).toEqual([0n, 0n]);
  const latched = { code: 'RAFT_STORAGE_FAILED', details: { isUncertain: false } };
  await expect(storage.write(applyingJob(1, 1))).rejects.toMatchObject(latched);
  expect(spied).toHaveBeenCalledTimes(1);
  await storage.close();
});

/** A closed store of 9,000 entries, each in a block of its own. */
async function splitStore(): Promise<string> {
  const directory = path.join(temporaryDirectory(), 'consensus');
  const storage = await LevelLogStorage.open({ directory, ...identity });
  await storage.write(job({ hardState: vote(1), entries: entries(1, 9_000) }));
  await storage.close();
  await withDatabase(directory, splitBlocks);
  return directory;
}

test('CS-352 a long cut that is interrupted leaves a shorter log', async () => {
  const origin = await splitStore();
  for (const fatal of [1, 2, 3]) {
    const directory = `${origin}-${fatal}`;
    await cp(origin, directory, { recursive: true });
    await cp(`${origin}.anchor`, `${directory}.anchor`);
    const place: StoragePlace = {
      open: (opening) => LevelLogStorage.open({ directory, ...identity, ...opening }),
    };
    let cuts = 0;
    const storage = await place.open({
      intercept: async (points, commit) => {
        if (points.includes('truncate')) cuts += 1;
        if (points.includes('truncate') && cuts === fatal) throw new Error('power lost');
        await commit();
      },
    });
    const cut = job({ truncateFrom: 100n, hardState: vote(2) });
    await expectRaftError(storage.write(cut), 'RAFT_STORAGE_FAILED');
    await storage.close();
    const after = await place.open();
    const { index } = after.bounds.last;
    expect(index).toBe(9_000n - 4_096n * BigInt(fatal - 1));
    expect(after.bounds.last.chain).toEqual(chainAt(Number(index)));
    await after.write({ ...cut, entries: entriesBehind(chainAt(99), 100, 100, 2) });
    expect(after.bounds.last.index).toBe(100n);
    await after.close();
  }
});

test('CS-352 a cut takes a batch for every 4,096 blocks, the end first', async () => {
  const directory = await splitStore();
  const ends: bigint[] = [];
  const storage = await LevelLogStorage.open({
    directory,
    ...identity,
    intercept: async (points, commit) => {
      if (points.includes('truncate')) ends.push(storage.bounds.last.index);
      await commit();
    },
  });
  const behind = entriesBehind(chainAt(807), 808, 810, 2);
  await storage.write(job({ truncateFrom: 808n, hardState: vote(2), entries: behind }));
  // Two batches of the most blocks, and one of a single block.
  expect(ends).toEqual([9_000n, 4_904n, 808n]);
  expect(await storage.entries(806n, 810n, 1e6)).toEqual([...entries(806, 807), ...behind]);
  await storage.close();
  const after = await LevelLogStorage.open({ directory, ...identity });
  expect(after.bounds).toMatchObject({ retainedEntries: 810, last: { term: 2n } });
  await after.close();
  expect(await withDatabase(directory, blockStarts)).toHaveLength(808);
});

/** A log in blocks of these entries. */
const BLOCKS = [
  [1, 4],
  [5, 5],
  [6, 9],
  [10, 12],
] as const;

test.each([
  ['inside the first block', 3, [1]],
  ['at the start of a log', 1, []],
  ['at a block of one entry', 5, [1]],
  ['at a block of several', 6, [1, 5]],
  ['at the end of a block', 9, [1, 5, 6]],
  ['inside the last block', 11, [1, 5, 6, 10]],
  ['at the last entry', 12, [1, 5, 6, 10]],
] as const)('CS-352 CS-74 a cut %s leaves what is in front of it', async (_, from, kept) => {
  for (const replacement of [0, 1, 3]) {
    const directory = path.join(temporaryDirectory(), 'consensus');
    let writes = 0;
    const intercept: WriteInterceptor = (points, commit) => {
      if (!points.includes('anchor')) writes += 1;
      return commit();
    };
    let storage = await LevelLogStorage.open({ directory, ...identity, intercept });
    for (const [first, last] of BLOCKS) {
      await storage.write(job({ hardState: vote(1), entries: entries(first, last) }));
    }
    const others = entriesBehind(chainAt(from - 1), from, from + replacement - 1, 2);
    const before = writes;
    await storage.write(job({ truncateFrom: BigInt(from), hardState: vote(2), entries: others }));
    expect(writes - before).toBe(1);
    const log = [...entries(1, from - 1), ...others];
    const starts = [...kept, ...(replacement === 0 ? [] : [from])].map(BigInt);
    for (const _time of ['now', 'later']) {
      expect(storage.bounds.retainedEntries).toBe(log.length);
      for (let at = 1; at <= log.length; at += 1) {
        const found = await storage.entries(BigInt(at), BigInt(log.length), 1e6);
        expect(found).toEqual(log.slice(at - 1));
      }
      await storage.close();
      expect(await withDatabase(directory, blockStarts)).toEqual(starts);
      storage = await LevelLogStorage.open({ directory, ...identity });
    }
    // Cut and grown again, at the same places.
    const more = entriesBehind(log.at(-1)?.chain ?? ZERO_CHAIN, log.length + 1, 14, 2);
    await storage.write(job({ entries: more }));
    expect(await storage.entries(1n, 14n, 1e6)).toEqual([...log, ...more]);
    await storage.close();
  }
});

test('CS-103 a read ends at its bytes or its last entry, wherever blocks begin', async () => {
  const directory = path.join(temporaryDirectory(), 'consensus');
  const storage = await LevelLogStorage.open({ directory, ...identity });
  for (const [first, last] of BLOCKS) {
    await storage.write(job({ hardState: vote(1), entries: entries(first, last) }));
  }
  const log = entries(1, 12);
  for (let from = 1; from <= 12; from += 1) {
    for (let through = from; through <= 12; through += 1) {
      let bytes = 0;
      for (let count = 1; count <= through - from + 1; count += 1) {
        const wanted = log.slice(from - 1, from - 1 + count);
        bytes += storedBytes(wanted.at(-1)!);
        const read = (limit: number) => storage.entries(BigInt(from), BigInt(through), limit);
        expect(await read(bytes)).toEqual(wanted);
        // One byte less leaves the last one out, but never all.
        expect(await read(bytes - 1)).toEqual(wanted.slice(0, Math.max(1, count - 1)));
      }
    }
  }
  await storage.close();
});

test('CS-115 a read while a snapshot replaces the log gives what was there, or nothing', async () => {
  const from = await makePlace().open();
  await found(from, 30, [record('k', 3)], 2);
  await build(from);
  const reads: Promise<readonly Entry[] | 'not stored'>[] = [];
  let isInstalled = false;
  const readOn = async (): Promise<void> => {
    while (!isInstalled) {
      const read = storage.entries(2n, 20n, 1e6);
      reads.push(
        read.catch((error: unknown) => {
          // Nobody may ask for what is gone.
          if (error instanceof InvariantError) return 'not stored';
          throw error;
        }),
      );
      // The next one begins at every moment at which another task could.
      await Promise.resolve();
    }
  };
  let isLast = false;
  const storage = await makePlace().open({
    intercept: async (points, commit) => {
      isLast ||= points.includes('install-finish');
      await commit();
      if (isLast && points.includes('anchor')) void readOn();
    },
  });
  const log = founded(20);
  const parts = { hardState: vote(2), configurations: [FIRST] };
  await storage.write(job({ ...parts, entries: log.slice(0, 9) }));
  await storage.write(job({ entries: log.slice(9) }));
  await finish(storage.installSnapshot(await receive(from, storage)));
  isInstalled = true;
  const outcomes = await Promise.all(reads);
  expect(outcomes.length).toBeGreaterThan(3);
  for (const it of outcomes) {
    if (it !== 'not stored' && it.length > 0) expect(it).toEqual(log.slice(1));
  }
  expect(outcomes.at(0)).toEqual(log.slice(1));
  await storage.close();
  await from.close();
});
