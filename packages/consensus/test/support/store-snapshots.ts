import type { ConfigurationRecord, Entry } from '../../src/raft/entry.ts';
import { ZERO_CHAIN } from '../../src/raft/entry.ts';
import type {
  LogStorage,
  SnapshotInstall,
  SnapshotManifest,
  SnapshotReceipt,
  StateRecord,
} from '../../src/storage/log-storage.ts';
import {
  applied,
  CLUSTER_UID,
  configuration,
  configurationEntry,
  entriesBehind,
  job,
  vote,
} from './store-jobs.ts';

export const FIRST: ConfigurationRecord = { index: 1n, configuration: configuration('n1') };

/** A record of this many bytes. */
export function record(name: string, bytes: number): StateRecord {
  return { key: new TextEncoder().encode(name), value: new Uint8Array(bytes).fill(name.length) };
}

/** Entry 1 introduces {@link FIRST}, the others up to `through` are plain. */
export function founded(through: number, term = 1): Entry[] {
  const first = configurationEntry(ZERO_CHAIN, 1, FIRST.configuration);
  return [first, ...entriesBehind(first.chain, 2, through, term)];
}

/** Founds a cluster whose log of `through` entries has put these records. */
export async function found(
  storage: LogStorage,
  through: number,
  records: readonly StateRecord[] = [],
  term = 1,
): Promise<void> {
  await storage.write(
    job({
      clusterUid: CLUSTER_UID,
      hardState: vote(term, through),
      entries: founded(through, term),
      configurations: [FIRST],
      applied: applied(through, term),
      writes: records,
    }),
  );
}

export async function build(
  storage: LogStorage,
  record: ConfigurationRecord = FIRST,
): Promise<SnapshotManifest> {
  const making = storage.buildSnapshot(record);
  for (;;) {
    const result = await making.step();
    if (result.kind === 'complete') return result.manifest;
  }
}

export async function readSections(
  storage: LogStorage,
  { generation, sections }: SnapshotManifest,
): Promise<Uint8Array[]> {
  return Promise.all(sections.map((_, i) => storage.snapshotSection(generation, i)));
}

/** Receives the active snapshot of another store. */
export async function receive(from: LogStorage, to: LogStorage): Promise<SnapshotReceipt> {
  const manifest = from.snapshot!;
  const receipt = to.receiveSnapshot(manifest);
  for (const section of await readSections(from, manifest)) await receipt.section(section);
  return receipt;
}

export async function finish(install: SnapshotInstall): Promise<void> {
  while (!(await install.step()));
}
