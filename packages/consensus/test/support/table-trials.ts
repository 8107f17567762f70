// Flips bit after bit of one file of a database and writes what a reader finds in each damaged
// copy. Arguments: the database, the file, the first bit, the distance to the next. Lines: the bit,
// then JSON. A native abort ends the process in the middle of a trial.

import { cpSync, readFileSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import path from 'node:path';
import { ClassicLevel } from 'classic-level';

/** What a reader finds: `undefined` for a key that is not there. */
export interface TrialFinding {
  /** Values by iterating. */
  readonly iterated: readonly (readonly [key: string, value: string])[];
  /** Values by asking for each key. */
  readonly asked: readonly (string | undefined)[];
}

const [origin = '', file = '', first = '0', stride = '1'] = process.argv.slice(2);
const copy = `${origin}-trial`;
const original = readFileSync(path.join(origin, file));

async function find(): Promise<TrialFinding | string> {
  const database = new ClassicLevel<string, string>(copy, { compression: false });
  try {
    await database.open();
    const iterated = await database.iterator().all();
    const names = Array.from({ length: 20 }, (_, i) => `key${String(i).padStart(2, '0')}`);
    return { iterated, asked: await database.getMany(names) };
  } catch (error) {
    return String(error instanceof Error ? (error.cause ?? error) : error);
  } finally {
    await database.close();
  }
}

for (let bit = Number(first); bit < original.length * 8; bit += Number(stride)) {
  writeSync(1, `${bit}\n`);
  rmSync(copy, { recursive: true, force: true });
  cpSync(origin, copy, { recursive: true });
  const bytes = Buffer.from(original);
  bytes.writeUInt8(bytes.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
  writeFileSync(path.join(copy, file), bytes);
  writeSync(1, `${JSON.stringify(await find())}\n`);
}
