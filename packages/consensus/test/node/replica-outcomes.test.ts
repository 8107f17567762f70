import { describe, expect, test } from 'vitest';
import { RaftError } from '../../src/errors.ts';
import { simulatedChain } from '../../src/simulation/chain.ts';
import { configurationOf, memberOf } from '../support/core-member.ts';
import { put, putEntry, ReplicaFixture } from '../support/replica-fixture.ts';

const unknown = { error: { code: 'RAFT_LEADERSHIP_LOST' }, value: undefined };
const waiting = { error: undefined, value: undefined };

/** A leader of term 2 whose log ends at index 2, with commands 3, 4 and 5 stored only here. */
function leaderWithCommands() {
  const fixture = new ReplicaFixture();
  fixture.lead();
  const outcomes = fixture.propose(put(1), put(2), put(3));
  fixture.settle();
  expect(fixture.core).toMatchObject({ term: 2n, lastIndex: 5n, commit: 2n });
  return { fixture, outcomes };
}

describe('CS-96 who waits learns what became of the entry, and nothing else decides', () => {
  test('an answer comes when the effects are durable here', () => {
    const { fixture, outcomes } = leaderWithCommands();
    fixture.accept(2, 4n);
    expect(fixture.core.commit).toBe(4n);
    expect(outcomes).toMatchObject([waiting, waiting, waiting]);
    fixture.settle();
    expect(outcomes).toMatchObject([
      { value: { index: 3n, term: 2n, revision: 1n } },
      { value: { index: 4n, term: 2n, revision: 2n } },
      waiting,
    ]);
  });

  test('a higher term alone decides nothing, and the entry may yet be committed', () => {
    const { fixture, outcomes } = leaderWithCommands();
    fixture.heartbeat(3, 7n, 2n);
    fixture.settle();
    expect(fixture.core).toMatchObject({ role: 'follower', term: 7n });
    fixture.tick(200);
    expect(outcomes).toMatchObject([waiting, waiting, waiting]);
    // The new leader has these entries and commits them together with one of its own.
    fixture.append(3, 7n, [{ term: 7n, kind: 'empty', payload: new Uint8Array(0) }], {
      commit: 6n,
    });
    fixture.settle();
    expect(outcomes).toMatchObject([3n, 4n, 5n].map((index) => ({ value: { index, term: 2n } })));
  });

  test('entries that are cut have an unknown outcome, those before still wait', () => {
    const { fixture, outcomes } = leaderWithCommands();
    fixture.append(3, 7n, [putEntry(7n, 9)], { prevIndex: 3n });
    expect(outcomes).toMatchObject([waiting, unknown, unknown]);
    expect(outcomes[1]?.error?.message).toBe('leadership lost; outcome unknown');
    fixture.settle();
    fixture.heartbeat(3, 7n, 4n);
    fixture.settle();
    expect(outcomes[0]).toMatchObject({ value: { index: 3n } });
    expect(fixture.replica.proposals).toEqual({ count: 0, bytes: 0 });
  });

  test('an installed snapshot makes the outcome of what it covers unknown', () => {
    const { fixture, outcomes } = leaderWithCommands();
    fixture.heartbeat(3, 7n);
    fixture.receiveSnapshot(3, 7n, { index: 4n, term: 7n });
    expect(outcomes).toMatchObject([waiting, waiting, waiting]);
    fixture.settle();
    expect(fixture.replica.applied.index).toBe(4n);
    expect(outcomes).toMatchObject([unknown, unknown, unknown]);
    expect(fixture.replica.proposals).toEqual({ count: 0, bytes: 0 });
  });

  test('closing makes it unknown for what is in the log, and certain for what is not', () => {
    const fixture = new ReplicaFixture({ retention: { retainedBytesMax: 10_000 } });
    fixture.lead();
    const [appended] = fixture.propose(put(1));
    fixture.settle();
    fixture.retainedBytes = 20_000;
    const [queued] = fixture.propose(put(2));
    const read = fixture.read();
    fixture.replica.stop();
    expect(appended).toMatchObject(unknown);
    expect(queued).toMatchObject({ error: { code: 'RAFT_CLOSED' } });
    expect(read).toMatchObject({ error: { code: 'RAFT_CLOSED' } });
    const [late] = fixture.propose(put(3));
    expect(late).toMatchObject({ error: { code: 'RAFT_CLOSED' } });
    expect(fixture.read()).toMatchObject({ error: { code: 'RAFT_CLOSED' } });
    expect(fixture.replica.proposals).toEqual({ count: 0, bytes: 0 });
  });

  test('CS-77 a failed write makes it uncertain for what is in the log, and certain for the rest', () => {
    const fixture = new ReplicaFixture({ retention: { retainedBytesMax: 10_000 } });
    fixture.lead();
    const [inFlight] = fixture.propose(put(1));
    fixture.retainedBytes = 20_000;
    const [queued] = fixture.propose(put(2));
    const read = fixture.read();
    fixture.failTurn(new RaftError('RAFT_STORAGE_FAILED', { isUncertain: true }));
    const failed = (isUncertain: boolean) => ({
      error: { code: 'RAFT_STORAGE_FAILED', details: { isUncertain } },
    });
    expect(inFlight).toMatchObject(failed(true));
    expect(queued).toMatchObject(failed(false));
    expect(read).toMatchObject(failed(false));
    expect(fixture.propose(put(3))[0]).toMatchObject(failed(false));
    expect(fixture.read()).toMatchObject(failed(false));
    expect(fixture.replica.proposals).toEqual({ count: 0, bytes: 0 });
  });

  test.each<[string, (fixture: ReplicaFixture) => void]>([
    [
      'the application',
      (fixture) => {
        fixture.machine.apply = () => {
          throw new Error('it divides by zero');
        };
        fixture.accept(2, 3n);
      },
    ],
    [
      'a damaged entry',
      ({ replica }) => {
        const place = { directory: '/d', location: 'entry', problem: 'it differs' };
        replica.fail(new RaftError('RAFT_STORAGE_CORRUPT', place));
      },
    ],
    ['a read', ({ replica }) => replica.fail(new Error('input/output error'))],
    [
      'a refused write',
      ({ replica }) => replica.fail(new RaftError('RAFT_STORAGE_FAILED', { isUncertain: false })),
    ],
    [
      'other records',
      ({ replica }) => replica.fail(new RaftError('RAFT_STATE_DIVERGED', { index: 2n })),
    ],
    [
      'what another member says',
      (fixture) => {
        const { term } = fixture.core;
        fixture.receive(2, { kind: 'storeLost', term, match: 2n });
        fixture.replica.fail(new RaftError('RAFT_ENTRIES_LOST', { through: 2n }));
      },
    ],
  ])(
    '%s that fails the node says nothing of commands in the log, which others may commit',
    (_, fail) => {
      const fixture = new ReplicaFixture({ retention: { retainedBytesMax: 10_000 } });
      fixture.lead();
      const appended = fixture.propose(put(1), put(2));
      fixture.settle();
      fixture.retainedBytes = 20_000;
      const [queued] = fixture.propose(put(3));
      fail(fixture);
      fixture.settle();
      const { failure } = fixture.replica;
      expect(failure).toBeDefined();
      for (const outcome of appended) {
        expect(outcome).toMatchObject(unknown);
        expect(outcome.error?.cause).toBe(failure);
      }
      // What is in no log has no effect.
      expect(queued?.error).toMatchObject({ name: failure?.name });
      expect(queued).not.toMatchObject(unknown);
      const [late] = fixture.propose(put(4));
      expect(late?.error).toBeDefined();
      expect(late).not.toMatchObject(unknown);
      expect(fixture.replica.proposals).toEqual({ count: 0, bytes: 0 });
    },
  );

  test('a group whose proposal breaks in the middle may have been sent', async () => {
    const fixture = new ReplicaFixture();
    fixture.lead();
    fixture.sent.push = () => {
      throw new TypeError('the network is broken');
    };
    const { promise, resolve, reject } = Promise.withResolvers();
    fixture.replica.propose({ payload: put(1), resolve, reject });
    expect(() => fixture.replica.flush()).toThrow('the network is broken');
    expect(fixture.core.lastIndex).toBe(3n);
    await expect(promise).rejects.toMatchObject({
      code: 'RAFT_LEADERSHIP_LOST',
      cause: fixture.replica.failure,
    });
    expect(fixture.replica.proposals).toEqual({ count: 0, bytes: 0 });
  });

  test('a member that does not lead refuses with the leader it knows', () => {
    const fixture = new ReplicaFixture();
    const details = (leader: unknown) => ({ error: { code: 'RAFT_NOT_LEADER', details: leader } });
    expect(fixture.propose(put(1))[0]).toMatchObject(details({ leader: undefined }));
    fixture.heartbeat(3, 2n);
    expect(fixture.propose(put(1))[0]).toMatchObject(details({ leader: { nodeId: 'n3' } }));
    expect(fixture.changeMembers({ kind: 'remove', member: memberOf(2) })).toMatchObject(
      details({ leader: { nodeId: 'n3' } }),
    );
    expect(fixture.replica.transferLeader(memberOf(2))).toMatchObject({ code: 'RAFT_NOT_LEADER' });
  });
});

describe('a broken invariant is not survived in silence', () => {
  test('of the core: everyone who waits is told, nothing goes on, and the caller sees it', () => {
    let isBroken = false;
    const fixture = new ReplicaFixture({
      core: {
        chainOf: (previous, entry) => {
          if (isBroken) throw new TypeError('the chain is broken');
          return simulatedChain(previous, entry);
        },
      },
    });
    fixture.lead();
    const [before] = fixture.propose(put(1));
    fixture.settle();
    isBroken = true;
    expect(() => fixture.propose(put(2))).toThrow('the chain is broken');
    const { failure } = fixture.replica;
    expect(failure?.message).toBe('the chain is broken');
    expect(before).toMatchObject(unknown);
    expect(before?.error?.cause).toBe(failure);
    expect(fixture.replica.proposals).toEqual({ count: 0, bytes: 0 });
    isBroken = false;
    fixture.sent.splice(0);
    fixture.tick(100);
    fixture.accept(2);
    expect(fixture.sent).toEqual([]);
    expect(fixture.turn).toBeUndefined();
  });

  test('of what follows from a step: the same', () => {
    const fixture = new ReplicaFixture();
    fixture.lead();
    fixture.turn = { kind: 'receiveStep' };
    const read = fixture.read();
    expect(() => fixture.propose(put(1))).toThrow('turns of the store overlap');
    expect(fixture.replica.failure?.message).toBe('turns of the store overlap');
    expect(read.error).toBe(fixture.replica.failure);
    expect(fixture.replica.proposals).toEqual({ count: 0, bytes: 0 });
  });

  test('an application that throws is an operating failure, which is only reported', () => {
    const fixture = new ReplicaFixture({ configuration: configurationOf([1]) });
    fixture.lead([]);
    fixture.machine.apply = () => {
      throw new Error('it divides by zero');
    };
    const outcomes = fixture.propose(put(1));
    expect(outcomes[0]).toMatchObject(unknown);
    expect(fixture.replica.failure).toMatchObject({
      code: 'RAFT_APPLY_FAILED',
      details: { index: 3n },
    });
    expect(fixture.turn).toBeUndefined();
  });
});
