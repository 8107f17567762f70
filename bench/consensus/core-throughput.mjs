// Entries that three cores agree on in a second, on one thread and in memory: messages are handed
// over as they are, and every write is durable at once. Prints one number.
// `node core-throughput.mjs <seconds> <commands proposed at once>`
import { createHash } from 'node:crypto';
import path from 'node:path';

const built = path.join(import.meta.dirname, '../../packages/consensus/dist');
const { Raft } = await import(path.join(built, 'raft/raft.js'));
const { DEFAULT_RAFT_OPTIONS } = await import(path.join(built, 'raft/raft-options.js'));
const { LOG_START } = await import(path.join(built, 'raft/entry.js'));
const { chainOf } = await import(path.join(built, 'storage/digests.js'));

const [seconds, group] = process.argv.slice(2).map(Number);
const voters = [1, 2, 3].map((number) => ({
  nodeId: `n${number}`,
  storeId: createHash('sha256').update(`${number}`).digest('hex').slice(0, 32),
  incarnation: 1n,
  endpoint: '',
}));
const configuration = { clusterUid: 'c'.repeat(32), voters, outgoing: [], learners: [] };
const cores = new Map(
  voters.map(({ nodeId, storeId }, number) => [
    nodeId,
    new Raft(
      {
        ...DEFAULT_RAFT_OPTIONS,
        self: { nodeId, storeId },
        epoch: `${number}`.repeat(32),
        seed: number,
        chainOf,
      },
      {
        hardState: { term: 0n, votedFor: undefined, commit: 0n },
        purged: LOG_START,
        headers: [],
        configurations: [{ index: 0n, configuration }],
        applied: 0n,
        snapshot: undefined,
      },
    ),
  ]),
);
const inbox = [];

function step(self, input) {
  const core = cores.get(self.nodeId);
  for (let next = input; next !== undefined; ) {
    const output = core.step(next);
    for (const { to, message } of output.messagesNow) inbox.push({ to, from: self, message });
    for (const { to, message } of output.messagesAfter) inbox.push({ to, from: self, message });
    const { storeJob } = output;
    next = storeJob === undefined ? undefined : { kind: 'persisted', seq: storeJob.seq };
  }
}

function deliver() {
  for (let at = 0; at < inbox.length; at += 1) {
    const { to, from, message } = inbox[at];
    step(to, { kind: 'message', from, message });
  }
  inbox.length = 0;
}

const [leader] = voters;
step(leader, { kind: 'campaign' });
deliver();
const core = cores.get(leader.nodeId);
if (core.role !== 'leader') throw new Error('nobody was elected');
const payloads = Array.from({ length: group }, () => new Uint8Array(256));
const first = core.commit;
const startedAt = performance.now();
let elapsed = 0;
while (elapsed < seconds * 1_000) {
  for (let i = 0; i < 100; i += 1) {
    step(leader, { kind: 'propose', payloads });
    deliver();
  }
  // As the driver does when no append has carried the commit index to everyone.
  step(leader, { kind: 'announceCommit' });
  deliver();
  const through = { index: core.commit - 10n, term: core.term };
  for (const voter of voters) {
    const purged = { kind: 'purged', through };
    step(voter, { kind: 'applied', index: cores.get(voter.nodeId).commit });
    step(voter, purged);
  }
  elapsed = performance.now() - startedAt;
}
for (const voter of voters) {
  if (cores.get(voter.nodeId).lastIndex !== core.commit) throw new Error('a member is behind');
}
console.log(Math.round(Number(core.commit - first) / (elapsed / 1_000)));
