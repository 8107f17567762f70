import { describe, expect, test } from 'vitest';
import type { PeerMessage } from '../../src/raft/message.ts';
import { CLUSTER_UID, memberOf } from '../support/core-member.ts';
import { put, putEntry, ReplicaFixture } from '../support/replica-fixture.ts';

const OTHER_UID = 'd0'.repeat(16);

const voteRequest = (term: bigint): PeerMessage => ({
  kind: 'vote',
  term,
  lastIndex: 9n,
  lastTerm: 1n,
  transfer: false,
});

describe('CS-12 CS-13 what asserts durability leaves after its write', () => {
  test('an append is confirmed when it is stored, not when it is taken', () => {
    const fixture = new ReplicaFixture();
    fixture.append(2, 2n, [putEntry(2n, 1)]);
    expect(fixture.core.lastIndex).toBe(2n);
    expect(fixture.sentOf('appendAccepted')).toEqual([]);
    fixture.endTurn();
    expect(fixture.sentOf('appendAccepted')).toMatchObject([{ to: 'n2', message: { match: 2n } }]);
    expect(fixture.content.last.index).toBe(2n);
  });

  test('pitfall 2: an answer without a write of its own waits for the writes before it', () => {
    const fixture = new ReplicaFixture();
    fixture.append(2, 2n, [putEntry(2n, 1)]);
    fixture.append(2, 2n, [putEntry(2n, 1)], { prevIndex: 1n });
    expect(fixture.sentOf('appendAccepted')).toEqual([]);
    fixture.endTurn();
    expect(fixture.sentOf('appendAccepted')).toHaveLength(2);
  });

  test('what arrives during a write waits for the next one', () => {
    const fixture = new ReplicaFixture();
    fixture.append(2, 2n, [putEntry(2n, 1)]);
    fixture.append(2, 2n, [putEntry(2n, 2)]);
    fixture.append(2, 2n, [putEntry(2n, 3)]);
    fixture.endTurn();
    expect(fixture.sentOf('appendAccepted')).toMatchObject([{ message: { match: 2n } }]);
    expect(fixture.jobs[1]?.entries.map(({ index }) => index)).toEqual([3n, 4n]);
    fixture.endTurn();
    expect(fixture.sentOf('appendAccepted').map(({ message }) => message.match)).toEqual([
      2n,
      3n,
      4n,
    ]);
  });

  test('a vote is granted when it is stored', () => {
    const fixture = new ReplicaFixture();
    fixture.receive(3, voteRequest(5n));
    expect(fixture.sent).toEqual([]);
    fixture.endTurn();
    expect(fixture.content.hardState).toMatchObject({ term: 5n, votedFor: { nodeId: 'n3' } });
    expect(fixture.sentOf('voteResponse')).toMatchObject([{ to: 'n3', message: { term: 5n } }]);
  });

  test('CS-23 votes are asked for when the own one is stored', () => {
    const fixture = new ReplicaFixture();
    fixture.replica.campaign();
    fixture.receive(2, { kind: 'preVoteResponse', term: 2n, granted: true });
    expect(fixture.core.role).toBe('candidate');
    expect(fixture.sentOf('vote')).toEqual([]);
    fixture.endTurn();
    expect(fixture.sentOf('vote').map(({ to }) => to)).toEqual(['n2', 'n3']);
  });

  test('a leader sends its entries before it has them, and counts itself afterwards', () => {
    const fixture = new ReplicaFixture();
    fixture.lead();
    const before = fixture.core.commit;
    fixture.propose(put(1));
    expect(fixture.sentOf('append').at(-1)?.message.entries).toHaveLength(1);
    fixture.accept(2);
    expect(fixture.core.commit).toBe(before);
    fixture.endTurn();
    expect(fixture.core.commit).toBe(before + 1n);
  });

  test('CS-77 a failed write takes with it what waits to leave, and nothing more is written', () => {
    const fixture = new ReplicaFixture();
    fixture.append(2, 2n, [putEntry(2n, 1)]);
    fixture.append(2, 2n, [putEntry(2n, 2)]);
    fixture.failTurn();
    fixture.append(2, 2n, [putEntry(2n, 3)]);
    fixture.receive(3, voteRequest(9n));
    fixture.tick(100);
    expect(fixture.sentOf('appendAccepted')).toEqual([]);
    expect(fixture.sentOf('voteResponse')).toEqual([]);
    expect(fixture.turn).toBeUndefined();
    expect(fixture.jobs).toHaveLength(1);
    expect(fixture.core.role).toBe('follower');
    expect(fixture.replica.failure?.message).toBe('input/output error');
  });
});

describe('CS-28 a message names the store that it is meant for', () => {
  test.each([
    ['another store of this node', { nodeId: 'n1', storeId: 'ee'.repeat(16) }],
    ['another node', memberOf(2)],
  ])('one for %s is dropped and reported', (_, to) => {
    const fixture = new ReplicaFixture();
    const from = memberOf(3);
    const message = voteRequest(7n);
    fixture.replica.receive({ from, to, clusterUid: CLUSTER_UID, message });
    expect(fixture.core.term).toBe(1n);
    expect(fixture.turn).toBeUndefined();
    expect(fixture.events).toEqual([{ kind: 'storeMismatch', from }]);
  });
});

describe('CS-348 a message names the cluster that it comes from', () => {
  test('one from another foundation is dropped and reported, whatever it is', () => {
    const fixture = new ReplicaFixture();
    const from = memberOf(2);
    const messages: readonly PeerMessage[] = [
      voteRequest(7n),
      { kind: 'heartbeat', term: 7n, commit: 0n, read: undefined },
      { kind: 'termNotice', term: 7n },
      { kind: 'stateDigest', index: 1_000n, digest: '00' },
      { kind: 'storageStatus', isLow: true },
    ];
    for (const message of messages) fixture.receive(2, message, OTHER_UID);
    expect(fixture.core).toMatchObject({ term: 1n, leader: undefined });
    expect(fixture.events).toEqual(messages.map(() => ({ kind: 'clusterMismatch', from })));
    expect(fixture.replica.clusterUid).toBe(CLUSTER_UID);
  });

  test.each(['preVote', 'vote'] as const)(
    'a %s of a store without a cluster is dropped',
    (kind) => {
      const fixture = new ReplicaFixture();
      const to = memberOf(1);
      const message: PeerMessage = { kind, term: 7n, lastIndex: 9n, lastTerm: 9n, transfer: true };
      fixture.replica.receive({ from: memberOf(2), to, clusterUid: undefined, message });
      expect(fixture.core.term).toBe(1n);
      expect(fixture.sent).toEqual([]);
      expect(fixture.eventsOf('clusterMismatch')).toHaveLength(1);
    },
  );

  test('a store that is asked for its vote before any leader came may answer without one', () => {
    const fixture = new ReplicaFixture();
    fixture.replica.campaign();
    const to = memberOf(1);
    const message: PeerMessage = { kind: 'preVoteResponse', term: 2n, granted: true };
    fixture.replica.receive({ from: memberOf(2), to, clusterUid: undefined, message });
    expect(fixture.core.role).toBe('candidate');
    expect(fixture.eventsOf('clusterMismatch')).toEqual([]);
  });

  test('a store without a cluster takes that of its first leader with its first entries', () => {
    const fixture = new ReplicaFixture({ configuration: undefined });
    expect(fixture.replica.clusterUid).toBeUndefined();
    fixture.append(2, 3n, [putEntry(3n, 1)]);
    expect(fixture.replica.clusterUid).toBe(CLUSTER_UID);
    expect(fixture.jobs).toMatchObject([{ clusterUid: CLUSTER_UID, entries: [{ index: 1n }] }]);
    fixture.endTurn();
    expect(fixture.content.clusterUid).toBe(CLUSTER_UID);
    fixture.append(2, 3n, [putEntry(3n, 2)]);
    expect(fixture.jobs[1]?.clusterUid).toBeUndefined();
    fixture.receive(2, { kind: 'termNotice', term: 9n }, OTHER_UID);
    expect(fixture.core.term).toBe(3n);
  });

  test('it takes it of a heartbeat too, and stores it again if the first write was not it', () => {
    const fixture = new ReplicaFixture({ configuration: undefined });
    fixture.receive(3, voteRequest(3n));
    fixture.heartbeat(2, 3n);
    expect(fixture.jobs).toMatchObject([{ clusterUid: undefined }]);
    fixture.endTurn();
    expect(fixture.content.clusterUid).toBeUndefined();
    expect(fixture.jobs[1]?.clusterUid).toBe(CLUSTER_UID);
    fixture.settle();
    expect(fixture.content.clusterUid).toBe(CLUSTER_UID);
    expect(fixture.jobs).toHaveLength(2);
  });

  test('a request for votes binds a store without a cluster to none', () => {
    const fixture = new ReplicaFixture({ configuration: undefined });
    fixture.receive(3, voteRequest(3n), OTHER_UID);
    fixture.settle();
    expect(fixture.sentOf('voteResponse')).toHaveLength(1);
    expect(fixture.replica.clusterUid).toBeUndefined();
    fixture.append(2, 4n);
    expect(fixture.replica.clusterUid).toBe(CLUSTER_UID);
  });
});
