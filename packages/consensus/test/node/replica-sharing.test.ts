import { describe, expect, test } from 'vitest';
import { put, putEntry, ReplicaFixture } from '../support/replica-fixture.ts';

/** A leader of three in term 2 without anything under way. */
function leader(): ReplicaFixture {
  const fixture = new ReplicaFixture();
  fixture.lead();
  fixture.settle();
  fixture.sent.length = 0;
  fixture.jobs.length = 0;
  return fixture;
}

/** A follower of member 2 that has an entry and does not know it is committed. */
function follower(): ReplicaFixture {
  const fixture = new ReplicaFixture();
  fixture.heartbeat(2, 5n, 1n);
  fixture.append(2, 5n, [putEntry(5n, 1)], { commit: 1n });
  fixture.settle();
  fixture.jobs.length = 0;
  return fixture;
}

describe('CS-40 commands share appends and writes', () => {
  test('those that come during a write leave together after it', () => {
    const fixture = leader();
    fixture.propose(put(1));
    for (const value of [2, 3, 4]) fixture.propose(put(value));
    expect(fixture.jobs.map(({ entries }) => entries.length)).toEqual([1]);
    fixture.endTurn();
    expect(fixture.jobs.map(({ entries }) => entries.length)).toEqual([1, 3]);
    const sizes = fixture.sentOf('append').filter(({ to }) => to === 'n2');
    expect(sizes.map(({ message }) => message.entries.length)).toEqual([1, 3]);
  });

  test('one that comes alone waits for nothing', () => {
    const fixture = leader();
    fixture.propose(put(1));
    expect(fixture.jobs).toHaveLength(1);
    expect(fixture.sentOf('append').map(({ to }) => to)).toEqual(['n2', 'n3']);
  });

  test('effects of the last and entries of the next commands share a write', () => {
    const fixture = leader();
    fixture.propose(put(1));
    fixture.propose(put(2));
    fixture.acceptNewest(2);
    fixture.endTurn();
    expect(fixture.jobs.at(-1)).toMatchObject({ applied: { revision: 1n } });
    expect(fixture.jobs.at(-1)?.entries).toHaveLength(1);
  });
});

describe('CS-87 a follower applies with the next append', () => {
  test('a commit index that comes with entries is applied with their write', () => {
    const fixture = follower();
    const before = fixture.core.lastIndex;
    fixture.append(2, 5n, [putEntry(5n, 2)], { commit: before });
    expect(fixture.jobs).toHaveLength(1);
    expect(fixture.jobs[0]).toMatchObject({ applied: { index: before } });
    expect(fixture.jobs[0]?.entries).toHaveLength(1);
  });

  test.each([
    ['soon', (fixture: ReplicaFixture) => fixture.settle()],
    ['with the next tick', (fixture: ReplicaFixture) => fixture.tick()],
  ])('one that comes alone is applied %s', (_, pass) => {
    const fixture = follower();
    const { lastIndex } = fixture.core;
    fixture.heartbeat(2, 5n, lastIndex);
    expect(fixture.jobs).toEqual([]);
    expect(fixture.isWakeWanted).toBe(true);
    pass(fixture);
    fixture.settle();
    expect(fixture.replica.applied.index).toBe(lastIndex);
    expect(fixture.jobs).toHaveLength(1);
  });

  test('CS-51 a read does not wait for that', () => {
    const fixture = follower();
    const { lastIndex } = fixture.core;
    const read = fixture.read();
    const asked = fixture.sentOf('readIndex').at(-1)?.message.read;
    fixture.heartbeat(2, 5n, lastIndex);
    expect(fixture.jobs).toEqual([]);
    if (asked === undefined) throw new Error('the leader was not asked');
    fixture.receive(2, { kind: 'readIndexResponse', term: 5n, read: asked, index: lastIndex });
    expect(fixture.jobs).toHaveLength(1);
    fixture.endTurn();
    expect(read.value).toMatchObject({ index: lastIndex });
  });
});

describe('CS-45 followers hear of a commit index', () => {
  test('soon, when no append carries it', () => {
    const fixture = leader();
    fixture.propose(put(1));
    fixture.endTurn();
    fixture.acceptNewest(2, 3);
    expect(fixture.sentOf('heartbeat')).toEqual([]);
    fixture.settle();
    const { commit } = fixture.core;
    const told = fixture.sentOf('heartbeat').filter(({ message }) => message.commit === commit);
    expect(told.map(({ to }) => to).sort()).toEqual(['n2', 'n3']);
  });

  test('with the next append, and not again', () => {
    const fixture = leader();
    fixture.propose(put(1));
    fixture.endTurn();
    fixture.acceptNewest(2, 3);
    fixture.settle();
    fixture.sent.length = 0;
    fixture.propose(put(2));
    fixture.endTurn();
    fixture.acceptNewest(2, 3);
    fixture.endTurn();
    fixture.propose(put(3));
    expect(fixture.sentOf('append').at(-1)?.message.commit).toBe(fixture.core.commit);
    fixture.settle();
    expect(fixture.sentOf('heartbeat')).toEqual([]);
  });
});
