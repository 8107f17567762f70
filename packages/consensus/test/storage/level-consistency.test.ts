import path from 'node:path';
import { expect, test } from 'vitest';
import { isRaftError } from '../../src/errors.ts';
import { type Entry, ZERO_CHAIN } from '../../src/raft/entry.ts';
import { AnchorFile } from '../../src/storage/anchor-file.ts';
import {
  blockKey,
  FORMAT_KEY,
  POSITIONS_KEY,
  WITNESS_SLOTS,
  witnessKey,
} from '../../src/storage/level-keys.ts';
import { LevelLogStorage } from '../../src/storage/level-log-storage.ts';
import {
  decodeFormat,
  decodePositions,
  encodeFormat,
  encodePositions,
  encodeWitness,
  type StoredPositions,
} from '../../src/storage/position-codec.ts';
import { decodeRecord, encodeRecord, RECORD_KIND } from '../../src/storage/record-frame.ts';
import { renewJournal } from '../support/journal-files.ts';
import { expectRaftError } from '../support/log-storage-suite.ts';
import { withDatabase } from '../support/raw-database.ts';
import { applyingJob, chainAt, entries, entry, entryBehind, job } from '../support/store-jobs.ts';
import { storedBlock } from '../support/stored-blocks.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const identity = { clusterId: 'c1', nodeId: 'n1' };
const open = (directory: string) => LevelLogStorage.open({ directory, ...identity });

/** A closed store of entries 1 to 5, each written by itself, and 6 to 9, written together. */
async function makeStore(): Promise<string> {
  const directory = path.join(temporaryDirectory(), 'consensus');
  const storage = await open(directory);
  for (let i = 1; i <= 5; i += 1) await storage.write(applyingJob(i, 1));
  await storage.write(applyingJob(6, 4));
  await storage.close();
  return directory;
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
  await withDatabase(directory, async (database) => {
    const payload = decodeRecord(RECORD_KIND[kind], key, (await database.get(key))!, 1);
    await database.put(key, encodeRecord(RECORD_KIND[kind], key, edit(payload), 1));
  });
}

type Edit = (positions: StoredPositions) => Partial<StoredPositions>;

/** The positions with a change and the digest that they had. */
const editing =
  (edit: Edit) =>
  (payload: Uint8Array): Uint8Array => {
    const before = decodePositions(payload);
    const after = { ...before, ...edit(before) };
    return Uint8Array.of(...encodePositions(after, after.head), ...after.head.digest);
  };

const editHardState = (edit: object): Edit => {
  return ({ hardState }) => ({ hardState: { ...hardState, ...edit } });
};
const editBounds = (edit: object): Edit => {
  return ({ bounds }) => ({ bounds: { ...bounds, ...edit } });
};
const editLast = (edit: object): Edit => {
  return ({ bounds }) => ({ bounds: { ...bounds, last: { ...bounds.last, ...edit } } });
};
const editApplied = (edit: object): Edit => {
  return ({ applied }) => ({ applied: { ...applied, ...edit } });
};
const editAppliedPosition = (edit: object): Edit => {
  return ({ applied }) => ({ applied: { ...applied, position: { ...applied.position, ...edit } } });
};

const blockAt = (first: bigint): Uint8Array => blockKey({ epoch: 0, first });
const LAST = blockAt(6n);
const BEHIND = { purged: { index: 2n, term: 1n, chain: chainAt(3) } };

const CONTRADICTIONS: readonly (readonly [string, Edit, string, Uint8Array])[] = [
  [
    'a commit index behind the log',
    editHardState({ commit: 10n }),
    'behind 9 are missing',
    POSITIONS_KEY,
  ],
  [
    'a term before the last one',
    editHardState({ term: 0n }),
    'older than the last entry',
    POSITIONS_KEY,
  ],
  [
    'applied entries behind the log',
    editAppliedPosition({ index: 10n }),
    'outside the log',
    POSITIONS_KEY,
  ],
  [
    'applied entries of another term',
    editAppliedPosition({ term: 9n }),
    'another term',
    POSITIONS_KEY,
  ],
  ['another number of records', editApplied({ recordCount: 1n }), 'records', POSITIONS_KEY],
  ['another digest of the records', editApplied({ stateDigest: 1n }), 'records', POSITIONS_KEY],
  [
    'a configuration in force',
    editApplied({ configurationIndex: 3n }),
    'not in force',
    POSITIONS_KEY,
  ],
  ['a log that ends later', editLast({ index: 10n }), 'log ends at 9', POSITIONS_KEY],
  [
    'a log that ends earlier',
    editLast({ index: 8n }),
    'applied 9 is outside the log',
    POSITIONS_KEY,
  ],
  ['another last entry', editLast({ chain: ZERO_CHAIN }), 'another one', POSITIONS_KEY],
  ['a later log', editBounds({ epoch: 1 }), 'log ends at 0', POSITIONS_KEY],
  ['another entry that was purged', editBounds(BEHIND), 'does not follow', blockAt(3n)],
];

test.each(CONTRADICTIONS)(
  'CS-80 CS-81 positions that contradict the store are refused: %s',
  async (_, edit, problem, named) => {
    const directory = await makeStore();
    await rewrite(directory, 'positions', POSITIONS_KEY, editing(edit));
    await expectCorrupt(directory, named, problem);
  },
);

test('CS-80 a log that ends in front of its last stored entry is refused', async () => {
  const directory = await makeStore();
  const storage = await open(directory);
  await storage.write(job({ entries: entries(10, 11) }));
  await storage.write(job({ entries: entries(12, 12) }));
  await storage.close();
  const endingAt = (index: bigint): Edit => editLast({ index, chain: chainAt(Number(index)) });
  await rewrite(directory, 'positions', POSITIONS_KEY, editing(endingAt(11n)));
  await expectCorrupt(directory, blockAt(12n), 'lies behind the end 11');
  await rewrite(directory, 'positions', POSITIONS_KEY, editing(endingAt(10n)));
  await expectCorrupt(directory, blockAt(10n), 'goes on behind the end 10');
});

test('CS-75 a format of another batch than the positions know is refused', async () => {
  const directory = await makeStore();
  await rewrite(directory, 'format', FORMAT_KEY, (payload) => {
    const { seq, value } = decodeFormat(payload, () => {});
    return encodeFormat(seq + 1n, value);
  });
  await expectCorrupt(directory, FORMAT_KEY, 'written by batch 2, not by batch 1');
});

test('CS-80 CS-350 an entry that is valid but not the written one is refused', async () => {
  const directory = await makeStore();
  const forge = async (at: bigint, forged: readonly Entry[]): Promise<void> => {
    const block = storedBlock(forged, { first: at });
    await withDatabase(directory, (database) => database.put(block.key, block.value));
  };
  const third = entry(3, 1, 'forged');
  await forge(3n, [{ ...third, chain: entry(3).chain }]);
  await expectCorrupt(directory, blockAt(3n), 'entry 3 does not follow');
  await forge(3n, [third]);
  await expectCorrupt(directory, blockAt(4n), 'entry 4 does not follow');
  await forge(3n, entries(4, 4));
  await expectCorrupt(directory, blockAt(3n), 'entry 3 does not follow');
  await forge(3n, [entryBehind(chainAt(2), 3, 0)]);
  await expectCorrupt(directory, blockAt(3n), 'entry 3 is of an older term');
  await forge(3n, entries(3, 4));
  await expectCorrupt(directory, blockAt(4n), 'overlaps the block before');
  await forge(3n, entries(3, 3));
  const rest = entries(6, 9);
  await forge(6n, [...rest.slice(0, 2), { ...rest[2]!, payload: new Uint8Array(9) }, rest[3]!]);
  await expectCorrupt(directory, LAST, 'entry 8 does not follow');
  await forge(6n, rest.slice(0, 3));
  await expectCorrupt(directory, POSITIONS_KEY, 'log ends at 8, not 9');
  await forge(6n, entries(6, 10));
  await expectCorrupt(directory, LAST, 'goes on behind the end 9');
  await forge(6n, rest);
  await (await open(directory)).close();
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
    ['witness', witnessKey(7n), () => witness(7n), 'newest batch'],
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

test('CS-75 the ring of witnesses goes round without losing its checks', {
  timeout: 60_000,
}, async () => {
  const directory = await makeStore();
  const newest = WITNESS_SLOTS + 9n;
  await withDatabase(directory, async (database) => {
    const operations = [];
    for (let seq = newest - WITNESS_SLOTS + 1n; seq <= newest; seq += 1n) {
      const key = witnessKey(seq);
      const payload = encodeWitness({
        seq,
        previousDigest: digestOf(seq - 1n),
        digest: digestOf(seq),
      });
      const value = encodeRecord(RECORD_KIND.witness, key, payload, 1);
      operations.push({ type: 'put' as const, key, value });
    }
    await database.batch(operations);
  });
  const rehead = editing(({ head }) => ({
    head: { ...head, seq: newest, digest: digestOf(newest) },
  }));
  await rewrite(directory, 'positions', POSITIONS_KEY, rehead);
  const old = await AnchorFile.open(`${directory}.anchor`);
  const { storeId } = (await old.read())!;
  await old.close();
  const anchor = { seq: newest, digest: digestOf(newest), storeId };
  await (await AnchorFile.create(`${directory}.anchor`, anchor)).close();
  await renewJournal(directory, storeId, newest);

  const storage = await open(directory);
  await storage.write(applyingJob(10, 1));
  await storage.write(applyingJob(11, 1));
  await storage.close();
  await (await open(directory)).close();

  const lost = witnessKey(500n);
  let value: Uint8Array | undefined;
  await withDatabase(directory, async (database) => {
    value = await database.get(lost);
    await database.del(lost);
  });
  await expectCorrupt(directory, POSITIONS_KEY, '1 of the newest 131072 batches are lost');
  await withDatabase(directory, (database) => database.put(lost, value!));
  // The link between the last and the first slot of the ring.
  await rewrite(directory, 'witness', witnessKey(WITNESS_SLOTS), () =>
    encodeWitness({
      seq: WITNESS_SLOTS,
      previousDigest: digestOf(1n),
      digest: digestOf(WITNESS_SLOTS),
    }),
  );
  await expectCorrupt(directory, POSITIONS_KEY, 'does not follow');
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
  const error = await expectRaftError(storage.write(applyingJob(10, 1)), 'RAFT_STORAGE_FAILED');
  expect(error).toMatchObject({ details: { isUncertain: true } });
  expect(storage.bounds.last.index).toBe(9n);
  await expectRaftError(storage.write(applyingJob(10, 1)), 'RAFT_STORAGE_FAILED');
  await storage.close();
  const after = await open(directory);
  expect(after.bounds.last.index).toBe(10n);
  await after.close();
});
