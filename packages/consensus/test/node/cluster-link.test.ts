import { expect, onTestFinished, test } from 'vitest';
import type { OutgoingSnapshot, PeerMessage, Transport, TransportPeer } from '../../src/index.ts';
import { MemoryDisk, MemoryLogStorage, RaftNode } from '../../src/index.ts';
import { memberOf } from '../support/core-member.ts';
import { encodeCommand, LedgerMachine } from '../support/ledger-machine.ts';
import { until } from '../support/transport-fixture.ts';

/** Has peers, and throws whenever something is to be sent to one. */
class BrokenTransport implements Transport {
  readonly endpoint = '127.0.0.1:1';
  peers: readonly TransportPeer[] = [];
  thrown = 0;

  async listen(): Promise<string> {
    return this.endpoint;
  }

  async ask(): Promise<{ readonly kind: 'silent' }> {
    return { kind: 'silent' };
  }

  start(): void {}

  connectedPeers(): readonly [] {
    return [];
  }

  setPeers(peers: readonly TransportPeer[]): void {
    this.peers = peers;
  }

  setContacts(): void {}

  send(_to: TransportPeer, message: PeerMessage): never {
    this.thrown += 1;
    throw new Error(`cannot send ${message.kind}`);
  }

  async sendSnapshot(_to: TransportPeer, _snapshot: OutgoingSnapshot): Promise<boolean> {
    return false;
  }

  queues(): ReturnType<Transport['queues']> {
    return new Map();
  }

  async close(): Promise<void> {}
}

test('a transport that throws shows its defect and leaves the node whole', async () => {
  const defects: string[] = [];
  const listeners = process.listeners('uncaughtException');
  process.removeAllListeners('uncaughtException');
  const note = (error: Error) => defects.push(error.message);
  process.on('uncaughtException', note);
  onTestFinished(() => {
    process.off('uncaughtException', note);
    for (const listener of listeners) process.on('uncaughtException', listener);
  });
  const transport = new BrokenTransport();
  const disk = new MemoryDisk();
  const node = await RaftNode.open({
    storage: await MemoryLogStorage.open({ disk, clusterId: 'c1', nodeId: 'n1' }),
    stateMachine: new LedgerMachine(),
    timing: { heartbeatMs: 50, electionMinMs: 300, electionMaxMs: 600 },
    cluster: { transport, bootstrap: true },
  });
  const learner = { ...memberOf(2), storeId: 'ab'.repeat(16) };
  await node.changeMembers([{ kind: 'addLearner', member: learner }]);
  const result = await node.propose(encodeCommand({ op: 'put', key: 'a', value: '1' }));
  expect(result).toMatchObject({ revision: 1n });
  await until(() => transport.thrown > 1 && defects.length === transport.thrown, 'the defects');
  expect(new Set(defects.map((it) => it.split(' ').slice(0, 2).join(' ')))).toEqual(
    new Set(['cannot send']),
  );
  expect(node.status()).toMatchObject({ role: 'leader', failure: undefined });
  await node.close();
});
