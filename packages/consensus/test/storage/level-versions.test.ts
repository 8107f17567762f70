import path from 'node:path';
import { expect, test } from 'vitest';
import { isRaftError } from '../../src/errors.ts';
import { FORMAT_KEY } from '../../src/storage/level-keys.ts';
import { LevelLogStorage } from '../../src/storage/level-log-storage.ts';
import { FORMAT_VERSION } from '../../src/storage/position-codec.ts';
import { FRAME_HEAD_BYTES } from '../../src/storage/record-frame.ts';
import { expectRaftError } from '../support/log-storage-suite.ts';
import { patched, type RawDatabase, withDatabase } from '../support/raw-database.ts';
import { applyingJob } from '../support/store-jobs.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const identity = { clusterId: 'c1', nodeId: 'n1' };
const MAGIC_BYTES = 8;

const u32 = (value: number): Uint8Array => {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setUint32(0, value);
  return bytes;
};

async function makeStore(): Promise<string> {
  const directory = path.join(temporaryDirectory(), 'consensus');
  const storage = await LevelLogStorage.open({ directory, ...identity });
  await storage.write(applyingJob(1, 5));
  await storage.close();
  return directory;
}

const open = (directory: string) => LevelLogStorage.open({ directory, ...identity });

/** Every key with its value. */
const contentOf = (directory: string) =>
  withDatabase(directory, (database: RawDatabase) => database.iterator().all());

test.each([
  ['an older layout', FRAME_HEAD_BYTES + MAGIC_BYTES, u32(FORMAT_VERSION - 1), FORMAT_VERSION - 1],
  ['the next layout', FRAME_HEAD_BYTES + MAGIC_BYTES, u32(FORMAT_VERSION + 1), FORMAT_VERSION + 1],
  ['a far layout', FRAME_HEAD_BYTES + MAGIC_BYTES, u32(0xffff_ffff), 0xffff_ffff],
])(
  'CS-73 CS-84 a store with %s is refused as such and left as it is',
  async (_, at, bytes, found) => {
    const directory = await makeStore();
    const original = await withDatabase(directory, (database) => database.get(FORMAT_KEY));
    const other = patched(FORMAT_KEY, original!, at, bytes);
    await withDatabase(directory, (database) => database.put(FORMAT_KEY, other));
    const before = await contentOf(directory);
    const error = await expectRaftError(open(directory), 'RAFT_STORAGE_VERSION');
    if (!isRaftError(error, 'RAFT_STORAGE_VERSION')) throw error;
    expect(error.details).toEqual({ directory, found, supported: FORMAT_VERSION });
    expect(error.retryable).toBe(false);
    expect(await contentOf(directory)).toEqual(before);
    await withDatabase(directory, (database) => database.put(FORMAT_KEY, original!));
    const storage = await open(directory);
    expect(storage.applied.index).toBe(5n);
    await storage.close();
  },
);

test('CS-72 CS-84 a damaged format record is damage, not another version', async () => {
  const directory = await makeStore();
  const original = await withDatabase(directory, (database) => database.get(FORMAT_KEY));
  for (const at of [1, FRAME_HEAD_BYTES + MAGIC_BYTES + 3]) {
    const other = original!.map((byte, i) => (i === at ? byte ^ 1 : byte));
    await withDatabase(directory, (database) => database.put(FORMAT_KEY, other));
    await expectRaftError(open(directory), 'RAFT_STORAGE_CORRUPT');
  }
});

test('CS-84 a database of something else is refused and left as it is', async () => {
  const directory = path.join(temporaryDirectory(), 'consensus');
  const text = new TextEncoder();
  await withDatabase(directory, (database) =>
    database.put(text.encode('user:1'), text.encode('Ada')),
  );
  const before = await contentOf(directory);
  const error = await expectRaftError(open(directory), 'RAFT_STORAGE_CORRUPT');
  expect(error.message).toContain('key 00');
  expect(await contentOf(directory)).toEqual(before);
});

test('CS-84 a store that is not a consensus store by its magic is refused', async () => {
  const directory = await makeStore();
  const original = await withDatabase(directory, (database) => database.get(FORMAT_KEY));
  const other = patched(FORMAT_KEY, original!, FRAME_HEAD_BYTES, new TextEncoder().encode('ELSE'));
  await withDatabase(directory, (database) => database.put(FORMAT_KEY, other));
  const error = await expectRaftError(open(directory), 'RAFT_STORAGE_CORRUPT');
  expect(error.message).toContain('not a consensus store');
});

test('CS-79 an empty database without an anchor becomes a store', async () => {
  const directory = path.join(temporaryDirectory(), 'consensus');
  await withDatabase(directory, async () => {});
  const storage = await open(directory);
  await storage.write(applyingJob(1, 1));
  await storage.close();
  const again = await open(directory);
  expect(again.identity).toEqual(storage.identity);
  await again.close();
});
