import { expect, test } from 'vitest';
import { MemoryDisk, MemoryLogStorage } from '../../src/storage/memory-log-storage.ts';
import {
  expectRaftError,
  logStorageSuite,
  type StoragePlace,
} from '../support/log-storage-suite.ts';
import { snapshotSuite } from '../support/snapshot-suite.ts';
import { applyingJob } from '../support/store-jobs.ts';

function makePlace(): StoragePlace {
  const disk = new MemoryDisk();
  return {
    open: (opening) => MemoryLogStorage.open({ disk, clusterId: 'c1', nodeId: 'n1', ...opening }),
  };
}

logStorageSuite('memory', makePlace);
snapshotSuite('memory', makePlace);

test('what is in flight at a crash never becomes durable', async () => {
  const disk = new MemoryDisk();
  const identity = { disk, clusterId: 'c1', nodeId: 'n1' };
  const reached = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const storage = await MemoryLogStorage.open({
    ...identity,
    intercept: async (_points, commit) => {
      reached.resolve();
      await released.promise;
      await commit();
    },
  });
  const writing = storage.write(applyingJob(1, 1));
  await reached.promise;
  disk.crash();
  released.resolve();
  await expectRaftError(writing, 'RAFT_STORAGE_FAILED');
  const after = await MemoryLogStorage.open(identity);
  expect(after.bounds.last.index).toBe(0n);
  await after.close();
});
