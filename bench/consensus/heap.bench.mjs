// Whether memory stays flat over ten million commands: one node in this process puts 256 bytes under
// one of 10,000 keys, 1,024 at a time, and the heap is looked at after collections, each tenth of the
// way. The log is cut as it goes. BENCH_COMMANDS shortens it.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { RaftNode } from '@nervix/consensus';

const commands = Number(process.env.BENCH_COMMANDS ?? 10_000_000);
const PORTIONS = 10;
const TOGETHER = 1_024;
const KEYS = 10_000;
const KEY_BYTES = 16;
const VALUE_BYTES = 256;
/** Growth of the heap from the first half to the second that is put down to chance. */
const GOAL_RATIO = 1.1;

const nothing = new Uint8Array(0);
const puts = {
  async restore() {},
  apply: ({ payload }) => ({
    writes: [{ key: payload.subarray(0, KEY_BYTES), value: payload.subarray(KEY_BYTES) }],
    result: nothing,
  }),
};

const rounded = (value, digits) => Number(value.toFixed(digits));

function heapMb() {
  globalThis.gc();
  const { heapUsed, external } = process.memoryUsage();
  return (heapUsed + external) / 1e6;
}

async function put(node, from, to) {
  for (let at = from; at < to; at += TOGETHER) {
    const together = Math.min(TOGETHER, to - at);
    await Promise.all(
      Array.from({ length: together }, (_, i) => {
        const payload = Buffer.alloc(KEY_BYTES + VALUE_BYTES, 0x78);
        payload.write(`key-${String((at + i) % KEYS).padStart(KEY_BYTES - 4, '0')}`, 'latin1');
        return node.propose(payload);
      }),
    );
  }
}

const folder = mkdtempSync(path.join(tmpdir(), 'nervix-bench-'));
const directory = path.join(folder, 'store');
try {
  const identity = { clusterId: 'bench', nodeId: 'n1' };
  const node = await RaftNode.open({ ...identity, directory, stateMachine: puts });
  const heaps = [];
  const startedAt = performance.now();
  for (let portion = 0; portion < PORTIONS; portion += 1) {
    const [from, to] = [portion, portion + 1].map((it) => Math.floor((commands * it) / PORTIONS));
    await put(node, from, to);
    heaps.push(heapMb());
    const rss = rounded(process.memoryUsage().rss / 1e6, 0);
    const { retainedEntries } = node.status();
    console.log(
      `${to} commands: heap ${rounded(heaps.at(-1), 1)} MB, RSS ${rss} MB, ${retainedEntries} entries kept`,
    );
  }
  const rate = Math.round(commands / ((performance.now() - startedAt) / 1_000));
  const status = node.status();
  if (Number(status.revision) < commands) throw new Error(`only ${status.revision} were applied`);
  await node.close();
  console.log(`${rate} commands/s`);
  // It rises and falls with the log, which is cut now and then: the highest of each half count.
  const highest = (looks) => rounded(Math.max(...looks), 1);
  const [first, value] = [
    highest(heaps.slice(0, PORTIONS / 2)),
    highest(heaps.slice(PORTIONS / 2)),
  ];
  const ratio = rounded(value / first, 3);
  console.log(
    JSON.stringify({
      ...{ bench: 'consensus.heap', value, unit: 'MB', peer: 'the highest of the first half' },
      ...{ peer_value: first, ratio, goal: GOAL_RATIO, holds: ratio <= GOAL_RATIO },
    }),
  );
} finally {
  rmSync(folder, { recursive: true, force: true });
}
