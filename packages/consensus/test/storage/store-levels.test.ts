import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Configuration } from '../../src/raft/configuration.ts';
import { LOG_START, ZERO_CHAIN } from '../../src/raft/entry.ts';
import { levelsOfRelease } from '../../src/raft/feature-levels.ts';
import { LevelLogStorage } from '../../src/storage/level-log-storage.ts';
import type { LogStorage } from '../../src/storage/log-storage.ts';
import { MemoryDisk } from '../../src/storage/memory-disk.ts';
import { MemoryLogStorage } from '../../src/storage/memory-log-storage.ts';
import { expectRaftError, listRecords } from '../support/log-storage-suite.ts';
import { withDatabase } from '../support/raw-database.ts';
import {
  applied,
  CLUSTER_UID,
  configuration,
  configurationEntry,
  entryBehind,
  job,
  vote,
} from '../support/store-jobs.ts';
import { build, receive } from '../support/store-snapshots.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const identity = { clusterId: 'c1', nodeId: 'n1' };

/** A store that any release can be started on. */
interface Place {
  readonly name: string;
  open(newest: number): Promise<LogStorage>;
}

function levelPlace(): Place {
  const directory = path.join(temporaryDirectory(), 'consensus');
  const open = (newest: number) =>
    LevelLogStorage.open({ directory, ...identity, levels: levelsOfRelease(newest) });
  return { name: directory, open };
}

function memoryPlace(): Place {
  const disk = new MemoryDisk();
  const open = (newest: number) =>
    MemoryLogStorage.open({ disk, ...identity, levels: levelsOfRelease(newest) });
  return { name: 'memory', open };
}

const places = [
  ['on disk', levelPlace],
  ['in memory', memoryPlace],
] as const;

/** Appends configurations of these levels, each with a command behind it, and applies some. */
async function write(storage: LogStorage, levels: readonly number[], through: number) {
  const plain: Configuration = configuration('n1');
  let { chain } = storage.bounds.last;
  let index = Number(storage.bounds.last.index);
  const entries = [];
  const configurations = [];
  for (const level of levels) {
    index += 1;
    const record = { index: BigInt(index), configuration: { ...plain, level } };
    const introduced = configurationEntry(chain, index, record.configuration);
    index += 1;
    const command = entryBehind(introduced.chain, index);
    chain = command.chain;
    entries.push(introduced, command);
    configurations.push(record);
  }
  const isFirst = storage.bounds.last.index === LOG_START.index;
  const key = Uint8Array.of(levels.length);
  await storage.write(
    job({
      hardState: isFirst ? vote(1) : undefined,
      entries,
      configurations,
      applied: applied(through),
      writes: [{ key, value: key }],
    }),
  );
}

describe.each(places)('CS-342 CS-343 a store %s', (_, place) => {
  test('is of the level that is activated at its applied position', async () => {
    const { open } = place();
    const storage = await open(3);
    // Until it belongs to a cluster the release before can use it as well.
    expect(storage.level).toBe(2);
    await write(storage, [2, 3], 2);
    expect(storage.level).toBe(2);
    await storage.write(job({ applied: applied(3, 1, 2) }));
    expect(storage.level).toBe(3);
    await write(storage, [3], 6);
    // What was written since has the new level, and is read in the same process too.
    expect(await listRecords(storage)).toHaveLength(2);
    expect(await storage.entries(1n, 6n, 10_000)).toHaveLength(6);
    await storage.close();
    const again = await open(4);
    expect(again.level).toBe(3);
    expect(await listRecords(again)).toHaveLength(2);
    await again.close();
  });

  test('opens on the releases of its level and the next one, and on no other', async () => {
    const { name, open } = place();
    const storage = await open(2);
    await write(storage, [2], 2);
    await storage.close();
    for (const newest of [2, 3]) {
      const opened = await open(newest);
      expect(opened.applied.index).toBe(2n);
      await opened.close();
    }
    const future = await expectRaftError(open(1), 'RAFT_STORAGE_LEVEL');
    expect(future.message).toBe(
      'the store was written at feature level 2; this release reads 1 to 1;' +
        ` start the newer release again (${name})`,
    );
    expect(future).toMatchObject({ retryable: false });
    const past = await expectRaftError(open(4), 'RAFT_STORAGE_LEVEL');
    expect(past.message).toBe(
      'the store was written at feature level 2; this release reads 3 to 4;' +
        ` start a release that reads both, or recreate the node's stored state (${name})`,
    );
    const untouched = await open(2);
    expect(untouched.applied.index).toBe(2n);
    await untouched.close();
  });

  test('can be taken back to the release before until the activation is applied', async () => {
    const { open } = place();
    const storage = await open(2);
    await write(storage, [1, 2], 2);
    await storage.close();
    const before = await open(1);
    expect(before.configurations.at(-1)?.configuration.level).toBe(2);
    await before.write(job({ applied: applied(3, 1, 2) }));
    await before.close();
    await expectRaftError(open(1), 'RAFT_STORAGE_LEVEL');
  });
});

test('CS-72 CS-341 every stored value carries the level that it was written at', async () => {
  const { name, open } = levelPlace();
  const storage = await open(2);
  await write(storage, [1], 2);
  await write(storage, [2], 4);
  await write(storage, [2], 6);
  await storage.close();
  await withDatabase(name, async (database) => {
    const levels = new Map<string, number>();
    for (const [key, value] of await database.iterator().all()) {
      levels.set(Buffer.from(key).toString('hex'), value[1] ?? 0);
    }
    const block = (first: number) => `1000000000${first.toString(16).padStart(16, '0')}`;
    // The batch that activates a level is the last one of the level before.
    expect([block(1), block(3), block(5)].map((key) => levels.get(key))).toEqual([1, 1, 2]);
    expect([...levels.values()].every((level) => level === 1 || level === 2)).toBe(true);
  });
});

test('CS-84 CS-341 a value of a greater level than its store is damage', async () => {
  const { name, open } = levelPlace();
  const storage = await open(2);
  await write(storage, [1], 2);
  await storage.close();
  const other = levelPlace();
  const newer = await other.open(2);
  await write(newer, [2], 2);
  await write(newer, [2], 4);
  await newer.close();
  const key = Uint8Array.of(0x30, 1);
  const value = await withDatabase(other.name, (database) => database.get(key));
  await withDatabase(name, (database) => database.put(key, value!));
  const error = await expectRaftError(open(2), 'RAFT_STORAGE_CORRUPT');
  expect(error.message).toContain('record of feature level 2 in a store of 1');
});

test('CS-115 CS-342 an installation moves the store to the level of the snapshot, once it begins', async () => {
  const plain = configuration('n1');
  const origin = await levelPlace().open(2);
  const entry = configurationEntry(ZERO_CHAIN, 1, { ...plain, level: 2 });
  const record = { index: 1n, configuration: { ...plain, level: 2 } };
  await origin.write(
    job({
      clusterUid: CLUSTER_UID,
      hardState: vote(1, 1),
      entries: [entry],
      configurations: [record],
      applied: applied(1),
      writes: [{ key: Uint8Array.of(7), value: Uint8Array.of(8) }],
    }),
  );
  await build(origin, record);
  const { name, open } = levelPlace();
  const behind = await open(2);
  await behind.write(job({ hardState: vote(1) }));
  const install = behind.installSnapshot(await receive(origin, behind));
  expect(behind.level).toBe(1);
  await install.step();
  expect(behind.level).toBe(2);
  await behind.close();
  await origin.close();
  const refusal = await expectRaftError(open(1), 'RAFT_STORAGE_LEVEL');
  expect(refusal.message).toContain(`start the newer release again (${name})`);
  const finished = await open(2);
  expect(finished.applied.index).toBe(1n);
  expect(await listRecords(finished)).toHaveLength(1);
  await finished.close();
});
