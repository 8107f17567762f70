import { hash } from 'node:crypto';
import type { Entry } from '../../src/raft/entry.ts';
import type { LogStorage, StateRecord } from '../../src/storage/log-storage.ts';
import { MemoryDisk, MemoryLogStorage } from '../../src/storage/memory-log-storage.ts';
import { applied, entriesBehind, job, vote } from './store-jobs.ts';
import { build, FIRST, finish, found, founded, receive, record } from './store-snapshots.ts';

/** Long enough that cutting it takes more than one batch. */
export const LONG = 4_500;
const CUT_FROM = 300;
const FOREIGN_INDEX = 1_000;
const MEGABYTES = 4_600_000;

const own = founded(LONG);

/** Two records that do not fit one section. */
function records(name: string): readonly StateRecord[] {
  return [record(`${name}a`, MEGABYTES), record(`${name}bb`, MEGABYTES)];
}

function chainAt(entries: readonly Entry[], index: number): Uint8Array {
  return entries[index - 1]!.chain;
}

/** The store of a member that is further, from which a snapshot is received. */
async function foreign(): Promise<LogStorage> {
  const disk = new MemoryDisk();
  const storage = await MemoryLogStorage.open({ disk, clusterId: 'c1', nodeId: 'n2' });
  await found(storage, FOREIGN_INDEX, records('foreign '), 3);
  await build(storage);
  return storage;
}

async function appendBehind(storage: LogStorage, count: number, term: number): Promise<void> {
  const { index, chain } = storage.bounds.last;
  const from = Number(index) + 1;
  const added = entriesBehind(chain, from, from + count - 1, term);
  await storage.write(
    job({ hardState: vote(term, Number(storage.applied.index)), entries: added }),
  );
}

/**
 * A history that makes every kind of write. Each step can be repeated on the store that it was
 * interrupted on, and leads to the same.
 */
export const STEPS: readonly ((storage: LogStorage) => Promise<void>)[] = [
  async (storage) => {
    await storage.write(
      job({ hardState: vote(1), entries: own.slice(0, LONG), configurations: [FIRST] }),
    );
  },
  async (storage) => {
    const writes = records('own ');
    await storage.write(job({ hardState: vote(1, 200), applied: applied(200), writes }));
  },
  async (storage) => {
    const added = entriesBehind(chainAt(own, CUT_FROM - 1), CUT_FROM, CUT_FROM + 9, 2);
    const truncateFrom = BigInt(CUT_FROM);
    const isThere = storage.bounds.last.index >= truncateFrom;
    await storage.write(
      job({ hardState: vote(2, 200), entries: added, ...(isThere ? { truncateFrom } : {}) }),
    );
  },
  async (storage) => {
    await build(storage);
  },
  async (storage) => {
    await storage.write(job({ purgeThrough: 150n }));
  },
  async (storage) => {
    await storage.write(job({ hardState: vote(3, 200) }));
    const from = await foreign();
    await finish(storage.installSnapshot(await receive(from, storage)));
  },
  async (storage) => {
    await appendBehind(storage, 20, 3);
  },
];

/** What two stores with the same history have in common, whatever their identity. */
export async function printOf(storage: LogStorage): Promise<string> {
  const sha: string[] = [];
  for await (const { key, value } of storage.records())
    sha.push(hash('sha256', key), hash('sha256', value));
  const { bounds, applied: position, stateProof, configurations, snapshot } = storage;
  const headers = [...storage.headers()].map(({ chain }) => Buffer.from(chain).toString('hex'));
  const manifest = snapshot && [
    snapshot.index,
    snapshot.term,
    Buffer.from(snapshot.chain).toString('hex'),
    snapshot.revision,
    snapshot.stateDigest,
    snapshot.sections,
    snapshot.bytes,
  ];
  return JSON.stringify(
    [bounds, position, stateProof, configurations, manifest, hash('sha256', headers.join()), sha],
    (_, it: unknown) => (typeof it === 'bigint' ? String(it) : it),
  );
}

/** Prints of a store in memory: before the first step, and after each. */
export async function expectedPrints(): Promise<readonly string[]> {
  const disk = new MemoryDisk();
  const storage = await MemoryLogStorage.open({ disk, clusterId: 'c1', nodeId: 'n1' });
  const prints = [await printOf(storage)];
  for (const step of STEPS) {
    await step(storage);
    prints.push(await printOf(storage));
  }
  await storage.close();
  return prints;
}
