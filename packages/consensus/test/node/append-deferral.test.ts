import { describe, expect, test } from 'vitest';
import { configurationOf, memberOf } from '../support/core-member.ts';
import { put, putEntry, ReplicaFixture } from '../support/replica-fixture.ts';

const TICKS = 2;

/** A leader of three in term 2 that leaves entries to the others and has nothing under way. */
function leader(options: { readonly groupOperationsMax?: number } = {}): ReplicaFixture {
  const fixture = new ReplicaFixture({ deferTicksMax: TICKS, limits: options });
  fixture.lead();
  fixture.acceptNewest(2, 3);
  fixture.settle();
  fixture.sent.length = 0;
  fixture.jobs.length = 0;
  return fixture;
}

describe('CS-87 a leader writes entries with their effects', () => {
  test('once the others have committed them: one write, and then the answer', () => {
    const fixture = leader();
    const [outcome] = fixture.propose(put(1));
    const { lastIndex } = fixture.core;
    expect(fixture.sentOf('append').map(({ to }) => to)).toEqual(['n2', 'n3']);
    fixture.acceptNewest(2, 3);
    expect(fixture.jobs).toHaveLength(1);
    expect(fixture.jobs[0]).toMatchObject({
      entries: [{ index: lastIndex }],
      applied: { index: lastIndex },
    });
    expect(fixture.jobs[0]?.writes).toHaveLength(1);
    expect(outcome?.value).toBeUndefined();
    fixture.endTurn();
    expect(outcome?.value).toMatchObject({ index: lastIndex });
    expect(fixture.turn).toBeUndefined();
  });

  test('CS-86 a write that fails answers nobody and shows nothing', () => {
    const fixture = leader();
    const [outcome] = fixture.propose(put(1));
    const published = fixture.published.length;
    fixture.acceptNewest(2, 3);
    fixture.failTurn();
    expect(outcome).toMatchObject({ value: undefined, error: expect.anything() });
    expect(fixture.published).toHaveLength(published);
    expect(fixture.session.content.last.index).toBe(fixture.core.lastIndex - 1n);
  });

  test('CS-13 an entry that is not written here does not count here', () => {
    const fixture = leader();
    const before = fixture.core.commit;
    fixture.propose(put(1));
    fixture.acceptNewest(2);
    expect(fixture.core.commit).toBe(before);
    expect(fixture.jobs).toEqual([]);
  });

  test('commands gather until those before them are committed', () => {
    const fixture = leader();
    fixture.propose(put(1));
    fixture.propose(put(2));
    fixture.propose(put(3));
    expect(fixture.sentOf('append')).toHaveLength(2);
    fixture.acceptNewest(2, 3);
    expect(fixture.jobs.map(({ entries }) => entries.length)).toEqual([3]);
    expect(fixture.jobs[0]?.applied?.index).toBe(fixture.core.lastIndex - 2n);
    expect(fixture.sentOf('append').at(-1)?.message.entries).toHaveLength(2);
  });

  test('with effects to be written, entries wait for nobody', () => {
    const fixture = leader();
    fixture.propose(put(1));
    fixture.propose(put(2));
    fixture.acceptNewest(2, 3);
    fixture.endTurn();
    expect(fixture.session.content.last.index).toBe(fixture.core.lastIndex);
    expect(fixture.turn).toBeUndefined();
    fixture.acceptNewest(2);
    expect(fixture.core.commit).toBe(fixture.core.lastIndex);
    fixture.endTurn();
    expect(fixture.replica.applied.index).toBe(fixture.core.lastIndex);
  });
});

describe('entries are written at once', () => {
  test('with the only other voter that answers', () => {
    const fixture = leader();
    fixture.tickAmong([2], 20);
    fixture.propose(put(1));
    expect(fixture.jobs).toHaveLength(1);
  });

  test('of two voters', () => {
    const configuration = configurationOf([1, 2]);
    const fixture = new ReplicaFixture({ deferTicksMax: TICKS, configuration });
    fixture.lead([2]);
    fixture.acceptNewest(2);
    fixture.settle();
    const before = fixture.jobs.length;
    fixture.propose(put(1));
    expect(fixture.jobs).toHaveLength(before + 1);
  });

  test('CS-130 when they change the members', () => {
    const fixture = leader();
    fixture.changeMembers({ kind: 'remove', member: memberOf(3) });
    expect(fixture.jobs.map(({ configurations }) => configurations?.length)).toEqual([1]);
  });
});

describe('a leader waits only for a time', () => {
  test('and then decides with the first of the others', () => {
    const fixture = leader();
    const [outcome] = fixture.propose(put(1));
    fixture.acceptNewest(2);
    fixture.tickAmong([2, 3], TICKS);
    expect(fixture.jobs).toHaveLength(1);
    fixture.settle();
    expect(outcome?.value).toMatchObject({ index: fixture.core.lastIndex });
  });

  test('and after waiting in vain not again for a while, longer each time', () => {
    const fixture = leader();
    fixture.propose(put(1));
    const pauses = [1, 2, 3].map(() => {
      takeTooLate(fixture);
      return ticksUntilLeft(fixture);
    });
    expect(pauses).toEqual([1, 2, 4]);
  });

  test.each([
    ['more than twice as long as needed, again', 2, { first: 2, second: 5 }, 2],
    ['so long, once', 1, { first: 2, second: 5 }, 0],
    ['no more than that', 3, { first: 2, second: 4 }, 0],
    ['longer, but hardly', 3, { first: 0.1, second: 0.5 }, 0],
  ])('nor after the slower of the others took %s', (_, times, { first, second }, pause) => {
    const fixture = leader();
    for (let time = 0; time < times; time += 1) {
      fixture.propose(put(time));
      fixture.nowMs += first;
      fixture.acceptNewest(2);
      fixture.nowMs += second - first;
      fixture.acceptNewest(3);
      fixture.settle();
    }
    expect(ticksUntilLeft(fixture)).toBe(pause);
  });

  test('which begins anew once the others were quick', () => {
    const fixture = leader();
    fixture.propose(put(1));
    takeTooLate(fixture);
    expect(ticksUntilLeft(fixture)).toBe(1);
    fixture.acceptNewest(2, 3);
    fixture.settle();
    fixture.propose(put(2));
    takeTooLate(fixture);
    expect(ticksUntilLeft(fixture)).toBe(1);
  });
});

/** The others take what is left to them after it was written here. */
function takeTooLate(fixture: ReplicaFixture): void {
  const before = fixture.jobs.length;
  fixture.tickAmong([2, 3], TICKS);
  expect(fixture.jobs).toHaveLength(before + 1);
  fixture.acceptNewest(2, 3);
  fixture.settle();
}

/** For how many ticks commands are written at once; the one that is left then stays so. */
function ticksUntilLeft(fixture: ReplicaFixture): number {
  for (let ticks = 0; ticks < 20; ticks += 1) {
    const before = fixture.jobs.length;
    fixture.propose(put(9));
    if (fixture.jobs.length === before) return ticks;
    fixture.acceptNewest(2, 3);
    fixture.settle();
    fixture.tickAmong([2, 3], 1);
  }
  throw new Error('no command is left to the others');
}

describe('CS-31 who loses the leadership with entries that are not written', () => {
  test('writes them as a follower, as far as the new leader does not replace them', () => {
    const fixture = leader();
    fixture.propose(put(1));
    fixture.heartbeat(2, 3n);
    expect(fixture.jobs).toHaveLength(1);
    fixture.settle();
    expect(fixture.session.content.last.index).toBe(fixture.core.lastIndex);
  });

  test('CS-96 or never has them in its store', () => {
    const fixture = leader();
    const [outcome] = fixture.propose(put(1));
    const prevIndex = fixture.core.lastIndex - 1n;
    fixture.append(2, 3n, [putEntry(3n, 7)], { prevIndex });
    fixture.settle();
    expect(outcome?.error).toMatchObject({ code: 'RAFT_LEADERSHIP_LOST' });
    expect(fixture.session.content.last).toMatchObject({ index: prevIndex + 1n, term: 3n });
    expect(fixture.jobs.every(({ entries }) => entries.every(({ term }) => term > 2n))).toBe(true);
  });
});
