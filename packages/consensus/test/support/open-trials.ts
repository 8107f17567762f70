// Opens the stores named by its arguments one after the other and writes one line of JSON for
// each: what it found, or why it was refused. A native abort ends the process in the middle.

import { createHash } from 'node:crypto';
import { writeSync } from 'node:fs';
import { RaftError } from '../../src/errors.ts';
import { LevelLogStorage } from '../../src/storage/level-log-storage.ts';

async function fingerprint(storage: LevelLogStorage): Promise<string> {
  const sha = createHash('sha256');
  const { identity, bounds, applied, hardState } = storage;
  const positions = [identity, bounds, applied, { ...hardState, commit: 0n }];
  sha.update(JSON.stringify(positions, (_, it) => (typeof it === 'bigint' ? String(it) : it)));
  for (const entry of await storage.entries(1n, bounds.last.index, Number.MAX_SAFE_INTEGER)) {
    sha.update(`${entry.index} ${entry.term} ${entry.kind} `).update(entry.payload);
  }
  for await (const { key, value } of storage.records()) sha.update(key).update(value);
  return sha.digest('hex');
}

for (const directory of process.argv.slice(2)) {
  writeSync(1, `begin ${directory}\n`);
  try {
    const storage = await LevelLogStorage.open({ directory, clusterId: 'c1', nodeId: 'n1' });
    const found = await fingerprint(storage);
    await storage.close();
    writeSync(1, `opened ${found}\n`);
  } catch (error) {
    const code = error instanceof RaftError ? error.code : `untyped: ${String(error)}`;
    writeSync(1, `refused ${code}\n`);
  }
}
