import { hash } from 'node:crypto';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { LogStorage, WriteInterceptor, WritePoint } from '../../src/storage/log-storage.ts';
import { expectRaftError, listRecords, type StoragePlace } from './log-storage-suite.ts';
import {
  applied,
  applyingJob,
  CLUSTER_UID,
  chainAt,
  configuration,
  configurationEntry,
  entries,
  entriesBehind,
  job,
  vote,
} from './store-jobs.ts';

import {
  build,
  FIRST,
  finish,
  found,
  founded,
  readSections,
  receive,
  record,
} from './store-snapshots.ts';

/** What has to be equal in two stores with the same state. */
export async function stateOf(storage: LogStorage): Promise<object> {
  const { applied: position, stateProof } = storage;
  const records = await listRecords(storage);
  return { position, stateProof, records: records.map(({ key, value }) => digestOf(key, value)) };
}

/** Comparing megabytes byte by byte is slow. */
function digestOf(...parts: readonly Uint8Array[]): string {
  return parts.map((part) => hash('sha256', part)).join(' ');
}

const MEBIBYTE = 1_024 * 1_024;
const LARGE = [record('a', 5 * MEBIBYTE), record('bb', 5 * MEBIBYTE), record('ccc', 100)];

/** What every store owes its caller about snapshots. */
export function snapshotSuite(name: string, makePlace: () => StoragePlace): void {
  const opened = async (place = makePlace(), intercept?: WriteInterceptor) => {
    const storage = await place.open(intercept === undefined ? {} : { intercept });
    onTestFinished(() => storage.close());
    return storage;
  };

  describe(`${name}: snapshots`, () => {
    test('CS-110 CS-111 a snapshot holds what was there when it was begun', async () => {
      const place = makePlace();
      const storage = await opened(place);
      await found(storage, 5, LARGE);
      const { stateProof } = storage;
      const making = storage.buildSnapshot(FIRST);
      const later = entriesBehind(founded(5)[4]!.chain, 6, 6);
      await storage.write(
        job({ entries: later, applied: applied(6), writes: [record('a', 1), record('d', 7)] }),
      );
      expect((await making.step()).kind).toBe('section');
      expect(storage.snapshot).toBe(undefined);
      expect((await making.step()).kind).toBe('section');
      const last = await making.step();
      if (last.kind !== 'complete') throw new Error('the snapshot has two sections');
      const { manifest } = last;
      expect(manifest).toMatchObject({ index: 5n, term: 1n, revision: 5n, ...stateProof });
      expect(manifest).toMatchObject({ configurationIndex: 1n, chain: founded(5)[4]?.chain });
      expect(storage.snapshot).toEqual(manifest);
      const sections = await readSections(storage, manifest);
      expect(sections.reduce((sum, { length }) => sum + length, 0)).toBe(manifest.bytes);
      await storage.close();
      const after = await opened(place);
      expect(after.snapshot).toEqual(manifest);
      expect(digestOf(...(await readSections(after, manifest)))).toBe(digestOf(...sections));
    });

    test('CS-111 an abandoned or interrupted snapshot changes nothing', async () => {
      const place = makePlace();
      const storage = await opened(place);
      await found(storage, 3, LARGE);
      const first = await build(storage);
      const making = storage.buildSnapshot(FIRST);
      await making.step();
      making.abandon();
      making.abandon();
      const interrupted = storage.buildSnapshot(FIRST);
      await interrupted.step();
      await storage.close();
      const after = await opened(place);
      expect(after.snapshot).toEqual(first);
      expect(await readSections(after, first)).toHaveLength(2);
      const second = await build(after);
      expect(second.generation).not.toBe(first.generation);
    });

    test('CS-112 the newest snapshot and one pinned older one can be read', async () => {
      const storage = await opened();
      await found(storage, 3, [record('a', 10)]);
      const first = await build(storage);
      const unpin = storage.pinSnapshot(first.generation);
      const second = await build(storage);
      expect(await readSections(storage, first)).toHaveLength(1);
      const unpinSecond = storage.pinSnapshot(second.generation);
      const third = await build(storage);
      await expectRaftError(readSections(storage, first), 'RAFT_SNAPSHOT_GONE');
      expect(await readSections(storage, second)).toHaveLength(1);
      unpin();
      unpinSecond();
      unpinSecond();
      await expectRaftError(readSections(storage, second), 'RAFT_SNAPSHOT_GONE');
      expect(await readSections(storage, third)).toHaveLength(1);
      await expectRaftError(storage.snapshotSection(third.generation, 1), 'RAFT_SNAPSHOT_GONE');
    });

    test('CS-113 CS-114 what does not fit the manifest is refused without harm', async () => {
      const from = await opened();
      await found(from, 4, LARGE);
      const manifest = await build(from);
      const [first, second] = await readSections(from, manifest);
      const to = await opened();
      const receipt = to.receiveSnapshot(manifest);
      await expectRaftError(receipt.section(second!), 'RAFT_SNAPSHOT_INVALID');
      await receipt.section(first!);
      const changed = second!.map((byte, i) => (i === 9 ? byte ^ 1 : byte));
      await expectRaftError(receipt.section(changed), 'RAFT_SNAPSHOT_INVALID');
      await receipt.section(second!);
      const lying = { ...manifest, stateDigest: manifest.stateDigest + 1n };
      const other = to.receiveSnapshot(lying);
      await other.section(first!);
      await expectRaftError(other.section(second!), 'RAFT_SNAPSHOT_INVALID');
      // All sections were seen and the last one did not pass: there is nothing to install.
      expect(() => to.installSnapshot(other)).toThrow('all sections were received');
      expect(() => to.receiveSnapshot({ ...manifest, sections: [] })).toThrow('not usable');
      await to.write(job({ hardState: vote(1) }));
    });

    test('CS-113 a snapshot begins to arrive while something is written', async () => {
      const from = await opened();
      await found(from, 4, LARGE);
      const manifest = await build(from);
      const to = await opened();
      const writing = to.write(job({ hardState: vote(1) }));
      const given = to.receiveSnapshot(manifest);
      const receipt = to.receiveSnapshot(manifest);
      given.abandon();
      await writing;
      for (const section of await readSections(from, manifest)) await receipt.section(section);
      await finish(to.installSnapshot(receipt));
      expect(await stateOf(to)).toEqual(await stateOf(from));
    });

    test('CS-115 an installed snapshot replaces state, log and configurations', async () => {
      const from = await opened();
      await found(from, 9, LARGE, 2);
      await build(from);
      const place = makePlace();
      const to = await opened(place);
      await to.write({ ...applyingJob(1, 3), hardState: vote(2) });
      const stray = configurationEntry(chainAt(3), 4, configuration('n7'));
      await to.write(
        job({
          entries: [stray, ...entriesBehind(stray.chain, 5, 20)],
          configurations: [{ index: 4n, configuration: configuration('n7') }],
        }),
      );
      const receipt = await receive(from, to);
      const longer = from.snapshot!;
      await finish(to.installSnapshot(receipt));
      const check = async (storage: LogStorage): Promise<void> => {
        expect(await stateOf(storage)).toEqual(await stateOf(from));
        const { index, term, chain } = longer;
        expect(storage.bounds.purged).toEqual({ index, term, chain });
        expect(storage.bounds.retainedEntries).toBe(0);
        expect(storage.configurations).toEqual([FIRST]);
        expect(storage.clusterUid).toBe(CLUSTER_UID);
        expect(storage.hardState.commit).toBe(9n);
        expect(storage.snapshot?.index).toBe(9n);
        expect(await readSections(storage, storage.snapshot!)).toHaveLength(2);
      };
      await check(to);
      await to.close();
      const after = await opened(place);
      await check(after);
      const next = entriesBehind(longer.chain, 10, 15, 2);
      await after.write(job({ entries: next }));
      await after.write(job({ hardState: vote(3, 9) }));
      expect(await after.entries(10n, 15n, 1e6)).toEqual(next);
      const again = await reopened(place, after);
      expect(await again.entries(10n, 15n, 1e6)).toEqual(next);
      expect(again.bounds.retainedEntries).toBe(6);
    });

    test('CS-115 a log that goes on from the snapshot keeps what is behind it', async () => {
      const from = await opened();
      await found(from, 6, [record('k', 3)]);
      await build(from);
      const place = makePlace();
      const to = await opened(place);
      const log = founded(9);
      const added = configurationEntry(log[8]!.chain, 10, configuration('n1', 'n2'));
      const second = { index: 10n, configuration: configuration('n1', 'n2') };
      await to.write(
        job({
          hardState: vote(1),
          entries: [...log, added],
          configurations: [FIRST, second],
        }),
      );
      await finish(to.installSnapshot(await receive(from, to)));
      for (const storage of [to, await reopened(place, to)]) {
        expect(storage.bounds.purged.index).toBe(6n);
        expect(storage.bounds.last).toMatchObject({ index: 10n, chain: added.chain });
        expect(storage.configurations).toEqual([FIRST, second]);
        expect([...storage.headers()].map(({ index }) => index)).toEqual([7n, 8n, 9n, 10n]);
      }
    });

    test('CS-83 CS-320 CS-323 an installation interrupted anywhere is finished', async () => {
      const from = await opened();
      const many = Array.from({ length: 20 }, (_, i) => record(`r${i}`.padEnd(6), i));
      await found(from, 5, [...LARGE, ...many]);
      await build(from);
      const wanted = await stateOf(from);
      let writes = 0;
      let isWhole = false;
      let fatal = 0;
      while (!isWhole) {
        fatal += 1;
        for (const moment of ['before', 'after'] as const) {
          writes = 0;
          const place = makePlace();
          const intercept: WriteInterceptor = async (points, commit) => {
            if (!points.some((it) => /^(snap-m|install)/.test(it))) return commit();
            writes += 1;
            const isFatal = writes === fatal;
            if (!isFatal || moment === 'after') await commit();
            if (isFatal) throw new Error('power lost');
          };
          const to = await opened(place, intercept);
          await to.write({ ...applyingJob(1, 2), hardState: vote(1) });
          const install = to.installSnapshot(await receive(from, to));
          const ended = await finish(install).then(
            () => true,
            () => false,
          );
          expect(ended).toBe(writes < fatal);
          isWhole = ended;
          const isMarked = ended || fatal > 1 || moment === 'after';
          const after = await reopened(place, to);
          if (isMarked) expect(await stateOf(after)).toEqual(wanted);
          else expect(after.applied.index).toBe(2n);
          await after.write(job({ hardState: vote(3, Number(after.hardState.commit)) }));
        }
      }
      expect(fatal).toBeGreaterThan(5);
    });

    test('CS-320 each write of a snapshot has its name', async () => {
      const seen: WritePoint[] = [];
      const intercept: WriteInterceptor = (points, commit) => {
        seen.push(...points.filter((it) => it !== 'anchor'));
        return commit();
      };
      const from = await opened(makePlace(), intercept);
      await found(from, 3, [record('k', 3)]);
      await build(from);
      const to = await opened(makePlace(), intercept);
      await to.write({ ...applyingJob(1, 1), hardState: vote(1) });
      seen.length = 0;
      await finish(to.installSnapshot(await receive(from, to)));
      expect(seen).toEqual([
        'snap-section',
        'snap-marker',
        'install-clear',
        'install-section',
        'install-finish',
      ]);
    });

    test('a snapshot of no records can be built and installed', async () => {
      const from = await opened();
      await found(from, 2);
      expect(await build(from)).toMatchObject({ sections: [], bytes: 0, recordCount: 0n });
      const to = await opened();
      await to.write({ ...applyingJob(1, 1), hardState: vote(1) });
      await finish(to.installSnapshot(await receive(from, to)));
      expect(await listRecords(to)).toEqual([]);
      expect(to.stateProof).toEqual({ stateDigest: 0n, recordCount: 0n });
    });
  });

  describe(`${name}: log`, () => {
    test('CS-352 CS-74 a cut of many entries and what replaces it are durable', async () => {
      const place = makePlace();
      const storage = await opened(place);
      await storage.write(job({ hardState: vote(1), entries: entries(1, 5_000) }));
      await storage.write(job({ entries: entries(5_001, 10_000) }));
      const better = entriesBehind(chainAt(99), 100, 105, 3);
      await storage.write(job({ truncateFrom: 100n, hardState: vote(3), entries: better }));
      const check = async (it: LogStorage): Promise<void> => {
        expect(it.bounds.last).toMatchObject({ index: 105n, term: 3n, chain: better[5]?.chain });
        expect(it.bounds.retainedEntries).toBe(105);
        expect(await it.entries(99n, 105n, 1e6)).toEqual([...entries(99, 99), ...better]);
        const headers = [...it.headers()];
        expect(headers).toHaveLength(105);
        expect(headers.at(-1)).toMatchObject({ index: 105n, bytes: 11 });
      };
      await check(storage);
      await check(await reopened(place, storage));
    });

    test('configurations follow cuts and purges, and survive', async () => {
      const place = makePlace();
      const storage = await opened(place);
      await found(storage, 4);
      const tail = founded(4)[3]!.chain;
      const two = configuration('n1', 'n2');
      const three = configuration('n1', 'n2', 'n3');
      const fifth = configurationEntry(tail, 5, two);
      const sixth = configurationEntry(fifth.chain, 6, three);
      await storage.write(
        job({
          entries: [fifth, sixth],
          configurations: [
            { index: 5n, configuration: two },
            { index: 6n, configuration: three },
          ],
        }),
      );
      await storage.write(job({ truncateFrom: 6n }));
      const kept = [FIRST, { index: 5n, configuration: two }];
      expect(storage.configurations).toEqual(kept);
      await storage.write(job({ purgeThrough: 3n }));
      expect(storage.configurations).toEqual(kept);
      const again = await reopened(place, storage);
      expect(again.configurations).toEqual(kept);
      await again.write(job({ applied: applied(5), hardState: vote(1, 5) }));
      await again.write(job({ purgeThrough: 5n }));
      const last = await reopened(place, again);
      expect(last.configurations).toEqual([{ index: 5n, configuration: two }]);
      expect(last.applied.index).toBe(5n);
    });

    test('CS-348 the cluster of a store is taken over once and never changes', async () => {
      const place = makePlace();
      const storage = await opened(place);
      expect(storage.clusterUid).toBe(undefined);
      await storage.write(job({ clusterUid: CLUSTER_UID }));
      await storage.write(job({ clusterUid: CLUSTER_UID }));
      expect(storage.clusterUid).toBe(CLUSTER_UID);
      const other = job({ clusterUid: '12'.repeat(16) });
      await expect(storage.write(other)).rejects.toThrow('never changes');
      expect((await reopened(place, storage)).clusterUid).toBe(CLUSTER_UID);
    });

    test('a cut of what is committed, or a configuration without entry, is a defect', async () => {
      const storage = await opened();
      await found(storage, 4);
      const tail = entriesBehind(founded(4)[3]!.chain, 5, 6);
      await storage.write(job({ entries: tail }));
      const record = { index: 7n, configuration: configuration('n2') };
      const stray = configurationEntry(tail[1]!.chain, 7, record.configuration);
      const defects = [
        job({ truncateFrom: 4n }),
        job({ truncateFrom: 9n }),
        job({ configurations: [record] }),
        job({ entries: [stray] }),
        job({ entries: [{ ...stray, chain: new Uint8Array(3) }], configurations: [record] }),
        job({ entries: [stray], configurations: [FIRST] }),
      ];
      for (const defect of defects) {
        await expect(storage.write(defect)).rejects.toThrow('invariant does not hold');
      }
      await storage.write(job({ entries: [stray], configurations: [record] }));
    });
  });

  async function reopened(place: StoragePlace, before: LogStorage): Promise<LogStorage> {
    await before.close();
    return opened(place);
  }
}
