import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { levelsOfRelease } from '../../src/raft/feature-levels.ts';
import { LevelLogStorage } from '../../src/storage/level-log-storage.ts';
import { FRAME_KIND, LENGTH_BYTES } from '../../src/transport/frame.ts';
import { readHello } from '../../src/transport/hello.ts';
import { readMessage } from '../../src/transport/message-codec.ts';
import { readManifest } from '../../src/transport/snapshot-codec.ts';
import { WIRE_FINGERPRINT } from '../../src/transport/wire-fingerprint.ts';
import { WireReader } from '../../src/transport/wire-reader.ts';
import {
  fingerprintOf,
  GOLDEN_HELLO,
  GOLDEN_MANIFEST,
  GOLDEN_MESSAGES,
  goldenFrames,
} from '../support/golden-frames.ts';
import {
  GOLDEN_IDENTITY,
  goldenLog,
  makeGoldenStore,
  packStore,
  unpackStore,
} from '../support/golden-store.ts';
import { listRecords } from '../support/log-storage-suite.ts';
import { readSections } from '../support/store-snapshots.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

/** Every level that was ever released, and the releases that must read what it wrote. */
const LEVELS = [1];

const fileOf = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

/** The recorded text; `UPDATE_GOLDEN=1` records what is missing, and never what is there. */
async function recorded(name: string, make: () => string | Promise<string>): Promise<string> {
  const file = fileOf(name);
  if (process.env['UPDATE_GOLDEN'] === '1' && !existsSync(file)) writeFileSync(file, await make());
  return readFileSync(file, 'utf8');
}

describe.each(LEVELS)('CS-73 CS-341 CS-346 what level %s has written', (level) => {
  const packed = (): Promise<string> =>
    recorded(`store-level-${level}.json`, async () => {
      const directory = path.join(temporaryDirectory(), 'store');
      await makeGoldenStore(directory, level);
      return packStore(directory);
    });

  test.each([level, level + 1])('is opened by the release of level %s', async (newest) => {
    const base = temporaryDirectory();
    unpackStore(await packed(), base);
    const levels = levelsOfRelease(newest);
    const directory = path.join(base, 'store');
    const storage = await LevelLogStorage.open({ directory, ...GOLDEN_IDENTITY, levels });
    expect(storage).toMatchObject({ level, incarnation: 1_001n, clusterUid: 'c0'.repeat(16) });
    expect(storage.hardState).toMatchObject({ term: 3n, votedFor: { nodeId: 'n1' } });
    expect(storage.applied).toEqual({ index: 10n, term: 3n, revision: 5n });
    const { entries, configurations } = goldenLog(level);
    expect(await storage.entries(4n, 12n, 100_000)).toEqual(entries.slice(3));
    expect(storage.configurations).toEqual(configurations);
    const records = await listRecords(storage);
    expect(records.map(({ key, value }) => [...key, ...value])).toEqual(
      [0, 1, 2, 3].map((i) => [i, i, i + 1]),
    );
    expect(storage.snapshot).toMatchObject({ index: 10n, recordCount: 4n, configurationIndex: 7n });
    expect(await readSections(storage, storage.snapshot!)).toHaveLength(1);
    await storage.close();
  });

  test('is what this release writes at it', async () => {
    const directory = path.join(temporaryDirectory(), 'store');
    await makeGoldenStore(directory, level);
    const values = async (place: string) => {
      const storage = await LevelLogStorage.open({ directory: place, ...GOLDEN_IDENTITY });
      const { snapshot, stateProof, bounds } = storage;
      await storage.close();
      return { snapshot, stateProof, bounds };
    };
    const base = temporaryDirectory();
    unpackStore(await packed(), base);
    const golden = path.join(base, 'store');
    const found = JSON.parse(packStore(directory)) as Record<string, string>;
    // Batches are written to the journal as they are; a changed shape of any value changes it.
    const journal = Object.keys(found).filter((name) => name.includes('JOURNAL'));
    expect(journal).toHaveLength(2);
    const before = JSON.parse(await packed()) as typeof found;
    for (const name of journal) expect(found[name]).toBe(before[name]);
    expect(await values(directory)).toEqual(await values(golden));
  });
});

describe('CS-141 CS-341 CS-346 frames', () => {
  const golden = (): Promise<string> => recorded('frames-level-1.txt', goldenFrames);

  test('are written as they were', async () => {
    expect(goldenFrames()).toBe(await golden());
  });

  test('have the fingerprint by which members know that they share them', async () => {
    expect(WIRE_FINGERPRINT).toBe(fingerprintOf(await golden()));
  });

  test('are read as they were meant', async () => {
    const frames = (await golden())
      .trimEnd()
      .split('\n')
      .map((line) => line.split(' '));
    const bodyOf = (name: string): Uint8Array => {
      const hex = frames.find(([it]) => it === name)?.[1];
      return Uint8Array.from(Buffer.from(hex!, 'hex')).subarray(LENGTH_BYTES + 1);
    };
    expect(readHello(bodyOf('hello'), levelsOfRelease(2))).toEqual(GOLDEN_HELLO);
    for (const message of GOLDEN_MESSAGES) {
      expect(readMessage(new WireReader(bodyOf(message.kind)))).toEqual(message);
    }
    const begin = new WireReader(bodyOf('snapshotBegin'));
    expect([begin.u64(), readManifest(begin)]).toEqual([4n, GOLDEN_MANIFEST]);
    // One of each kind, so that the fingerprint speaks for all of them.
    const kinds = frames.map(([, hex]) => Number.parseInt(hex!.slice(8, 10), 16));
    expect(new Set(kinds)).toEqual(new Set(Object.values(FRAME_KIND)));
  });
});
