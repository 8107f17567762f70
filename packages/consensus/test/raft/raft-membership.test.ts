import { describe, expect, test } from 'vitest';
import type { MemberChange } from '../../src/raft/configuration.ts';
import { encodeConfiguration } from '../../src/raft/configuration-codec.ts';
import { memberKey } from '../../src/raft/member-id.ts';
import { CoreCluster, idOf } from '../support/core-cluster.ts';
import {
  CoreDisk,
  type CoreMember,
  configurationOf,
  memberOf,
  testChain,
} from '../support/core-member.ts';

const change = (member: CoreMember, ...changes: readonly MemberChange[]) =>
  member.step({ kind: 'proposeConfiguration', changes }).proposals[0];
const numbers = (members: readonly { readonly nodeId: string }[] = []) =>
  members.map(({ nodeId }) => Number(nodeId.slice(1)));

describe('membership', () => {
  test('CS-120 parity: a configuration is in force on append and rolled back on truncation', () => {
    const cluster = new CoreCluster([1, 2, 3]);
    const leader = cluster.elect(1);
    cluster.isolate(1);
    change(leader, { kind: 'addLearner', member: memberOf(4) });
    expect(numbers(leader.core.configuration?.learners)).toEqual([4]);
    leader.persist();
    const isolated = cluster.restart(1);
    expect(numbers(isolated.core.configuration?.learners)).toEqual([4]);
    cluster.tickUntil(() => cluster.leaders.some((it) => it !== 1));
    const [other] = cluster.leaders.filter((it) => it !== 1);
    cluster.propose(other!, 1);
    cluster.settle();
    cluster.heal();
    cluster.tick(30);
    expect(numbers(isolated.core.configuration?.learners)).toEqual([]);
    expect(isolated.core.configurationIndex).toBe(0n);
    expect(isolated.disk.configurations).toHaveLength(1);
  });

  test('CS-121 one change at a time, and none before an entry of the own term is committed', () => {
    const cluster = new CoreCluster([1, 2, 3]);
    const leader = cluster.elect(1);
    expect(change(leader, { kind: 'addLearner', member: memberOf(4) })).toMatchObject({
      kind: 'accepted',
    });
    const pending = { kind: 'dropped', reason: 'changePending' };
    expect(change(leader, { kind: 'addLearner', member: memberOf(5) })).toMatchObject(pending);
    cluster.settle();
    expect(change(leader, { kind: 'addLearner', member: memberOf(5) })).toMatchObject({
      kind: 'accepted',
    });
    const early = new CoreCluster([1, 2, 3]);
    const fresh = early.of(1);
    fresh.step({ kind: 'campaign' });
    early.cut(1, 3);
    for (let turn = 0; turn < 100 && fresh.core.role !== 'leader'; turn += 1) {
      early.deliver();
      for (const member of early.members.values()) member.persist();
    }
    expect(fresh.core).toMatchObject({ role: 'leader', commit: 0n });
    expect(change(fresh, { kind: 'remove', member: idOf(2) })).toMatchObject(pending);
  });

  test('CS-121 one vote changes simply, more through a joint configuration that is left', () => {
    const cluster = new CoreCluster([1, 2, 3, 4, 5], configurationOf([1, 2, 3], [4, 5]));
    const leader = cluster.elect(1);
    change(leader, { kind: 'promote', member: idOf(4) });
    expect(leader.core.configuration?.outgoing).toEqual([]);
    cluster.settle();
    change(leader, { kind: 'promote', member: idOf(5) }, { kind: 'remove', member: idOf(2) });
    expect(numbers(leader.core.configuration?.outgoing)).toEqual([1, 2, 3, 4]);
    expect(numbers(leader.core.configuration?.voters)).toEqual([1, 3, 4, 5]);
    expect(change(leader, { kind: 'demote', member: idOf(3) })).toMatchObject({
      reason: 'changePending',
    });
    cluster.settle();
    expect(leader.core.configuration?.outgoing).toEqual([]);
    expect(numbers(cluster.of(5).core.configuration?.voters)).toEqual([1, 3, 4, 5]);
  });

  test('CS-121 a joint entry is committed by both halves', () => {
    const cluster = new CoreCluster([1, 2, 3, 4, 5], configurationOf([1, 2, 3], [4, 5]));
    const leader = cluster.elect(1);
    for (const gone of [4, 5]) cluster.isolate(gone);
    const promotions = [4, 5].map((it) => ({ kind: 'promote' as const, member: idOf(it) }));
    const removals = [2, 3].map((it) => ({ kind: 'remove' as const, member: idOf(it) }));
    change(leader, ...promotions, ...removals);
    cluster.tick(3);
    expect(leader.core).toMatchObject({ role: 'leader', commit: 1n });
    cluster.heal();
    cluster.tickUntil(() => leader.core.commit === 3n, 60);
    expect(leader.core.configuration?.outgoing).toEqual([]);
  });

  test('CS-121 pitfall 9: the leave is appended by whoever leads, also by a successor', () => {
    const cluster = new CoreCluster([1, 2, 3, 4, 5], configurationOf([1, 2, 3], [4, 5]));
    const leader = cluster.elect(1);
    change(leader, { kind: 'promote', member: idOf(4) }, { kind: 'promote', member: idOf(5) });
    // The joint entry reaches everyone and its leader dies before it knows.
    cluster.collect();
    for (const flight of cluster.flights.splice(0)) cluster.hand(flight);
    for (const number of [2, 3, 4, 5]) {
      cluster.of(number).persist();
      cluster.of(number).outgoing.splice(0);
    }
    leader.persist();
    expect(leader.core.commit).toBe(1n);
    cluster.crash(1);
    cluster.elect(3);
    cluster.tick(3);
    expect(numbers(cluster.of(3).core.configuration?.voters)).toEqual([1, 2, 3, 4, 5]);
    expect(cluster.of(3).core.configuration?.outgoing).toEqual([]);
    expect(cluster.of(4).core.configuration?.outgoing).toEqual([]);
  });

  test('CS-122 parity: a leader without a vote leads on until that is committed', () => {
    const cluster = new CoreCluster([1, 2, 3]);
    const leader = cluster.elect(1);
    change(leader, { kind: 'demote', member: idOf(1) });
    leader.persist();
    // Its own copy does not count.
    expect(leader.core).toMatchObject({ role: 'leader', commit: 1n });
    cluster.settle();
    expect(leader.core.role).toBe('follower');
    expect(leader.core.commit).toBe(2n);
    for (const number of [2, 3]) expect(cluster.of(number).core.commit).toBe(2n);
    expect(leader.events).toContainEqual({
      kind: 'steppedDown',
      term: 1n,
      reason: 'this member has no vote any more',
    });
    cluster.tickUntil(() => cluster.leaders.length === 1);
    expect(cluster.leaders).not.toContain(1);
  });

  test('CS-27, CS-122 pitfall 8: who alone holds its own removal is elected to commit it', () => {
    const first = { index: 1n, term: 1n, kind: 'empty', payload: new Uint8Array(0) } as const;
    const begin = { ...first, chain: testChain(new Uint8Array(16), first) };
    const removal = configurationOf([1, 2, 3]);
    const second = {
      index: 2n,
      term: 1n,
      kind: 'configuration',
      payload: encodeConfiguration(removal),
    } as const;
    const cluster = new CoreCluster([]);
    for (const number of [2, 3, 4]) {
      const disk = new CoreDisk(configurationOf([1, 2, 3, 4]));
      disk.hardState = { term: 1n, votedFor: idOf(1), commit: 1n };
      disk.entries.push(begin);
      if (number === 4) {
        disk.entries.push({ ...second, chain: testChain(begin.chain, second) });
        disk.configurations.push({ index: 2n, configuration: removal });
      }
      cluster.start(number, disk);
    }
    // Member 1 is gone; 2 and 3 need the vote of 4, whose log is newer.
    cluster.tickUntil(() => cluster.of(2).core.commit >= 2n, 600);
    expect(numbers(cluster.of(2).core.configuration?.voters)).toEqual([1, 2, 3]);
    expect(cluster.of(4).events).toContainEqual(expect.objectContaining({ kind: 'elected' }));
    cluster.tickUntil(() => [2, 3].includes(cluster.leaders[0] ?? 0), 200);
    expect(cluster.of(4).core.role).toBe('follower');
  });

  test.each([
    ['the leader', { kind: 'remove', member: idOf(1) }, "cannot remove the local leader node 'n1'"],
    ['an unknown member', { kind: 'remove', member: idOf(9) }, "node 'n9' is not a raft member"],
  ] as const)('CS-123 refuses to remove %s', (_, step, text) => {
    const cluster = new CoreCluster([1, 2, 3]);
    expect(change(cluster.elect(1), step)).toMatchObject({ reason: 'invalidChange', text });
  });

  test('CS-123 refuses to remove or demote the last voter', () => {
    const cluster = new CoreCluster([1]);
    const leader = cluster.elect(1);
    const text = "cannot remove the last raft voter 'n1'";
    for (const kind of ['remove', 'demote'] as const) {
      expect(change(leader, { kind, member: idOf(1) })).toMatchObject({ text });
    }
  });

  test('CS-126 a learner is caught up when its last round was quick', () => {
    const cluster = new CoreCluster([1, 2, 3]);
    const leader = cluster.elect(1);
    const key = memberKey(memberOf(4));
    change(leader, { kind: 'addLearner', member: memberOf(4) });
    cluster.settle();
    expect(leader.core.isCaughtUp(key)).toBe(false);
    cluster.start(4, new CoreDisk(undefined));
    cluster.tickUntil(() => leader.core.isCaughtUp(key), 60);
    // Idle time is not slowness.
    cluster.tick(60);
    for (let byte = 0; byte < 3; byte += 1) cluster.propose(1, byte);
    cluster.settle();
    expect(leader.core.isCaughtUp(key)).toBe(true);
    // Falling behind is.
    cluster.isolate(4);
    cluster.propose(1, 9);
    cluster.tick(12);
    expect(leader.core.isCaughtUp(key)).toBe(false);
  });

  test('CS-126 a learner that took long is caught up when nothing is missing any more', () => {
    const cluster = new CoreCluster([1, 2, 3]);
    const leader = cluster.elect(1);
    const key = memberKey(memberOf(4));
    change(leader, { kind: 'addLearner', member: memberOf(4) });
    cluster.settle();
    cluster.tick(200);
    cluster.start(4, new CoreDisk(undefined));
    // Nothing is proposed, so there is no other round by which it could show how quick it is.
    cluster.tickUntil(() => leader.core.isCaughtUp(key), 60);
  });

  test('CS-28, CS-120 a node with a new store is another member', () => {
    const cluster = new CoreCluster([1, 2, 3]);
    const leader = cluster.elect(1);
    const renewed = { ...memberOf(2), storeId: 'ee'.repeat(16) };
    expect(change(leader, { kind: 'promote', member: renewed })).toMatchObject({
      text: "node 'n2' is not a raft member",
    });
    expect(change(leader, { kind: 'addLearner', member: renewed })).toMatchObject({
      kind: 'accepted',
    });
    expect(leader.core.progress.size).toBe(3);
  });
});

describe('leadership transfer', () => {
  test('CS-60 parity: the target catches up, then takes over at once', () => {
    const cluster = new CoreCluster([1, 2, 3]);
    const leader = cluster.elect(1);
    leader.step({ kind: 'propose', payloads: [Uint8Array.of(1)] });
    const output = leader.step({ kind: 'transferLeader', target: idOf(2) });
    expect(output.proposals).toMatchObject([{ kind: 'accepted' }]);
    expect(output.messagesNow.filter(({ message }) => message.kind === 'timeoutNow')).toEqual([]);
    const refused = leader.step({ kind: 'propose', payloads: [Uint8Array.of(2)] });
    expect(refused.proposals).toMatchObject([{ reason: 'transferring' }]);
    cluster.settle();
    expect(cluster.leaders).toEqual([2]);
    expect(cluster.of(2).core.term).toBe(2n);
    expect(cluster.of(2).events).not.toContainEqual(
      expect.objectContaining({ kind: 'campaign', phase: 'preVote' }),
    );
  });

  test('CS-60 it is given up after the longest election timeout', () => {
    const cluster = new CoreCluster([1, 2, 3]);
    const leader = cluster.elect(1);
    cluster.cut(1, 2);
    leader.step({ kind: 'transferLeader', target: idOf(2) });
    for (let tick = 0; tick < 20; tick += 1) {
      leader.step({ kind: 'tick' });
      cluster.of(3).step({ kind: 'tick' });
      cluster.settle();
    }
    expect(leader.events).toContainEqual({ kind: 'transferAborted', target: idOf(2) });
    const again = leader.step({ kind: 'propose', payloads: [Uint8Array.of(2)] });
    expect(again.proposals).toMatchObject([{ kind: 'accepted' }]);
  });

  test('CS-60 only to another voter that answers', () => {
    const cluster = new CoreCluster([1, 2, 3, 4], configurationOf([1, 2, 3], [4]));
    const leader = cluster.elect(1);
    const to = (number: number) =>
      leader.step({ kind: 'transferLeader', target: idOf(number) }).proposals[0];
    expect(to(1)).toMatchObject({ reason: 'invalidChange' });
    expect(to(4)).toMatchObject({ reason: 'invalidChange' });
    cluster.isolate(2);
    cluster.tick(10);
    expect(to(2)).toMatchObject({ text: "node 'n2' does not answer" });
    expect(to(3)).toMatchObject({ kind: 'accepted' });
    expect(cluster.of(3).step({ kind: 'transferLeader', target: idOf(1) }).proposals).toMatchObject(
      [{ reason: 'notLeader' }],
    );
  });

  test('CS-60 only the present leader can call an election', () => {
    const cluster = new CoreCluster([1, 2, 3]);
    cluster.elect(1);
    const follower = cluster.of(2);
    const message = { kind: 'timeoutNow', term: 1n } as const;
    follower.step({ kind: 'message', from: idOf(3), message });
    follower.step({ kind: 'message', from: idOf(1), message: { ...message, term: 0n } });
    expect(follower.core.term).toBe(1n);
    follower.step({ kind: 'message', from: idOf(1), message });
    expect(follower.core).toMatchObject({ term: 2n, role: 'candidate' });
  });
});
