import { describe, expect, onTestFinished, test } from 'vitest';
import { isRaftError, type RaftErrorCode } from '../../src/errors.ts';
import { type Entry, ZERO_CHAIN } from '../../src/raft/entry.ts';
import type {
  LogStorage,
  StateRecord,
  StoreJob,
  WriteInterceptor,
  WritePoint,
} from '../../src/storage/log-storage.ts';
import {
  applied,
  applyingJob,
  CLUSTER_UID,
  chainAt,
  entries,
  entry,
  job,
  vote,
} from './store-jobs.ts';

/** How a suite opens the store under test. */
export interface StorageOpening {
  readonly clusterId?: string;
  readonly nodeId?: string;
  readonly storeId?: string | undefined;
  readonly intercept?: WriteInterceptor;
}

/** One place that can be opened again and again. */
export interface StoragePlace {
  open(opening?: StorageOpening): Promise<LogStorage>;
}

export async function listRecords(storage: LogStorage): Promise<StateRecord[]> {
  const records: StateRecord[] = [];
  for await (const record of storage.records()) records.push(record);
  return records;
}

export async function expectRaftError(
  promise: Promise<unknown>,
  code: RaftErrorCode,
): Promise<Error> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error, `expected ${code}`).toBeInstanceOf(Error);
  expect(isRaftError(error, code), String(error)).toBe(true);
  return error as Error;
}

/** What every log store owes its caller. `makePlace` gives an empty place for each test. */
export function logStorageSuite(name: string, makePlace: () => StoragePlace): void {
  const opened = async (place: StoragePlace, opening?: StorageOpening): Promise<LogStorage> => {
    const storage = await place.open(opening);
    onTestFinished(() => storage.close());
    return storage;
  };

  describe(`${name}: log storage`, () => {
    test('a new store is empty and has an identity', async () => {
      const storage = await opened(makePlace());
      expect(storage.identity).toMatchObject({ clusterId: 'c1', nodeId: 'n1' });
      expect(storage.identity.storeId).toMatch(/^[0-9a-f]{32}$/);
      expect(storage.hardState).toEqual({ term: 0n, votedFor: undefined, commit: 0n });
      expect(storage.applied).toEqual({ index: 0n, term: 0n, revision: 0n });
      expect(storage.bounds).toEqual({
        purged: { index: 0n, term: 0n, chain: ZERO_CHAIN },
        last: { index: 0n, term: 0n, chain: ZERO_CHAIN },
        retainedEntries: 0,
        retainedBytes: 0,
      });
    });

    test('CS-87 one job holds entries, records, position and vote, and survives', async () => {
      const place = makePlace();
      const before = await place.open();
      await before.write(applyingJob(1, 10));
      await before.write(job({ hardState: vote(2, 10), entries: entries(11, 12, 2) }));
      const identity = before.identity;
      await before.close();

      const after = await opened(place);
      expect(after.identity).toEqual(identity);
      expect(after.hardState).toEqual(vote(2, 10));
      expect(after.applied).toEqual(applied(10));
      const [, last] = entries(11, 12, 2);
      expect(after.bounds.last).toEqual({ index: 12n, term: 2n, chain: last?.chain });
      expect(after.bounds.retainedEntries).toBe(12);
      const stored = await after.entries(1n, 12n, 1_000_000);
      expect(stored).toEqual([...entries(1, 10), ...entries(11, 12, 2)]);
      const records = await listRecords(after);
      expect(records.map(({ key }) => new TextDecoder().decode(key))).toEqual([
        'k0',
        'k1',
        'k2',
        'k3',
        'k4',
        'k5',
        'k6',
      ]);
    });

    test('CS-81 a stored commit index below the applied one is raised at open', async () => {
      const place = makePlace();
      const before = await place.open();
      await before.write(applyingJob(1, 3));
      await before.close();
      const after = await opened(place);
      expect(after.hardState.commit).toBe(3n);
    });

    test('records can be replaced and deleted, also within one job', async () => {
      const storage = await opened(makePlace());
      const key = Uint8Array.of(7);
      const put = (value: number | undefined) => ({
        key,
        value: value === undefined ? undefined : Uint8Array.of(value),
      });
      const hardState = vote(1);
      await storage.write(
        job({ hardState, entries: [entry(1)], applied: applied(1), writes: [put(1), put(2)] }),
      );
      expect(await listRecords(storage)).toEqual([{ key, value: Uint8Array.of(2) }]);
      await storage.write(
        job({ entries: [entry(2)], applied: applied(2), writes: [put(3), put(undefined)] }),
      );
      expect(await listRecords(storage)).toEqual([]);
    });

    test('keys of any bytes, also none, keep byte order', async () => {
      const place = makePlace();
      const before = await place.open();
      const keys = [[], [0], [0, 0], [127], [128], [255], [255, 255]].map((it) =>
        Uint8Array.from(it),
      );
      const writes = keys.toReversed().map((key) => ({ key, value: key }));
      await before.write(
        job({ hardState: vote(1), entries: [entry(1)], applied: applied(1), writes }),
      );
      await before.close();
      const after = await opened(place);
      expect((await listRecords(after)).map(({ key }) => key)).toEqual(keys);
    });

    test('CS-103 a read of entries stops at its byte limit but gives at least one', async () => {
      const storage = await opened(makePlace());
      await storage.write(job({ hardState: vote(1), entries: entries(1, 9) }));
      expect(await storage.entries(4n, 9n, 1)).toEqual([entry(4)]);
      const some = await storage.entries(1n, 9n, 200);
      expect(some.length).toBeGreaterThan(1);
      expect(some.length).toBeLessThan(9);
      expect(await storage.entries(2n, 3n, 1_000_000)).toEqual(entries(2, 3));
    });

    test('CS-101 a purge moves the bounds and frees what it counted', async () => {
      const place = makePlace();
      const before = await place.open();
      await before.write(applyingJob(1, 20));
      const bytes = before.bounds.retainedBytes;
      await before.write(job({ purgeThrough: 15n }));
      await before.write({ ...applyingJob(21, 2), purgeThrough: 16n });
      expect(before.bounds.retainedEntries).toBe(6);
      expect(before.bounds.retainedBytes).toBeLessThan(bytes / 2);
      const { bounds } = before;
      await before.close();

      const after = await opened(place);
      expect(after.bounds).toEqual(bounds);
      expect(after.bounds.purged).toEqual({ index: 16n, term: 1n, chain: chainAt(16) });
      expect(await after.entries(17n, 22n, 1_000_000)).toEqual(entries(17, 22));
      await after.write(job({ purgeThrough: 22n }));
      expect(after.bounds).toMatchObject({ retainedEntries: 0, retainedBytes: 0 });
      await after.write(job({ entries: [entry(23)] }));
      expect(await after.entries(23n, 23n, 1)).toEqual([entry(23)]);
    });

    test('a job that breaks the log is a defect and is not written', async () => {
      const storage = await opened(makePlace());
      await storage.write(applyingJob(1, 3));
      const defects: StoreJob[] = [
        job({ entries: [entry(5)] }),
        job({ entries: [entry(4, 0)] }),
        job({ hardState: vote(0) }),
        job({ hardState: vote(1, 9) }),
        job({ entries: [entry(4, 2)] }),
        job({ applied: applied(9) }),
        job({ applied: applied(2) }),
        job({ writes: [{ key: Uint8Array.of(1), value: undefined }] }),
        job({ purgeThrough: 0n }),
        job({ purgeThrough: 4n }),
      ];
      for (const defect of defects) {
        await expect(storage.write(defect)).rejects.toThrow('invariant does not hold');
      }
      await storage.write(job({ entries: [entry(4)] }));
      expect(storage.bounds.last.index).toBe(4n);
    });

    test('only one owner at a time; the second is told so', async () => {
      const place = makePlace();
      const first = await place.open();
      await expectRaftError(place.open(), 'RAFT_STORAGE_LOCKED');
      await first.close();
      await (await place.open()).close();
    });

    test('CS-79 another cluster, node or store is refused, and so is an absent one', async () => {
      const place = makePlace();
      await expectRaftError(place.open({ storeId: 'ab'.repeat(16) }), 'RAFT_FOREIGN_STORE');
      const storage = await place.open();
      const { storeId } = storage.identity;
      await storage.close();
      await expectRaftError(place.open({ clusterId: 'c2' }), 'RAFT_FOREIGN_STORE');
      await expectRaftError(place.open({ nodeId: 'n2' }), 'RAFT_FOREIGN_STORE');
      await expectRaftError(place.open({ storeId: 'ab'.repeat(16) }), 'RAFT_FOREIGN_STORE');
      await (await place.open({ storeId })).close();
    });

    test('a closed store refuses writes and closes once', async () => {
      const storage = await opened(makePlace());
      await Promise.all([storage.close(), storage.close()]);
      await expectRaftError(storage.write(applyingJob(1, 1)), 'RAFT_CLOSED');
    });

    test('CS-127 the number of a process run is stored and only grows', async () => {
      const place = makePlace();
      const before = await place.open();
      expect(before.incarnation).toBe(0n);
      await before.write(job({ incarnation: 7n }));
      await before.write({ ...applyingJob(1, 3), clusterUid: CLUSTER_UID });
      await before.write(job({ purgeThrough: 2n, incarnation: 9n }));
      for (const incarnation of [0n, 8n, 9n]) {
        const write = before.write(job({ incarnation }));
        await expect(write).rejects.toThrow('invariant does not hold');
      }
      expect(before.incarnation).toBe(9n);
      await before.close();
      const after = await opened(place);
      expect(after).toMatchObject({ incarnation: 9n, clusterUid: CLUSTER_UID });
      await after.write(job({ incarnation: 2n ** 64n - 1n }));
      expect(after.incarnation).toBe(2n ** 64n - 1n);
    });

    failureTests(makePlace, opened);
    readsBesideWrites(makePlace, opened);
  });
}

/** What is read while a job is being written is what was there before it or is there after it. */
function readsBesideWrites(
  makePlace: () => StoragePlace,
  opened: (place: StoragePlace, opening?: StorageOpening) => Promise<LogStorage>,
): void {
  const cut = { truncateFrom: 8n, hardState: vote(2, 7), entries: entries(8, 9, 2) };
  const removals: readonly (readonly [string, Partial<StoreJob>])[] = [
    ['a purge', { purgeThrough: 5n }],
    ['a purge of everything applied', { purgeThrough: 7n }],
    ['a cut', { truncateFrom: 8n }],
    ['a cut with entries in its place', cut],
    ['a purge and a cut', { ...cut, purgeThrough: 5n }],
  ];
  // Entries of one write may be kept together, so that a removal takes a part of them.
  const cases = removals.flatMap(([name, parts]) =>
    [10, 4, 1].map((size) => [name, size, parts] as const),
  );
  test.each(cases)(
    'CS-101 a read that meets %s of entries written by %i finds no damage',
    async (...row) => {
      const [, size, parts] = row;
      const reads: { readonly from: number; readonly read: Promise<readonly Entry[]> }[] = [];
      let beside = (): Promise<void> => Promise.resolve();
      const isRemoved = (index: number): boolean =>
        index <= (parts.purgeThrough ?? 0n) || index >= (parts.truncateFrom ?? 11n);
      const readAll = async (): Promise<void> => {
        for (let from = 1; from <= 10; from += 1) {
          for (let through = from; through <= 10; through += 1) {
            const read = storage.entries(BigInt(from), BigInt(through), 1_000_000);
            const isTouched = isRemoved(from) || isRemoved(through);
            // Nobody waits for a write that removes nothing of what is read.
            if (isTouched) reads.push({ from, read });
            else expect(await read).toEqual(entries(from, through));
          }
        }
      };
      const storage = await opened(makePlace(), {
        intercept: async (_points, commit) => {
          await beside();
          await commit();
          await beside();
        },
      });
      for (let from = 1; from <= 10; from += size) {
        const through = Math.min(10, from + size - 1);
        await storage.write(job({ hardState: vote(1), entries: entries(from, through) }));
      }
      await storage.write(job({ applied: applied(7) }));
      beside = readAll;
      await storage.write(job(parts));
      beside = () => Promise.resolve();
      const first = Number(parts.purgeThrough ?? 0n) + 1;
      const before = entries(1, parts.truncateFrom === undefined ? 10 : 7);
      const after = [...before, ...(parts.entries ?? [])];
      expect(reads.length).toBeGreaterThan(50);
      for (const { from, read } of reads) {
        const found = await read;
        expect(found).toEqual(from < first ? [] : after.slice(from - 1, from - 1 + found.length));
        if (from >= first && from <= after.length) expect(found.length).toBeGreaterThan(0);
      }
    },
  );
}

function failureTests(
  makePlace: () => StoragePlace,
  opened: (place: StoragePlace, opening?: StorageOpening) => Promise<LogStorage>,
): void {
  test.each(['before', 'after'] as const)(
    'CS-77 a write that fails %s its commit latches the store',
    async (moment) => {
      const place = makePlace();
      let failures = 0;
      let commits = 0;
      const intercept: WriteInterceptor = async (points, commit) => {
        if (!points.includes('append')) return commit();
        if (moment === 'after') await commit();
        failures += 1;
        commits += moment === 'after' ? 1 : 0;
        throw new Error('no space left');
      };
      const storage = await place.open({ intercept });
      const failed = await expectRaftError(storage.write(applyingJob(1, 1)), 'RAFT_STORAGE_FAILED');
      expect(failed).toMatchObject({ details: { isUncertain: true } });
      expect(failed.message).toContain('consensus storage');
      const later = await expectRaftError(storage.write(applyingJob(1, 1)), 'RAFT_STORAGE_FAILED');
      expect(later).toMatchObject({ details: { isUncertain: false } });
      expect(failures).toBe(1);
      expect(storage.bounds.last.index).toBe(0n);
      expect(storage.applied.index).toBe(0n);
      expect(storage.hardState.term).toBe(0n);
      await storage.close();
      // Only a new open tells whether the write is there, and then all of it is.
      const after = await opened(place);
      expect(after.bounds.last.index).toBe(BigInt(commits));
      expect(after.applied.index).toBe(BigInt(commits));
      expect(await listRecords(after)).toHaveLength(commits);
    },
  );

  test('CS-320 every write names what it consists of', async () => {
    const seen: (readonly WritePoint[])[] = [];
    const intercept: WriteInterceptor = (points, commit) => {
      if (!points.includes('anchor') && !points.includes('format')) seen.push(points);
      return commit();
    };
    const storage = await opened(makePlace(), { intercept });
    await storage.write(job({ hardState: vote(1) }));
    await storage.write(applyingJob(1, 2));
    await storage.write(job({ hardState: vote(1, 2), entries: [entry(3)], purgeThrough: 1n }));
    expect(seen).toEqual([['vote'], ['append', 'apply'], ['append', 'purge']]);
  });
}
