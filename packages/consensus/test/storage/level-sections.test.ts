import path from 'node:path';
import { expect, test } from 'vitest';
import { isRaftError } from '../../src/errors.ts';
import { printKey, sectionKey } from '../../src/storage/level-keys.ts';
import { LevelLogStorage } from '../../src/storage/level-log-storage.ts';
import { FRAME_HEAD_BYTES } from '../../src/storage/record-frame.ts';
import { expectRaftError } from '../support/log-storage-suite.ts';
import { patched, withDatabase } from '../support/raw-database.ts';
import { stateOf } from '../support/snapshot-suite.ts';
import { build, FIRST, found, readSections, record } from '../support/store-snapshots.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const open = (directory: string): Promise<LevelLogStorage> =>
  LevelLogStorage.open({ directory, clusterId: 'c1', nodeId: 'n1' });

/** A closed store with a snapshot of two sections; the key of the second one. */
async function makeStore(): Promise<{ directory: string; generation: bigint; key: Uint8Array }> {
  const directory = path.join(temporaryDirectory(), 'consensus');
  const storage = await open(directory);
  await found(storage, 5, [record('a', 4_600_000), record('bb', 4_600_000)]);
  const { generation, sections } = await build(storage);
  expect(sections).toHaveLength(2);
  await storage.close();
  return { directory, generation, key: sectionKey(generation, 1) };
}

async function changeSection(
  directory: string,
  key: Uint8Array,
  change: (value: Uint8Array) => Uint8Array,
): Promise<void> {
  await withDatabase(directory, async (database) => {
    await database.put(key, change((await database.get(key))!));
  });
}

test.each([
  [
    'a changed byte',
    'checksum differs',
    (_: Uint8Array, value: Uint8Array) => value.map((byte, i) => (i === 9_999 ? byte ^ 1 : byte)),
  ],
  [
    'other bytes that are whole in themselves',
    'differs from its digest',
    (key: Uint8Array, value: Uint8Array) =>
      patched(key, value, FRAME_HEAD_BYTES + 9_999, Uint8Array.of(7)),
  ],
])(
  'CS-110 in a section %s is found when it is read, and another snapshot can be made',
  async (_, problem, change) => {
    const { directory, generation, key } = await makeStore();
    await changeSection(directory, key, (value) => change(key, value));
    // State and log are whole without it, so the store is opened.
    const storage = await open(directory);
    const state = await stateOf(storage);
    await storage.snapshotSection(generation, 0);
    const error = await expectRaftError(
      storage.snapshotSection(generation, 1),
      'RAFT_STORAGE_CORRUPT',
    );
    if (!isRaftError(error, 'RAFT_STORAGE_CORRUPT')) throw error;
    expect(error.details).toMatchObject({ location: printKey(key), problem });
    const manifest = await build(storage, FIRST);
    expect(manifest.generation).toBeGreaterThan(generation);
    expect(await readSections(storage, manifest)).toHaveLength(2);
    expect(await stateOf(storage)).toEqual(state);
    await storage.close();
  },
);

test('CS-81 CS-84 a section that is missing is refused at the opening', async () => {
  const { directory, key } = await makeStore();
  await withDatabase(directory, (database) => database.del(key));
  const error = await expectRaftError(open(directory), 'RAFT_STORAGE_CORRUPT');
  expect(error.message).toContain(printKey(key));
});
