import { describe, expect, test } from 'vitest';
import { memberOf } from '../support/core-member.ts';
import { put, ReplicaFixture, type ReplicaFixtureOptions } from '../support/replica-fixture.ts';

const RETENTION = { entriesThreshold: 10, entriesKept: 4 };

/** Commits and applies so many commands with the help of member 2, while member 3 lives. */
function work(fixture: ReplicaFixture, count: number): void {
  const beat = { kind: 'heartbeatResponse', term: fixture.core.term, read: undefined } as const;
  for (let done = 0; done < count; done += 1) {
    fixture.propose(put(done));
    fixture.settle();
    fixture.accept(2);
    fixture.receive(3, beat);
    fixture.settle();
  }
}

/** Member 3 has all that the newest append brought it. */
function acceptNewest(fixture: ReplicaFixture): void {
  const { message } = fixture.sentOf('append').findLast(({ to }) => to === 'n3')!;
  const { term, generation, batch, prevIndex, entries } = message;
  const match = prevIndex + BigInt(entries.length);
  fixture.receive(3, { kind: 'appendAccepted', term, match, generation, batch });
  fixture.settle();
}

/** Member 3 denies what the newest append assumes; its log ends at index 1. */
function reject(fixture: ReplicaFixture): void {
  const { message } = fixture.sentOf('append').findLast(({ to }) => to === 'n3')!;
  const { term, generation, batch, prevIndex } = message;
  const hint = { rejectIndex: prevIndex, hintIndex: 1n, hintTerm: 1n };
  fixture.receive(3, { kind: 'appendRejected', term, ...hint, generation, batch });
  fixture.settle();
}

/** A leader that has begun to send member 3 its newest snapshot. */
function sending(options: ReplicaFixtureOptions = {}) {
  const fixture = new ReplicaFixture({ retention: RETENTION, ...options });
  fixture.lead([2]);
  work(fixture, 40);
  fixture.replica.peerUnreachable(memberOf(3));
  fixture.tickAmong([2, 3], 3);
  reject(fixture);
  const index = fixture.replica.snapshot?.index ?? 0n;
  expect(fixture.snapshotsSent).toMatchObject([{ to: { nodeId: 'n3' }, snapshot: { index } }]);
  return { fixture, index };
}

describe('CS-101 CS-114 a member that was sent a snapshot catches up while commands flow', () => {
  test('what lies behind the snapshot is kept while it is sent, installed and followed by entries', () => {
    const { fixture, index } = sending();
    work(fixture, 60);
    expect(fixture.replica.snapshot?.index).toBeGreaterThan(index + 40n);
    expect(fixture.content.purged.index).toBeLessThanOrEqual(index);
    fixture.replica.snapshotSent(memberOf(3), true);
    // It installs and answers nothing, so its stream ends and is begun again.
    work(fixture, 30);
    fixture.replica.peerUnreachable(memberOf(3));
    fixture.tickAmong([2, 3], 3);
    expect(fixture.sentOf('append').findLast(({ to }) => to === 'n3')?.message.prevIndex).toBe(
      index,
    );
    work(fixture, 30);
    for (let answers = 0; answers < 100; answers += 1) acceptNewest(fixture);
    const progress = [...fixture.core.progress.values()].find(
      ({ member }) => member.nodeId === 'n3',
    );
    expect(progress).toMatchObject({ state: 'replicate', match: fixture.core.lastIndex });
    expect(fixture.snapshotsSent).toHaveLength(1);
    // It has caught up, and the log is cut as ever.
    fixture.tickAmong([2, 3]);
    expect(fixture.core.heldIndex).toBeUndefined();
    work(fixture, 30);
    expect(fixture.content.purged.index).toBeGreaterThan(index + 100n);
  });

  test('not for one that is silent', () => {
    const { fixture, index } = sending();
    fixture.tickAmong([2], 25);
    expect(fixture.core.heldIndex).toBeUndefined();
    for (let done = 0; done < 60; done += 1) {
      fixture.propose(put(done));
      fixture.settle();
      fixture.accept(2);
      fixture.settle();
    }
    expect(fixture.content.purged.index).toBeGreaterThan(index);
  });

  test('not beyond half of the size at which commands wait', () => {
    const { fixture, index } = sending();
    work(fixture, 40);
    expect(fixture.content.purged.index).toBeLessThanOrEqual(index);
    fixture.retainedBytes = 512 * 1_024 * 1_024 + 1;
    work(fixture, 1);
    expect(fixture.content.purged.index).toBeGreaterThan(index);
    // It has to begin anew, with a newer snapshot.
    fixture.retainedBytes = undefined;
    fixture.replica.snapshotSent(memberOf(3), true);
    fixture.settle();
    expect(fixture.snapshotsSent).toHaveLength(2);
    expect(fixture.snapshotsSent.at(-1)?.snapshot.index).toBe(fixture.replica.snapshot?.index);
    expect(fixture.core.heldIndex).toBe(fixture.replica.snapshot?.index);
  });

  test('one that has lost what it took is sent another one', () => {
    const { fixture, index } = sending();
    fixture.replica.snapshotSent(memberOf(3), true);
    work(fixture, 30);
    fixture.replica.peerUnreachable(memberOf(3));
    fixture.tickAmong([2, 3], 3);
    reject(fixture);
    fixture.tickAmong([2, 3], 3);
    expect(fixture.snapshotsSent).toHaveLength(2);
    expect(fixture.snapshotsSent.at(-1)?.snapshot.index).toBeGreaterThan(index);
  });
});
