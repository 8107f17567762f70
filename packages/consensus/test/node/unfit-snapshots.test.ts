import path from 'node:path';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { RaftNode, type SnapshotManifest, TcpTransport } from '../../src/index.ts';
import { FIRST_LEVELS } from '../../src/raft/feature-levels.ts';
import { FRAME_KIND } from '../../src/transport/frame.ts';
import { readRefusal } from '../../src/transport/hello.ts';
import { writeManifest } from '../../src/transport/snapshot-codec.ts';
import { encodeCommand, LedgerMachine } from '../support/ledger-machine.ts';
import { openMemoryMember } from '../support/memory-member.ts';
import { manifests } from '../support/message-arbitraries.ts';
import type { NodeObservation, NodeRun } from '../support/node-cluster.ts';
import { propRuns } from '../support/prop-runs.ts';
import { RawPeer } from '../support/raw-peer.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import { newId, until } from '../support/transport-fixture.ts';

const storeId = newId();
const epoch = newId();

type OpenedNode = Pick<NodeRun, 'node' | 'events' | 'endpoint'>;

async function openNode(kind: string): Promise<OpenedNode> {
  if (kind === 'memory') return openMemoryMember({ admits: () => false });
  const transport = new TcpTransport({ listen: '127.0.0.1:0', tls: 'plaintext' });
  const events: NodeObservation[] = [];
  const node = await RaftNode.open({
    stateMachine: new LedgerMachine(),
    cluster: { transport, bootstrap: true, admits: () => false },
    observe: (event) => events.push(event),
    clusterId: 'c1',
    nodeId: 'n1',
    directory: path.join(temporaryDirectory(), 'consensus'),
    diskSpace: 'unwatched',
  });
  onTestFinished(() => node.close());
  return { node, events, endpoint: transport.endpoint };
}

/** Announces a snapshot like a leader of term 9 and gives the first answer. */
async function announce({ node, endpoint }: OpenedNode, manifest: SnapshotManifest) {
  const { clusterUid } = node.status();
  const raw = new RawPeer(endpoint);
  raw.hello({ clusterId: 'c1', clusterUid, storeId, epoch }, { trafficClass: 'bulk' });
  await until(() => raw.of(FRAME_KIND.hello).length === 1, 'the introduction');
  raw.send(FRAME_KIND.snapshotBegin, (writer) => writeManifest(writer.u64(9n), manifest));
  const answers = () => raw.frames.filter(({ kind }) => kind >= FRAME_KIND.snapshotNext);
  const refusals = () => raw.of(FRAME_KIND.refusal).map(readRefusal);
  await until(() => answers().length + refusals().length > 0, 'an answer');
  raw.socket.destroy();
  return { answers: answers(), refusals: refusals() };
}

const member = {
  nodeId: 'n2',
  storeId,
  incarnation: 1n,
  endpoint: '127.0.0.1:1',
  levels: FIRST_LEVELS,
};
const FITTING: SnapshotManifest = {
  index: 1_000n,
  term: 9n,
  chain: new Uint8Array(16),
  generation: 1n,
  configuration: { clusterUid: newId(), level: 1, voters: [member], outgoing: [], learners: [] },
  configurationIndex: 900n,
  revision: 5n,
  stateDigest: 123n,
  recordCount: 4n,
  sections: ['ab'.repeat(32)],
  bytes: 100,
};

test.each(['memory', 'disk'])(
  'CS-113 a member with a store %s refuses a manifest that nothing can fit, names its sender and goes on',
  async (kind) => {
    const own = await openNode(kind);
    const { configuration } = FITTING;
    const unfit: readonly (readonly [string, Partial<SnapshotManifest>])[] = [
      ['size differs', { sections: [] }],
      ['records differ', { sections: [], bytes: 0 }],
      ['no voters', { configuration: { ...configuration, voters: [], learners: [member] } }],
      ['members come later', { configurationIndex: 1_001n }],
      ['newer than its sender', { term: 10n }],
    ];
    for (const [reason, change] of unfit) {
      own.events.length = 0;
      const { answers, refusals } = await announce(own, { ...FITTING, ...change });
      expect(answers).toEqual([]);
      expect(refusals).toEqual(['the snapshot is not wanted']);
      const named = own.events.flatMap((it) => (it.kind === 'refused' ? [it] : []));
      expect(named).toEqual([
        { kind: 'refused', peer: { nodeId: 'raw', storeId }, reason: expect.any(String) },
      ]);
      expect(named[0]?.reason).toContain(reason);
    }
    // What only announces something else than it sends is found out later.
    const { answers } = await announce(own, FITTING);
    expect(answers.map((it) => it.kind)).toEqual([FRAME_KIND.snapshotNext]);
    const command = encodeCommand({ op: 'put', key: 'a', value: '1' });
    expect(await own.node.propose(command)).toMatchObject({ revision: 1n });
  },
);

test('CS-113 no manifest that can be written ends the member that reads it', async () => {
  const own = await openNode('memory');
  const property = fc.asyncProperty(manifests, fc.boolean(), async (manifest, isNew) => {
    const index = isNew ? manifest.index + 1_000n : manifest.index;
    if (index >= 2n ** 64n) return;
    const { answers, refusals } = await announce(own, { ...manifest, index });
    expect(answers.length + refusals.length).toBe(1);
    expect(own.node.status().failure).toBeUndefined();
  });
  await fc.assert(property, { numRuns: propRuns(40) });
});
