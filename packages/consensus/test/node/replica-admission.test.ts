import { describe, expect, test } from 'vitest';
import { configurationOf, memberOf } from '../support/core-member.ts';
import { put, ReplicaFixture } from '../support/replica-fixture.ts';

const waiting = { error: undefined, value: undefined };

describe('CS-102 the retained log has a cap', () => {
  const retention = { retainedBytesMax: 10_000, admissionTicks: 30 };

  function fullLeader(voters = [1, 2, 3]) {
    const fixture = new ReplicaFixture({ configuration: configurationOf(voters), retention });
    fixture.lead(voters.slice(1));
    fixture.retainedBytes = 12_345;
    return fixture;
  }

  test.each([[[1, 2, 3]], [[1]]])('commands of %j wait and go on when it has shrunk', (voters) => {
    const fixture = fullLeader(voters);
    const others = voters.slice(1);
    const { lastIndex } = fixture.core;
    const outcomes = fixture.propose(put(1), put(2));
    fixture.tickAmong(others, 10);
    expect(fixture.core.lastIndex).toBe(lastIndex);
    expect(outcomes).toMatchObject([waiting, waiting]);
    fixture.retainedBytes = 10_000;
    fixture.tickAmong(others);
    expect(fixture.core.lastIndex).toBe(lastIndex + 2n);
    fixture.settle();
    for (const from of others) fixture.accept(from);
    fixture.settle();
    expect(outcomes).toMatchObject([{ value: { index: 3n } }, { value: { index: 4n } }]);
  });

  test('they are refused after their time with the text, younger ones wait on', () => {
    const fixture = fullLeader();
    const [early] = fixture.propose(put(1));
    fixture.tickAmong([2], 20);
    const [late] = fixture.propose(put(2));
    fixture.tickAmong([2], 10);
    expect(early).toMatchObject(waiting);
    fixture.tickAmong([2]);
    expect(early?.error).toMatchObject({ code: 'RAFT_LOG_FULL', retryable: true });
    expect(early?.error?.message).toBe(
      'the retained raft log holds 12345 bytes against a 10000-byte cap and did not reclaim' +
        ' within 30s',
    );
    expect(late).toMatchObject(waiting);
    fixture.tickAmong([2], 20);
    expect(late?.error).toMatchObject({ code: 'RAFT_LOG_FULL' });
    expect(fixture.replica.proposals).toEqual({ count: 0, bytes: 0 });
  });

  test('the command that crosses the cap may complete; reads, members and heartbeats go on', () => {
    const fixture = fullLeader();
    fixture.retainedBytes = 10_000;
    const [crossing] = fixture.propose(put(1));
    fixture.retainedBytes = 12_345;
    fixture.settle();
    fixture.accept(2);
    fixture.settle();
    expect(crossing).toMatchObject({ value: { index: 3n } });
    const read = fixture.read();
    const { message } = fixture.sentOf('heartbeat').at(-1)!;
    fixture.receive(2, { kind: 'heartbeatResponse', term: 2n, read: message.read });
    expect(read).toMatchObject({ value: { index: 3n } });
    const changing = fixture.changeMembers({ kind: 'remove', member: voterOf(fixture, 1) });
    fixture.settle();
    fixture.accept(3);
    fixture.settle();
    expect(changing).toMatchObject({ value: { index: 4n } });
  });

  test('a member that does not lead refuses at once', () => {
    const fixture = new ReplicaFixture({ retention });
    fixture.retainedBytes = 12_345;
    expect(fixture.propose(put(1))).toMatchObject([{ error: { code: 'RAFT_NOT_LEADER' } }]);
  });
});

function voterOf(fixture: ReplicaFixture, at: number) {
  return fixture.core.configuration!.voters[at]!;
}

describe('CS-78 little disk space refuses commands', () => {
  test('here, with the text, until there is enough again', () => {
    const fixture = new ReplicaFixture();
    fixture.lead();
    fixture.replica.diskIsLow('431 MiB');
    const [refused] = fixture.propose(put(1));
    expect(refused?.error).toMatchObject({ code: 'RAFT_DISK_LOW', retryable: true });
    expect(refused?.error?.message).toBe('consensus storage is low on disk space: 431 MiB free');
    const changing = fixture.changeMembers({ kind: 'remove', member: voterOf(fixture, 1) });
    fixture.settle();
    fixture.accept(3);
    fixture.settle();
    expect(changing).toMatchObject({ value: { index: 3n } });
    fixture.replica.diskIsLow(undefined);
    const [taken] = fixture.propose(put(1));
    fixture.settle();
    fixture.accept(3);
    fixture.settle();
    expect(taken).toMatchObject({ value: { index: 4n } });
  });

  test('on so many voters that the rest is no quorum', () => {
    const fixture = new ReplicaFixture({ configuration: configurationOf([1, 2, 3, 4], [5]) });
    fixture.lead([2, 3]);
    const isRefused = () => {
      const [outcome] = fixture.propose(put(1));
      fixture.settle();
      return outcome?.error;
    };
    fixture.receive(5, { kind: 'storageStatus', isLow: true });
    fixture.receive(2, { kind: 'storageStatus', isLow: true });
    expect(isRefused()).toBeUndefined();
    fixture.receive(3, { kind: 'storageStatus', isLow: true });
    expect(isRefused()).toMatchObject({
      code: 'RAFT_DISK_LOW',
      message: 'consensus storage is low on disk space on too many members',
    });
    fixture.receive(3, { kind: 'storageStatus', isLow: false });
    expect(isRefused()).toBeUndefined();
  });

  test('in either half of a joint configuration', () => {
    const fixture = new ReplicaFixture({ configuration: configurationOf([1, 2, 3], [4, 5]) });
    fixture.lead();
    fixture.changeMembers(
      { kind: 'promote', member: memberOf(4) },
      { kind: 'promote', member: memberOf(5) },
      { kind: 'remove', member: memberOf(2) },
      { kind: 'remove', member: memberOf(3) },
    );
    expect(fixture.core.configuration?.outgoing).toHaveLength(3);
    fixture.settle();
    fixture.receive(2, { kind: 'storageStatus', isLow: true });
    fixture.receive(4, { kind: 'storageStatus', isLow: true });
    expect(fixture.propose(put(1))[0]?.error).toBeUndefined();
    fixture.settle();
    fixture.receive(5, { kind: 'storageStatus', isLow: true });
    expect(fixture.propose(put(1))[0]?.error).toMatchObject({ code: 'RAFT_DISK_LOW' });
  });

  test('members tell their leader on change and now and then', () => {
    const fixture = new ReplicaFixture();
    fixture.replica.diskIsLow('1 MiB');
    expect(fixture.sent).toEqual([]);
    fixture.heartbeat(3, 2n);
    const told = () => fixture.sentOf('storageStatus').map(({ to, message }) => [to, message]);
    for (let tick = 0; tick < 800; tick += 1) {
      fixture.heartbeat(3, 2n);
      fixture.tick();
    }
    const low = ['n3', { kind: 'storageStatus', isLow: true }];
    expect(told()).toEqual([low, low]);
    fixture.replica.diskIsLow(undefined);
    expect(told()).toEqual([low, low, ['n3', { kind: 'storageStatus', isLow: false }]]);
  });
});
