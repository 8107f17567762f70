import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { ConfigurationRecord, Entry } from '../../src/raft/entry.ts';
import { ZERO_CHAIN } from '../../src/raft/entry.ts';
import { levelsOfRelease } from '../../src/raft/feature-levels.ts';
import { LevelLogStorage } from '../../src/storage/level-log-storage.ts';
import {
  applied,
  CLUSTER_UID,
  configuration,
  configurationEntry,
  entriesBehind,
  job,
  vote,
} from './store-jobs.ts';
import { build } from './store-snapshots.ts';

/** Whose store it is. */
export const GOLDEN_IDENTITY = {
  clusterId: 'golden',
  nodeId: 'n1',
  storeId: '5e'.repeat(16),
};

/** What LevelDB needs to open a database; its other files are made anew. */
const STORED = /^(?:CURRENT|MANIFEST-\d+|\d+\.(?:log|ldb)|JOURNAL-[01])$/;

/** Log of the golden store: two configurations with commands behind each. */
export function goldenLog(level: number): {
  readonly entries: readonly Entry[];
  readonly configurations: readonly ConfigurationRecord[];
} {
  const [one, both] = [['n1'], ['n1', 'n2']].map((names) => ({
    ...configuration(...names),
    level,
  }));
  const first = configurationEntry(ZERO_CHAIN, 1, one!);
  const behind = entriesBehind(first.chain, 2, 6);
  const second = configurationEntry(behind.at(-1)!.chain, 7, both!, 2);
  const last = entriesBehind(second.chain, 8, 12, 3);
  return {
    entries: [first, ...behind, second, ...last],
    configurations: [
      { index: 1n, configuration: one! },
      { index: 7n, configuration: both! },
    ],
  };
}

/** Makes the store anew with every kind of record in it, at a feature level. */
export async function makeGoldenStore(directory: string, level: number): Promise<void> {
  const storage = await LevelLogStorage.open({
    directory,
    clusterId: GOLDEN_IDENTITY.clusterId,
    nodeId: GOLDEN_IDENTITY.nodeId,
    levels: levelsOfRelease(level),
    drawStoreId: () => GOLDEN_IDENTITY.storeId,
  });
  const { entries, configurations } = goldenLog(level);
  const records = Array.from({ length: 5 }, (_, i) => ({
    key: Uint8Array.of(i),
    value: Uint8Array.of(i, i + 1),
  }));
  const incarnation = 1_001n;
  await storage.write(
    job({
      clusterUid: CLUSTER_UID,
      incarnation,
      hardState: vote(3, 8),
      entries,
      configurations,
      applied: applied(8, 3, 4),
      writes: records,
    }),
  );
  await build(storage, configurations[1]!);
  await storage.write(
    job({
      applied: applied(10, 3, 5),
      writes: [{ key: Uint8Array.of(4), value: undefined }],
      purgeThrough: 3n,
    }),
  );
  await build(storage, configurations[1]!);
  await storage.close();
}

/** The files of a closed store as one text: paths with their compressed content. */
export function packStore(directory: string): string {
  const names = readdirSync(directory).filter((name) => STORED.test(name));
  const files = [...names.map((name) => path.join(directory, name)), `${directory}.anchor`];
  const base = path.dirname(directory);
  const packed = files.map((file) => [
    path.relative(base, file),
    deflateRawSync(readFileSync(file)).toString('base64'),
  ]);
  return `${JSON.stringify(Object.fromEntries(packed), undefined, 2)}\n`;
}

/** Puts the files of a packed store into a directory. */
export function unpackStore(packed: string, base: string): void {
  for (const [name, content] of Object.entries(JSON.parse(packed) as Record<string, string>)) {
    const file = path.join(base, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, inflateRawSync(Buffer.from(content, 'base64')));
  }
}
