// A member of a cluster of the bench, as a process of its own: commands come in as frames of a
// length, a number and a payload (key, then value) over TCP and are answered with their number.
// `node member-process.mjs '{"directory":…,"nodeId":…,"listen":…,"bootstrap":…,"contacts":[…]}'`
import { createServer } from 'node:net';
import { RaftNode, TcpTransport } from '@nervix/consensus';

const KEY_BYTES = 16;
const options = JSON.parse(process.argv[2] ?? '{}');
const records = new Map();
const nothing = new Uint8Array(0);

/** Keeps what is put in memory and in the store, and no more. */
const puts = {
  async restore(stored) {
    for await (const { key, value } of stored)
      records.set(Buffer.from(key).toString('latin1'), value);
  },
  apply({ payload }) {
    const key = payload.subarray(0, KEY_BYTES);
    const value = payload.subarray(KEY_BYTES);
    records.set(Buffer.from(key).toString('latin1'), value);
    return { writes: [{ key, value }], result: nothing };
  },
};

const node = await RaftNode.open({
  directory: options.directory,
  clusterId: 'bench',
  nodeId: options.nodeId,
  stateMachine: puts,
  ...(options.listen === undefined
    ? {}
    : {
        cluster: {
          transport: new TcpTransport({ listen: options.listen, tls: 'plaintext' }),
          bootstrap: options.bootstrap,
          contacts: options.contacts,
        },
      }),
});

function serve(socket) {
  let pending = Buffer.alloc(0);
  let answers = [];
  const flush = () => {
    const bytes = Buffer.allocUnsafe(4 * answers.length);
    for (const [at, id] of answers.entries()) bytes.writeUInt32BE(id, 4 * at);
    answers = [];
    socket.write(bytes);
  };
  const answer = (id) => {
    if (answers.length === 0) process.nextTick(flush);
    answers.push(id);
  };
  const fail = (error) => {
    process.stderr.write(`${error.stack}\n`);
    process.exit(1);
  };
  socket.setNoDelay(true);
  socket.on('error', () => socket.destroy());
  socket.on('data', (chunk) => {
    pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk]);
    let at = 0;
    while (pending.length - at >= 8) {
      const end = at + 8 + pending.readUInt32BE(at);
      if (end > pending.length) break;
      const id = pending.readUInt32BE(at + 4);
      node.propose(pending.subarray(at + 8, end)).then(() => answer(id), fail);
      at = end;
    }
    pending = pending.subarray(at);
  });
}

const server = createServer(serve).listen(0, '127.0.0.1', () => {
  console.log(JSON.stringify({ port: server.address().port }));
});
process.on('message', (question) => {
  if (question !== 'status') return;
  const { role, leader, configuration, appliedIndex } = node.status();
  process.send({
    role,
    leader: leader?.nodeId,
    voters: configuration?.configuration.voters.length ?? 0,
    applied: String(appliedIndex),
  });
});
process.on('SIGTERM', async () => {
  await node.close();
  process.exit(0);
});
