import { getHashes } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { ClassicLevel } from 'classic-level';
import { expect, test } from 'vitest';
import { BatchEncoder } from '../../src/storage/batch-encoder.ts';
import { initialPositions, seal } from '../../src/storage/level-batch.ts';
import { openDatabase, writeAheadFiles } from '../../src/storage/level-directory.ts';
import { WITNESS_SLOTS } from '../../src/storage/level-keys.ts';
import { runChild } from '../support/child-lines.ts';
import type { TrialFinding } from '../support/table-trials.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

// What LevelDB does with damage, in the version that is pinned. The checks of the store are there
// because of this; when one of these tests fails, LevelDB has changed and they have to be thought
// over.

const TRIALS = new URL('../support/table-trials.ts', import.meta.url);
/** Bits between two trials; 1 with a short `SWEEP_STRIDE`. */
const STRIDE = Number(process.env['SWEEP_STRIDE'] ?? 997) < 100 ? 1 : 7;
const KEYS = Array.from({ length: 20 }, (_, i) => `key${String(i).padStart(2, '0')}`);

type Outcome = TrialFinding | string;

async function withDatabase(
  directory: string,
  use: (database: ClassicLevel<string, string>) => Promise<void>,
): Promise<void> {
  const database = new ClassicLevel<string, string>(directory, { compression: false });
  await database.open();
  await use(database);
  await database.close();
}

const write = (directory: string, value: string): Promise<void> =>
  withDatabase(directory, (database) =>
    database.batch(KEYS.map((key) => ({ type: 'put' as const, key, value: value + key }))),
  );

const tablesOf = (directory: string): readonly string[] =>
  readdirSync(directory)
    .filter((name) => name.endsWith('.ldb'))
    .sort();

/** What readers find when each of these bits of the file is flipped, `aborted` for none. */
async function outcomesOf(directory: string, file: string): Promise<ReadonlyMap<number, Outcome>> {
  const outcomes = new Map<number, Outcome>();
  let bit = -STRIDE;
  for (;;) {
    const args = [directory, file, String(bit + STRIDE), String(STRIDE)];
    const end = await runChild(TRIALS, args, (line) => {
      if (/^\d+$/.test(line)) bit = Number(line);
      else outcomes.set(bit, JSON.parse(line) as Outcome);
    });
    if (end.code === 0) return outcomes;
    expect(end.signal, end.errors).toMatch(/SIGABRT|SIGSEGV|SIGBUS/);
    outcomes.set(bit, 'aborted');
  }
}

test('CS-331 a changed byte in the write-ahead file makes batches vanish without an error', async () => {
  const directory = path.join(temporaryDirectory(), 'database');
  const count = 200;
  await withDatabase(directory, async (database) => {
    for (let i = 0; i < count; i += 1) {
      const key = String(i).padStart(6, '0');
      await database.batch([{ type: 'put', key, value: 'x'.repeat(1_000) }], { sync: true });
    }
  });
  const journal = path.join(directory, readdirSync(directory).find((it) => it.endsWith('.log'))!);
  const bytes = readFileSync(journal);
  bytes.writeUInt8(bytes.readUInt8(bytes.length >> 1) ^ 1, bytes.length >> 1);
  writeFileSync(journal, bytes);
  await withDatabase(directory, async (database) => {
    const found = (await database.keys().all()).map(Number);
    expect(found.length).toBeLessThan(count);
    expect(found).toContain(0);
    expect(found).toContain(count - 1);
  });
});

test('CS-331 CS-360 a changed bit in a table: what readers are told', {
  timeout: 300_000,
}, async () => {
  const directory = path.join(temporaryDirectory(), 'database');
  await write(directory, 'old ');
  // Each opening moves the write-ahead file into a table.
  await write(directory, 'new ');
  await withDatabase(directory, async () => {});
  const [, newer] = tablesOf(directory);
  const outcomes = [...(await outcomesOf(directory, newer!)).values()];
  const found = outcomes.filter((it): it is TrialFinding => typeof it !== 'string');
  const isNew = (value: string | undefined, i: number): boolean => value === `new ${KEYS[i]}`;
  const isOld = (value: string | undefined, i: number): boolean => value === `old ${KEYS[i]}`;
  // One key goes back to its older version while its neighbours are as they were.
  const reverted = found.filter(
    ({ asked }) =>
      asked.filter(isOld).length === 1 && asked.filter((it, i) => !isNew(it, i)).length === 1,
  );
  expect(reverted.length).toBeGreaterThan(0);
  // Checksums of blocks are not compared, so a value changes.
  const changed = found.filter(({ asked }) =>
    asked.some((it, i) => it !== undefined && !isNew(it, i) && !isOld(it, i)),
  );
  expect(changed.length).toBeGreaterThan(0);
  // Iterating leaves newer versions out.
  const skipped = found.filter(({ iterated }) =>
    iterated.some(([key, value]) => value === `old ${key}`),
  );
  expect(skipped.length).toBeGreaterThan(0);
  const aborted = outcomes.filter((it) => it === 'aborted').length;
  expect(aborted).toBeGreaterThan(0);
  expect(aborted).toBeLessThan(outcomes.length / 10);
});

test('CS-75 CS-331 the ring of witnesses outlasts what two write buffers can hold', async () => {
  const directory = path.join(temporaryDirectory(), 'database');
  const database = await openDatabase(directory, true);
  const identity = { clusterId: 'c', nodeId: 'n', storeId: '00'.repeat(16) };
  let positions = initialPositions(identity, 1);
  const newest = async () => (await writeAheadFiles(directory)).at(-1);
  const first = await newest();
  let batches = 0n;
  // No batch of the store is smaller than one that changes nothing.
  while ((await newest()) === first && batches < WITNESS_SLOTS) {
    const batch = new BatchEncoder(1);
    positions = seal(positions, {}, batch);
    await database.batch([...batch.operations]);
    batches += 1n;
  }
  await database.close();
  expect(batches).toBeGreaterThan(20_000n);
  expect(2n * batches).toBeLessThan(WITNESS_SLOTS);
});

test('CS-331 there is no native BLAKE3', () => {
  expect(getHashes().filter((name) => /blake3/i.test(name))).toEqual([]);
});
