import { describe, expect, test } from 'vitest';
import { type MemberId, RawRaft, type RawRaftState } from '../../src/index.ts';

const self: MemberId = { nodeId: 'n1', storeId: '01'.repeat(16) };
const fresh: RawRaftState = {
  hardState: { term: 0n, votedFor: undefined, commit: 0n },
  lastIndex: 0n,
  lastTerm: 0n,
  applied: 0n,
};
const payload = Uint8Array.of(1);

/** A core that leads and has its empty entry committed. */
function leader(state: RawRaftState = fresh): RawRaft {
  const core = new RawRaft(self, state);
  core.campaign();
  core.persisted(core.ready().storeJob!.seq);
  core.persisted(core.ready().storeJob!.seq);
  core.ready();
  return core;
}

describe('election of the only voter', () => {
  test('CS-23 it leads only after its own vote in a new term is durable', () => {
    const core = new RawRaft(self, { ...fresh, hardState: { ...fresh.hardState, term: 6n } });
    expect(core.hasReady).toBe(false);
    core.campaign();
    const { storeJob, softState } = core.ready();
    expect(softState).toEqual({ role: 'candidate', term: 7n, leader: undefined });
    expect(storeJob).toEqual({
      seq: 1n,
      hardState: { term: 7n, votedFor: self, commit: 0n },
      entries: [],
      commitOnPersist: undefined,
    });
    expect(core.propose(payload)).toMatchObject({ kind: 'dropped', reason: 'notLeader' });
    core.persisted(1n);
    expect(core.softState).toEqual({ role: 'leader', term: 7n, leader: self });
  });

  test('CS-26 a new leader first appends one empty entry of its term', () => {
    const core = new RawRaft(self, {
      hardState: { term: 3n, votedFor: self, commit: 4n },
      lastIndex: 9n,
      lastTerm: 2n,
      applied: 4n,
    });
    core.campaign();
    core.persisted(core.ready().storeJob!.seq);
    const { storeJob } = core.ready();
    expect(storeJob?.entries).toEqual([
      { index: 10n, term: 4n, kind: 'empty', payload: new Uint8Array(0) },
    ]);
    expect(storeJob?.commitOnPersist).toBe(10n);
    expect(core.commit).toBe(4n);
    core.persisted(storeJob!.seq);
    expect(core.commit).toBe(10n);
  });

  test('a leader or candidate does not campaign again', () => {
    const core = leader();
    core.campaign();
    expect(core.hasReady).toBe(false);
    expect(core.softState.term).toBe(1n);
  });
});

describe('proposals', () => {
  test('CS-13 an entry is committed when its job is durable and not before', () => {
    const core = leader();
    const outcome = core.propose(payload);
    expect(outcome).toMatchObject({ kind: 'accepted', entry: { index: 2n, term: 1n } });
    core.propose(payload);
    const { storeJob, commit } = core.ready();
    expect(storeJob?.entries.map(({ index }) => index)).toEqual([2n, 3n]);
    expect(commit).toBe(1n);
    core.propose(payload);
    core.persisted(storeJob!.seq);
    expect(core.commit).toBe(3n);
    expect(core.lastIndex).toBe(4n);
  });

  test('jobs are reported in their order', () => {
    const core = leader();
    core.propose(payload);
    const first = core.ready().storeJob!.seq;
    core.propose(payload);
    const second = core.ready().storeJob!.seq;
    expect(() => core.persisted(second)).toThrow('in their order');
    expect(second).toBe(first + 1n);
  });

  test('CS-14 the commit index travels with the next job and causes none', () => {
    const core = leader();
    expect(core.hasReady).toBe(false);
    core.propose(payload);
    expect(core.ready().storeJob?.hardState).toEqual({ term: 1n, votedFor: self, commit: 1n });
  });
});

describe('reads', () => {
  test('CS-50 a read waits for a committed entry of the own term', () => {
    const core = new RawRaft(self, fresh);
    core.campaign();
    core.persisted(core.ready().storeJob!.seq);
    core.readIndex(5n);
    const { storeJob, readStates } = core.ready();
    expect(readStates).toEqual([]);
    core.persisted(storeJob!.seq);
    expect(core.ready().readStates).toEqual([{ context: 5n, index: 1n }]);
    core.readIndex(6n);
    expect(core.ready().readStates).toEqual([{ context: 6n, index: 1n }]);
    expect(core.ready().readStates).toEqual([]);
  });

  test('a read is rejected where nobody leads', () => {
    const core = new RawRaft(self, fresh);
    core.readIndex(1n);
    expect(core.ready().readsRejected).toEqual([1n]);
  });
});

describe('the end', () => {
  test('CS-77 after a failed write it neither leads, campaigns nor confirms', () => {
    const core = leader();
    core.propose(payload);
    const seq = core.ready().storeJob!.seq;
    core.propose(payload);
    core.storeFailed();
    core.persisted(seq);
    core.campaign();
    expect(core.commit).toBe(1n);
    expect(core.softState.role).toBe('follower');
    expect(core.propose(payload)).toMatchObject({ kind: 'dropped', reason: 'storeFailed' });
    core.readIndex(1n);
    const { storeJob, readsRejected } = core.ready();
    expect(storeJob).toBeUndefined();
    expect(readsRejected).toEqual([1n]);
  });

  test('a stopped member drops proposals and waiting reads', () => {
    const core = new RawRaft(self, fresh);
    core.campaign();
    core.persisted(core.ready().storeJob!.seq);
    core.readIndex(1n);
    core.stop();
    expect(core.propose(payload)).toMatchObject({ kind: 'dropped', reason: 'stopped' });
    expect(core.ready().readsRejected).toEqual([1n]);
  });

  test('applied indexes move forward and stay below the commit index', () => {
    const core = leader();
    core.appliedTo(1n);
    expect(core.applied).toBe(1n);
    expect(() => core.appliedTo(0n)).toThrow('never goes back');
    expect(() => core.appliedTo(2n)).toThrow('only committed');
  });
});
