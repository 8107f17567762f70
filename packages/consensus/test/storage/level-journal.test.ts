import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { ClassicLevel } from 'classic-level';
import { expect, onTestFinished, test, vi } from 'vitest';
import { isRaftError } from '../../src/errors.ts';
import { BLOCK_BYTES } from '../../src/storage/journal-frame.ts';
import { scanJournal } from '../../src/storage/journal-scan.ts';
import { JOURNAL_NAMES } from '../../src/storage/level-directory.ts';
import { LevelLogStorage } from '../../src/storage/level-log-storage.ts';
import type { LogStorage } from '../../src/storage/log-storage.ts';
import { expectRaftError, listRecords } from '../support/log-storage-suite.ts';
import { applyingJob, job, vote } from '../support/store-jobs.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const identity = { clusterId: 'c1', nodeId: 'n1' };
const open = (directory: string) => LevelLogStorage.open({ directory, ...identity });

/** What a killed process leaves: the files of an open store as they are. */
function copyOf(directory: string): string {
  const copy = path.join(temporaryDirectory(), 'consensus');
  cpSync(directory, copy, { recursive: true });
  cpSync(`${directory}.anchor`, `${copy}.anchor`);
  return copy;
}

async function openStore(batches: number): Promise<{ storage: LogStorage; directory: string }> {
  const directory = path.join(temporaryDirectory(), 'consensus');
  const storage = await open(directory);
  onTestFinished(() => storage.close());
  for (let i = 1; i <= batches; i += 1) await storage.write(applyingJob(i, 1));
  return { storage, directory };
}

const writeAheadFile = (directory: string): string =>
  path.join(directory, readdirSync(directory).find((name) => name.endsWith('.log'))!);

const printOf = async (storage: LogStorage) => ({
  bounds: storage.bounds,
  applied: storage.applied,
  hardState: storage.hardState.term,
  records: await listRecords(storage),
});

function expectJournalDamage(error: Error, problem: RegExp): void {
  if (!isRaftError(error, 'RAFT_STORAGE_CORRUPT')) throw error;
  expect(error.details.location).toMatch(/^JOURNAL-[01]$/);
  expect(error.details.problem).toMatch(problem);
}

/** The batches that the journal of a store would replay. */
function neededOf(directory: string) {
  const found = scanJournal(
    JOURNAL_NAMES.map((name) => new Uint8Array(readFileSync(path.join(directory, name)))),
  );
  if (found === undefined || 'missing' in found) throw new Error('the journal is damaged');
  return found;
}

function damage(directory: string, file: number, edit: (bytes: Uint8Array) => void): void {
  const name = path.join(directory, JOURNAL_NAMES[file]!);
  const bytes = new Uint8Array(readFileSync(name));
  edit(bytes);
  writeFileSync(name, bytes);
}

test('CS-74 CS-85 what was acknowledged is there when the process ends before the database has it', async () => {
  const { storage, directory } = await openStore(20);
  const copy = copyOf(directory);
  const again = await open(copy);
  expect(await printOf(again)).toEqual(await printOf(storage));
  await again.close();
  // A clean end leaves nothing to be replayed.
  expect(neededOf(copy).batches).toEqual([]);
});

test('CS-74 CS-302 what LevelDB had not synced may be cut, changed or full of holes', async () => {
  const { storage, directory } = await openStore(0);
  // The batch of the creation is synced.
  const start = readFileSync(writeAheadFile(directory)).length;
  for (let i = 1; i <= 40; i += 1) await storage.write(applyingJob(i, 1));
  // Reading brings all of it into the database.
  const print = await printOf(storage);
  const size = readFileSync(writeAheadFile(directory)).length;
  for (const [from, to] of [
    [size >> 1, size],
    [size >> 2, size >> 1],
    [start, start + 3_000],
    [size - 10, size],
  ] as const) {
    const copy = copyOf(directory);
    const file = writeAheadFile(copy);
    const bytes = readFileSync(file);
    writeFileSync(file, to === size ? bytes.subarray(0, from) : bytes.fill(0, from, to));
    const again = await open(copy);
    expect(await printOf(again)).toEqual(print);
    await again.write(applyingJob(41, 1));
    await again.close();
    const last = await open(copy);
    expect(last.bounds.last.index).toBe(41n);
    await last.close();
  }
});

test('CS-84 a changed byte of a batch that is needed is refused with the file and the place', async () => {
  const { directory } = await openStore(20);
  const { batches } = neededOf(directory);
  expect(batches).toHaveLength(20);
  for (const { file, at, payload, seq } of batches.slice(0, -1)) {
    const copy = copyOf(directory);
    const place = at + 56 + (payload.length >> 1);
    damage(copy, file, (bytes) => bytes.set([bytes[place]! ^ 0x10], place));
    const problem = new RegExp(`^batch ${seq} is missing( behind byte ${at})?$`);
    expectJournalDamage(await expectRaftError(open(copy), 'RAFT_STORAGE_CORRUPT'), problem);
  }
});

test('CS-76 CS-84 the newest batch is missed by the anchor, or by a database that has it', async () => {
  const { storage, directory } = await openStore(20);
  const { file, at } = neededOf(directory).batches.at(-1)!;
  const cut = (copy: string): string => {
    damage(copy, file, (bytes) => bytes.fill(0, at, at + BLOCK_BYTES));
    return copy;
  };
  const error = await expectRaftError(open(cut(copyOf(directory))), 'RAFT_STORAGE_CORRUPT');
  if (!isRaftError(error, 'RAFT_STORAGE_CORRUPT')) throw error;
  expect(error.details.location).toBe('consensus.anchor');
  await listRecords(storage);
  const shown = await expectRaftError(open(cut(copyOf(directory))), 'RAFT_STORAGE_CORRUPT');
  expectJournalDamage(shown, /^batches 21 to 21 are missing behind byte \d+$/);
});

test('CS-85 a batch that was cut off while it was written is as if it had never been', async () => {
  const { directory } = await openStore(20);
  const before = copyOf(directory);
  const writer = await open(before);
  const anchor = readFileSync(`${before}.anchor`);
  await writer.write(applyingJob(21, 1));
  const torn = copyOf(before);
  await writer.close();
  // It was not acknowledged, so the anchor has not been told either.
  writeFileSync(`${torn}.anchor`, anchor);
  const { file, at } = neededOf(torn).batches.at(-1)!;
  damage(torn, file, (bytes) => bytes.fill(0, at + 100, at + 200));
  const storage = await open(torn);
  expect(storage.bounds.last.index).toBe(20n);
  await storage.write(applyingJob(21, 2));
  await storage.close();
  const again = await open(torn);
  expect(again.bounds.last.index).toBe(22n);
  await again.close();
});

test('CS-84 a journal that is absent, empty or of another store is refused', async () => {
  const { directory } = await openStore(3);
  const other = await openStore(3);
  const absent = copyOf(directory);
  rmSync(path.join(absent, JOURNAL_NAMES[1]));
  expectJournalDamage(
    await expectRaftError(open(absent), 'RAFT_STORAGE_CORRUPT'),
    /^file is missing$/,
  );
  const empty = copyOf(directory);
  for (const file of [0, 1]) damage(empty, file, (bytes) => bytes.fill(0));
  expectJournalDamage(
    await expectRaftError(open(empty), 'RAFT_STORAGE_CORRUPT'),
    /^holds no batch and no mark$/,
  );
  const foreign = copyOf(directory);
  for (const name of JOURNAL_NAMES) {
    cpSync(path.join(other.directory, name), path.join(foreign, name));
  }
  expectJournalDamage(
    await expectRaftError(open(foreign), 'RAFT_STORAGE_CORRUPT'),
    /^belongs to another store$/,
  );
});

test('CS-79 a creation that was interrupted before the anchor makes the journal anew', async () => {
  const directory = path.join(temporaryDirectory(), 'consensus');
  await (await open(directory)).close();
  rmSync(`${directory}.anchor`);
  damage(directory, 0, (bytes) => bytes.fill(0));
  const storage = await open(directory);
  await storage.write(applyingJob(1, 2));
  await storage.close();
  const again = await open(directory);
  expect(again.bounds.last.index).toBe(2n);
  await again.close();
});

test('CS-74 the files take turns and grow, and what is in neither of them is in the database', async () => {
  const { storage, directory } = await openStore(0);
  for (let i = 0; i < 60; i += 1) await storage.write(applyingJob(1 + 200 * i, 200));
  const sizes = JOURNAL_NAMES.map((name) => readFileSync(path.join(directory, name)).length);
  for (const size of sizes) expect(size).toBeGreaterThan(256 * 1_024);
  const { batches } = neededOf(directory);
  expect(batches.length).toBeGreaterThan(0);
  expect(batches.length).toBeLessThan(60);
  const again = await open(copyOf(directory));
  expect(await printOf(again)).toEqual(await printOf(storage));
  await again.close();
});

test('CS-74 one batch may be larger than a file of the journal', async () => {
  const { storage, directory } = await openStore(1);
  const value = new Uint8Array(17 * 1_024 * 1_024).fill(3);
  const writes = [{ key: Uint8Array.of(9), value }];
  await storage.write({ ...applyingJob(2, 1), writes });
  await storage.write(applyingJob(3, 1));
  const again = await open(copyOf(directory));
  expect(again.stateProof).toEqual(storage.stateProof);
  await again.close();
});

test('CS-77 nothing more is acknowledged once the database takes nothing more', async () => {
  const { storage, directory } = await openStore(3);
  const { batch } = ClassicLevel.prototype;
  const spied = vi.spyOn(ClassicLevel.prototype, 'batch');
  onTestFinished(() => spied.mockRestore());
  spied.mockImplementation(function (this: ClassicLevel) {
    const chained = Reflect.apply(batch, this, []) as ReturnType<ClassicLevel['batch']>;
    chained.write = () => Promise.reject(new Error('input/output error'));
    return chained as unknown as Promise<void>;
  } as never);
  // What was collected before goes the ordinary way.
  await listRecords(storage);
  await storage.write(applyingJob(4, 1));
  await expectRaftError(listRecords(storage), 'RAFT_STORAGE_UNAVAILABLE');
  const failed = storage.write(job({ hardState: vote(9) }));
  expect(await expectRaftError(failed, 'RAFT_STORAGE_FAILED')).toMatchObject({
    details: { isUncertain: false },
  });
  spied.mockRestore();
  const again = await open(copyOf(directory));
  expect(again.bounds.last.index).toBe(4n);
  await again.close();
});
