import { describe, expect, test } from 'vitest';
import { DEFAULT_LIMITS, isRaftError } from '../../src/index.ts';
import { expectRaftError } from '../support/log-storage-suite.ts';
import { NodeCluster, put } from '../support/node-cluster.ts';
import { until } from '../support/transport-fixture.ts';

describe('three nodes', { timeout: 60_000 }, () => {
  test('CS-124 CS-125 CS-128 join by contacts and have one cluster, log and state', async () => {
    const cluster = new NodeCluster();
    for (const nodeId of ['n1', 'n2', 'n3']) await cluster.open(nodeId);
    await cluster.voting('n1', 'n2', 'n3');
    const { node } = cluster.of('n1');
    await node.propose(put('a', '1'));
    const { index } = await node.propose(put('b', '2'));
    for (const nodeId of ['n2', 'n3']) {
      const follower = cluster.of(nodeId);
      await until(() => follower.node.status().appliedIndex >= index);
      expect(follower.machine.published).toEqual(cluster.of('n1').machine.published);
      expect(follower.node.status()).toMatchObject({
        role: 'follower',
        clusterUid: node.status().clusterUid,
        leader: { nodeId: 'n1' },
        isWriteStalled: false,
      });
    }
    const steps = cluster.of('n1').events.flatMap((it) => (it.kind === 'membership' ? [it] : []));
    expect(steps.map((it) => `${it.step} ${it.nodeId}`).sort()).toEqual([
      'add learner n2',
      'add learner n3',
      'promote voter n2',
      'promote voter n3',
    ]);
  });

  test('CS-40 the largest command reaches members, also those that come later', async () => {
    const cluster = new NodeCluster();
    const { node } = await cluster.open('n1');
    const { payloadBytesMax } = DEFAULT_LIMITS;
    const valueBytes = payloadBytesMax - put('alone', '').length;
    const tooLarge = node.propose(put('alone', 'v'.repeat(valueBytes + 1)));
    await expectRaftError(tooLarge, 'RAFT_ENTRY_TOO_LARGE');
    await node.propose(put('alone', 'v'.repeat(valueBytes)));
    await cluster.open('n2');
    await cluster.voting('n1', 'n2');
    await node.propose(put('among', 'w'.repeat(valueBytes)));
    const barrier = await cluster.of('n2').node.read();
    expect(barrier.index).toBe(node.status().commitIndex);
    const { published } = cluster.of('n2').machine;
    expect([...published.values()].map((it) => it.length)).toEqual([valueBytes, valueBytes]);
    expect(node.status()).toMatchObject({ role: 'leader', failure: undefined });
  });

  test('CS-51 CS-91 followers read what was answered, and refuse commands with a hint', async () => {
    const cluster = await NodeCluster.ofThree();
    const leader = await cluster.leader();
    const [follower] = cluster.others(leader);
    const { node, machine } = cluster.of(follower!);
    for (let round = 0; round < 20; round += 1) {
      const { index } = await cluster.of(leader).node.propose(put('counter', `${round}`));
      const barrier = await node.read();
      expect(barrier.index).toBeGreaterThanOrEqual(index);
      expect(machine.published.get('counter')).toBe(`${round}`);
    }
    const refused = await expectRaftError(node.propose(put('x')), 'RAFT_NOT_LEADER');
    expect(refused).toMatchObject({ details: { leader: { nodeId: leader } }, retryable: true });
    expect(refused.message).toBe(`this node does not lead; the leader is ${leader}`);
    expect(machine.published.has('x')).toBe(false);
    expect(node.status().queuedProposals).toBe(0);
  });

  test('CS-60 leadership is handed over, and commands go on there', async () => {
    const cluster = await NodeCluster.ofThree();
    const leader = await cluster.leader();
    const [heir, other] = cluster.others(leader);
    await cluster.of(leader).node.transferLeader(cluster.memberOf(heir!));
    await until(() => cluster.of(heir!).node.status().role === 'leader', 'the new leader');
    expect(await cluster.leader()).toBe(heir);
    await cluster.of(heir!).node.propose(put('a'));
    const from = (nodeId: string) => cluster.of(nodeId).node;
    await expectRaftError(from(other!).transferLeader(cluster.memberOf(heir!)), 'RAFT_NOT_LEADER');
    const self = await expectRaftError(
      from(heir!).transferLeader(cluster.memberOf(heir!)),
      'RAFT_INVALID_CHANGE',
    );
    expect(self.message).toBe(`node '${heir}' is no other voter`);
  });

  test('CS-122 CS-123 members go: a follower, then the leader by its own demotion', async () => {
    const cluster = await NodeCluster.ofThree();
    const leader = await cluster.leader();
    const [gone, heir] = cluster.others(leader);
    const { node } = cluster.of(leader);
    const removal = (nodeId: string) =>
      node.changeMembers([{ kind: 'remove', member: cluster.memberOf(nodeId) }]);
    const unknown = { ...cluster.memberOf(leader), nodeId: 'n9', storeId: 'e'.repeat(32) };
    const own = await expectRaftError(removal(leader), 'RAFT_INVALID_CHANGE');
    expect(own.message).toBe(`cannot remove the local leader node '${leader}'`);
    const nobody = node.changeMembers([{ kind: 'remove', member: unknown }]);
    const absent = await expectRaftError(nobody, 'RAFT_INVALID_CHANGE');
    expect(absent.message).toBe("node 'n9' is not a raft member");
    await removal(gone!);
    expect(cluster.voters(leader)).toEqual([leader, heir].sort());
    await node.propose(put('without it'));
    await node.changeMembers([{ kind: 'demote', member: cluster.memberOf(leader) }]);
    await until(() => cluster.of(heir!).node.status().role === 'leader', 'the new leader');
    expect(cluster.voters(heir!)).toEqual([heir]);
    const next = cluster.of(heir!).node;
    await next.propose(put('first of its term'));
    const lastVoter = await expectRaftError(
      next.changeMembers([{ kind: 'demote', member: cluster.memberOf(heir!) }]),
      'RAFT_INVALID_CHANGE',
    );
    expect(lastVoter.message).toBe(`cannot remove the last raft voter '${heir}'`);
    await next.changeMembers([{ kind: 'remove', member: cluster.memberOf(leader) }]);
    await next.propose(put('alone'));
    expect(cluster.of(heir!).machine.published.has('without it')).toBe(true);
  });

  test('CS-129 each is restarted in turn, then all at once, and nothing is lost', async () => {
    const cluster = await NodeCluster.ofThree();
    const expected = new Map<string, string>();
    const command = async (key: string) => {
      const leader = await cluster.leader();
      await cluster.of(leader).node.propose(put(key));
      expected.set(key, 'v');
    };
    for (const nodeId of ['n1', 'n2', 'n3']) {
      await command(`before ${nodeId}`);
      await cluster.of(nodeId).node.close();
      await cluster.leader(...cluster.others(nodeId));
      const [other] = cluster.others(nodeId);
      await until(() => cluster.of(other!).node.status().leader?.nodeId !== nodeId);
      await cluster.open(nodeId);
      await command(`after ${nodeId}`);
    }
    await Promise.all([...cluster.runs.values()].map(({ node }) => node.close()));
    for (const nodeId of ['n1', 'n2', 'n3']) await cluster.open(nodeId);
    await command('at last');
    for (const { node, machine } of cluster.runs.values()) {
      await node.read();
      expect(machine.published).toEqual(expected);
    }
  });

  test('a member that was away gets a snapshot of what the others have cut', async () => {
    const cluster = await NodeCluster.ofThree();
    const leader = await cluster.leader();
    const [away] = cluster.others(leader);
    await cluster.of(away!).node.close();
    const { node, machine } = cluster.of(leader);
    for (let round = 0; round < 150; round += 1) await node.propose(put(`k${round}`));
    await until(() => node.status().firstIndex > 50n, 'a compaction');
    const back = await cluster.open(away!);
    await until(() => back.node.status().appliedIndex >= node.status().appliedIndex);
    expect(back.events).toContainEqual({ kind: 'snapshot', phase: 'installed' });
    expect(back.machine.published).toEqual(machine.published);
  });

  test('BC-28 a leader whose disk hangs is replaced, says so, and follows when it wakes', async () => {
    const cluster = await NodeCluster.ofThree();
    const leader = await cluster.leader();
    const { node, events } = cluster.of(leader);
    cluster.hang(leader);
    // A command is in the log whose write hangs, or it waits for an earlier write and is refused.
    const proposed = node.propose(put('in doubt')).then(
      () => true,
      (error: unknown) => !isRaftError(error, 'RAFT_NOT_LEADER'),
    );
    const others = cluster.others(leader);
    await until(() => node.status().isWriteStalled, 'that the write has become too slow');
    expect(node.status().role).not.toBe('leader');
    await until(() => others.some((it) => cluster.of(it).node.status().role === 'leader'));
    const successor = await cluster.leader(...others);
    await cluster.of(successor).node.propose(put('goes on'));
    await expectRaftError(node.propose(put('refused')), 'RAFT_NOT_LEADER');
    cluster.release(leader);
    const isCommitted = await proposed;
    await until(() => !node.status().isWriteStalled);
    expect(events.some((it) => it.kind === 'writeResumed')).toBe(true);
    expect(await cluster.leader()).toBe(successor);
    await node.read();
    const { published } = cluster.of(leader).machine;
    expect(published.has('goes on')).toBe(true);
    expect(published.has('in doubt')).toBe(isCommitted);
  });

  test('CS-96 a leader that loses the others answers neither, and closes in bounded time', async () => {
    const cluster = await NodeCluster.ofThree();
    const leader = await cluster.leader();
    const others = cluster.others(leader);
    for (const nodeId of others) cluster.hang(nodeId);
    const { node } = cluster.of(leader);
    const outcome = expectRaftError(node.propose(put('in doubt')), 'RAFT_LEADERSHIP_LOST');
    await until(() => node.status().lastIndex > node.status().commitIndex);
    const started = performance.now();
    await node.close();
    expect(performance.now() - started).toBeLessThan(10_000);
    await outcome;
    expect(node.status()).toMatchObject({ isClosed: true, role: 'follower' });
  });
});
