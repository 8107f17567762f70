import path from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { RaftNode, TcpTransport } from '../../src/index.ts';
import { LedgerMachine } from '../support/ledger-machine.ts';
import { CLUSTER_TIMING } from '../support/node-cluster.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import { TEST_TIMING, TestProcess, until } from '../support/transport-fixture.ts';

vi.setConfig({ testTimeout: 30_000 });

/** Opens a node on an empty disk, which is closed with the test. */
async function open(
  nodeId: string,
  cluster: { readonly bootstrap: boolean; readonly contacts?: readonly string[] },
  clusterId = 'founded',
): Promise<{ readonly node: RaftNode; readonly endpoint: string }> {
  const transport = new TcpTransport({
    listen: '127.0.0.1:0',
    tls: 'plaintext',
    timing: TEST_TIMING,
  });
  const node = await RaftNode.open({
    directory: path.join(temporaryDirectory(), 'consensus'),
    clusterId,
    nodeId,
    stateMachine: new LedgerMachine(),
    timing: CLUSTER_TIMING,
    diskSpace: 'unwatched',
    cluster: { transport, ...cluster },
  });
  onTestFinished(() => node.close());
  return { node, endpoint: transport.endpoint };
}

const votersOf = ({ node }: { readonly node: RaftNode }) =>
  node
    .status()
    .configuration?.configuration.voters.map(({ nodeId }) => nodeId)
    .sort();

test('CS-128 a founder that lost its store founds no second cluster but joins the first', async () => {
  const first = await open('n1', { bootstrap: true });
  const second = await open('n2', { bootstrap: false, contacts: [first.endpoint] });
  const third = await open('n3', { bootstrap: false, contacts: [first.endpoint] });
  await until(() => votersOf(third)?.length === 3, 'three votes', 20_000);
  await first.node.close();
  const contacts = [second.endpoint, third.endpoint];
  await expect(open('n1', { bootstrap: true, contacts })).rejects.toMatchObject({
    code: 'RAFT_ALREADY_FOUNDED',
    retryable: false,
    details: {
      endpoint: expect.stringMatching(/^127\.0\.0\.1:\d+$/),
      problem: expect.stringMatching(/^node 'n[23]' is a member of cluster 'founded'$/),
    },
    message: expect.stringMatching(/; start this node without bootstrap, so that it joins$/),
  });
  const back = await open('n1', { bootstrap: false, contacts });
  await until(() => votersOf(back)?.join() === 'n1,n2,n3', 'its vote', 20_000);
  expect(back.node.status().clusterUid).toBe(second.node.status().clusterUid);
});

test('CS-128 contacts that are silent or without a cluster keep nobody from founding', async () => {
  const waiting = await TestProcess.start('n2', { identity: { clusterId: 'fresh' } });
  const gone = await TestProcess.start('n3', { identity: { clusterId: 'fresh' } });
  await gone.transport.close();
  const contacts = [waiting.transport.endpoint, gone.transport.endpoint];
  const { node } = await open('n1', { bootstrap: true, contacts }, 'fresh');
  expect(node.status().role).toBe('leader');
});

test('CS-128 nothing is founded beside a contact that refuses to tell', async () => {
  const other = await TestProcess.start('n2', { identity: { clusterId: 'another' } });
  const contacts = [other.transport.endpoint];
  const founding = open('n1', { bootstrap: true, contacts }, 'unsure');
  await expect(founding).rejects.toMatchObject({
    code: 'RAFT_ALREADY_FOUNDED',
    details: {
      endpoint: other.transport.endpoint,
      problem: expect.stringMatching(/^clusterMismatch: .* node 'n2' to cluster 'another';/),
    },
  });
});
