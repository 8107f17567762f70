import { describe, expect, test } from 'vitest';
import { configurationOf } from '../support/core-member.ts';
import { put, putEntry, ReplicaFixture } from '../support/replica-fixture.ts';

const TICKS = 40;

/** A leader whose write of one command has just become too slow, while the others live. */
function stalledLeader() {
  const fixture = new ReplicaFixture({ writeTicksMax: TICKS });
  fixture.lead();
  const [appended] = fixture.propose(put(1));
  fixture.accept(2);
  fixture.tickAmong([2, 3], TICKS - 1);
  expect(fixture.core.role).toBe('leader');
  expect(fixture.replica.isWriteStalled).toBe(false);
  const [queued] = fixture.propose(put(2));
  const read = fixture.read();
  fixture.sent.splice(0);
  fixture.tickAmong([2, 3]);
  return { fixture, appended, queued, read };
}

describe('BC-28 a write that does not return', () => {
  test('a leader asks the most advanced voter to lead and follows', () => {
    const { fixture } = stalledLeader();
    expect(fixture.core).toMatchObject({ role: 'follower', leader: undefined, term: 2n });
    expect(fixture.sentOf('timeoutNow')).toEqual([
      { to: 'n2', message: { kind: 'timeoutNow', term: 2n } },
    ]);
    expect(fixture.replica.isWriteStalled).toBe(true);
    expect(fixture.eventsOf('writeStalled')).toEqual([{ kind: 'writeStalled', ticks: TICKS }]);
    expect(fixture.eventsOf('steppedDown').at(-1)?.reason).toBe('a write hangs');
    expect(fixture.replica.failure).toBeUndefined();
  });

  test('it says nothing as a leader any more and does not stand', () => {
    const { fixture } = stalledLeader();
    fixture.sent.splice(0);
    const campaigns = fixture.eventsOf('campaign').length;
    fixture.tick(500);
    expect(fixture.sent).toEqual([]);
    expect(fixture.eventsOf('campaign')).toHaveLength(campaigns);
    expect(fixture.eventsOf('writeStalled')).toHaveLength(1);
  });

  test('commands in the log wait for their fate, all others and reads go elsewhere at once', () => {
    const { fixture, appended, queued, read } = stalledLeader();
    expect(appended).toMatchObject({ value: undefined, error: undefined });
    expect(queued).toMatchObject({ error: { code: 'RAFT_NOT_LEADER' } });
    expect(read).toMatchObject({ error: { code: 'RAFT_NOT_LEADER' } });
    fixture.heartbeat(2, 3n);
    expect(fixture.propose(put(3))[0]?.error).toMatchObject({
      code: 'RAFT_NOT_LEADER',
      details: { leader: { nodeId: 'n2' } },
    });
  });

  test('when it returns, the former leader decides nothing by it', () => {
    const { fixture, appended } = stalledLeader();
    const { commit } = fixture.core;
    fixture.append(2, 3n, [putEntry(3n, 9)], { prevIndex: 2n });
    expect(appended).toMatchObject({ error: { code: 'RAFT_LEADERSHIP_LOST' } });
    fixture.sent.splice(0);
    fixture.endTurn();
    expect(fixture.core).toMatchObject({ role: 'follower', commit });
    expect(fixture.published.at(-1)).toBe(2n);
    expect(fixture.sent.filter(({ message }) => message.kind !== 'appendAccepted')).toEqual([]);
    expect(fixture.replica.isWriteStalled).toBe(false);
    expect(fixture.eventsOf('writeResumed')).toEqual([{ kind: 'writeResumed', ticks: TICKS }]);
    fixture.settle();
    expect(fixture.sentOf('appendAccepted').at(-1)).toMatchObject({
      to: 'n2',
      message: { match: 3n },
    });
  });

  test('what others have committed meanwhile is answered after it has returned', () => {
    const { fixture, appended } = stalledLeader();
    fixture.append(2, 3n, [{ term: 3n, kind: 'empty', payload: new Uint8Array(0) }], {
      commit: 4n,
    });
    fixture.tick(10);
    expect(appended?.value).toBeUndefined();
    fixture.settle();
    expect(appended).toMatchObject({ value: { index: 3n, term: 2n } });
  });

  test('afterwards it stands again', () => {
    const { fixture } = stalledLeader();
    fixture.endTurn();
    fixture.settle();
    const campaigns = fixture.eventsOf('campaign').length;
    fixture.tick(40);
    expect(fixture.eventsOf('campaign').length).toBeGreaterThan(campaigns);
  });

  test('a write that fails after all ends everything, as always', () => {
    const { fixture, appended } = stalledLeader();
    fixture.failTurn(new Error('input/output error'));
    expect(fixture.replica.failure?.message).toBe('input/output error');
    expect(appended?.error?.cause).toBe(fixture.replica.failure);
    expect(fixture.replica.isWriteStalled).toBe(false);
  });

  test('each write has its own time, and so has a step of a snapshot', () => {
    const fixture = new ReplicaFixture({
      writeTicksMax: TICKS,
      retention: { entriesThreshold: 3, entriesKept: 0 },
    });
    fixture.lead();
    for (let done = 0; done < 5; done += 1) {
      fixture.propose(put(done));
      fixture.tickAmong([2, 3], TICKS - 1);
      fixture.accept(2);
      while (fixture.turn?.kind === 'job') fixture.endTurn();
      if (fixture.turn?.kind === 'snapshotStep') break;
    }
    expect(fixture.core.role).toBe('leader');
    expect(fixture.turn?.kind).toBe('snapshotStep');
    fixture.tickAmong([2, 3], TICKS);
    expect(fixture.core.role).toBe('follower');
  });

  test('an idle leader may be idle for as long as it likes', () => {
    const fixture = new ReplicaFixture({ writeTicksMax: TICKS });
    fixture.lead();
    fixture.tickAmong([2, 3], 10 * TICKS);
    expect(fixture.core.role).toBe('leader');
    expect(fixture.eventsOf('writeStalled')).toEqual([]);
  });

  test('the only voter leads on and commands wait, because nobody else could lead', () => {
    const fixture = new ReplicaFixture({
      writeTicksMax: TICKS,
      configuration: configurationOf([1], [2]),
    });
    fixture.lead([]);
    const [inFlight] = fixture.propose(put(1));
    const [queued] = fixture.propose(put(2));
    fixture.tick(3 * TICKS);
    expect(fixture.core.role).toBe('leader');
    expect(fixture.replica.isWriteStalled).toBe(true);
    expect([inFlight, queued]).toMatchObject([{ error: undefined }, { error: undefined }]);
    fixture.settle();
    expect(inFlight?.value).toBeDefined();
    expect(queued?.value).toBeDefined();
  });

  test('installing is not a write of a known length', () => {
    const fixture = new ReplicaFixture({ writeTicksMax: TICKS });
    fixture.heartbeat(2, 3n);
    fixture.receiveSnapshot(2, 3n, { index: 9n, term: 3n });
    fixture.endTurn();
    expect(fixture.turn?.kind).toBe('installStep');
    fixture.tick(2 * TICKS);
    expect(fixture.replica.isWriteStalled).toBe(false);
  });
});
