import { describe, expect, test } from 'vitest';
import { put, putEntry, ReplicaFixture } from '../support/replica-fixture.ts';

describe('a log that cannot be right ends everything', () => {
  test('CS-32 a leader that would replace a committed entry, with both terms', () => {
    const fixture = new ReplicaFixture();
    fixture.append(2, 3n, [putEntry(3n, 1), putEntry(3n, 2)], { commit: 3n });
    fixture.settle();
    fixture.append(3, 5n, [putEntry(5n, 9)], { prevIndex: 2n });
    expect(fixture.replica.failure).toMatchObject({
      code: 'RAFT_LOG_CONTRADICTED',
      retryable: false,
      message:
        'the logs of this member and of its leader contradict each other: committed entry 3 of' +
        ' term 3 would be replaced by term 5',
    });
    fixture.tick(50);
    expect(fixture.turn).toBeUndefined();
    expect(fixture.content.last).toMatchObject({ index: 3n, term: 3n });
    expect(fixture.propose(put(1))[0]?.error).toBe(fixture.replica.failure);
  });

  test('CS-353 a store that lacks what it confirmed, with the text of a damaged one', () => {
    const fixture = new ReplicaFixture();
    fixture.heartbeat(2, 3n);
    fixture.receive(2, { kind: 'storeLost', term: 3n, match: 17n });
    expect(fixture.replica.failure).toMatchObject({
      code: 'RAFT_ENTRIES_LOST',
      details: { through: 17n },
      message:
        "invalid consensus record storage; recreate the node's stored state (entries up to 17" +
        ' were confirmed to the leader and are gone)',
    });
    expect(fixture.core.role).toBe('follower');
  });

  test('CS-353 only the leader of the present term can say that', () => {
    const fixture = new ReplicaFixture();
    fixture.receive(2, { kind: 'storeLost', term: 1n, match: 17n });
    fixture.heartbeat(2, 3n);
    fixture.receive(3, { kind: 'storeLost', term: 3n, match: 17n });
    fixture.receive(2, { kind: 'storeLost', term: 2n, match: 17n });
    expect(fixture.replica.failure).toBeUndefined();
    const leader = new ReplicaFixture();
    leader.lead();
    leader.receive(2, { kind: 'storeLost', term: 2n, match: 17n });
    expect(leader.replica.failure).toBeUndefined();
  });
});
