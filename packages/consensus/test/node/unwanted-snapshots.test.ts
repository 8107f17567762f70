import { expect, onTestFinished, test } from 'vitest';
import {
  type LogStorage,
  type MemberId,
  MemoryDisk,
  MemoryLogStorage,
  type PeerMessage,
  RaftNode,
  type SnapshotManifest,
  type Transport,
} from '../../src/index.ts';
import { FIRST_LEVELS } from '../../src/raft/feature-levels.ts';
import { LedgerMachine } from '../support/ledger-machine.ts';
import { withCalls } from '../support/memory-member.ts';
import { SilentTransport } from '../support/silent-transport.ts';

type Receiver = Parameters<Transport['start']>[1];

/** Hands the node's receiver to the test. */
class ReceivingTransport extends SilentTransport {
  receiver: Receiver | undefined;

  override start(...[, receiver]: Parameters<Transport['start']>): void {
    this.receiver = receiver;
  }
}

const leader: MemberId = { nodeId: 'n2', storeId: 'bb'.repeat(16) };
const clusterUid = 'cc'.repeat(16);
const manifest: SnapshotManifest = {
  index: 20n,
  term: 3n,
  chain: new Uint8Array(16),
  generation: 1n,
  configuration: {
    clusterUid,
    level: 1,
    voters: [{ ...leader, incarnation: 1n, endpoint: '127.0.0.1:2', levels: FIRST_LEVELS }],
    outgoing: [],
    learners: [],
  },
  configurationIndex: 1n,
  revision: 5n,
  stateDigest: 123n,
  recordCount: 4n,
  sections: ['ab'.repeat(32)],
  bytes: 100,
};

/** A node of no cluster yet, and which of the snapshots that were begun were given up. */
async function openNode() {
  const disk = new MemoryDisk();
  const storage = await MemoryLogStorage.open({ disk, clusterId: 'c1', nodeId: 'n1' });
  const abandoned: bigint[] = [];
  const receiveSnapshot: LogStorage['receiveSnapshot'] = (begun) => {
    const receipt = storage.receiveSnapshot(begun);
    const abandon = () => {
      abandoned.push(begun.index);
      receipt.abandon();
    };
    return { manifest: begun, section: receipt.section.bind(receipt), abandon };
  };
  const transport = new ReceivingTransport();
  const node = await RaftNode.open({
    storage: withCalls(storage, { receiveSnapshot }),
    stateMachine: new LedgerMachine(),
    cluster: { transport, bootstrap: false },
  });
  onTestFinished(() => node.close());
  const { receiver } = transport;
  if (receiver === undefined) throw new Error('the transport was not started');
  return { node, receiver, abandoned };
}

const heartbeat = (term: bigint): PeerMessage => ({
  kind: 'heartbeat',
  term,
  commit: 0n,
  read: undefined,
});

test('CS-116 a snapshot that arrives when nobody wants it any more leaves nothing behind', async () => {
  const { node, receiver, abandoned } = await openNode();
  const sink = receiver.snapshot(leader, 3n, manifest);
  expect(sink).toBeDefined();
  receiver.message({ ...leader, nodeId: 'n3' }, heartbeat(4n), undefined);
  expect(node.status().term).toBe(4n);
  expect(abandoned).toEqual([]);
  await sink?.finish();
  expect(abandoned).toEqual([20n]);
  // Whatever follows begins anew.
  expect(receiver.snapshot(leader, 4n, { ...manifest, index: 30n })).toBeDefined();
  expect(abandoned).toEqual([20n]);
});
