// Carries the steps of a scripted history out on a store and writes a line after each.
// Arguments: directory, first step, and optionally the write at which it kills itself, as
// `<ordinal>:<before|after>`; the ordinal counts all writes of this process from 1.

import { writeSync } from 'node:fs';
import { LevelLogStorage, type WriteInterceptor } from '../../src/index.ts';
import { STEPS } from './scripted-history.ts';

const [directory = '', first = '0', fatal = ''] = process.argv.slice(2);
const [fatalOrdinal, fatalMoment] = fatal.split(':');

let ordinal = 0;
const intercept: WriteInterceptor = async (_points, commit) => {
  ordinal += 1;
  const isFatal = ordinal === Number(fatalOrdinal);
  if (isFatal && fatalMoment === 'before') process.kill(process.pid, 'SIGKILL');
  await commit();
  if (isFatal) process.kill(process.pid, 'SIGKILL');
};

const storage = await LevelLogStorage.open({
  directory,
  clusterId: 'c1',
  nodeId: 'n1',
  intercept,
});
let done = Number(first);
for (const step of STEPS.slice(done)) {
  await step(storage);
  done += 1;
  writeSync(1, `done ${done}\n`);
}
await storage.close();
