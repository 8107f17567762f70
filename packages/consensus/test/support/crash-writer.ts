// Proposes numbered commands without pause and writes a line for each answer, until it is killed.
// Arguments: directory, first number, retention (`keep` or `compact`), and optionally the write at
// which it kills itself, as `<point>:<before|after>:<occurrence>`.

import { writeSync } from 'node:fs';
import { RaftNode, type WriteInterceptor } from '../../src/index.ts';
import { encodeCommand, LedgerMachine } from './ledger-machine.ts';

const [directory = '', first = '0', retentionName = 'keep', fatal = ''] = process.argv.slice(2);
const [fatalPoint, fatalMoment, fatalOccurrence] = fatal.split(':');
const KEYS = 50;
const PROPOSERS = 24;

let occurrences = 0;
const intercept: WriteInterceptor = async (points, commit) => {
  const isPoint = points.some((point) => point === fatalPoint);
  if (isPoint) occurrences += 1;
  const isFatal = isPoint && occurrences === Number(fatalOccurrence);
  if (isFatal && fatalMoment === 'before') process.kill(process.pid, 'SIGKILL');
  await commit();
  if (isFatal) process.kill(process.pid, 'SIGKILL');
};

const keep = { entriesThreshold: 1_000_000, bytesThreshold: 1_000_000_000 };
const compact = { entriesThreshold: 40, entriesKept: 20 };
const node = await RaftNode.open({
  directory,
  clusterId: 'c1',
  nodeId: 'n1',
  stateMachine: new LedgerMachine(),
  retention: retentionName === 'keep' ? keep : compact,
  intercept,
});
writeSync(1, 'ready\n');

let next = Number(first);
async function proposeForEver(): Promise<never> {
  for (;;) {
    const number = next;
    next += 1;
    const command = { op: 'put', key: `k${number % KEYS}`, value: String(number) } as const;
    const { index } = await node.propose(encodeCommand(command));
    writeSync(1, `ack ${number} ${index}\n`);
  }
}
await Promise.all(Array.from({ length: PROPOSERS }, proposeForEver));
