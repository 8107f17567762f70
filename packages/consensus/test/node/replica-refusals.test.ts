import { describe, expect, test } from 'vitest';
import { configurationOf, memberOf } from '../support/core-member.ts';
import { put, ReplicaFixture } from '../support/replica-fixture.ts';

const waiting = { error: undefined, value: undefined };

describe('a leader refuses what it cannot take now, and nothing of it is proposed', () => {
  test('CS-46 commands while too many bytes are not committed', () => {
    const fixture = new ReplicaFixture({ core: { uncommittedBytesMax: 30 } });
    fixture.lead();
    const outcomes = fixture.propose(put(1), put(2), put(3));
    expect(outcomes.slice(0, 2)).toMatchObject([waiting, waiting]);
    expect(outcomes[2]?.error).toMatchObject({
      code: 'RAFT_UNCOMMITTED_LOG_FULL',
      message: 'proposal dropped: uncommitted log is full',
      retryable: true,
    });
    expect(fixture.core.lastIndex).toBe(4n);
    fixture.settle();
    fixture.accept(2);
    fixture.settle();
    expect(fixture.replica.proposals).toEqual({ count: 0, bytes: 0 });
    expect(fixture.propose(put(3))).toMatchObject([waiting]);
  });

  test('CS-40 a command that is larger than an entry may be, before it is queued', () => {
    const fixture = new ReplicaFixture({ limits: { payloadBytesMax: 13 } });
    fixture.lead();
    const [refused] = fixture.propose(put(1));
    expect(refused?.error).toMatchObject({
      code: 'RAFT_ENTRY_TOO_LARGE',
      details: { bytes: 14, bytesMax: 13 },
    });
  });

  test('CS-60 commands while leadership moves; afterwards they go on', () => {
    const fixture = new ReplicaFixture();
    fixture.lead();
    expect(fixture.replica.transferLeader(memberOf(2))).toBeUndefined();
    expect(fixture.sentOf('timeoutNow')).toMatchObject([{ to: 'n2' }]);
    expect(fixture.propose(put(1))[0]?.error).toMatchObject({
      code: 'RAFT_TRANSFERRING',
      details: { leader: { nodeId: 'n1' } },
      retryable: true,
    });
    expect(fixture.replica.transferLeader(memberOf(3))).toMatchObject({
      code: 'RAFT_TRANSFERRING',
    });
    fixture.tickAmong([2, 3], 20);
    expect(fixture.eventsOf('transferAborted')).toHaveLength(1);
    expect(fixture.propose(put(1))).toMatchObject([waiting]);
  });

  test('CS-60 a transfer to who does not answer or has no vote', () => {
    const fixture = new ReplicaFixture({ configuration: configurationOf([1, 2, 3], [4]) });
    fixture.lead();
    fixture.tickAmong([2], 12);
    const texts = [3, 4, 1, 9].map((to) => fixture.replica.transferLeader(memberOf(to)));
    expect(texts).toMatchObject([
      { code: 'RAFT_INVALID_CHANGE', message: "node 'n3' does not answer" },
      { code: 'RAFT_INVALID_CHANGE', message: "node 'n4' is no other voter" },
      { code: 'RAFT_INVALID_CHANGE', message: "node 'n1' is no other voter" },
      { code: 'RAFT_INVALID_CHANGE', message: "node 'n9' is no other voter" },
    ]);
  });

  test('CS-121 a change of members before the one under way is committed', () => {
    const fixture = new ReplicaFixture();
    fixture.lead();
    const first = fixture.changeMembers({ kind: 'addLearner', member: memberOf(4) });
    const second = fixture.changeMembers({ kind: 'addLearner', member: memberOf(5) });
    expect(second.error).toMatchObject({ code: 'RAFT_CHANGE_PENDING', retryable: true });
    fixture.settle();
    fixture.accept(2);
    fixture.settle();
    expect(first.value).toMatchObject({ index: 3n });
    expect(fixture.changeMembers({ kind: 'addLearner', member: memberOf(5) })).toMatchObject(
      waiting,
    );
  });

  test.each([
    ["cannot remove the last raft voter 'n1'", [1], 1],
    ["cannot remove the local leader node 'n1'", [1, 2], 1],
    ["node 'n7' is not a raft member", [1, 2], 7],
  ] as const)('CS-123 %s', (text, voters, gone) => {
    const fixture = new ReplicaFixture({ configuration: configurationOf(voters) });
    fixture.lead(voters.slice(1));
    const { lastIndex } = fixture.core;
    const outcome = fixture.changeMembers({ kind: 'remove', member: memberOf(gone) });
    expect(outcome.error).toMatchObject({
      code: 'RAFT_INVALID_CHANGE',
      message: text,
      retryable: false,
    });
    expect(fixture.core.lastIndex).toBe(lastIndex);
  });

  test('CS-77 a failed replica refuses every call', () => {
    const fixture = new ReplicaFixture();
    fixture.lead();
    const failure = new Error('the records could not be read');
    fixture.replica.fail(failure);
    expect(fixture.propose(put(1))[0]?.error).toBe(failure);
    expect(fixture.read().error).toBe(failure);
    expect(fixture.changeMembers({ kind: 'remove', member: memberOf(2) }).error).toBe(failure);
    expect(fixture.replica.transferLeader(memberOf(2))).toBe(failure);
    fixture.replica.campaign();
    expect(fixture.core.role).toBe('follower');
    // The first failure stays.
    fixture.replica.fail(new Error('another one'));
    expect(fixture.replica.failure).toBe(failure);
  });
});
