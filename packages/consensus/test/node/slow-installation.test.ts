import { expect, test, vi } from 'vitest';
import { NodeCluster, put } from '../support/node-cluster.ts';
import { until } from '../support/transport-fixture.ts';

vi.setConfig({ testTimeout: 40_000 });

/** Long enough that a busy machine does not look like a stalled stream. */
const STALL_MS = 1_000;

test('CS-43 CS-115 a member that installs a snapshot for long keeps its connections', async () => {
  const cluster = new NodeCluster();
  cluster.transportTiming = { stallMs: STALL_MS, pingMs: 300, backoffMinMs: 20, backoffMaxMs: 200 };
  const leader = await cluster.open('n1');
  const { node, machine } = leader;
  for (let round = 0; round < 150; round += 1) await node.propose(put(`k${round}`));
  await until(() => node.status().firstIndex > 50n, 'a compaction');
  cluster.hang('n2', 'install-finish');
  const learner = await cluster.open('n2');
  await until(() => cluster.waiting.has('n2'), 'the installation', 20_000);
  const connectionsOf = ({ events }: typeof leader): number =>
    events.filter(({ kind }) => kind === 'connected').length;
  await until(() => node.status().inflightBatches > 0, 'the probe that is not answered');
  // Commands go on meanwhile: the leader has one vote and needs nobody.
  let round = 0;
  const proceed = async (periods: number): Promise<void> => {
    const endsAt = performance.now() + periods * STALL_MS;
    for (; performance.now() < endsAt; round += 1) await node.propose(put(`m${round}`));
  };
  // Both sides open their connections within the first period.
  await proceed(1);
  const before = [connectionsOf(leader), connectionsOf(learner)];
  const { stalled } = leader;
  const lostBefore = stalled();
  await proceed(3);
  expect(stalled()).toBe(lostBefore);
  expect([connectionsOf(leader), connectionsOf(learner)]).toEqual(before);
  expect(learner.node.status().appliedIndex).toBe(0n);
  cluster.release('n2');
  await until(() => learner.node.status().appliedIndex >= node.status().appliedIndex, 'the rest');
  await cluster.voting('n1', 'n2');
  expect(learner.machine.published).toEqual(machine.published);
});
