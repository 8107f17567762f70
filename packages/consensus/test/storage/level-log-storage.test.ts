import { rm } from 'node:fs/promises';
import path from 'node:path';
import { ClassicLevel } from 'classic-level';
import { expect, test, vi } from 'vitest';
import { LevelLogStorage } from '../../src/storage/level-log-storage.ts';
import {
  expectRaftError,
  logStorageSuite,
  type StoragePlace,
} from '../support/log-storage-suite.ts';
import { snapshotSuite } from '../support/snapshot-suite.ts';
import { applyingJob, chainAt, entries, entriesBehind, job, vote } from '../support/store-jobs.ts';
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

test('CS-74 every batch is written with a sync and one at a time', async () => {
  const directory = path.join(temporaryDirectory(), 'consensus');
  const options: unknown[] = [];
  const { batch } = ClassicLevel.prototype;
  const spied = vi.spyOn(ClassicLevel.prototype, 'batch');
  spied.mockImplementation(function (this: ClassicLevel, ...args: unknown[]) {
    // An array of operations has its options beside it, a chained batch is told when it is written.
    const chained = Reflect.apply(batch, this, args) as ReturnType<ClassicLevel['batch']>;
    if (args.length > 0) options.push(args[1]);
    else {
      const { write } = chained;
      chained.write = (...how: unknown[]) => {
        options.push(how[0]);
        return Reflect.apply(write, chained, how) as Promise<void>;
      };
    }
    return chained as unknown as Promise<void>;
  } as never);
  const storage = await LevelLogStorage.open({ directory, ...identity });
  await storage.write(job({ hardState: vote(1) }));
  const writing = storage.write(applyingJob(1, 3));
  await expect(storage.write(applyingJob(4, 1))).rejects.toThrow('one job is written at a time');
  await writing;
  await storage.write(job({ purgeThrough: 2n }));
  spied.mockRestore();
  expect(options).toEqual([{ sync: true }, { sync: true }, { sync: true }, { sync: true }]);
  await storage.close();
});

test('CS-352 a long cut that is interrupted leaves a shorter log', async () => {
  for (const fatal of [1, 2, 3]) {
    const place = makePlace();
    let cuts = 0;
    const storage = await place.open({
      intercept: async (points, commit) => {
        if (points.includes('truncate')) cuts += 1;
        if (points.includes('truncate') && cuts === fatal) throw new Error('power lost');
        await commit();
      },
    });
    await storage.write(job({ hardState: vote(1), entries: entries(1, 9_000) }));
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
