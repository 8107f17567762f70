import path from 'node:path';
import { ClassicLevel } from 'classic-level';
import { expect, test } from 'vitest';
import { isRaftError } from '../../src/errors.ts';
import { ZERO_CHAIN } from '../../src/raft/entry.ts';
import { AnchorFile } from '../../src/storage/anchor-file.ts';
import { encodeEntry } from '../../src/storage/entry-codec.ts';
import {
  APPLIED_KEY,
  BOUNDS_KEY,
  entryKey,
  HARD_STATE_KEY,
  HEAD_KEY,
  WITNESS_SLOTS,
  witnessKey,
} from '../../src/storage/level-keys.ts';
import { LevelLogStorage } from '../../src/storage/level-log-storage.ts';
import {
  decodeApplied,
  decodeBounds,
  decodeHardState,
  decodeHead,
  encodeApplied,
  encodeBounds,
  encodeHardState,
  encodeHead,
  encodeWitness,
} from '../../src/storage/position-codec.ts';
import { decodeRecord, encodeRecord, RECORD_KIND } from '../../src/storage/record-frame.ts';
import { expectRaftError } from '../support/log-storage-suite.ts';
import { applyingJob, entry, entryBehind } from '../support/store-jobs.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

type RawDatabase = ClassicLevel<Uint8Array, Uint8Array>;
const identity = { clusterId: 'c1', nodeId: 'n1' };
const open = (directory: string) => LevelLogStorage.open({ directory, ...identity });

async function makeStore(): Promise<string> {
  const directory = path.join(temporaryDirectory(), 'consensus');
  const storage = await open(directory);
  for (let i = 1; i <= 5; i += 1) await storage.write(applyingJob(i, 1));
  await storage.close();
  return directory;
}

async function change(
  directory: string,
  edit: (database: RawDatabase) => Promise<void>,
): Promise<void> {
  const database: RawDatabase = new ClassicLevel(directory, {
    keyEncoding: 'view',
    valueEncoding: 'view',
  });
  await database.open();
  await edit(database);
  await database.close();
}

async function expectCorrupt(directory: string, key: Uint8Array, problem: string): Promise<void> {
  const opening = open(directory).then((storage) => storage.close());
  const error = await expectRaftError(opening, 'RAFT_STORAGE_CORRUPT');
  if (!isRaftError(error, 'RAFT_STORAGE_CORRUPT')) throw error;
  expect(error.details.location).toContain(Buffer.from(key).toString('hex'));
  expect(error.details.problem).toContain(problem);
}

type Kind = keyof typeof RECORD_KIND;

/** Replaces a record by another one with a valid checksum. */
async function rewrite(
  directory: string,
  kind: Kind,
  key: Uint8Array,
  edit: (payload: Uint8Array) => Uint8Array,
): Promise<void> {
  await change(directory, async (database) => {
    const payload = decodeRecord(RECORD_KIND[kind], key, (await database.get(key))!);
    await database.put(key, encodeRecord(RECORD_KIND[kind], key, edit(payload)));
  });
}

const editHardState = (edit: (value: ReturnType<typeof decodeHardState>['value']) => object) => {
  return (payload: Uint8Array) => {
    const { seq, value } = decodeHardState(payload);
    return encodeHardState(seq, { ...value, ...edit(value) });
  };
};
const editLast = (edit: object) => (payload: Uint8Array) => {
  const { seq, value } = decodeBounds(payload);
  return encodeBounds(seq, { ...value, last: { ...value.last, ...edit } });
};
const editApplied = (edit: object) => (payload: Uint8Array) => {
  const { seq, value } = decodeApplied(payload);
  return encodeApplied(seq, { ...value, position: { ...value.position, ...edit } });
};

test.each([
  [HARD_STATE_KEY, 'hardState', editHardState(() => ({ commit: 9n })), 'behind 5 are missing'],
  [HARD_STATE_KEY, 'hardState', editHardState(() => ({ term: 0n })), 'older than the last entry'],
  [APPLIED_KEY, 'applied', editApplied({ index: 6n }), 'outside the log'],
  [APPLIED_KEY, 'applied', editApplied({ term: 9n }), 'another term'],
  [BOUNDS_KEY, 'bounds', editLast({ index: 6n }), 'log ends at 5'],
  [BOUNDS_KEY, 'bounds', editLast({ chain: ZERO_CHAIN }), 'another one'],
] as const)('CS-81 positions that contradict each other are refused: %o %s', async (...row) => {
  const [key, kind, edit, problem] = row;
  const directory = await makeStore();
  await rewrite(directory, kind, key, edit);
  await expectCorrupt(directory, key, problem);
});

test('CS-80 CS-350 an entry that is valid but not the written one is refused', async () => {
  const directory = await makeStore();
  const forge = (index: number, term: number, chain: Uint8Array) => () =>
    encodeEntry({ ...entry(index, term, 'forged'), chain });
  const key = entryKey(3n);
  await rewrite(directory, 'entry', key, forge(3, 1, entry(3).chain));
  await expectCorrupt(directory, key, 'does not follow');
  await rewrite(directory, 'entry', key, forge(4, 1, ZERO_CHAIN));
  await expectCorrupt(directory, key, 'holds entry 4');
  await rewrite(directory, 'entry', key, forge(3, 0, ZERO_CHAIN));
  await expectCorrupt(directory, key, 'term is older');
});

test('CS-75 a head or witness that is valid but not the written one is refused', async () => {
  const directory = await makeStore();
  const digest = new Uint8Array(16).fill(7);
  const witness = (seq: bigint, previousDigest = digest) =>
    encodeWitness({ seq, previousDigest, digest });
  let original = new Uint8Array();
  const restored = (payload: Uint8Array): Uint8Array => {
    original = new Uint8Array(payload);
    return payload;
  };
  const cases: [Kind, Uint8Array, (payload: Uint8Array) => Uint8Array, string][] = [
    ['witness', witnessKey(1n), () => witness(1n), 'first batch'],
    ['witness', witnessKey(3n), () => witness(3n), 'does not follow'],
    ['witness', witnessKey(3n), () => witness(4n), 'holds batch 4'],
    ['witness', witnessKey(3n), () => witness(99n), 'does not belong to head'],
    ['witness', witnessKey(6n), () => witness(6n), 'newest batch'],
  ];
  for (const [kind, key, edit, problem] of cases) {
    await rewrite(directory, kind, key, restored);
    await rewrite(directory, kind, key, edit);
    await expectCorrupt(directory, key, problem);
    await rewrite(directory, kind, key, () => original);
  }
  await (await open(directory)).close();
});

/** A digest that only has to differ between batches. */
function digestOf(seq: bigint): Uint8Array {
  const digest = new Uint8Array(16);
  new DataView(digest.buffer).setBigUint64(8, seq);
  return digest;
}

test('CS-75 the ring of witnesses goes round without losing its checks', async () => {
  const directory = await makeStore();
  const newest = WITNESS_SLOTS + 9n;
  await change(directory, async (database) => {
    const operations = [];
    for (let seq = newest - WITNESS_SLOTS + 1n; seq <= newest; seq += 1n) {
      const key = witnessKey(seq);
      const payload = encodeWitness({
        seq,
        previousDigest: digestOf(seq - 1n),
        digest: digestOf(seq),
      });
      const value = encodeRecord(RECORD_KIND.witness, key, payload);
      operations.push({ type: 'put' as const, key, value });
    }
    await database.batch(operations);
  });
  await rewrite(directory, 'head', HEAD_KEY, (payload) =>
    encodeHead({ ...decodeHead(payload), seq: newest, digest: digestOf(newest) }),
  );
  const old = await AnchorFile.open(`${directory}.anchor`);
  const { storeId } = (await old.read())!;
  await old.close();
  const anchor = { seq: newest, digest: digestOf(newest), storeId };
  await (await AnchorFile.create(`${directory}.anchor`, anchor)).close();

  const storage = await open(directory);
  await storage.write(applyingJob(6, 1));
  await storage.write(applyingJob(7, 1));
  await storage.close();
  await (await open(directory)).close();

  const lost = witnessKey(500n);
  let value: Uint8Array | undefined;
  await change(directory, async (database) => {
    value = await database.get(lost);
    await database.del(lost);
  });
  await expectCorrupt(directory, HEAD_KEY, '1 of the newest 131072 batches are lost');
  await change(directory, (database) => database.put(lost, value!));
  // The link between the last and the first slot of the ring.
  await rewrite(directory, 'witness', witnessKey(WITNESS_SLOTS), () =>
    encodeWitness({
      seq: WITNESS_SLOTS,
      previousDigest: digestOf(1n),
      digest: digestOf(WITNESS_SLOTS),
    }),
  );
  await expectCorrupt(directory, HEAD_KEY, 'does not follow');
});

test('CS-351 a store whose write-ahead file was replaced keeps everything', async () => {
  const directory = path.join(temporaryDirectory(), 'consensus');
  const storage = await open(directory);
  const payload = 'x'.repeat(1_000_000);
  let chain: Uint8Array = ZERO_CHAIN;
  for (let i = 1; i <= 20; i += 1) {
    const large = entryBehind(chain, i, 1, payload);
    await storage.write({ ...applyingJob(i, 1), entries: [large] });
    ({ chain } = large);
  }
  await storage.close();
  const after = await open(directory);
  expect(after.bounds.last.index).toBe(20n);
  expect((await after.entries(20n, 20n, 1))[0]?.payload).toHaveLength(payload.length);
  await after.close();
});

test('CS-76 CS-77 a failed anchor write is a failed write of a durable batch', async () => {
  const directory = await makeStore();
  const storage = await LevelLogStorage.open({
    directory,
    ...identity,
    intercept: (points, commit) => {
      if (points.includes('anchor')) throw new Error('input/output error');
      return commit();
    },
  });
  const error = await expectRaftError(storage.write(applyingJob(6, 1)), 'RAFT_STORAGE_FAILED');
  expect(error).toMatchObject({ details: { isUncertain: true } });
  expect(storage.bounds.last.index).toBe(5n);
  await expectRaftError(storage.write(applyingJob(6, 1)), 'RAFT_STORAGE_FAILED');
  await storage.close();
  const after = await open(directory);
  expect(after.bounds.last.index).toBe(6n);
  await after.close();
});
