import { existsSync, readdirSync, rmSync, truncateSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { ClassicLevel } from 'classic-level';
import { expect, test } from 'vitest';
import { isRaftError } from '../../src/errors.ts';
import {
  ACTIVE_SNAPSHOT_KEY,
  APPLIED_KEY,
  BOUNDS_KEY,
  entryKey,
  FORMAT_KEY,
  HARD_STATE_KEY,
  HEAD_KEY,
  INSTALLATION_KEY,
  stateKey,
  witnessKey,
} from '../../src/storage/level-keys.ts';
import { LevelLogStorage } from '../../src/storage/level-log-storage.ts';
import { expectRaftError } from '../support/log-storage-suite.ts';
import { applyingJob, job, vote } from '../support/store-jobs.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const identity = { clusterId: 'c1', nodeId: 'n1' };
type RawDatabase = ClassicLevel<Uint8Array, Uint8Array>;
const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
const recordKey = stateKey(new TextEncoder().encode('k3'));

/** A closed store of 40 batches in several terms, the first ten entries purged. */
async function makeStore(): Promise<string> {
  const directory = path.join(temporaryDirectory(), 'consensus');
  const storage = await LevelLogStorage.open({ directory, ...identity });
  for (let i = 1; i <= 37; i += 1) {
    await storage.write({ ...applyingJob(i, 1), hardState: vote(1 + Math.floor(i / 10)) });
  }
  await storage.write(job({ purgeThrough: 10n }));
  await storage.close();
  return directory;
}

async function withDatabase(
  directory: string,
  change: (database: RawDatabase) => Promise<void>,
): Promise<void> {
  const database: RawDatabase = new ClassicLevel(directory, {
    keyEncoding: 'view',
    valueEncoding: 'view',
  });
  await database.open();
  await change(database);
  await database.close();
}

async function expectCorrupt(directory: string, location: string): Promise<void> {
  const open = LevelLogStorage.open({ directory, ...identity }).then((it) => it.close());
  const error = await expectRaftError(open, 'RAFT_STORAGE_CORRUPT');
  if (!isRaftError(error, 'RAFT_STORAGE_CORRUPT')) throw error;
  expect(error.message).toContain("invalid consensus record storage; recreate the node's stored");
  expect(error.details.location).toContain(location);
}

test.each([
  ['format', FORMAT_KEY],
  ['hard state', HARD_STATE_KEY],
  ['bounds', BOUNDS_KEY],
  ['applied', APPLIED_KEY],
  ['active snapshot', ACTIVE_SNAPSHOT_KEY],
  ['installation', INSTALLATION_KEY],
  ['head', HEAD_KEY],
  ['entry', entryKey(20n)],
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
  ['the format', FORMAT_KEY, FORMAT_KEY],
  ['the hard state', HARD_STATE_KEY, HARD_STATE_KEY],
  ['the head', HEAD_KEY, HEAD_KEY],
  ['an entry', entryKey(20n), entryKey(21n)],
  ['the first entry', entryKey(11n), entryKey(12n)],
  ['the last entry', entryKey(37n), BOUNDS_KEY],
  ['a witness', witnessKey(5n), HEAD_KEY],
  ['a state record', recordKey, APPLIED_KEY],
])('CS-75 CS-80 CS-82 a missing record is refused: %s', async (_, removed, named) => {
  const directory = await makeStore();
  await withDatabase(directory, (database) => database.del(removed));
  await expectCorrupt(directory, hexOf(named));
});

test('CS-75 CS-82 CS-350 a record that went back to its older version is refused', async () => {
  const directory = await makeStore();
  const keys = [HARD_STATE_KEY, BOUNDS_KEY, APPLIED_KEY, HEAD_KEY, recordKey];
  const older = new Map<Uint8Array, Uint8Array>();
  const newer = new Map<Uint8Array, Uint8Array>();
  const remember = (versions: Map<Uint8Array, Uint8Array>) =>
    withDatabase(directory, async (database) => {
      for (const key of keys) versions.set(key, (await database.get(key))!);
    });
  await remember(older);
  const storage = await LevelLogStorage.open({ directory, ...identity });
  await storage.write({ ...applyingJob(38, 7), hardState: vote(5, 37) });
  await storage.close();
  await remember(newer);
  for (const key of keys) {
    await withDatabase(directory, (database) => database.put(key, older.get(key)!));
    await expectCorrupt(directory, '');
    await withDatabase(directory, (database) => database.put(key, newer.get(key)!));
  }
  await (await LevelLogStorage.open({ directory, ...identity })).close();
});

test('CS-84 a key of an unknown kind is refused', async () => {
  const directory = await makeStore();
  for (const key of [Uint8Array.of(0x99, 1), Uint8Array.of(0x20, 0x77), Uint8Array.of(0x10, 1)]) {
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
  const journal = readdirSync(directory).find((name) => name.endsWith('.log'))!;
  truncateSync(path.join(directory, journal), 2_000);
  await expectCorrupt(directory, 'consensus.anchor');
});

test('a plain file in the place of the directory is an error of its own', async () => {
  const directory = path.join(temporaryDirectory(), 'consensus');
  await writeFile(directory, 'not a directory');
  const open = LevelLogStorage.open({ directory, ...identity });
  const error = await expectRaftError(open, 'RAFT_STORAGE_UNAVAILABLE');
  expect(error.cause).toMatchObject({ code: 'ENOTDIR' });
});
