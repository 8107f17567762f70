import { expect, onTestFinished, test } from 'vitest';
import { MemoryDisk, MemoryLogStorage, RaftNode } from '../../src/index.ts';
import { LedgerMachine } from '../support/ledger-machine.ts';
import { runOf, ToldTransport } from '../support/told-transport.ts';
import { until } from '../support/transport-fixture.ts';

test('CS-132 a run at or below its tombstone is never admitted, however late it is told; a later one is', async () => {
  const transport = new ToldTransport();
  const tombstone = 5n;
  const node = await RaftNode.open({
    storage: await MemoryLogStorage.open({
      disk: new MemoryDisk(),
      clusterId: 'c1',
      nodeId: 'n1',
    }),
    stateMachine: new LedgerMachine(),
    cluster: {
      transport,
      bootstrap: true,
      admits: ({ nodeId, incarnation }) => nodeId !== 'n2' || incarnation > tombstone,
    },
  });
  onTestFinished(() => node.close());
  const members = () => {
    const { voters = [], learners = [] } = node.status().configuration?.configuration ?? {};
    return [...voters, ...learners].map(({ nodeId, incarnation }) => [nodeId, incarnation]);
  };
  for (const incarnation of [5n, 4n]) {
    transport.peers = [runOf(incarnation)];
    const { asked } = transport;
    // A look of the leader at who is there takes them into account.
    await until(() => transport.asked > asked + 1, 'two looks of the leader');
    expect(members()).toHaveLength(1);
  }
  transport.peers = [runOf(6n)];
  await until(() => members().length === 2, 'the later run as a member');
  expect(members()[1]).toEqual(['n2', 6n]);
});
