import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { LevelLogStorage } from '../../src/storage/level-log-storage.ts';
import { makeGoldenStore } from '../support/golden-store.ts';
import { withDatabase } from '../support/raw-database.ts';
import { applied, entries, job, vote } from '../support/store-jobs.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const MEBIBYTE = 1_024 * 1_024;

test('CS-71 keys are bytes under the documented prefixes, numbers big-endian', async () => {
  const directory = path.join(temporaryDirectory(), 'store');
  await makeGoldenStore(directory, 1);
  const keys = await withDatabase(directory, (database) => database.keys().all());
  const names = keys.map((key) => Buffer.from(key).toString('hex'));
  const u64 = (value: number): string => value.toString(16).padStart(16, '0');
  const u32 = (value: number): string => value.toString(16).padStart(8, '0');
  const records = [0, 1, 2, 3].map((it) => `30${u32(it).slice(6)}`);
  const witnesses = Array.from({ length: 6 }, (_, i) => `21${u64(i + 1)}`);
  const generations = [1, 2];
  expect(names).toEqual([
    '00',
    `10${u32(0)}${u64(1)}`,
    `11${u64(1)}`,
    `11${u64(7)}`,
    '20',
    ...names.filter((name) => name.startsWith('21')),
    ...records,
    ...generations.map((it) => `40${u64(it)}`).filter((it) => names.includes(it)),
    ...generations.map((it) => `41${u64(it)}${u32(0)}`).filter((it) => names.includes(it)),
    ...names.filter((name) => name.startsWith('42')),
  ]);
  expect(names).toEqual(
    expect.arrayContaining([...witnesses, `40${u64(2)}`, `41${u64(2)}${u32(0)}`]),
  );
});

test('CS-71 CS-349 what is stored is not compressed, in files and a write buffer of 8 MiB', async () => {
  const directory = path.join(temporaryDirectory(), 'store');
  const storage = await LevelLogStorage.open({ directory, clusterId: 'c', nodeId: 'n' });
  // The database removes what it merged whenever it likes.
  const size = (name: string): number =>
    statSync(path.join(directory, name), { throwIfNoEntry: false })?.size ?? 0;
  const named = (end: string): readonly string[] =>
    readdirSync(directory).filter((name) => name.endsWith(end));
  const [first] = named('.log');
  const log = entries(1, 1);
  await storage.write(job({ hardState: vote(1), entries: log, applied: applied(1) }));
  let largest = 0;
  let written = 0;
  // Of one byte each, so that any compression would make almost nothing of them.
  for (let i = 1; written < 24 * MEBIBYTE; i += 1) {
    const key = Uint8Array.of(i >> 8, i & 255);
    const value = new Uint8Array(MEBIBYTE).fill(7);
    await storage.write(job({ applied: applied(1), writes: [{ key, value }] }));
    written += value.length;
    if (written < 7 * MEBIBYTE) expect(named('.log')).toEqual([first]);
    largest = Math.max(largest, ...named('.log').map(size));
  }
  await storage.close();
  expect(named('.log')).not.toContain(first);
  expect(largest).toBeGreaterThan(6 * MEBIBYTE);
  // A full buffer is left behind at the next batch, and what waits in the journal comes as one.
  expect(largest).toBeLessThan(18 * MEBIBYTE);
  const tables = named('.ldb').map(size);
  expect(Math.max(...tables)).toBeLessThan(18 * MEBIBYTE);
  const stored = [...tables, ...named('.log').map(size)].reduce((sum, it) => sum + it, 0);
  expect(stored).toBeGreaterThan(written);
  const [table] = named('.ldb');
  expect(readFileSync(path.join(directory, table!)).includes(Buffer.alloc(65_536, 7))).toBe(true);
});
