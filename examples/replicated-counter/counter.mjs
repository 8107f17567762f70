// One of three processes that count together: `node counter.mjs <1|2|3> <folder> [found]`. Whichever
// leads adds one every 100 ms; all of them show the count that they have. One process founds the
// cluster, once: a founder that lost its disk and founded again would make a second cluster.
import { RaftNode, TcpTransport } from '@nervix/consensus';

const [number, folder, found] = process.argv.slice(2);
const endpoint = (of) => `127.0.0.1:${7_100 + Number(of)}`;
let working = 0;
let count = 0;

const counter = {
  async restore(records) {
    for await (const { value } of records) {
      working = new DataView(value.buffer, value.byteOffset).getUint32(0);
    }
    count = working;
  },
  apply() {
    working += 1;
    const value = new Uint8Array(4);
    new DataView(value.buffer).setUint32(0, working);
    return { writes: [{ key: Uint8Array.of(1), value }], result: value };
  },
  publish: () => {
    count = working;
  },
};

const node = await RaftNode.open({
  directory: `${folder}/node-${number}/store`,
  clusterId: 'counter',
  nodeId: `node-${number}`,
  stateMachine: counter,
  cluster: {
    transport: new TcpTransport({ listen: endpoint(number), tls: 'plaintext' }),
    bootstrap: found === 'found',
    contacts: ['1', '2', '3'].filter((it) => it !== number).map(endpoint),
  },
});

setInterval(() => {
  const { role } = node.status();
  // A command may fail when leadership moves; the next one is the new leader's.
  if (role === 'leader') node.propose(Uint8Array.of(1)).catch(() => {});
  console.log(`${role} ${count}`);
}, 100);
