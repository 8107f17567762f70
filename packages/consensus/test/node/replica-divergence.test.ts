import { describe, expect, test } from 'vitest';
import { put, putEntry, ReplicaFixture } from '../support/replica-fixture.ts';

const LIMITS = { limits: { groupOperationsMax: 4_096 } };

/** A leader that has durably applied exactly 1,000 entries. */
function leaderAtThousand() {
  const fixture = new ReplicaFixture(LIMITS);
  fixture.digest = 'aa';
  fixture.lead();
  fixture.propose(...Array.from({ length: 998 }, (_, i) => put(i)));
  fixture.settle();
  fixture.accept(2);
  fixture.settle();
  expect(fixture.replica.applied.index).toBe(1_000n);
  return fixture;
}

/** A follower of member 2 that has durably applied so many entries. */
function followerAt(index: number) {
  const fixture = new ReplicaFixture(LIMITS);
  fixture.digest = 'aa';
  const entries = Array.from({ length: index - 1 }, (_, i) => putEntry(2n, i));
  fixture.append(2, 2n, entries, { commit: BigInt(index) });
  fixture.settle();
  expect(fixture.replica.applied.index).toBe(BigInt(index));
  return fixture;
}

const report = (digest: string, index = 1_000n) =>
  ({ kind: 'stateDigest', index, digest }) as const;

describe('CS-82 members compare their records', () => {
  test('a range ends right behind every 1,000th entry, also in the middle of what is there', () => {
    const fixture = followerAt(2_500);
    expect(fixture.published).toEqual([1_000n, 2_000n, 2_500n]);
    expect(fixture.sentOf('stateDigest')).toMatchObject([
      { to: 'n2', message: report('aa', 1_000n) },
      { to: 'n2', message: report('aa', 2_000n) },
    ]);
  });

  test('the digest is told when the effects are durable, not before', () => {
    const fixture = new ReplicaFixture(LIMITS);
    const entries = Array.from({ length: 999 }, (_, i) => putEntry(2n, i));
    fixture.append(2, 2n, entries, { commit: 1_000n });
    fixture.heartbeat(2, 2n, 1_000n);
    while (fixture.content.applied.index < 1_000n) {
      expect(fixture.sentOf('stateDigest')).toEqual([]);
      if (fixture.turn !== undefined) fixture.endTurn();
      else if (!fixture.answerReads()) fixture.replica.wake();
    }
    expect(fixture.sentOf('stateDigest')).toHaveLength(1);
  });

  test('the leader tells a member that differs from most, once', () => {
    const fixture = leaderAtThousand();
    fixture.receive(3, report('bb'));
    expect(fixture.events.at(-1)).not.toMatchObject({ kind: 'stateDivergence' });
    fixture.receive(2, report('aa'));
    fixture.receive(3, report('bb'));
    expect(fixture.eventsOf('stateDivergence')).toMatchObject([
      { member: { nodeId: 'n3' }, index: 1_000n },
    ]);
    expect(fixture.sentOf('stateDigest')).toMatchObject([{ to: 'n3', message: report('aa') }]);
    expect(fixture.replica.failure).toBeUndefined();
  });

  test('a leader that differs from most stops', () => {
    const fixture = leaderAtThousand();
    const [waits] = fixture.propose(put(1));
    fixture.receive(3, report('bb'));
    expect(fixture.replica.failure).toBeUndefined();
    fixture.receive(2, report('bb'));
    expect(fixture.replica.failure).toMatchObject({
      code: 'RAFT_STATE_DIVERGED',
      details: { index: 1_000n },
    });
    expect(waits?.error).toMatchObject({ code: 'RAFT_LEADERSHIP_LOST' });
    expect(waits?.error?.cause).toBe(fixture.replica.failure);
    expect(fixture.core.role).toBe('follower');
  });

  test('a follower that is told another digest stops, one that is told its own goes on', () => {
    const fixture = followerAt(1_000);
    fixture.receive(2, report('aa'));
    fixture.receive(2, report('bb', 2_000n));
    expect(fixture.replica.failure).toBeUndefined();
    fixture.receive(2, report('bb'));
    expect(fixture.replica.failure).toMatchObject({ code: 'RAFT_STATE_DIVERGED' });
  });

  test('a report that is late for a former leader convicts nobody', () => {
    const former = leaderAtThousand();
    former.heartbeat(2, 9n);
    // Member 3 still takes it for the leader, and is itself wrong.
    former.receive(3, report('bb'));
    expect(former.replica.failure).toBeUndefined();
    const leaderless = leaderAtThousand();
    leaderless.tick(30);
    expect(leaderless.core.leader).toBeUndefined();
    leaderless.receive(3, report('bb'));
    expect(leaderless.replica.failure).toBeUndefined();
  });
});
