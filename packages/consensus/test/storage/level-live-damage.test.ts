import { closeSync, openSync, readdirSync, readFileSync, writeSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { isRaftError, RaftNode } from '../../src/index.ts';
import { ZERO_CHAIN } from '../../src/raft/entry.ts';
import { blockKey, printKey, stateKey } from '../../src/storage/level-keys.ts';
import { LevelLogStorage } from '../../src/storage/level-log-storage.ts';
import type { LogStorage, StoreJob, WriteInterceptor } from '../../src/storage/log-storage.ts';
import { encodeCommand, LedgerMachine } from '../support/ledger-machine.ts';
import { expectRaftError } from '../support/log-storage-suite.ts';
import {
  applied,
  applyingJob,
  configuration,
  configurationEntry,
  entries,
  entriesBehind,
  entry,
  job,
  vote,
} from '../support/store-jobs.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const identity = { clusterId: 'c1', nodeId: 'n1' };
const text = new TextEncoder();
/** Too long for its digest to be remembered, so that replacing it reads it. */
const NAME = 'victim'.padEnd(300, '-');
const KEY = text.encode(NAME);
const VALUE = text.encode('the value that will be damaged');

/** A closed store of a sole voter with one record, which the next opening puts into a table. */
async function makeStore(): Promise<string> {
  const directory = path.join(temporaryDirectory(), 'consensus');
  const drawStoreId = () => 'aa'.repeat(16);
  const before = await LevelLogStorage.open({ directory, ...identity, drawStoreId });
  const founded = configuration('n1');
  const head = configurationEntry(ZERO_CHAIN, 1, founded);
  await before.write(
    job({
      hardState: vote(1),
      entries: [head, ...entriesBehind(head.chain, 2, 3)],
      clusterUid: founded.clusterUid,
      configurations: [{ index: 1n, configuration: founded }],
      applied: applied(3),
      writes: [{ key: KEY, value: VALUE }],
    }),
  );
  await before.close();
  return directory;
}

/** A store in which this text was damaged on disk after it was opened and verified. */
async function openDamaged(damaged: Uint8Array = VALUE): Promise<LogStorage> {
  const directory = await makeStore();
  const before = await LevelLogStorage.open({ directory, ...identity });
  // In a block of their own, and not applied.
  await before.write(job({ entries: entriesBehind(before.bounds.last.chain, 4, 6) }));
  await before.close();
  const storage = await LevelLogStorage.open({ directory, ...identity });
  onTestFinished(() => storage.close());
  expect(damageTables(directory, damaged)).toBe(1);
  return storage;
}

/** Changes one byte of every copy of the text in the tables; gives their number. */
function damageTables(directory: string, damaged: Uint8Array): number {
  let count = 0;
  for (const name of readdirSync(directory).filter((it) => it.endsWith('.ldb'))) {
    const file = path.join(directory, name);
    const at = readFileSync(file).indexOf(damaged);
    if (at < 0) continue;
    const handle = openSync(file, 'r+');
    writeSync(handle, 'X', at);
    closeSync(handle);
    count += 1;
  }
  return count;
}

function expectDamageOf(error: Error, key = stateKey(KEY)): void {
  if (!isRaftError(error, 'RAFT_STORAGE_CORRUPT')) throw error;
  expect(error.details.location).toBe(printKey(key));
  expect(error.retryable).toBe(false);
}

/** Writes over the damaged record, for which its present value must be read. */
const replacing = (storage: LogStorage): StoreJob => ({
  ...job({ applied: { ...storage.applied, revision: 4n } }),
  writes: [{ key: KEY, value: text.encode('new') }],
});

test('CS-84 a write that meets a damaged record names it, and latches the store', async () => {
  const storage = await openDamaged();
  const write = storage.write(replacing(storage));
  expectDamageOf(await expectRaftError(write, 'RAFT_STORAGE_CORRUPT'));
  const later = await expectRaftError(storage.write(job({})), 'RAFT_STORAGE_FAILED');
  expect(later).toMatchObject({ details: { isUncertain: false } });
});

const BLOCK = blockKey({ epoch: 0, first: 4n });

test('CS-84 a read that meets a damaged block names it, whichever entry it asked for', async () => {
  const storage = await openDamaged(text.encode('payload 5'));
  for (const [from, through] of [
    [4n, 4n],
    [5n, 5n],
    [6n, 6n],
    [1n, 6n],
  ] as const) {
    const read = storage.entries(from, through, 1e6);
    expectDamageOf(await expectRaftError(read, 'RAFT_STORAGE_CORRUPT'), BLOCK);
  }
  expect(await storage.entries(2n, 3n, 1e6)).toHaveLength(2);
});

test('CS-84 CS-352 a cut inside a damaged block names it, and latches the store', async () => {
  const storage = await openDamaged(text.encode('payload 5'));
  const cut = storage.write(job({ truncateFrom: 6n }));
  expectDamageOf(await expectRaftError(cut, 'RAFT_STORAGE_CORRUPT'), BLOCK);
  expect(storage.bounds.last.index).toBe(6n);
  const later = await expectRaftError(storage.write(job({})), 'RAFT_STORAGE_FAILED');
  expect(later).toMatchObject({ details: { isUncertain: false } });
});

test('CS-352 a cut in front of a damaged block needs nothing of it', async () => {
  const storage = await openDamaged(text.encode('payload 5'));
  const { chain } = [...storage.headers()][2]!;
  const others = entriesBehind(chain, 4, 5, 2);
  await storage.write(job({ truncateFrom: 4n, hardState: vote(2, 3), entries: others }));
  expect(await storage.entries(4n, 5n, 1e6)).toEqual(others);
});

test('CS-84 a snapshot of a damaged record names it, and latches the store', async () => {
  const storage = await openDamaged();
  const step = storage.buildSnapshot({ index: 1n, configuration: configuration('n1') }).step();
  expectDamageOf(await expectRaftError(step, 'RAFT_STORAGE_CORRUPT'));
  await expectRaftError(storage.write(job({})), 'RAFT_STORAGE_FAILED');
});

test('CS-84 a node whose write meets damage says so, and leaves the command open', async () => {
  const directory = await makeStore();
  const stateMachine = new LedgerMachine();
  const node = await RaftNode.open({ ...identity, directory, stateMachine });
  onTestFinished(() => node.close());
  expect(damageTables(directory, VALUE)).toBe(1);
  const command = encodeCommand({ op: 'put', key: NAME, value: 'new' });
  const open = await expectRaftError(node.propose(command), 'RAFT_LEADERSHIP_LOST');
  const { failure } = node.status();
  expect(open.cause).toBe(failure);
  if (failure === undefined) throw new Error('the node works on');
  expectDamageOf(failure);
});

test('CS-77 a read that waits for a purge which then fails does not find damage', async () => {
  const directory = path.join(temporaryDirectory(), 'consensus');
  let reading: Promise<unknown> | undefined;
  const intercept: WriteInterceptor = async (points, commit) => {
    await commit();
    if (!points.includes('purge')) return;
    reading = storage.entries(1n, 5n, 1_000);
    reading.catch(() => {});
    throw new Error('input/output error');
  };
  const storage = await LevelLogStorage.open({ directory, ...identity, intercept });
  onTestFinished(() => storage.close());
  await storage.write(applyingJob(1, 3));
  await storage.write(applyingJob(4, 2));
  const failed = storage.write(job({ purgeThrough: 3n }));
  expect(await expectRaftError(failed, 'RAFT_STORAGE_FAILED')).toMatchObject({
    details: { isUncertain: true },
  });
  // What failed does not show.
  expect(await reading).toHaveLength(5);
  expect(await storage.entries(4n, 5n, 1_000)).toEqual([entry(4), ...entries(5, 5)]);
});
