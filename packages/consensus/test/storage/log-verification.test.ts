import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { RaftError } from '../../src/errors.ts';
import { LOG_START } from '../../src/raft/entry.ts';
import { entryKey, HARD_STATE_KEY } from '../../src/storage/level-keys.ts';
import { LevelLogStorage } from '../../src/storage/level-log-storage.ts';
import { StoreReader } from '../../src/storage/level-reader.ts';
import { recoverStore } from '../../src/storage/level-recovery.ts';
import { LogVerification } from '../../src/storage/log-verification.ts';
import { patched, type RawDatabase, withDatabase } from '../support/raw-database.ts';
import { chainAt, configurationEntry, entryBehind, job, vote } from '../support/store-jobs.ts';
import { FIRST, founded } from '../support/store-snapshots.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const ASIDE = 0n;
const ALONE = 10n ** 9n;
/** Offset of the payload in a stored value, of its chain value, and of its kind. */
const [PAYLOAD, CHAIN, KIND] = [43, 23, 22];

/** A closed store of 60 entries: a configuration, plain ones, some larger than a parcel. */
async function makeStore(): Promise<string> {
  const directory = path.join(temporaryDirectory(), 'consensus');
  const storage = await LevelLogStorage.open({ directory, clusterId: 'c1', nodeId: 'n1' });
  const entries = founded(50);
  let chain = entries.at(-1)!.chain;
  for (let index = 51; index <= 59; index += 1) {
    const payload = index % 3 === 0 ? 'x'.repeat(1_500_000) : 'y'.repeat(70_000);
    const entry = entryBehind(chain, index, 2, payload);
    chain = entry.chain;
    entries.push(entry);
  }
  const second = configurationEntry(chain, 60, FIRST.configuration, 2);
  const configurations = [FIRST, { index: 60n, configuration: FIRST.configuration }];
  await storage.write(job({ hardState: vote(2), entries: [...entries, second], configurations }));
  await storage.close();
  return directory;
}

/** What an opening finds: bounds and headers of the log, or the error. */
async function findingOf(directory: string, asideMin: bigint): Promise<unknown> {
  return withDatabase(directory, async (database) => {
    const reader = new StoreReader(database, directory);
    try {
      const { content } = await recoverStore(reader, asideMin);
      const { log, configurations } = content;
      return { bounds: log.bounds, headers: [...log.headers()], configurations };
    } catch (error) {
      if (!(error instanceof RaftError)) throw error;
      return { code: error.code, details: error.details };
    }
  });
}

type Change = (database: RawDatabase) => Promise<void>;

function changed(
  index: bigint,
  change: (key: Uint8Array, value: Uint8Array) => Uint8Array,
): Change {
  const key = entryKey(index);
  return async (database) => database.put(key, change(key, (await database.get(key))!));
}

const DAMAGES: readonly (readonly [string, Change])[] = [
  [
    'a changed payload',
    changed(20n, (_, it) => it.map((byte, i) => (i === PAYLOAD ? byte ^ 1 : byte))),
  ],
  [
    'a changed payload of a large entry',
    changed(54n, (_, it) => it.map((byte, i) => (i === 999_999 ? byte ^ 1 : byte))),
  ],
  [
    'a changed last entry',
    changed(60n, (_, it) => it.map((byte, i) => (i === PAYLOAD ? byte ^ 1 : byte))),
  ],
  [
    'a valid entry with another payload',
    changed(20n, (key, it) => patched(key, it, PAYLOAD, Uint8Array.of(1))),
  ],
  [
    'a valid entry with another chain value',
    changed(20n, (key, it) => patched(key, it, CHAIN, Uint8Array.of(1))),
  ],
  [
    'a valid entry of an older term',
    changed(58n, (key, it) => patched(key, it, 13, Uint8Array.of(1))),
  ],
  [
    'a valid entry of an unknown kind',
    changed(20n, (key, it) => patched(key, it, KIND, Uint8Array.of(9))),
  ],
  [
    'a valid entry of another index',
    changed(20n, (key, it) => patched(key, it, 21, Uint8Array.of(9))),
  ],
  ['an entry that is too short', changed(20n, (_, it) => it.slice(0, 30))],
  ['a missing entry', (database) => database.del(entryKey(20n))],
  ['a key too much', (database) => database.put(Uint8Array.of(...entryKey(20n), 1), chainAt(1))],
  ['damage elsewhere', (database) => database.put(HARD_STATE_KEY, Uint8Array.of(1))],
];

test('CS-80 a log that is verified in another thread is found as it is without', async () => {
  const directory = await makeStore();
  const alone = await findingOf(directory, ALONE);
  expect(alone).toMatchObject({ bounds: { last: { index: 60n } } });
  expect(await findingOf(directory, ASIDE)).toEqual(alone);
});

test.each(DAMAGES)(
  'CS-80 CS-84 CS-350 another thread finds the same fault: %s',
  async (_, damage) => {
    const directory = await makeStore();
    await withDatabase(directory, damage);
    const alone = await findingOf(directory, ALONE);
    expect(alone).toMatchObject({ code: 'RAFT_STORAGE_CORRUPT' });
    expect(await findingOf(directory, ASIDE)).toEqual(alone);
  },
);

test('CS-80 CS-350 a thread passes whole entries, also large ones, and no damaged one', async () => {
  const directory = await makeStore();
  const range = { gte: entryKey(1n), lte: entryKey(60n) };
  const values = await withDatabase(directory, (database) => database.values(range).all());
  for (const damaged of [undefined, 0, 30, 53, 59]) {
    const verification = new LogVerification(LOG_START);
    for (const [at, value] of values.entries()) {
      const bytes = new Uint8Array(value);
      if (at === damaged) bytes[PAYLOAD] = (bytes[PAYLOAD] ?? 0) ^ 1;
      verification.push(bytes);
      await verification.room();
    }
    expect(await verification.finish(), `damaged ${damaged}`).toBe(damaged === undefined);
  }
});

test('CS-80 a thread that ended early has verified nothing', async () => {
  const verification = new LogVerification(LOG_START);
  onTestFinished(() => verification.abandon());
  await verification.abandon();
  verification.push(new Uint8Array(100));
  await verification.room();
  expect(await verification.finish()).toBe(false);
});
