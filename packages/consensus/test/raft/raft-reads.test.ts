import { describe, expect, test } from 'vitest';
import type { Message } from '../../src/raft/message.ts';
import { CoreCluster, idOf } from '../support/core-cluster.ts';
import { type CoreMember, configurationOf, memberOf } from '../support/core-member.ts';

const from = (number: number, message: Message) =>
  ({ kind: 'message', from: idOf(number), message }) as const;
const roundsOf = (member: CoreMember) =>
  member.outgoing.splice(0).flatMap(({ message }) => {
    return message.kind === 'heartbeat' && message.read !== undefined ? [message.read] : [];
  });
const read = (member: CoreMember, context: bigint) => member.step({ kind: 'readIndex', context });
const answer = (member: CoreMember, number: number, context: bigint, epoch = member.epoch) =>
  member.step(from(number, { kind: 'heartbeatResponse', term: 1n, read: { epoch, context } }));

/** A leader of three in term 1 whose messages are looked at by the test alone. */
function leaderOfThree(): { cluster: CoreCluster; leader: CoreMember } {
  const cluster = new CoreCluster([1, 2, 3]);
  const leader = cluster.elect(1);
  cluster.propose(1, 1);
  cluster.settle();
  return { cluster, leader };
}

describe('linearizable reads', () => {
  test('CS-50 a round of heartbeats begun after the request confirms its index', () => {
    const { leader } = leaderOfThree();
    expect(read(leader, 10n).readStates).toEqual([]);
    expect(roundsOf(leader)).toEqual([
      { epoch: leader.epoch, context: 1n },
      { epoch: leader.epoch, context: 1n },
    ]);
    expect(answer(leader, 2, 1n).readStates).toEqual([{ context: 10n, index: 2n }]);
  });

  test('CS-50 directed: whoever asks during a round waits for the next one', () => {
    const { cluster, leader } = leaderOfThree();
    read(leader, 1n);
    // The answer of member 2 to the first round is made before the second request.
    const early = { kind: 'heartbeatResponse', term: 1n } as const;
    roundsOf(leader);
    cluster.propose(1, 2);
    leader.persist();
    leader.step(from(3, { ...accepted(3n), batch: 3n }));
    expect(leader.core.commit).toBe(3n);
    read(leader, 2n);
    // What is told of the new commit index repeats the round that is open.
    leader.step({ kind: 'announceCommit' });
    const epoch = leader.epoch;
    expect(roundsOf(leader)).toEqual([{ epoch, context: 1n }]);
    const first = leader.step(from(2, { ...early, read: { epoch, context: 1n } }));
    expect(first.readStates).toEqual([{ context: 1n, index: 2n }]);
    expect(roundsOf(leader)).toEqual([
      { epoch, context: 2n },
      { epoch, context: 2n },
    ]);
    expect(answer(leader, 3, 1n).readStates).toEqual([]);
    expect(answer(leader, 3, 2n).readStates).toEqual([{ context: 2n, index: 3n }]);
  });

  test('CS-50 parity: one round serves all that arrived before it', () => {
    const { leader } = leaderOfThree();
    for (const context of [1n, 2n, 3n]) read(leader, context);
    expect(answer(leader, 2, 1n).readStates).toEqual([{ context: 1n, index: 2n }]);
    expect(answer(leader, 2, 2n).readStates).toEqual([
      { context: 2n, index: 2n },
      { context: 3n, index: 2n },
    ]);
  });

  test('CS-50 no answer before an entry of the own term is committed', () => {
    const cluster = new CoreCluster([1, 2, 3]);
    const leader = cluster.of(1);
    leader.step({ kind: 'campaign' });
    leader.step(from(2, { kind: 'preVoteResponse', term: 1n, granted: true }));
    leader.persist();
    leader.step(from(2, { kind: 'voteResponse', term: 1n, granted: true }));
    expect(leader.core.role).toBe('leader');
    read(leader, 1n);
    expect(roundsOf(leader)).toEqual([]);
    leader.persist();
    leader.step(from(2, { ...accepted(1n), batch: 1n }));
    expect(leader.core.commit).toBe(1n);
    expect(roundsOf(leader)).toHaveLength(2);
    expect(answer(leader, 3, 1n).readStates).toEqual([{ context: 1n, index: 1n }]);
  });

  test('CS-50 the only voter answers without a round', () => {
    const cluster = new CoreCluster([1]);
    const leader = cluster.elect(1);
    expect(read(leader, 4n).readStates).toEqual([{ context: 4n, index: 1n }]);
  });

  test('CS-50 pitfall 3: a leader that removes itself is not the one voter that is left', () => {
    const cluster = new CoreCluster([1, 2], configurationOf([1, 2]));
    const leader = cluster.elect(1);
    const changes = [{ kind: 'demote', member: idOf(1) }] as const;
    expect(leader.step({ kind: 'proposeConfiguration', changes }).proposals).toMatchObject([
      { kind: 'accepted' },
    ]);
    expect(leader.core.configuration?.voters).toEqual([memberOf(2)]);
    expect(read(leader, 1n).readStates).toEqual([]);
    expect(answer(leader, 2, 1n).readStates).toEqual([{ context: 1n, index: 1n }]);
  });

  test('CS-50, CS-121 a joint configuration confirms with both halves', () => {
    const cluster = new CoreCluster([1, 2, 3, 4, 5], configurationOf([1, 2, 3], [4, 5]));
    const leader = cluster.elect(1);
    const changes = [
      { kind: 'promote', member: idOf(4) },
      { kind: 'promote', member: idOf(5) },
      { kind: 'remove', member: idOf(2) },
      { kind: 'remove', member: idOf(3) },
    ] as const;
    leader.step({ kind: 'proposeConfiguration', changes });
    read(leader, 1n);
    expect(answer(leader, 2, 1n).readStates).toEqual([]);
    expect(answer(leader, 3, 1n).readStates).toEqual([]);
    expect(answer(leader, 4, 1n).readStates).toEqual([{ context: 1n, index: 1n }]);
  });

  test('CS-50 learners confirm nothing', () => {
    const cluster = new CoreCluster([1, 2, 3, 4], configurationOf([1, 2, 3], [4]));
    const leader = cluster.elect(1);
    read(leader, 1n);
    expect(answer(leader, 4, 1n).readStates).toEqual([]);
    expect(answer(leader, 3, 1n).readStates).toHaveLength(1);
  });

  test('CS-51 a follower asks the leader, and refuses when it knows none', () => {
    const { cluster } = leaderOfThree();
    const follower = cluster.of(2);
    read(follower, 7n);
    cluster.settle();
    expect(follower.readStates).toEqual([{ context: 7n, index: 2n }]);
    const alone = cluster.restart(3);
    expect(read(alone, 8n).readsRejected).toEqual([8n]);
  });

  test('CS-51 pitfall 4: an answer meant for the process before is not taken', () => {
    const { cluster, leader } = leaderOfThree();
    const before = cluster.of(2);
    read(before, 1n);
    cluster.collect();
    const [question] = cluster.flights.splice(0);
    const after = cluster.restart(2);
    cluster.of(1).step({ kind: 'tick' });
    leader.step({ kind: 'tick' });
    cluster.settle();
    cluster.cut(1, 2);
    read(after, 1n);
    cluster.heal();
    const index = 0n;
    const old = { epoch: before.epoch, context: 1n };
    const stale = { kind: 'readIndexResponse', term: 1n, read: old, index } as const;
    expect(question?.message).toMatchObject({ kind: 'readIndex', read: old });
    expect(after.step(from(1, stale)).readStates).toEqual([]);
    const own = { ...stale, read: { epoch: after.epoch, context: 1n }, index: 2n };
    expect(after.step(from(1, own)).readStates).toEqual([{ context: 1n, index: 2n }]);
    expect(after.step(from(1, own)).readStates).toEqual([]);
  });

  test('CS-51 a heartbeat answered for a former leader process confirms nothing', () => {
    const { leader } = leaderOfThree();
    read(leader, 1n);
    expect(answer(leader, 2, 1n, 'ff'.repeat(16)).readStates).toEqual([]);
  });

  test('CS-51 a change of leader, and silence, refuse what was asked', () => {
    const { cluster } = leaderOfThree();
    const follower = cluster.of(2);
    read(follower, 1n);
    const beat = { kind: 'heartbeat', term: 2n, commit: 0n, read: undefined } as const;
    expect(follower.step(from(3, beat)).readsRejected).toEqual([1n]);
    cluster.isolate(2);
    read(follower, 2n);
    for (let tick = 0; tick < 20; tick += 1) follower.step({ kind: 'tick' });
    expect(follower.readsRejected).toEqual([1n, 2n]);
    read(follower, 3n);
    expect(follower.readsRejected).toEqual([1n, 2n, 3n]);
  });

  test('CS-50 a reply of a lower term carries no read; a leader deposed refuses its readers', () => {
    const { cluster, leader } = leaderOfThree();
    const follower = cluster.of(2);
    follower.step(from(3, { kind: 'termNotice', term: 5n }));
    follower.outgoing.splice(0);
    const epoch = leader.epoch;
    follower.step(
      from(1, { kind: 'heartbeat', term: 1n, commit: 0n, read: { epoch, context: 1n } }),
    );
    expect(follower.outgoing.map(({ message }) => message)).toEqual([
      { kind: 'termNotice', term: 5n },
    ]);
    read(leader, 3n);
    leader.step(from(3, { kind: 'readIndex', term: 1n, read: { epoch: 'ab', context: 9n } }));
    leader.outgoing.splice(0);
    const output = leader.step(from(2, { kind: 'termNotice', term: 5n }));
    expect(output.readsRejected).toEqual([3n]);
    expect(output.messagesNow).toMatchObject([
      { to: idOf(3), message: { kind: 'readIndexResponse', index: undefined } },
    ]);
  });
});

describe('lease reads', () => {
  const options = { readMode: 'lease' } as const;

  test('CS-52 parity: a lease counts from when an answered heartbeat was sent', () => {
    const cluster = new CoreCluster([1, 2, 3], configurationOf([1, 2, 3]), options);
    cluster.tickUntil(() => cluster.leaders.length === 1);
    cluster.tick(4);
    const [number] = cluster.leaders;
    const leader = cluster.of(number!);
    expect(read(leader, 1n).readStates).toEqual([{ context: 1n, index: 1n }]);
    cluster.isolate(number!);
    let served = 0;
    for (let tick = 1; tick < 10; tick += 1) {
      leader.step({ kind: 'tick' });
      served += read(leader, BigInt(10 + tick)).readStates.length;
    }
    // The shortest timeout less one heartbeat, from the newest answered heartbeat.
    expect(served).toBeGreaterThan(0);
    expect(served).toBeLessThan(8);
  });

  test('CS-52 the lease ends when leadership is handed over', () => {
    const cluster = new CoreCluster([1, 2, 3], configurationOf([1, 2, 3]), options);
    cluster.tickUntil(() => cluster.leaders.length === 1);
    cluster.tick(4);
    const [number] = cluster.leaders;
    const leader = cluster.of(number!);
    const target = idOf(number === 1 ? 2 : 1);
    leader.step({ kind: 'transferLeader', target });
    expect(leader.outgoing.map(({ message }) => message.kind)).toContain('timeoutNow');
    expect(read(leader, 2n).readStates).toEqual([]);
  });
});

function accepted(match: bigint) {
  return { kind: 'appendAccepted', term: 1n, match, generation: 1n } as const;
}
