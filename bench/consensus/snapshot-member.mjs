// A member of `snapshot.bench.mjs`. Tells its parent by messages what happens, and when.
// `node snapshot-member.mjs '{"directory":…,"nodeId":…,"bootstrap":…,"contacts":[…],"commands":…}'`
import { RaftNode, TcpTransport } from '@nervix/consensus';

const RECORDS = 64;
const VALUE_BYTES = 16_384 - 32;
const options = JSON.parse(process.argv[2] ?? '{}');
const tell = (what, facts = {}) => process.send({ what, at: Date.now(), ...facts });

/** Bytes that nothing can compress, the same on every member. */
function bytesOf(seed) {
  const words = new Uint32Array(VALUE_BYTES / 4);
  let state = (seed + 1) >>> 0;
  for (let i = 0; i < words.length; i += 1) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    words[i] = state;
  }
  return new Uint8Array(words.buffer);
}

/** Each command, a number, makes a mebibyte of records; none of them is kept in memory. */
const ballast = {
  async restore(records) {
    let bytes = 0;
    for await (const { key, value } of records) bytes += key.length + value.length;
    tell('restored', { bytes });
  },
  apply({ payload }) {
    const number = new DataView(payload.buffer, payload.byteOffset).getUint32(0);
    const writes = [];
    for (let i = 0; i < RECORDS; i += 1) {
      const key = new Uint8Array(8);
      new DataView(key.buffer).setUint32(0, number);
      key[7] = i;
      writes.push({ key, value: bytesOf(number * RECORDS + i) });
    }
    return { writes, result: new Uint8Array(0) };
  },
};

const node = await RaftNode.open({
  directory: options.directory,
  clusterId: 'bench',
  nodeId: options.nodeId,
  stateMachine: ballast,
  // What is applied is cut at once, so that a member that joins needs a snapshot.
  retention: { entriesThreshold: 8, entriesKept: 1 },
  cluster: {
    transport: new TcpTransport({ listen: '127.0.0.1:0', tls: 'plaintext' }),
    bootstrap: options.bootstrap,
    contacts: options.contacts,
  },
  observe: (event) => {
    if (event.kind === 'snapshot') tell(event.phase);
  },
});

for (let number = 0; number < options.commands; number += 1) {
  const payload = new Uint8Array(4);
  new DataView(payload.buffer).setUint32(0, number);
  await node.propose(payload);
}
globalThis.gc?.();
const members = node.status().configuration?.configuration.voters ?? [];
tell('ready', { endpoint: members.find(({ nodeId }) => nodeId === options.nodeId)?.endpoint });

process.on('message', () => {
  void node.close().then(() => process.exit(0));
});
