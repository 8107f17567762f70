import { describe, expect, test } from 'vitest';
import { CoreCluster, idOf, isMember } from '../support/core-cluster.ts';
import { CoreMember, memberOf } from '../support/core-member.ts';

/** From now on nothing that the member stores becomes durable, and its driver has seen that. */
function hang(member: CoreMember): void {
  member.persist = () => false;
  member.step({ kind: 'storeStalled' });
}

function resume(member: CoreMember): void {
  member.persist = CoreMember.prototype.persist;
  member.step({ kind: 'storeResumed' });
}

/** Whom the member has asked to take over and not told the network yet. */
const nominated = (member: CoreMember) =>
  member.outgoing.filter(({ message }) => message.kind === 'timeoutNow').map(({ to }) => to.nodeId);

describe('BC-28 a store that hangs', () => {
  test('the leader steps down, asks the most advanced voter to lead, and follows it', () => {
    const cluster = new CoreCluster([1, 2, 3]);
    const leader = cluster.elect(1);
    cluster.cut(1, 2);
    cluster.propose(1, 7);
    cluster.settle();
    cluster.heal();
    leader.persist = () => false;
    cluster.propose(1, 8);
    leader.step({ kind: 'storeStalled' });
    expect(leader.core).toMatchObject({ role: 'follower', leader: undefined, term: 1n });
    expect(leader.events.at(-1)).toEqual({
      kind: 'steppedDown',
      term: 1n,
      reason: 'a write hangs',
    });
    expect(nominated(leader)).toEqual(['n3']);
    cluster.settle();
    expect(cluster.leaders).toEqual([3]);
    expect(isMember(leader.core.leader, 3)).toBe(true);
    // It goes on as a follower, and what it had appended is not lost.
    resume(leader);
    cluster.propose(3, 9);
    cluster.tick(20);
    expect(cluster.leaders).toEqual([3]);
    expect(leader.core.commit).toBe(cluster.of(3).core.lastIndex);
    expect(leader.core.lastIndex).toBe(cluster.of(3).core.lastIndex);
  });

  test('without anyone to ask, it is silent and the others elect by themselves', () => {
    const cluster = new CoreCluster([1, 2, 3]);
    const leader = cluster.elect(1);
    cluster.isolate(1);
    for (let tick = 0; tick < 9; tick += 1) leader.step({ kind: 'tick' });
    expect(leader.core.role).toBe('leader');
    leader.outgoing.splice(0);
    hang(leader);
    leader.step({ kind: 'tick' });
    leader.step({ kind: 'tick' });
    expect(leader.outgoing.filter(({ message }) => message.kind === 'heartbeat')).toEqual([]);
    cluster.heal();
    cluster.tickUntil(() => cluster.leaders.length > 0);
    expect(cluster.leaders).not.toContain(1);
  });

  test('who is dead is not asked', () => {
    const cluster = new CoreCluster([1, 2, 3]);
    const leader = cluster.elect(1);
    cluster.isolate(2);
    cluster.tick(12);
    cluster.of(3).persist = () => false;
    cluster.propose(1, 1);
    cluster.settle();
    hang(leader);
    expect(nominated(leader)).toEqual(['n3']);
  });

  test('CS-60 a transfer that is on its way already has its heir', () => {
    const cluster = new CoreCluster([1, 2, 3]);
    const leader = cluster.elect(1);
    leader.step({ kind: 'transferLeader', target: idOf(2) });
    expect(nominated(leader)).toEqual(['n2']);
    hang(leader);
    expect(nominated(leader)).toEqual(['n2']);
  });

  test('reads that wait for a round are rejected, none is answered', () => {
    const cluster = new CoreCluster([1, 2, 3]);
    const leader = cluster.elect(1);
    leader.step({ kind: 'readIndex', context: 5n });
    hang(leader);
    expect(leader.readsRejected).toEqual([5n]);
    cluster.settle();
    expect(leader.readStates).toEqual([]);
  });

  test('a member does not stand while it cannot store its vote, and does afterwards', () => {
    const cluster = new CoreCluster([1, 2, 3]);
    const member = cluster.of(2);
    hang(member);
    for (let tick = 0; tick < 100; tick += 1) member.step({ kind: 'tick' });
    member.step({ kind: 'campaign' });
    expect(member.events.filter(({ kind }) => kind === 'campaign')).toEqual([]);
    resume(member);
    for (let tick = 0; tick < 20; tick += 1) member.step({ kind: 'tick' });
    expect(member.core.role).toBe('preCandidate');
    hang(member);
    expect(member.core.role).toBe('follower');
  });

  test('CS-60 a member that cannot store its vote does not take over', () => {
    const cluster = new CoreCluster([1, 2, 3]);
    const leader = cluster.elect(1);
    const member = cluster.of(2);
    hang(member);
    leader.step({ kind: 'transferLeader', target: idOf(2) });
    cluster.settle();
    expect(member.core).toMatchObject({ role: 'follower', term: 1n });
    cluster.tick(25);
    expect(cluster.leaders).toEqual([1]);
  });

  test('CS-13 a vote leaves only when the write has returned', () => {
    const cluster = new CoreCluster([1, 2, 3]);
    const member = cluster.of(2);
    hang(member);
    const vote = { kind: 'vote', term: 5n, lastIndex: 9n, lastTerm: 1n, transfer: false } as const;
    member.step({ kind: 'message', from: idOf(3), message: vote });
    expect(member.core.term).toBe(5n);
    expect(member.outgoing).toEqual([]);
    resume(member);
    member.persist();
    expect(member.outgoing).toMatchObject([{ message: { kind: 'voteResponse', granted: true } }]);
  });

  test('the only voter leads on, because nobody else can, until it has others', () => {
    const cluster = new CoreCluster([1]);
    const leader = cluster.elect(1);
    hang(leader);
    leader.step({ kind: 'tick' });
    expect(leader.core.role).toBe('leader');
    expect(leader.proposals).toEqual([]);
    const member = memberOf(2);
    leader.step({
      kind: 'proposeConfiguration',
      changes: [
        { kind: 'addLearner', member },
        { kind: 'promote', member },
      ],
    });
    leader.step({ kind: 'tick' });
    expect(leader.core.role).toBe('follower');
  });
});

test('a core that broke an invariant does nothing of that step and takes no other', () => {
  const cluster = new CoreCluster([1, 2, 3]);
  const leader = cluster.elect(1);
  expect(() => leader.step({ kind: 'applied', index: 1_000n })).toThrow('committed');
  const output = leader.step({ kind: 'tick' });
  expect(output).toMatchObject({ messagesNow: [], messagesAfter: [], storeJob: undefined });
  expect(leader.core.role).toBe('follower');
  leader.step({ kind: 'propose', payloads: [Uint8Array.of(1)] });
  expect(leader.proposals).toMatchObject([{ kind: 'dropped', reason: 'storeFailed' }]);
});
