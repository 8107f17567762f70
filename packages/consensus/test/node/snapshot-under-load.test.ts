import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { LogStorage, RaftNode, SnapshotManifest, WriteInterceptor } from '../../src/index.ts';
import { encodeCommand } from '../support/ledger-machine.ts';
import { openMemoryMember, withCalls } from '../support/memory-member.ts';
import { until } from '../support/transport-fixture.ts';

const retention = { entriesThreshold: 20, entriesKept: 5 };

/** A disk lets the event loop go round; memory alone would not while commands are waiting. */
const intercept: WriteInterceptor = async (_, commit) => {
  await setImmediate();
  await commit();
};

/** The store with a wait before every section that it receives. */
function withWait(storage: LogStorage, wait: (manifest: SnapshotManifest) => Promise<void>) {
  const receiveSnapshot: LogStorage['receiveSnapshot'] = (manifest) => {
    const receipt = storage.receiveSnapshot(manifest);
    const section = receipt.section.bind(receipt);
    receipt.section = async (bytes) => {
      await wait(manifest);
      await section(bytes);
    };
    return receipt;
  };
  return withCalls(storage, { receiveSnapshot });
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
  const leader = await openMemoryMember({ retention, intercept });
  const { node } = leader;
  const stop = load(node);
  await until(() => node.status().firstIndex > 50n, 'a compaction');
  const joined = await openMemoryMember({
    nodeId: 'n2',
    contacts: [leader.endpoint],
    retention,
    intercept,
    wrap: (storage) =>
      withWait(storage, async (manifest) => {
        const isFar = () => (node.status().snapshotIndex ?? 0n) > manifest.index + 100n;
        await until(isFar, 'newer snapshots', 10_000);
      }),
  });
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
