import path from 'node:path';
import { expect, test } from 'vitest';
import { type Entry, LevelLogStorage, type LogStorage } from '../../src/index.ts';
import { runChild } from '../support/child-lines.ts';
import { decodeCommand, foldLog, textRecords } from '../support/ledger-machine.ts';
import { expectRaftError } from '../support/log-storage-suite.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const WRITER = new URL('../support/crash-writer.ts', import.meta.url);
const identity = { clusterId: 'c1', nodeId: 'n1' };
const KILLS = Number(process.env.CRASH_KILLS ?? 10);

/** What the writers were told, over all their lives. */
class Acknowledged {
  readonly indexes = new Map<number, bigint>();
  /** First number of the next life, above every number that was ever proposed. */
  nextFirst = 0;

  /** Reads one line of a writer; returns how many commands that writer has acknowledged. */
  read(line: string): boolean {
    const [word, number, index] = line.split(' ');
    if (word !== 'ack') return false;
    this.indexes.set(Number(number), BigInt(index!));
    this.nextFirst = Math.max(this.nextFirst, Number(number) + 1_000);
    return true;
  }
}

/** A number from 0 up to `bound`, the same for the same seed and step. */
function drawn(seed: number, step: number, bound: number): number {
  let value = (seed ^ Math.imul(step + 1, 0x9e3779b1)) >>> 0;
  value = Math.imul(value ^ (value >>> 16), 0x45d9f3b) >>> 0;
  value = Math.imul(value ^ (value >>> 16), 0x45d9f3b) >>> 0;
  return ((value ^ (value >>> 16)) >>> 0) % bound;
}

async function allEntries(storage: LogStorage): Promise<Entry[]> {
  const { purged, last } = storage.bounds;
  const entries: Entry[] = [];
  while ((entries.at(-1)?.index ?? purged.index) < last.index) {
    const from = (entries.at(-1)?.index ?? purged.index) + 1n;
    entries.push(...(await storage.entries(from, last.index, 100_000)));
  }
  return entries;
}

const numberOf = (entry: Entry): number => {
  const command = decodeCommand(entry.payload);
  return command.op === 'put' ? Number(command.value) : Number.NaN;
};

/** Opens the store and holds it against everything that was acknowledged. */
async function verify(directory: string, acknowledged: Acknowledged): Promise<void> {
  const storage = await LevelLogStorage.open({ directory, ...identity });
  try {
    const entries = await allEntries(storage);
    const { purged, last } = storage.bounds;
    // What is stored without its effects is applied by the next process, and was never answered.
    const { applied } = storage;
    expect(applied.index <= last.index).toBe(true);
    expect(entries.map(({ index }) => index)).toEqual(
      entries.map((_, i) => purged.index + BigInt(i) + 1n),
    );
    const commands = entries.filter(({ kind }) => kind === 'normal');
    const numbers = commands.map(numberOf);
    expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b));
    const numberAt = new Map(commands.map((entry) => [entry.index, numberOf(entry)]));
    const newestByKey = new Map<string, number>();
    for (const [number, index] of acknowledged.indexes) {
      expect(index <= applied.index, `command ${number} is applied`).toBe(true);
      if (index > purged.index) expect(numberAt.get(index)).toBe(number);
      const key = `k${number % 50}`;
      newestByKey.set(key, Math.max(number, newestByKey.get(key) ?? 0));
    }
    const state = await textRecords(storage.records());
    for (const [key, number] of newestByKey) {
      expect(Number(state.get(key)), key).toBeGreaterThanOrEqual(number);
    }
    const effective = entries.filter(({ index }) => index <= applied.index);
    for (const [key, value] of foldLog(effective)) expect(state.get(key)).toBe(value);
    if (purged.index > 0n) return;
    expect(new Map([...foldLog(effective)].sort())).toEqual(new Map([...state].sort()));
    const made = effective.filter(({ kind }) => kind === 'normal');
    expect(applied.revision).toBe(BigInt(made.length));
  } finally {
    await storage.close();
  }
}

test.each(['keep', 'compact'])(
  'CS-85 CS-86 CS-321 SIGKILL at random points loses no acknowledged command (%s)',
  async (retention) => {
    const seed = Number(process.env.CRASH_SEED ?? Date.now() % 1_000_000);
    const directory = path.join(temporaryDirectory(), 'consensus');
    const acknowledged = new Acknowledged();
    for (let life = 0; life < KILLS; life += 1) {
      const wanted = 1 + drawn(seed, life, 600);
      let answers = 0;
      const args = [directory, String(acknowledged.nextFirst), retention];
      const end = await runChild(WRITER, args, (line, child) => {
        if (acknowledged.read(line)) answers += 1;
        if (answers === wanted) child.kill('SIGKILL');
      });
      expect(end.signal, `CRASH_SEED=${seed} life ${life}: ${end.errors}`).toBe('SIGKILL');
      await verify(directory, acknowledged);
    }
    expect(acknowledged.indexes.size).toBeGreaterThan(KILLS);
  },
);

test.each([
  'format:before:1',
  'format:after:1',
  'vote:before:1',
  'vote:after:1',
  'append:before:1',
  'append:after:1',
  'append:before:5',
  'append:after:5',
  'apply:after:9',
  'purge:before:2',
  'purge:after:2',
  'anchor:before:1',
  'anchor:after:1',
  'anchor:before:12',
  'anchor:after:12',
])('CS-320 CS-321 a process that dies at %s leaves a whole store', async (fatal) => {
  const directory = path.join(temporaryDirectory(), 'consensus');
  const acknowledged = new Acknowledged();
  for (const at of [fatal, fatal.replace('format', 'append')]) {
    const args = [directory, String(acknowledged.nextFirst), 'compact', at];
    const end = await runChild(WRITER, args, (line) => acknowledged.read(line));
    expect(end.signal, end.errors).toBe('SIGKILL');
    await verify(directory, acknowledged);
  }
});

test('a second process is told that the store is open', async () => {
  const directory = path.join(temporaryDirectory(), 'consensus');
  const storage = await LevelLogStorage.open({ directory, ...identity });
  const end = await runChild(WRITER, [directory], () => undefined);
  expect(end.code).not.toBe(0);
  expect(end.errors).toContain('RAFT_STORAGE_LOCKED');
  expect(end.errors).toContain('is open already, in this process or another one');
  await storage.close();
});

test('CS-70 nor does a second opening in this process give the store to another one', async () => {
  const directory = path.join(temporaryDirectory(), 'consensus');
  const first = await LevelLogStorage.open({ directory, ...identity });
  for (const again of [directory, `${directory}/../consensus`]) {
    await expectRaftError(
      LevelLogStorage.open({ directory: again, ...identity }),
      'RAFT_STORAGE_LOCKED',
    );
  }
  await expect(runChild(WRITER, [directory], () => undefined)).resolves.toMatchObject({
    errors: expect.stringContaining('RAFT_STORAGE_LOCKED'),
  });
  await first.close();
  const both = [1, 2].map(() => LevelLogStorage.open({ directory, ...identity }));
  // Whichever of them comes first: one opens the store, the other does not.
  const outcomes = await Promise.allSettled(both);
  const won = outcomes.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
  const lost = outcomes.filter(({ status }) => status === 'rejected');
  expect(won).toHaveLength(1);
  expect(lost).toMatchObject([{ reason: { code: 'RAFT_STORAGE_LOCKED' } }]);
  await expect(runChild(WRITER, [directory], () => undefined)).resolves.toMatchObject({
    errors: expect.stringContaining('RAFT_STORAGE_LOCKED'),
  });
  await won[0]?.close();
});
