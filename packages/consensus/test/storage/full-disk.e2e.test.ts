import { readdirSync } from 'node:fs';
import path from 'node:path';
import { ClassicLevel } from 'classic-level';
import { expect, test } from 'vitest';
import { LevelLogStorage } from '../../src/storage/level-log-storage.ts';
import { runLimited } from '../support/limited-child.ts';
import { entries, job, vote } from '../support/store-jobs.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const WRITER = new URL('../support/full-disk-writer.ts', import.meta.url);
const identity = { clusterId: 'c1', nodeId: 'n1' };
const ENTRIES_PER_WRITE = 100;

/** Lines of a writer before its files stopped to grow, and after they could again. */
interface Course {
  readonly before: readonly string[];
  readonly after: readonly string[];
}

async function courseOf(kind: string, directory: string, limitKib: number): Promise<Course> {
  const before: string[] = [];
  const after: string[] = [];
  let isFull = false;
  const code = await runLimited(WRITER, [kind, directory], limitKib, (line, child) => {
    if (line !== 'full') (isFull ? after : before).push(line);
    else {
      isFull = true;
      child.lift();
    }
  });
  expect(code).toBe(0);
  return { before, after };
}

const acknowledged = (lines: readonly string[]): number =>
  lines.filter((line) => line.startsWith('acknowledged ')).length;

test('CS-331 after a failed append LevelDB confirms batches that are gone later', async () => {
  const directory = path.join(temporaryDirectory(), 'database');
  // No multiple of LevelDB's block of 32 KiB, behind which a replay finds a new beginning.
  const { before, after } = await courseOf('database', directory, 250);
  expect(before.at(-1)).toMatch(/^failed /);
  const kept = acknowledged(before);
  expect(kept).toBeGreaterThan(5);
  // With space again everything seems to go on.
  expect(acknowledged(after)).toBe(5);
  const database = new ClassicLevel(directory);
  await database.open();
  const found = await database.keys().all();
  await database.close();
  expect(found).toEqual(Array.from({ length: kept }, (_, i) => String(i + 1).padStart(6, '0')));
});

test('CS-77 CS-78 CS-331 a store on a full disk confirms nothing more and loses nothing', async () => {
  const directory = path.join(temporaryDirectory(), 'consensus');
  const { before, after } = await courseOf('store', directory, 256);
  // Either the journal cannot grow, or the database did not take what was acknowledged before.
  expect(before.at(-1)).toMatch(/^failed RAFT_STORAGE_FAILED \{"isUncertain":(?:true|false)\}$/);
  expect(after).toEqual([
    ...Array.from({ length: 5 }, () => 'failed RAFT_STORAGE_FAILED {"isUncertain":false}'),
    'end',
  ]);
  const kept = acknowledged(before);
  expect(kept).toBeGreaterThan(2);
  const storage = await LevelLogStorage.open({ directory, ...identity });
  const { last, retainedEntries } = storage.bounds;
  // The failed write may be there as a whole or not at all.
  expect([kept, kept + 1]).toContain(retainedEntries / ENTRIES_PER_WRITE);
  await storage.write(
    job({ truncateFrom: last.index, entries: entries(Number(last.index), retainedEntries + 5) }),
  );
  await storage.close();
});

test('CS-78 a start on a full disk is refused with the cause and changes nothing', async () => {
  const directory = path.join(temporaryDirectory(), 'consensus');
  const storage = await LevelLogStorage.open({ directory, ...identity });
  for (let from = 1; from <= 2_001; from += 400) {
    await storage.write(job({ hardState: vote(1), entries: entries(from, from + 399) }));
  }
  const { bounds } = storage;
  await storage.close();
  const names = () => readdirSync(directory).filter((name) => /\.(ldb|log)$/.test(name));
  const before = names();
  // Opening moves the write-ahead file into a table, for which there is no room.
  const { before: lines } = await courseOf('store', directory, 16);
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatch(/^refused RAFT_STORAGE_UNAVAILABLE .* File too large/);
  expect(names()).toEqual(expect.arrayContaining(before));
  const again = await LevelLogStorage.open({ directory, ...identity });
  expect(again.bounds).toEqual(bounds);
  await again.close();
});

test('CS-78 CS-79 a store that could not be created on a full disk is created later', async () => {
  const directory = path.join(temporaryDirectory(), 'consensus');
  const { before: lines } = await courseOf('store', directory, 0);
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatch(/^refused RAFT_STORAGE_UNAVAILABLE /);
  const storage = await LevelLogStorage.open({ directory, ...identity });
  await storage.write(job({ hardState: vote(1), entries: entries(1, 5) }));
  await storage.close();
});
