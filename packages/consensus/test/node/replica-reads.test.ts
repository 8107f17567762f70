import { describe, expect, test } from 'vitest';
import type { PeerMessage } from '../../src/raft/message.ts';
import { configurationOf } from '../support/core-member.ts';
import { put, putEntry, ReplicaFixture } from '../support/replica-fixture.ts';

const waiting = { error: undefined, value: undefined };

/** Members answer the newest heartbeat that leader `n1` sent to them. */
function confirm(fixture: ReplicaFixture, ...members: readonly number[]): void {
  for (const member of members) {
    const beat = fixture.sentOf('heartbeat').findLast(({ to }) => to === `n${member}`);
    const read = beat?.message.read;
    fixture.receive(member, { kind: 'heartbeatResponse', term: fixture.core.term, read });
  }
}

describe('CS-50 a read of the leader', () => {
  test('waits for a quorum and then for the effects to be durable here', () => {
    const fixture = new ReplicaFixture();
    fixture.lead();
    fixture.propose(put(1));
    fixture.settle();
    fixture.accept(2);
    expect(fixture.core.commit).toBe(3n);
    expect(fixture.replica.applied.index).toBe(2n);
    const read = fixture.read();
    expect(read).toMatchObject(waiting);
    confirm(fixture, 3);
    expect(read).toMatchObject(waiting);
    fixture.settle();
    expect(read.value).toEqual({ index: 3n, revision: 1n });
    expect(fixture.machine.read(0)).toBe(1);
  });

  test('who comes during a round waits for the next one', () => {
    const fixture = new ReplicaFixture();
    fixture.lead();
    const first = fixture.read();
    const beat = fixture.sentOf('heartbeat').at(-1)?.message.read;
    const second = fixture.read();
    fixture.receive(2, { kind: 'heartbeatResponse', term: 2n, read: beat });
    expect(first).toMatchObject({ value: { index: 2n } });
    expect(second).toMatchObject(waiting);
    confirm(fixture, 2);
    expect(second).toMatchObject({ value: { index: 2n } });
  });

  test('a leader that nobody follows any more rejects it', () => {
    const fixture = new ReplicaFixture();
    fixture.lead();
    const read = fixture.read();
    fixture.heartbeat(3, 9n);
    expect(read).toMatchObject({ error: { code: 'RAFT_NOT_LEADER', retryable: true } });
  });

  test('the only voter answers at once, and a learner asks', () => {
    const sole = new ReplicaFixture({ configuration: configurationOf([1], [2]) });
    sole.lead([]);
    expect(sole.read()).toMatchObject({ value: { index: 2n } });
    const learner = new ReplicaFixture({ configuration: configurationOf([2], [1]) });
    learner.heartbeat(2, 2n);
    expect(learner.read()).toMatchObject(waiting);
    expect(learner.sentOf('readIndex')).toMatchObject([{ to: 'n2' }]);
  });
});

describe('CS-51 a read of a follower', () => {
  function follower() {
    const fixture = new ReplicaFixture();
    fixture.append(2, 2n, [putEntry(2n, 7)]);
    fixture.settle();
    const read = fixture.read();
    const { message } = fixture.sentOf('readIndex').at(-1)!;
    const answer = (index: bigint | undefined, changes = {}): PeerMessage => ({
      kind: 'readIndexResponse',
      term: 2n,
      read: { ...message.read, ...changes },
      index,
    });
    return { fixture, read, answer };
  }

  test('takes the index of the leader and waits until that is applied', () => {
    const { fixture, read, answer } = follower();
    fixture.receive(2, answer(2n));
    fixture.settle();
    expect(read).toMatchObject(waiting);
    fixture.heartbeat(2, 2n, 2n);
    expect(read).toMatchObject(waiting);
    fixture.settle();
    expect(read.value).toEqual({ index: 2n, revision: 1n });
    expect(fixture.machine.read(0)).toBe(7);
  });

  test('one answer serves one read, and none of another process', () => {
    const { fixture, read, answer } = follower();
    fixture.receive(2, answer(1n, { epoch: 'f'.repeat(32) }));
    fixture.receive(2, answer(1n, { context: 99n }));
    fixture.heartbeat(2, 2n, 2n);
    fixture.settle();
    expect(read).toMatchObject(waiting);
    fixture.receive(2, answer(2n));
    expect(read).toMatchObject({ value: { index: 2n } });
  });

  test('is rejected with the leader it knows when that refuses, changes, or does not answer', () => {
    const refused = follower();
    refused.fixture.receive(2, refused.answer(undefined));
    expect(refused.read.error).toMatchObject({
      code: 'RAFT_NOT_LEADER',
      details: { leader: { nodeId: 'n2' } },
    });
    const changed = follower();
    changed.fixture.heartbeat(3, 3n);
    expect(changed.read.error).toMatchObject({ details: { leader: { nodeId: 'n3' } } });
    const silent = follower();
    for (let tick = 0; tick < 30; tick += 1) {
      silent.fixture.heartbeat(2, 2n);
      silent.fixture.tick();
    }
    expect(silent.read.error).toMatchObject({ code: 'RAFT_NOT_LEADER' });
  });

  test('without a leader it is rejected at once', () => {
    const fixture = new ReplicaFixture();
    expect(fixture.read().error).toMatchObject({ details: { leader: undefined } });
  });
});

describe('CS-50 reads that wait are bounded', () => {
  const overloaded = { error: { code: 'RAFT_OVERLOADED', retryable: true } };

  test('on a leader that nobody answers, until they have been answered or refused', () => {
    const fixture = new ReplicaFixture({ limits: { queuedReadsMax: 3 } });
    fixture.lead();
    const reads = [1, 2, 3].map(() => fixture.read());
    const fourth = fixture.read();
    expect(fourth).toMatchObject(overloaded);
    expect(fourth.error?.message).toBe('read dropped: 3 reads wait already');
    expect(reads).toMatchObject([waiting, waiting, waiting]);
    confirm(fixture, 2);
    expect(reads[0]).toMatchObject({ value: { index: 2n } });
    expect(fixture.read()).toMatchObject(waiting);
    // The round that the others have waited for is still without answers.
    expect(fixture.read()).toMatchObject(overloaded);
    fixture.heartbeat(3, 9n);
    expect(fixture.read()).toMatchObject(waiting);
  });

  test('on a follower, those that wait for entries included', () => {
    const fixture = new ReplicaFixture({ limits: { queuedReadsMax: 2 } });
    fixture.append(2, 3n, [putEntry(3n, 1)]);
    fixture.settle();
    const first = fixture.read();
    const { message } = fixture.sentOf('readIndex').at(-1)!;
    fixture.receive(2, { kind: 'readIndexResponse', term: 3n, read: message.read, index: 3n });
    expect(first).toMatchObject(waiting);
    expect(fixture.read()).toMatchObject(waiting);
    expect(fixture.read()).toMatchObject(overloaded);
    fixture.append(2, 3n, [putEntry(3n, 2)], { commit: 3n });
    fixture.settle();
    expect(first).toMatchObject({ value: { index: 3n } });
    expect(fixture.read()).toMatchObject(waiting);
  });
});
