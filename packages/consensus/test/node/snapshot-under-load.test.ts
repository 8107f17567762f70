import { setImmediate } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import {
  type LogStorage,
  MemoryDisk,
  MemoryLogStorage,
  RaftNode,
  type RaftNodeOptions,
  type SnapshotManifest,
  TcpTransport,
} from '../../src/index.ts';
import { encodeCommand, LedgerMachine } from '../support/ledger-machine.ts';
import { CLUSTER_TIMING } from '../support/node-cluster.ts';
import { until } from '../support/transport-fixture.ts';

type Observed = Parameters<NonNullable<RaftNodeOptions['observe']>>[0];

const retention = { entriesThreshold: 20, entriesKept: 5 };

/** The store with a wait before every section that it receives. */
function withWait(storage: LogStorage, wait: (manifest: SnapshotManifest) => Promise<void>) {
  return new Proxy(storage, {
    get(target, name) {
      if (name === 'receiveSnapshot') {
        return (manifest: SnapshotManifest) => {
          const receipt = target.receiveSnapshot(manifest);
          const section = receipt.section.bind(receipt);
          receipt.section = async (bytes) => {
            await wait(manifest);
            await section(bytes);
          };
          return receipt;
        };
      }
      const member: unknown = Reflect.get(target, name, target);
      return typeof member === 'function' ? member.bind(target) : member;
    },
  });
}

async function openMember(
  nodeId: string,
  contacts: readonly string[],
  wrap: (storage: LogStorage) => LogStorage = (it) => it,
) {
  const storage = await MemoryLogStorage.open({
    disk: new MemoryDisk(),
    clusterId: 'c1',
    nodeId,
    // A disk lets the event loop go round; memory alone would not while commands are waiting.
    intercept: async (_, commit) => {
      await setImmediate();
      await commit();
    },
  });
  const transport = new TcpTransport({ listen: '127.0.0.1:0', tls: 'plaintext' });
  const machine = new LedgerMachine();
  const events: Observed[] = [];
  const node = await RaftNode.open({
    storage: wrap(storage),
    stateMachine: machine,
    retention,
    timing: CLUSTER_TIMING,
    cluster: { transport, bootstrap: contacts.length === 0, contacts },
    observe: (event) => events.push(event),
  });
  onTestFinished(() => node.close());
  return { node, machine, events, endpoint: transport.endpoint };
}

/** Commands one after another, by several clients at once, until it is stopped. */
function load(node: RaftNode) {
  let isStopped = false;
  let number = 0;
  const client = async () => {
    while (!isStopped) {
      number += 1;
      const command = { op: 'put', key: `k${number % 100}`, value: `${number}` } as const;
      await node.propose(encodeCommand(command));
    }
  };
  const clients = Promise.all(Array.from({ length: 8 }, client));
  return async () => {
    isStopped = true;
    await clients;
  };
}

test('CS-101 CS-114 a member joins although several snapshots are made while it receives one', async () => {
  const leader = await openMember('n1', []);
  const { node } = leader;
  const stop = load(node);
  await until(() => node.status().firstIndex > 50n, 'a compaction');
  const joined = await openMember('n2', [leader.endpoint], (storage) =>
    withWait(storage, async (manifest) => {
      const isFar = () => (node.status().snapshotIndex ?? 0n) > manifest.index + 100n;
      await until(isFar, 'newer snapshots', 10_000);
    }),
  );
  await until(
    () => node.status().configuration?.configuration.voters.length === 2,
    'the vote of the member that joins',
    15_000,
  );
  await stop();
  const installed = joined.events.filter(
    (event) => event.kind === 'snapshot' && event.phase === 'installed',
  );
  expect(installed).toHaveLength(1);
  await joined.node.read();
  expect(joined.machine.published).toEqual(leader.machine.published);
});
