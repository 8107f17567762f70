import { existsSync, readdirSync, rmSync, truncateSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { isRaftError, type RaftError } from '../../src/errors.ts';
import { FIRST_LEVELS } from '../../src/raft/feature-levels.ts';
import { LevelFeed } from '../../src/storage/level-feed.ts';
import {
  blockKey,
  configurationKey,
  FORMAT_KEY,
  manifestKey,
  POSITIONS_KEY,
  printKey,
  sectionKey,
  stateKey,
  witnessKey,
} from '../../src/storage/level-keys.ts';
import { LevelLogStorage } from '../../src/storage/level-log-storage.ts';
import { StoreReader } from '../../src/storage/level-reader.ts';
import { recoverStore } from '../../src/storage/level-recovery.ts';
import { expectRaftError } from '../support/log-storage-suite.ts';
import { withDatabase } from '../support/raw-database.ts';
import {
  applied,
  applyingJob,
  chainAt,
  entries,
  entriesBehind,
  job,
  vote,
} from '../support/store-jobs.ts';
import { build, found, record } from '../support/store-snapshots.ts';
import { blockStarts, storedBlock } from '../support/stored-blocks.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const identity = { clusterId: 'c1', nodeId: 'n1' };
const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
const blockAt = (first: bigint): Uint8Array => blockKey({ epoch: 0, first });
const recordKey = stateKey(new TextEncoder().encode('k3'));

/**
 * A closed store of several terms: entries 1 to 20 written one by one, 21 to 37 together in tens
 * and fewer, and the first ten purged.
 */
async function makeStore(): Promise<string> {
  const directory = path.join(temporaryDirectory(), 'consensus');
  const storage = await LevelLogStorage.open({ directory, ...identity });
  for (let i = 1; i <= 20; i += 1) {
    await storage.write({ ...applyingJob(i, 1), hardState: vote(1 + Math.floor(i / 10)) });
  }
  await storage.write({ ...applyingJob(21, 10), hardState: vote(3) });
  await storage.write(applyingJob(31, 7));
  await storage.write(job({ purgeThrough: 10n }));
  await storage.close();
  return directory;
}

/** A closed store with a configuration and a snapshot. */
async function makeFullStore(): Promise<string> {
  const directory = path.join(temporaryDirectory(), 'consensus');
  const storage = await LevelLogStorage.open({ directory, ...identity });
  await found(storage, 9, [record('k3', 40)]);
  const { generation } = await build(storage);
  expect(generation).toBe(1n);
  await storage.close();
  return directory;
}

async function expectCorrupt(
  directory: string,
  location: string,
): Promise<RaftError<'RAFT_STORAGE_CORRUPT'>> {
  const open = LevelLogStorage.open({ directory, ...identity }).then((it) => it.close());
  const error = await expectRaftError(open, 'RAFT_STORAGE_CORRUPT');
  if (!isRaftError(error, 'RAFT_STORAGE_CORRUPT')) throw error;
  expect(error.message).toContain("invalid consensus record storage; recreate the node's stored");
  expect(error.details.location).toContain(location);
  return error;
}

test.each([
  ['format', FORMAT_KEY],
  ['positions', POSITIONS_KEY],
  ['block of one entry', blockAt(20n)],
  ['block of several', blockAt(21n)],
  ['newest block', blockAt(31n)],
  ['witness', witnessKey(5n)],
  ['state', recordKey],
])('CS-72 CS-84 a changed byte in a record is refused with its key: %s', async (_, key) => {
  const directory = await makeStore();
  const original: { value?: Uint8Array } = {};
  await withDatabase(directory, async (database) => {
    original.value = (await database.get(key))!;
  });
  for (const at of [0, 1, 5, original.value!.length >> 1, original.value!.length - 1]) {
    await withDatabase(directory, (database) => {
      const value = original.value!.map((byte, i) => (i === at ? byte ^ 0x20 : byte));
      return database.put(key, value);
    });
    await expectCorrupt(directory, hexOf(key));
  }
  await withDatabase(directory, (database) => database.put(key, original.value!));
  await (await LevelLogStorage.open({ directory, ...identity })).close();
});

test.each([
  ['format', FORMAT_KEY],
  ['positions', POSITIONS_KEY],
  ['block', blockAt(1n)],
  ['configuration', configurationKey(1n)],
  ['witness', witnessKey(1n)],
  ['state', recordKey],
  ['manifest', manifestKey(1n)],
])('CS-72 CS-84 each changed bit of a record is refused with its key: %s', async (_, key) => {
  const directory = await makeFullStore();
  await withDatabase(directory, async (database) => {
    const original = (await database.get(key))!;
    const reader = new StoreReader(database, directory, new LevelFeed(directory, database));
    for (let bit = 0; bit < 8 * original.length; bit += 1) {
      const at = bit >> 3;
      const value = original.map((byte, i) => (i === at ? byte ^ (1 << (bit & 7)) : byte));
      await database.put(key, value);
      const error = await expectRaftError(
        recoverStore(reader, FIRST_LEVELS),
        'RAFT_STORAGE_CORRUPT',
      );
      expect(error, `bit ${bit}`).toMatchObject({ details: { location: printKey(key) } });
    }
    await database.put(key, original);
    await recoverStore(reader, FIRST_LEVELS);
  });
});

test.each([
  ['the format', FORMAT_KEY, FORMAT_KEY],
  ['the positions', POSITIONS_KEY, POSITIONS_KEY],
  ['a block of one entry', blockAt(20n), blockAt(21n)],
  ['a block of several', blockAt(21n), blockAt(31n)],
  ['the first block', blockAt(11n), blockAt(12n)],
  ['the last block', blockAt(31n), POSITIONS_KEY],
  ['a witness', witnessKey(5n), POSITIONS_KEY],
  ['the newest witness', witnessKey(24n), POSITIONS_KEY],
  ['a state record', recordKey, POSITIONS_KEY],
])('CS-75 CS-80 CS-82 a missing record is refused: %s', async (_, removed, named) => {
  const directory = await makeStore();
  await withDatabase(directory, (database) => database.del(removed));
  await expectCorrupt(directory, hexOf(named));
});

test.each([
  ['a configuration', configurationKey(1n)],
  ['a manifest', manifestKey(1n)],
  ['a section', sectionKey(1n, 0)],
])('CS-80 CS-84 a missing record of founding or snapshot is refused: %s', async (_, key) => {
  const directory = await makeFullStore();
  await withDatabase(directory, (database) => database.del(key));
  await expectCorrupt(directory, hexOf(key));
});

test('CS-75 CS-82 CS-350 a record that went back to its older version is refused', async () => {
  const directory = await makeStore();
  let storage = await LevelLogStorage.open({ directory, ...identity });
  await storage.write(
    job({ hardState: vote(4, 37), entries: entriesBehind(chainAt(37), 38, 45, 4) }),
  );
  await storage.close();
  const keys = [POSITIONS_KEY, FORMAT_KEY, recordKey, blockAt(38n), blockAt(42n)];
  const versionsOf = () => withDatabase(directory, (database) => database.getMany(keys));
  const older = await versionsOf();
  storage = await LevelLogStorage.open({ directory, ...identity });
  // Entries 42 to 45 give way to others, in the middle of a block.
  const { chain } = entriesBehind(chainAt(37), 38, 41, 4).at(-1)!;
  await storage.write(
    job({
      truncateFrom: 42n,
      hardState: vote(5, 37),
      entries: entriesBehind(chain, 42, 43, 5),
      incarnation: 1n,
    }),
  );
  const writes = [{ key: new TextEncoder().encode('k3'), value: Uint8Array.of(1) }];
  await storage.write(job({ applied: applied(38, 4), hardState: vote(5, 38), writes }));
  await storage.close();
  const newer = await versionsOf();
  const restore = (key: Uint8Array, value: Uint8Array | undefined): Promise<void> =>
    withDatabase(directory, (database) =>
      value === undefined ? database.del(key) : database.put(key, value),
    );
  for (const [i, key] of keys.entries()) {
    await restore(key, older[i]);
    await expectCorrupt(directory, '');
    await restore(key, newer[i]);
  }
  await (await LevelLogStorage.open({ directory, ...identity })).close();
});

test('CS-75 CS-80 a block that was cut or purged and is there again is refused, or never read', async () => {
  const directory = await makeStore();
  const blocks = [blockAt(5n), blockAt(38n), blockAt(39n), blockAt(40n)];
  let storage = await LevelLogStorage.open({ directory, ...identity });
  const log = entriesBehind(chainAt(37), 38, 40, 4);
  for (const it of log) await storage.write(job({ hardState: vote(4, 37), entries: [it] }));
  await storage.close();
  const cut = await withDatabase(directory, (database) => database.getMany(blocks));
  storage = await LevelLogStorage.open({ directory, ...identity });
  const others = entriesBehind(chainAt(37), 38, 39, 5);
  await storage.write(job({ truncateFrom: 38n, hardState: vote(5, 37), entries: others }));
  await storage.close();
  for (const [at, location, problem] of [
    [1, POSITIONS_KEY, 'log ends at 38, not 39'],
    [2, blockAt(39n), 'overlaps the block before'],
    [3, blockAt(40n), 'lies behind the end 39'],
  ] as const) {
    const key = blocks[at]!;
    const present = await withDatabase(directory, (database) => database.get(key));
    await withDatabase(directory, (database) => database.put(key, cut[at]!));
    const error = await expectCorrupt(directory, hexOf(location));
    expect(error.details.problem).toContain(problem);
    await withDatabase(directory, (database) =>
      present === undefined ? database.del(key) : database.put(key, present),
    );
  }
  // What lies in front of the log is deleted with the next write.
  const purged = storedBlock(entries(5, 5));
  await withDatabase(directory, (database) => database.put(purged.key, purged.value));
  storage = await LevelLogStorage.open({ directory, ...identity });
  expect(storage.bounds.purged.index).toBe(10n);
  await storage.write(job({}));
  await storage.close();
  expect(await withDatabase(directory, blockStarts)).not.toContain(5n);
});

test('CS-84 a key of an unknown kind is refused', async () => {
  const directory = await makeStore();
  for (const key of [
    Uint8Array.of(0x99, 1),
    Uint8Array.of(0x20, 0x77),
    Uint8Array.of(0x10, 1),
    Uint8Array.of(...blockAt(20n), 0),
  ]) {
    await withDatabase(directory, (database) => database.put(key, Uint8Array.of(1)));
    await expectCorrupt(directory, hexOf(key));
    await withDatabase(directory, (database) => database.del(key));
  }
});

test.each(['CURRENT', 'MANIFEST'])('CS-84 a missing %s file is refused by name', async (name) => {
  const directory = await makeStore();
  const file = readdirSync(directory).find((it) => it.startsWith(name))!;
  rmSync(path.join(directory, file));
  await expectCorrupt(directory, name);
});

test('CS-84 a missing table file is refused', async () => {
  const directory = await makeStore();
  // Each open moves the write-ahead file into a table.
  await (await LevelLogStorage.open({ directory, ...identity })).close();
  const table = readdirSync(directory).find((name) => name.endsWith('.ldb'))!;
  rmSync(path.join(directory, table));
  await expectCorrupt(directory, table);
});

test('CS-76 CS-79 a database that is gone beside its anchor is not created anew', async () => {
  const directory = await makeStore();
  rmSync(directory, { recursive: true });
  await expectCorrupt(directory, 'CURRENT');
  expect(existsSync(directory)).toBe(false);
});

test('CS-76 a missing or foreign anchor is refused by name', async () => {
  const directory = await makeStore();
  const other = await makeStore();
  const anchor = `${directory}.anchor`;
  const content = await readFile(anchor);
  await writeFile(anchor, await readFile(`${other}.anchor`));
  await expectCorrupt(directory, 'consensus.anchor');
  await writeFile(anchor, new Uint8Array(content.length));
  await expectCorrupt(directory, 'consensus.anchor');
  rmSync(anchor);
  await expectCorrupt(directory, 'consensus.anchor');
  await writeFile(anchor, content);
  await (await LevelLogStorage.open({ directory, ...identity })).close();
});

test('CS-76 one torn block of the anchor leaves the other', async () => {
  const directory = await makeStore();
  const anchor = `${directory}.anchor`;
  const content = await readFile(anchor);
  for (const torn of [0, 4_096]) {
    await writeFile(
      anchor,
      content.map((byte, i) => (i >= torn && i < torn + 4_096 ? 0 : byte)),
    );
    await (await LevelLogStorage.open({ directory, ...identity })).close();
  }
});

test('CS-76 a write-ahead file without its tail is refused', async () => {
  const directory = await makeStore();
  const file = readdirSync(directory).find((name) => name.endsWith('.log'))!;
  truncateSync(path.join(directory, file), 2_000);
  const { details } = await expectCorrupt(directory, 'database');
  expect(details.problem).toMatch(/^batches \d+ to 24 are lost$/);
});

test('a plain file in the place of the directory is an error of its own', async () => {
  const directory = path.join(temporaryDirectory(), 'consensus');
  await writeFile(directory, 'not a directory');
  const open = LevelLogStorage.open({ directory, ...identity });
  const error = await expectRaftError(open, 'RAFT_STORAGE_UNAVAILABLE');
  expect(error.cause).toMatchObject({ code: 'ENOTDIR' });
});
