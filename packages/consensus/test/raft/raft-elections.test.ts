import { describe, expect, test } from 'vitest';
import type { Message } from '../../src/raft/message.ts';
import type { MessageOf } from '../../src/raft/messages.ts';
import { CoreCluster, idOf, isMember } from '../support/core-cluster.ts';
import { CoreDisk, CoreMember, configurationOf, memberOf } from '../support/core-member.ts';

const vote = (
  term: bigint,
  lastIndex = 0n,
  lastTerm = 0n,
  transfer = false,
): MessageOf<'vote' | 'preVote'> => ({
  kind: 'vote',
  term,
  lastIndex,
  lastTerm,
  transfer,
});
const lone = (number = 1, voters = [1, 2, 3]) =>
  new CoreMember(memberOf(number), new CoreDisk(configurationOf(voters)), 1);
const from = (number: number, message: Message) =>
  ({ kind: 'message', from: idOf(number), message }) as const;
const sent = (member: CoreMember) => member.outgoing.splice(0).map(({ message }) => message);

describe('leader election', () => {
  test('CS-20, CS-21, CS-26 someone is elected by timeout and commits an empty entry first', () => {
    const cluster = new CoreCluster([1, 2, 3]);
    cluster.tickUntil(() => cluster.leaders.length === 1, 60);
    cluster.tick(3);
    const [leader] = cluster.leaders;
    for (const { core, disk } of cluster.members.values()) {
      expect(isMember(core.leader, leader!)).toBe(true);
      expect(core.term).toBe(1n);
      expect(disk.entryAt(1n)).toMatchObject({ kind: 'empty', term: 1n });
      expect(core.commit).toBe(1n);
    }
  });

  test('CS-21 the timeout is drawn from [min, max) and drawn anew', () => {
    const seen = new Set<number>();
    const member = lone();
    let since = 0;
    for (let tick = 0; tick < 2_000; tick += 1) {
      since += 1;
      const { events } = member.step({ kind: 'tick' });
      if (!events.some(({ kind }) => kind === 'campaign')) continue;
      seen.add(since);
      since = 0;
    }
    expect(Math.min(...seen)).toBe(10);
    expect(Math.max(...seen)).toBe(19);
    expect(seen.size).toBe(10);
  });

  test('CS-22 a pre-vote changes no term, on either side', () => {
    const cluster = new CoreCluster([1, 2, 3]);
    cluster.of(1).step({ kind: 'campaign' });
    cluster.collect();
    expect(cluster.flights.map(({ message }) => message.kind)).toEqual(['preVote', 'preVote']);
    cluster.deliver();
    cluster.deliver();
    for (const { core, jobs } of cluster.members.values()) {
      expect(core.term).toBe(0n);
      expect(jobs).toEqual([]);
    }
  });

  test('CS-22 parity: check-quorum lease; nobody grants while it hears from a leader', () => {
    const cluster = new CoreCluster([1, 2, 3]);
    cluster.elect(1);
    cluster.propose(1, 7);
    cluster.settle();
    const follower = cluster.of(2);
    const request: Message = { ...vote(5n, 9n, 4n), kind: 'preVote' };
    for (const message of [request, vote(5n, 9n, 4n)]) {
      follower.step(from(3, message));
      expect(follower.core.term).toBe(1n);
      expect(sent(follower)).toMatchObject([{ granted: false, term: 1n }]);
      cluster.of(1).step(from(3, message));
      expect(cluster.of(1).core.role).toBe('leader');
    }
    follower.step(from(3, vote(5n, 9n, 4n, true)));
    expect(follower.core.term).toBe(5n);
  });

  test('CS-23 pitfall 1: vote requests leave, and the own vote counts, once it is durable', () => {
    const cluster = new CoreCluster([1, 2, 3]);
    const candidate = cluster.of(1);
    candidate.step({ kind: 'campaign' });
    candidate.step(from(2, { kind: 'preVoteResponse', term: 1n, granted: true }));
    sent(candidate);
    expect(candidate.core.role).toBe('candidate');
    // The other two are a majority, but this process could forget that it stood.
    candidate.step(from(2, { kind: 'voteResponse', term: 1n, granted: true }));
    expect(candidate.core.role).toBe('candidate');
    expect(candidate.gated).toHaveLength(2);
    expect(candidate.outgoing).toEqual([]);
    candidate.persist();
    expect(candidate.core.role).toBe('leader');
    expect(candidate.disk.hardState).toMatchObject({ term: 1n, votedFor: idOf(1) });
  });

  test('CS-23 one vote in a term, given only after it is durable, and again to the same', () => {
    const voter = lone();
    voter.step(from(2, vote(3n)));
    expect(sent(voter)).toEqual([]);
    voter.persist();
    expect(sent(voter)).toEqual([{ kind: 'voteResponse', term: 3n, granted: true }]);
    voter.step(from(3, vote(3n)));
    expect(sent(voter)).toEqual([{ kind: 'voteResponse', term: 3n, granted: false }]);
    voter.step(from(2, vote(3n)));
    expect(sent(voter)).toEqual([{ kind: 'voteResponse', term: 3n, granted: true }]);
    const again = new CoreMember(voter.self, voter.disk, 2);
    again.step(from(3, vote(3n)));
    expect(sent(again)).toEqual([{ kind: 'voteResponse', term: 3n, granted: false }]);
  });

  test.each([
    ['a longer log of the same term', 2n, 1n, true],
    ['the same log', 1n, 1n, true],
    ['a shorter log', 0n, 0n, false],
    ['a shorter log of a newer term', 1n, 2n, true],
    ['a longer log of an older term', 9n, 0n, false],
  ])('CS-23 log test: %s', (_, lastIndex, lastTerm, granted) => {
    const cluster = new CoreCluster([1, 2, 3]);
    cluster.elect(1);
    const voter = cluster.restart(2);
    const term = voter.core.term + 1n;
    voter.step(from(3, vote(term, lastIndex, lastTerm)));
    voter.persist();
    expect(sent(voter)).toMatchObject([{ term, granted }]);
  });

  test('CS-24 refusals and notices carry the own term', () => {
    const member = lone();
    member.step(from(2, vote(4n)));
    member.persist();
    sent(member);
    member.step(from(3, { ...vote(2n), kind: 'preVote' }));
    member.step(from(3, vote(2n)));
    member.step(from(3, { kind: 'heartbeat', term: 2n, commit: 0n, read: undefined }));
    expect(sent(member)).toEqual([
      { kind: 'preVoteResponse', term: 4n, granted: false },
      { kind: 'voteResponse', term: 4n, granted: false },
      { kind: 'termNotice', term: 4n },
    ]);
  });

  test('CS-25 a leader whom no quorum answers steps down and keeps its log', () => {
    const cluster = new CoreCluster([1, 2, 3]);
    cluster.elect(1);
    cluster.isolate(1);
    cluster.propose(1, 1);
    cluster.of(1).step({ kind: 'readIndex', context: 5n });
    for (let tick = 0; tick < 10; tick += 1) cluster.of(1).step({ kind: 'tick' });
    expect(cluster.of(1).core.softState).toEqual({ role: 'follower', term: 1n, leader: undefined });
    expect(cluster.of(1).core.lastIndex).toBe(2n);
    expect(cluster.of(1).readsRejected).toEqual([5n]);
  });

  test('CS-27 no campaign without configuration, while installing, or after a failed write', () => {
    const empty = new CoreMember(memberOf(1), new CoreDisk(undefined), 1);
    for (let tick = 0; tick < 60; tick += 1) empty.step({ kind: 'tick' });
    empty.step({ kind: 'campaign' });
    expect(empty.events).toEqual([]);
    empty.step(from(2, vote(1n)));
    empty.persist();
    expect(sent(empty)).toMatchObject([{ granted: true }]);
    const failed = lone();
    failed.step({ kind: 'storeFailed' });
    failed.step({ kind: 'campaign' });
    for (let tick = 0; tick < 60; tick += 1) failed.step({ kind: 'tick' });
    failed.step(from(2, vote(1n)));
    expect(failed.outgoing).toEqual([]);
    expect(failed.events).toEqual([]);
  });

  test('CS-22 pitfall 8: who does not know the candidate as a voter still votes for it', () => {
    const voter = new CoreMember(memberOf(1), new CoreDisk(configurationOf([1, 2])), 1);
    voter.step(from(9, vote(1n)));
    voter.persist();
    expect(sent(voter)).toMatchObject([{ granted: true }]);
    const learner = new CoreMember(memberOf(4), new CoreDisk(configurationOf([1, 2], [4])), 1);
    learner.step(from(2, vote(1n)));
    learner.persist();
    expect(sent(learner)).toMatchObject([{ granted: true }]);
  });

  test('CS-27, CS-354 pitfall 8: a learner that refuses for its log may stand for a while', () => {
    const disk = new CoreDisk(configurationOf([1, 2], [4]));
    disk.entries = [
      { index: 1n, term: 1n, kind: 'empty', payload: new Uint8Array(0), chain: new Uint8Array(16) },
    ];
    disk.hardState = { term: 1n, votedFor: undefined, commit: 1n };
    const learner = new CoreMember(memberOf(4), disk, 1);
    for (let tick = 0; tick < 60; tick += 1) learner.step({ kind: 'tick' });
    expect(learner.events).toEqual([]);
    learner.step(from(1, { ...vote(2n), kind: 'preVote' }));
    expect(sent(learner)).toMatchObject([{ granted: false, term: 1n }]);
    for (let tick = 0; tick < 20; tick += 1) learner.step({ kind: 'tick' });
    expect(learner.core.role).toBe('preCandidate');
    // Its own vote does not count: both voters must agree.
    learner.step(from(1, { kind: 'preVoteResponse', term: 2n, granted: true }));
    expect(learner.core.role).toBe('preCandidate');
    learner.step(from(2, { kind: 'preVoteResponse', term: 2n, granted: true }));
    expect(learner.core.role).toBe('candidate');
    const quiet = new CoreMember(memberOf(4), disk, 2);
    quiet.step(from(1, { ...vote(2n), kind: 'preVote' }));
    for (let tick = 0; tick < 41; tick += 1) quiet.step({ kind: 'tick' });
    const before = quiet.events.length;
    for (let tick = 0; tick < 60; tick += 1) quiet.step({ kind: 'tick' });
    expect(quiet.events).toHaveLength(before);
  });

  test('CS-347 a granted pre-vote leaves the term, a refused one raises it', () => {
    const member = lone();
    member.step({ kind: 'campaign' });
    member.step(from(2, { kind: 'preVoteResponse', term: 9n, granted: true }));
    expect(member.core.term).toBe(0n);
    expect(member.core.role).toBe('preCandidate');
    member.step(from(2, { kind: 'preVoteResponse', term: 9n, granted: false }));
    expect(member.core.softState).toEqual({ role: 'follower', term: 9n, leader: undefined });
    expect(member.core.votedFor).toBeUndefined();
    member.step(from(3, { kind: 'heartbeat', term: 10n, commit: 0n, read: undefined }));
    expect(member.core.softState).toEqual({ role: 'follower', term: 10n, leader: idOf(3) });
  });

  test('CS-52 parity: in lease mode a started process treats the shortest timeout as contact', () => {
    const disk = new CoreDisk(configurationOf([1, 2, 3]));
    const voter = new CoreMember(memberOf(1), disk, 1, { readMode: 'lease' });
    voter.step(from(2, vote(1n)));
    expect(sent(voter)).toMatchObject([{ granted: false }]);
    for (let tick = 0; tick < 10; tick += 1) voter.step({ kind: 'tick' });
    sent(voter);
    voter.step(from(2, vote(3n)));
    voter.persist();
    expect(sent(voter)).toContainEqual({ kind: 'voteResponse', term: 3n, granted: true });
  });

  test('BC-28 a leader that wakes up after others elected decides nothing first', () => {
    const cluster = new CoreCluster([1, 2, 3]);
    cluster.elect(1);
    cluster.isolate(1);
    cluster.of(1).step({ kind: 'readIndex', context: 1n });
    cluster.propose(1, 1);
    const asleep = cluster.of(1);
    cluster.members.delete(1);
    cluster.tickUntil(() => cluster.leaders.length === 1);
    cluster.members.set(1, asleep);
    cluster.heal();
    asleep.step({ kind: 'tick' });
    cluster.tick(4);
    expect(asleep.readStates).toEqual([]);
    expect(asleep.readsRejected).toEqual([1n]);
    expect(asleep.core.role).toBe('follower');
    expect(asleep.disk.entryAt(2n)).toMatchObject({ kind: 'empty', term: 2n });
  });
});

describe('CS-191 every attempt to become leader ends in an event', () => {
  const results = (member: CoreMember) =>
    member.events.flatMap((event) =>
      event.kind === 'campaignFailed'
        ? [`${event.phase} ${event.term}: ${event.reason}`]
        : event.kind === 'elected'
          ? [`elected ${event.term}`]
          : [],
    );
  const answer = (kind: 'vote' | 'preVote', term: bigint, granted: boolean): Message => ({
    kind: `${kind}Response`,
    term,
    granted,
  });

  test('won, and the pre-vote before is no attempt of its own', () => {
    const member = lone();
    member.step({ kind: 'campaign' });
    member.step(from(2, answer('preVote', 1n, true)));
    member.persist();
    member.step(from(2, answer('vote', 1n, true)));
    expect(member.core.role).toBe('leader');
    expect(results(member)).toEqual(['elected 1']);
  });

  test('lost, when most refuse', () => {
    const member = lone();
    member.step({ kind: 'campaign' });
    for (const voter of [2, 3]) member.step(from(voter, answer('preVote', 0n, false)));
    expect(results(member)).toEqual(['preVote 1: the election is lost']);
  });

  test('without an answer, when the next one begins', () => {
    const member = lone();
    for (let tick = 0; tick < 45; tick += 1) member.step({ kind: 'tick' });
    const begun = member.events.filter(({ kind }) => kind === 'campaign').length;
    expect(begun).toBeGreaterThan(1);
    expect(results(member)).toEqual(
      Array.from({ length: begun - 1 }, () => 'preVote 1: no quorum has answered'),
    );
  });

  test('overtaken by a leader or a higher term', () => {
    const member = lone();
    member.step({ kind: 'campaign' });
    member.step(from(2, answer('preVote', 1n, true)));
    member.step(from(3, { kind: 'heartbeat', term: 1n, commit: 0n, read: undefined }));
    member.step({ kind: 'campaign' });
    member.step(from(3, { kind: 'heartbeat', term: 7n, commit: 0n, read: undefined }));
    expect(results(member)).toEqual([
      'vote 1: another member leads',
      'preVote 2: a higher term exists',
    ]);
  });

  test('whatever happens in a cluster, none is left open or told twice', () => {
    const cluster = new CoreCluster([1, 2, 3]);
    for (let round = 0; round < 12; round += 1) {
      cluster.isolate((round % 3) + 1);
      cluster.tick(25);
      cluster.heal();
      cluster.tick(25);
    }
    for (const member of cluster.members.values()) {
      let open = 0;
      for (const event of member.events) {
        if (event.kind === 'campaign' && event.phase === 'preVote') open += 1;
        if (event.kind === 'campaignFailed' || event.kind === 'elected') open -= 1;
        expect([0, 1]).toContain(open);
      }
      expect(open).toBe(['leader', 'follower'].includes(member.core.role) ? 0 : 1);
    }
  });
});
