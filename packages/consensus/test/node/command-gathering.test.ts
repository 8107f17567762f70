import { describe, expect, test } from 'vitest';
import { CommandGathering } from '../../src/node/command-gathering.ts';
import { put, ReplicaFixture } from '../support/replica-fixture.ts';

describe('CS-40 commands that wait when others are answered', () => {
  test('leave together with most of those that follow the answers', () => {
    const gathering = new CommandGathering();
    expect(gathering.answered(8, 4)).toBe(true);
    gathering.waiting(9);
    expect(gathering.isOpen).toBe(true);
    gathering.waiting(10);
    expect(gathering.isOpen).toBe(false);
  });

  test.each([
    ['no other waits', 8, 0],
    ['none was answered', 0, 8],
  ])('are not kept back when %s', (_, answered, waiting) => {
    const gathering = new CommandGathering();
    expect(gathering.answered(answered, waiting)).toBe(false);
    expect(gathering.isOpen).toBe(false);
  });

  test('are kept back ever less often by callers who do not ask again, and as before once they do', () => {
    const gathering = new CommandGathering();
    const pauses: number[] = [];
    let pause = 0;
    while (pauses.length < 12) {
      if (!gathering.answered(8, 4)) {
        pause += 1;
        continue;
      }
      gathering.end();
      pauses.push(pause);
      pause = 0;
    }
    expect(pauses).toEqual([0, 1, 3, 7, 15, 31, 63, 127, 255, 511, 1_023, 1_023]);
    while (!gathering.answered(8, 4));
    gathering.waiting(12);
    gathering.end();
    expect(gathering.answered(8, 4)).toBe(true);
  });
});

describe('CS-40 a leader that has answered a command', () => {
  function answeredWhileOneWaits(): ReplicaFixture {
    const fixture = new ReplicaFixture();
    fixture.lead();
    fixture.settle();
    fixture.propose(put(1));
    fixture.endTurn();
    fixture.acceptNewest(2, 3);
    fixture.propose(put(2));
    fixture.sent.length = 0;
    fixture.endTurn();
    return fixture;
  }
  const sizes = (fixture: ReplicaFixture): readonly number[] =>
    fixture
      .sentOf('append')
      .filter(({ to }) => to === 'n2')
      .map(({ message }) => message.entries.length);

  test('sends those that wait with the one that follows', () => {
    const fixture = answeredWhileOneWaits();
    expect(sizes(fixture)).toEqual([]);
    fixture.propose(put(3));
    expect(sizes(fixture)).toEqual([2]);
  });

  test.each([
    ['a moment', (fixture: ReplicaFixture) => fixture.replica.gathered()],
    ['a tick', (fixture: ReplicaFixture) => fixture.tick()],
  ])('sends them alone after %s in which none followed', (_, pass) => {
    const fixture = answeredWhileOneWaits();
    pass(fixture);
    expect(sizes(fixture)).toEqual([1]);
  });
});
