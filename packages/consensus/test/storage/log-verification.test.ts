import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { RaftError } from '../../src/errors.ts';
import { type ChainedPosition, type Entry, LOG_START } from '../../src/raft/entry.ts';
import { FIRST_LEVELS } from '../../src/raft/feature-levels.ts';
import { LevelFeed } from '../../src/storage/level-feed.ts';
import { blockKey, POSITIONS_KEY, placeInKey } from '../../src/storage/level-keys.ts';
import { LevelLogStorage } from '../../src/storage/level-log-storage.ts';
import { StoreReader } from '../../src/storage/level-reader.ts';
import { recoverStore } from '../../src/storage/level-recovery.ts';
import { BlockCursor } from '../../src/storage/log-block.ts';
import { LogVerification } from '../../src/storage/log-verification.ts';
import { decodePositions, encodePositions } from '../../src/storage/position-codec.ts';
import {
  decodeRecord,
  encodeRecord,
  FRAME_HEAD_BYTES,
  RECORD_KIND,
} from '../../src/storage/record-frame.ts';
import { patched, type RawDatabase, withDatabase } from '../support/raw-database.ts';
import {
  applied,
  chainAt,
  configurationEntry,
  entries,
  entryBehind,
  job,
  vote,
} from '../support/store-jobs.ts';
import { FIRST, founded } from '../support/store-snapshots.ts';
import { BLOCKS, blockStarts, entriesOf, storedBlock } from '../support/stored-blocks.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const ASIDE = 0n;
const ALONE = 10n ** 9n;
/** Offsets of the parts of an entry in a block. */
const [TERM, KIND, CHAIN, LENGTH, PAYLOAD] = [0, 8, 9, 25, 29];
/** First entries of the blocks of the store. */
const STARTS = [1n, 11n, 31n, 32n, 51n, 52n, 54n, 55n, 57n, 58n];
/** What of the log is purged. */
const PURGED = 3n;

/** Entries 1 to 60: a configuration, plain ones, one larger than a parcel, a configuration. */
function makeLog(): readonly Entry[] {
  const log = founded(50);
  let chain = log.at(-1)!.chain;
  for (let index = 51; index <= 59; index += 1) {
    const large = index === 54 ? 'x'.repeat(1_500_000) : 'x'.repeat(250_000);
    const payload = index % 3 === 0 ? large : 'y'.repeat(70_000);
    const entry = entryBehind(chain, index, 2, payload);
    chain = entry.chain;
    log.push(entry);
  }
  return [...log, configurationEntry(chain, 60, FIRST.configuration, 2)];
}

const LOG = makeLog();

/** A closed store with this log, written in portions, that begins in the middle of a block. */
async function makeStore(): Promise<string> {
  const directory = path.join(temporaryDirectory(), 'consensus');
  const storage = await LevelLogStorage.open({ directory, clusterId: 'c1', nodeId: 'n1' });
  const write = (from: number, through: number, index?: bigint): Promise<void> => {
    const introduced = index === undefined ? [] : [{ ...FIRST, index }];
    const part = LOG.slice(from - 1, through);
    return storage.write(job({ hardState: vote(2), entries: part, configurations: introduced }));
  };
  await write(1, 10, 1n);
  await write(11, 30);
  await write(31, 31);
  await write(32, 50);
  await write(51, 60, 60n);
  await storage.write(job({ hardState: vote(2, 5), applied: applied(5) }));
  await storage.write(job({ purgeThrough: PURGED }));
  await storage.close();
  expect(await withDatabase(directory, blockStarts)).toEqual(STARTS);
  return directory;
}

/** What an opening finds: bounds and headers of the log, or the error. */
async function findingOf(directory: string, asideMin: bigint): Promise<unknown> {
  return withDatabase(directory, async (database) => {
    const reader = new StoreReader(database, directory, new LevelFeed(directory, database));
    try {
      const { content } = await recoverStore(reader, FIRST_LEVELS, asideMin);
      const { log, configurations } = content;
      return { bounds: log.bounds, headers: [...log.headers()], configurations };
    } catch (error) {
      if (!(error instanceof RaftError)) throw error;
      return { code: error.code, details: error.details };
    }
  });
}

type Change = (database: RawDatabase) => Promise<void>;

/** Replaces the value of the block that begins with an entry. */
function changed(
  first: bigint,
  change: (key: Uint8Array, value: Uint8Array) => Uint8Array,
): Change {
  const key = blockKey({ epoch: 0, first });
  return async (database) => database.put(key, change(key, (await database.get(key))!));
}

/** Where in its block's value a part of the entry at `index` lies. */
function placeOf(first: bigint, value: Uint8Array, index: bigint, part: number): number {
  const cursor = new BlockCursor(value.subarray(FRAME_HEAD_BYTES, value.length - 4), first);
  while (cursor.next()) if (cursor.index === index) return FRAME_HEAD_BYTES + cursor.offset + part;
  throw new Error(`no entry ${index} in the block`);
}

/** Changes one bit of an entry, and with `isValid` the checksum of its block as well. */
function flipped(first: bigint, index: bigint, part: number, isValid = false): Change {
  return changed(first, (key, value) => {
    const at = placeOf(first, value, index, part);
    const byte = (value[at] ?? 0) ^ 1;
    return isValid
      ? patched(key, value, at, Uint8Array.of(byte))
      : value.map((it, i) => (i === at ? byte : it));
  });
}

/** Puts these entries of the log into a block, whatever they are. */
function replaced(first: bigint, indexes: readonly number[], epoch = 0): Change {
  const chosen = indexes.map((index) => LOG[index - 1]!);
  const { key, value } = storedBlock(chosen, { epoch, first });
  return (database) => database.put(key, value);
}

const removed = (first: bigint): Change => {
  return (database) => database.del(blockKey({ epoch: 0, first }));
};

const range = (from: number, through: number): number[] =>
  Array.from({ length: through - from + 1 }, (_, i) => from + i);

const DAMAGES: readonly (readonly [string, Change])[] = [
  ['a changed payload', flipped(11n, 20n, PAYLOAD)],
  ['a changed payload of a large entry', flipped(54n, 54n, PAYLOAD + 999_999)],
  ['a changed payload of the only entry of a block', flipped(31n, 31n, PAYLOAD)],
  ['a changed first entry', flipped(1n, 4n, PAYLOAD)],
  ['a changed last entry', flipped(58n, 60n, PAYLOAD)],
  ['a changed entry that is purged', flipped(1n, 2n, PAYLOAD)],
  [
    'a changed block that is purged as a whole',
    async (database) => {
      await replaced(1n, range(1, 3))(database);
      await replaced(4n, range(4, 10))(database);
      await flipped(1n, 2n, PAYLOAD)(database);
    },
  ],
  ['a valid block with another payload', flipped(11n, 20n, PAYLOAD, true)],
  ['a valid block with another payload at its end', flipped(11n, 30n, PAYLOAD, true)],
  ['a valid block with another chain value', flipped(11n, 20n, CHAIN, true)],
  ['a valid block with another chain value at its start', flipped(32n, 32n, CHAIN, true)],
  ['a valid block with another last chain value', flipped(58n, 60n, CHAIN, true)],
  [
    'a valid block with an older term',
    changed(58n, (key, it) => patched(key, it, placeOf(58n, it, 59n, TERM + 7), Uint8Array.of(1))),
  ],
  ['a valid block with a newer term', flipped(11n, 20n, TERM + 6, true)],
  ['a valid block with another kind', flipped(11n, 20n, KIND, true)],
  [
    'a valid block with an unknown kind',
    changed(11n, (key, it) => patched(key, it, placeOf(11n, it, 20n, KIND), Uint8Array.of(9))),
  ],
  ['a valid block with another length of an entry', flipped(11n, 20n, LENGTH + 3, true)],
  ['a valid block with a far too great length', flipped(11n, 20n, LENGTH, true)],
  ['a block that is too short', changed(11n, (_, it) => it.slice(0, 300))],
  ['a block without its frame', changed(11n, (_, it) => it.slice(0, 5))],
  [
    'a valid block without entries',
    changed(11n, (key) => encodeRecord(RECORD_KIND.block, key, new Uint8Array(), 1)),
  ],
  ['a record of another kind', changed(11n, (key, it) => patched(key, it, 0, Uint8Array.of(5)))],
  ['a block that ends early', replaced(11n, range(11, 29))],
  ['the last block that ends early', replaced(58n, range(58, 59))],
  ['a block that ends late', replaced(11n, range(11, 31))],
  ['a block in which an entry is missing', replaced(11n, [...range(11, 19), ...range(21, 30)])],
  ['a block in which an entry is twice', replaced(11n, [...range(11, 20), ...range(20, 30)])],
  ['a block in another order', replaced(11n, [...range(11, 18), 20, 19, ...range(21, 30)])],
  ['a block of other entries', replaced(31n, [30])],
  ['a missing block', removed(11n)],
  ['a missing block of one entry', removed(31n)],
  ['a missing first block', removed(1n)],
  ['a missing last block', removed(58n)],
  ['a first block that begins behind the purge', replaced(5n, range(5, 10))],
  ['a block that is there again inside another', replaced(15n, [15])],
  ['a block that is there again at the end of another', replaced(50n, [50])],
  ['a block behind the end', replaced(61n, [60])],
  ['a block of a later log', replaced(11n, range(11, 30), 1)],
  ['a block of a later log behind the end', replaced(61n, [60], 7)],
  [
    'a key too much',
    (database) => database.put(Uint8Array.of(...blockKey({ epoch: 0, first: 20n }), 1), chainAt(1)),
  ],
  ['damage elsewhere', (database) => database.put(POSITIONS_KEY, Uint8Array.of(1))],
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

test('CS-80 CS-115 another thread finds the same log between what is no part of it', async () => {
  const directory = await makeStore();
  const alone = await findingOf(directory, ALONE);
  const later = async (database: RawDatabase): Promise<void> => {
    // A log of the second epoch, and blocks of the first before and behind its range.
    const payload = await unframed(database, POSITIONS_KEY);
    const positions = decodePositions(payload);
    const moved = { ...positions, bounds: { ...positions.bounds, epoch: 1 } };
    const bytes = Uint8Array.of(...encodePositions(moved, moved.head), ...moved.head.digest);
    await database.put(POSITIONS_KEY, encodeRecord(RECORD_KIND.positions, POSITIONS_KEY, bytes, 1));
    for (const [key, value] of await database.iterator(BLOCKS).all()) {
      const block = storedBlock(entriesOf({ key, value }), { epoch: 1 });
      await database.put(block.key, block.value);
    }
    await replaced(2n ** 40n, range(31, 50))(database);
    await replaced(1n, [2, 1], 0)(database);
    await removed(31n)(database);
    // Blocks that have left the second log by themselves.
    for (const index of [1, 2, 3]) await replaced(BigInt(index), [index], 1)(database);
    await replaced(4n, range(4, 10), 1)(database);
  };
  await withDatabase(directory, later);
  expect(await findingOf(directory, ALONE)).toEqual(alone);
  expect(await findingOf(directory, ASIDE)).toEqual(alone);
  const storage = await LevelLogStorage.open({ directory, clusterId: 'c1', nodeId: 'n1' });
  const first = PURGED + 1n;
  expect(await storage.entries(first, 60n, Number.MAX_SAFE_INTEGER)).toEqual(
    LOG.slice(Number(PURGED)),
  );
  await storage.write(job({}));
  await storage.close();
  const keys = await withDatabase(directory, (database) => database.keys(BLOCKS).all());
  const places = keys.map((key) => placeInKey(key)!);
  expect(places).toEqual([first, ...STARTS.slice(1)].map((start) => ({ epoch: 1, first: start })));
});

async function unframed(database: RawDatabase, key: Uint8Array): Promise<Uint8Array> {
  return decodeRecord(RECORD_KIND.positions, key, (await database.get(key))!, 1);
}

test('CS-80 CS-350 a thread passes whole blocks, also large ones, and no damaged one', async () => {
  const directory = await makeStore();
  const blocks = await withDatabase(directory, (database) => database.iterator(BLOCKS).all());
  const start = { level: 1, epoch: 0, purged: purgedAt(PURGED) };
  for (const damaged of [undefined, 0, 2, 6, 9]) {
    const verification = new LogVerification(start);
    for (const [at, [key, value]] of blocks.entries()) {
      const { first } = placeInKey(key)!;
      const bytes = new Uint8Array(value);
      if (at === damaged) {
        const last = entriesOf({ key, value }).at(-1)!;
        const place = placeOf(first, bytes, last.index, PAYLOAD);
        bytes[place] = (bytes[place] ?? 0) ^ 1;
      }
      verification.push(first, bytes);
      await verification.room();
    }
    expect(await verification.finish(), `damaged ${damaged}`).toBe(damaged === undefined);
  }
});

test('CS-80 CS-350 a thread passes no block of another log or behind another start', async () => {
  const log = entries(1, 9);
  const cases = [
    [{ epoch: 2, purged: LOG_START }, storedBlock(log, { epoch: 2 }), true],
    [{ epoch: 1, purged: LOG_START }, storedBlock(log, { epoch: 2 }), false],
    [{ epoch: 0, purged: purgedIn(log, 4) }, storedBlock(log), true],
    [{ epoch: 0, purged: { ...purgedIn(log, 4), chain: chainAt(3) } }, storedBlock(log), false],
    [{ epoch: 0, purged: { ...purgedIn(log, 4), term: 2n } }, storedBlock(log), false],
  ] as const;
  for (const [start, { value }, isWhole] of cases) {
    const verification = new LogVerification({ ...start, level: 1 });
    verification.push(1n, value);
    expect(await verification.finish()).toBe(isWhole);
  }
});

test('CS-80 a thread that ended early has verified nothing', async () => {
  const verification = new LogVerification({ level: 1, epoch: 0, purged: LOG_START });
  onTestFinished(() => verification.abandon());
  await verification.abandon();
  verification.push(1n, new Uint8Array(100));
  await verification.room();
  expect(await verification.finish()).toBe(false);
});

function purgedAt(index: bigint): ChainedPosition {
  return purgedIn(LOG, Number(index));
}

/** The entry at this place of a log, as the newest that has left it. */
function purgedIn(log: readonly Entry[], place: number): ChainedPosition {
  const { index, term, chain } = log[place - 1]!;
  return { index, term, chain };
}
