import { expect, onTestFinished, test, vi } from 'vitest';
import { TcpTransport } from '../../src/index.ts';
import { NodeCluster, put } from '../support/node-cluster.ts';
import { until } from '../support/transport-fixture.ts';

test('CS-60 CS-61 a leader that closes transfers nothing; a transfer is asked for by its name', async () => {
  const cluster = await NodeCluster.ofThree();
  const sent: string[] = [];
  const { send } = TcpTransport.prototype;
  const spy = vi.spyOn(TcpTransport.prototype, 'send').mockImplementation(function (
    this: TcpTransport,
    to,
    message,
  ) {
    if (message.kind === 'timeoutNow') sent.push(to.nodeId);
    send.call(this, to, message);
  });
  onTestFinished(() => spy.mockRestore());
  const { node: leader } = cluster.of('n1');
  await leader.propose(put('a'));
  const { storeId } = cluster.of('n2').node.status().identity;
  await leader.transferLeader({ nodeId: 'n2', storeId });
  await until(() => cluster.of('n2').node.status().role === 'leader', 'the new leader');
  expect(sent).toEqual(['n2']);
  await cluster.of('n2').node.propose(put('b'));
  await cluster.of('n2').node.close();
  await until(
    () => ['n1', 'n3'].some((it) => cluster.of(it).node.status().role === 'leader'),
    'an election among those that stay',
  );
  expect(sent).toEqual(['n2']);
});
