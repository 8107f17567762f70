import { expect, test, vi } from 'vitest';
import { NodeCluster, type NodeRun, put } from '../support/node-cluster.ts';
import { until } from '../support/transport-fixture.ts';

vi.setConfig({ testTimeout: 40_000 });

const storesOf = ({ node }: NodeRun): readonly string[] =>
  (node.status().configuration?.configuration.voters ?? []).map((it) => it.storeId).sort();

function refusalsOf({ events }: NodeRun): readonly string[] {
  return events.flatMap((it) => (it.kind === 'refused' ? [it.reason] : []));
}

const namesOf = (node: NodeRun): readonly string[] =>
  refusalsOf(node).flatMap((it) => /^nameInUse: the name of node '(\w+)'/.exec(it)?.[1] ?? []);

test('CS-137 a copied name takes nobody out of a cluster, and its owner is replaced once it is gone', async () => {
  const cluster = await NodeCluster.ofThree();
  const leader = cluster.of(await cluster.leader());
  const [taken = ''] = cluster.others(leader.node.status().identity.nodeId);
  const before = storesOf(leader);
  cluster.isAdmitting = true;
  const copy = await cluster.open('copy', taken);
  await until(() => namesOf(leader).length > 0 && namesOf(copy).length > 1, 'both being told');
  expect(new Set([...namesOf(leader), ...namesOf(copy)])).toEqual(new Set([taken]));
  await leader.node.propose(put('a'));
  expect(storesOf(leader)).toEqual(before);
  expect(leader.events.filter(({ kind }) => kind === 'membership')).toEqual([]);
  expect(cluster.of(taken).node.status().failure).toBeUndefined();

  await cluster.of(taken).node.close();
  const { storeId } = copy.node.status().identity;
  await until(() => storesOf(copy).includes(storeId), 'the vote of the successor', 20_000);
  await until(() => copy.machine.published.get('a') === 'v', 'what the cluster knows');
  const former = await cluster.restart(taken);
  await until(() => namesOf(former).length > 0, 'the former one being told');
});

test('CS-123 CS-137 a process with the name of the leader holds up nobody', async () => {
  const cluster = new NodeCluster();
  const founder = await cluster.open('n1');
  const copy = await cluster.open('copy', 'n1');
  await until(() => namesOf(founder).length > 0 && namesOf(copy).length > 0, 'both being told');
  await cluster.open('n2');
  await cluster.open('n3');
  await cluster.voting('n1', 'n2', 'n3');
  expect(founder.events.filter(({ kind }) => kind === 'membershipFailed')).toEqual([]);
  expect(copy.node.status()).toMatchObject({ role: 'follower', configuration: undefined });
});
