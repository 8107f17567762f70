// Writes to a database or a store whose files cannot grow any more, and goes on after the limit is
// lifted. Arguments: `database` or `store`, and the directory. Lines: `acknowledged <number>`,
// `failed <error>`, then after a line on standard input again, then `end`.

import { writeSync } from 'node:fs';
import { createInterface } from 'node:readline/promises';
import { ClassicLevel } from 'classic-level';
import { RaftError } from '../../src/errors.ts';
import { LevelLogStorage } from '../../src/storage/level-log-storage.ts';
import { entriesBehind, job, vote } from './store-jobs.ts';

const [kind, directory = ''] = process.argv.slice(2);
const ATTEMPTS = 5;
const say = (line: string): number => writeSync(1, `${line}\n`);
const print = (error: unknown): string =>
  error instanceof RaftError ? `${error.code} ${JSON.stringify(error.details)}` : String(error);
const lifted = createInterface({ input: process.stdin });

interface Writer {
  write(number: number): Promise<void>;
  close(): Promise<void>;
}

async function openDatabase(): Promise<Writer> {
  const database = new ClassicLevel(directory, { compression: false });
  await database.open();
  return {
    write: (number) =>
      database.batch(
        [{ type: 'put', key: String(number).padStart(6, '0'), value: 'x'.repeat(8_000) }],
        { sync: true },
      ),
    close: () => database.close(),
  };
}

async function openStore(): Promise<Writer> {
  const storage = await LevelLogStorage.open({ directory, clusterId: 'c1', nodeId: 'n1' });
  return {
    async write() {
      const { index, chain } = storage.bounds.last;
      const next = Number(index) + 1;
      const entries = entriesBehind(chain, next, next + 99);
      await storage.write(job({ hardState: vote(1, next - 1), entries }));
    },
    close: () => storage.close(),
  };
}

let number = 0;
async function attempt(writer: Writer): Promise<boolean> {
  number += 1;
  try {
    await writer.write(number);
    say(`acknowledged ${number}`);
    return true;
  } catch (error) {
    say(`failed ${print(error)}`);
    return false;
  }
}

try {
  const writer = await (kind === 'database' ? openDatabase() : openStore());
  while (await attempt(writer));
  say('full');
  await lifted[Symbol.asyncIterator]().next();
  for (let more = 0; more < ATTEMPTS; more += 1) await attempt(writer);
  await writer.close();
  say('end');
} catch (error) {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : undefined;
  say(`refused ${print(error)} because ${cause?.message} ${cause?.cause}`);
}
lifted.close();
