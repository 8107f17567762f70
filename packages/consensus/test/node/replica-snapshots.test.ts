import { describe, expect, test } from 'vitest';
import { encodeConfiguration } from '../../src/raft/configuration-codec.ts';
import { configurationOf, memberOf } from '../support/core-member.ts';
import {
  put,
  putEntry,
  ReplicaFixture,
  type ReplicaFixtureOptions,
} from '../support/replica-fixture.ts';

const RETENTION = { entriesThreshold: 10, entriesKept: 4 };

function leader(options: ReplicaFixtureOptions = {}) {
  const fixture = new ReplicaFixture({ retention: RETENTION, ...options });
  fixture.lead();
  return fixture;
}

/** Commits and applies so many commands. */
function work(fixture: ReplicaFixture, count: number, from = 2): void {
  for (let done = 0; done < count; done += 1) {
    fixture.propose(put(done));
    fixture.settle();
    fixture.accept(from);
    fixture.settle();
  }
}

/** Commits commands and leaves the turns that follow to the test. */
function workOnce(fixture: ReplicaFixture, count: number): void {
  fixture.propose(...Array.from({ length: count }, (_, i) => put(i)));
  fixture.endTurn();
  fixture.accept(2);
}

describe('CS-100 CS-110 when a snapshot is made', () => {
  test('with so many applied entries since the last one, one at a time', () => {
    const fixture = leader();
    work(fixture, 7);
    expect(fixture.replica.applied.index).toBe(9n);
    expect(fixture.eventsOf('snapshot')).toEqual([]);
    work(fixture, 1);
    expect(fixture.eventsOf('snapshot').map(({ phase }) => phase)).toEqual(['begun', 'complete']);
    expect(fixture.replica.snapshot?.index).toBe(10n);
    work(fixture, 9);
    expect(fixture.replica.snapshot?.index).toBe(10n);
    work(fixture, 1);
    expect(fixture.replica.snapshot?.index).toBe(20n);
    expect(fixture.eventsOf('snapshot')).toHaveLength(4);
  });

  test('with so many appended bytes since the last one, those during its making included', () => {
    const founding = encodeConfiguration(configurationOf([1, 2, 3])).length;
    const retention = { entriesThreshold: 1_000, bytesThreshold: founding + 28 };
    const fixture = leader({ retention });
    work(fixture, 1);
    expect(fixture.replica.snapshot).toBeUndefined();
    workOnce(fixture, 1);
    expect(fixture.turn?.kind).toBe('snapshotStep');
    // What comes while it is in the making is not in it.
    const padded = new Uint8Array(founding + 14);
    padded.set(put(1));
    fixture.propose(padded);
    fixture.settle();
    fixture.accept(2);
    fixture.settle();
    expect(fixture.replica.snapshot?.index).toBe(3n);
    work(fixture, 1);
    expect(fixture.replica.snapshot?.index).toBe(5n);
  });

  test('only when others may need it', () => {
    const sole = new ReplicaFixture({ configuration: configurationOf([1]), retention: RETENTION });
    sole.lead([]);
    for (let done = 0; done < 30; done += 1) {
      sole.propose(put(done));
      sole.settle();
    }
    expect(sole.eventsOf('snapshot')).toEqual([]);
    // Its log is cut directly, because its records are durable.
    expect(sole.content.entries.length).toBeLessThanOrEqual(14);
    expect(sole.content.purged.index).toBeGreaterThan(10n);
    const joined = sole.changeMembers({ kind: 'addLearner', member: memberOf(2) });
    sole.settle();
    expect(joined.value).toBeDefined();
    // The learner may lie below what is left, so it is made at once.
    expect(sole.replica.snapshot?.index).toBe(joined.value?.index);
  });

  test('jobs and steps take turns', () => {
    const fixture = leader();
    workOnce(fixture, 10);
    fixture.endTurn();
    const begun = fixture.turns.length;
    for (let done = 0; done < 4; done += 1) {
      fixture.append(2, 9n, [putEntry(9n, done)]);
      fixture.append(2, 9n, [putEntry(9n, done)]);
      fixture.endTurn();
    }
    expect(fixture.turns.slice(begun - 1)).toEqual([
      'snapshotStep',
      'job',
      'snapshotStep',
      'job',
      'snapshotStep',
    ]);
  });

  test('although commands wait at the end of every turn', () => {
    const fixture = leader();
    fixture.propose(put(0));
    for (let done = 0; done < 40; done += 1) {
      fixture.propose(put(done));
      fixture.accept(2, fixture.content.entries.at(-1)?.index);
      fixture.endTurn();
      fixture.replica.gathered();
      expect(fixture.turn, 'the store never rests').toBeDefined();
    }
    expect(fixture.eventsOf('snapshot').map(({ phase }) => phase)).toContain('complete');
    expect(fixture.content.purged.index).toBeGreaterThan(1n);
  });

  test('although a follower is sent entries without a pause', () => {
    const fixture = new ReplicaFixture({ retention: RETENTION });
    fixture.append(2, 3n, [putEntry(3n, 0)]);
    for (let done = 0; done < 40; done += 1) {
      const commit = fixture.core.lastIndex - 1n;
      fixture.append(2, 3n, [putEntry(3n, done)], { commit });
      fixture.endTurn();
      fixture.answerReads();
      expect(fixture.turn, 'the store never rests').toBeDefined();
    }
    expect(fixture.eventsOf('snapshot').map(({ phase }) => phase)).toContain('complete');
  });

  test('it carries the configuration at its index, not a newer one', () => {
    const fixture = leader();
    work(fixture, 7);
    workOnce(fixture, 1);
    fixture.changeMembers({ kind: 'addLearner', member: memberOf(9) });
    fixture.settle();
    expect(fixture.replica.configuration?.index).toBe(11n);
    expect(fixture.replica.snapshot).toMatchObject({ index: 10n, configurationIndex: 1n });
    expect(fixture.replica.snapshot?.configuration.learners).toEqual([]);
  });

  test('the core sends the newest one to who needs what is gone', () => {
    const fixture = leader();
    work(fixture, 40);
    expect(fixture.core.log.purged.index).toBeGreaterThan(20n);
    fixture.replica.peerUnreachable(memberOf(3));
    const rejectIndex = fixture.core.lastIndex;
    fixture.tickAmong([2, 3], 3);
    fixture.receive(3, {
      kind: 'appendRejected',
      term: 2n,
      rejectIndex,
      hintIndex: 1n,
      hintTerm: 1n,
      generation: fixture.sentOf('append').findLast(({ to }) => to === 'n3')!.message.generation,
      batch: 1n,
    });
    expect(fixture.snapshotsSent).toMatchObject([
      { to: { nodeId: 'n3' }, snapshot: { index: fixture.replica.snapshot?.index } },
    ]);
  });
});

describe('CS-101 what of the log goes', () => {
  test('nothing before a snapshot is complete, and then nothing above it or that is kept', () => {
    const fixture = leader();
    work(fixture, 17);
    expect(fixture.replica.snapshot?.index).toBe(10n);
    expect(fixture.content.purged.index).toBe(0n);
    work(fixture, 1);
    expect(fixture.replica.snapshot?.index).toBe(20n);
    expect(fixture.content.purged.index).toBe(16n);
    expect(fixture.core.log.purged.index).toBe(16n);
    expect(fixture.eventsOf('purged')).toEqual([{ kind: 'purged', through: 16n }]);
    work(fixture, 9);
    expect(fixture.content.entries.at(-1)?.index).toBe(29n);
    expect(fixture.content.purged.index).toBe(16n);
  });

  test('at most 4,096 entries in one write, until the compaction is complete', () => {
    const fixture = leader({ retention: { entriesThreshold: 8_500, entriesKept: 10 } });
    for (let round = 0; round < 5; round += 1) {
      fixture.propose(...Array.from({ length: 2_000 }, (_, i) => put(i)));
      fixture.settle();
      fixture.accept(2);
      fixture.settle();
    }
    const covered = fixture.replica.snapshot!.index;
    const purges = fixture.jobs.flatMap(({ purgeThrough }) => purgeThrough ?? []);
    expect(purges).toEqual([4_096n, 8_192n, covered - 10n].filter((it) => it <= covered));
    expect(fixture.content.purged.index).toBe(covered - 10n);
  });
});

describe('CS-115 an installation', () => {
  const place = { index: 20n, term: 3n, registers: [5, 6] };

  /** A follower of member 2 with two commands, whose installation has not begun yet. */
  function installing(options: ReplicaFixtureOptions = {}) {
    const fixture = new ReplicaFixture(options);
    fixture.append(2, 3n, [putEntry(3n, 1), putEntry(3n, 2)], { commit: 2n });
    fixture.settle();
    fixture.receiveSnapshot(2, 3n, place);
    expect(fixture.replica.isInstalling).toBe(true);
    fixture.sent.splice(0);
    return fixture;
  }

  test('freezes log, commit and records, but answers heartbeats and votes', () => {
    const fixture = installing();
    const before = { ...fixture.replica.applied };
    fixture.append(2, 3n, [putEntry(3n, 3)], { commit: 4n });
    fixture.heartbeat(2, 3n, 3n);
    expect(fixture.sentOf('heartbeatResponse')).toHaveLength(1);
    fixture.receive(3, { kind: 'vote', term: 4n, lastIndex: 30n, lastTerm: 3n, transfer: true });
    while (fixture.sentOf('voteResponse').length === 0) fixture.endTurn();
    expect(fixture.replica.isInstalling).toBe(true);
    expect(fixture.content.hardState).toMatchObject({ term: 4n, votedFor: { nodeId: 'n3' } });
    expect(fixture.core).toMatchObject({ lastIndex: 3n, commit: 2n });
    expect(fixture.replica.applied).toEqual(before);
    expect(fixture.sentOf('appendAccepted')).toEqual([]);
    expect(fixture.machine.read(0)).toBe(1);
  });

  test('ends with the new positions, and only then answers the leader', () => {
    const fixture = installing();
    while (fixture.replica.isInstalling) {
      expect(fixture.sentOf('appendAccepted')).toEqual([]);
      fixture.endTurn();
    }
    fixture.settle();
    expect(fixture.turns.filter((kind) => kind === 'installStep').length).toBeGreaterThan(2);
    expect(fixture.sentOf('appendAccepted')).toMatchObject([{ to: 'n2', message: { match: 20n } }]);
    expect(fixture.core).toMatchObject({ lastIndex: 20n, commit: 20n, applied: 20n });
    expect(fixture.replica.applied).toMatchObject({ index: 20n, term: 3n });
    expect(fixture.replica.snapshot?.index).toBe(20n);
    expect(fixture.machine.read(1)).toBe(6);
    fixture.append(2, 3n, [putEntry(3n, 9)], { commit: 21n });
    fixture.settle();
    expect(fixture.replica.applied.index).toBe(21n);
    expect(fixture.machine.read(0)).toBe(9);
  });

  test('waits for the write that was under way, and no snapshot of the old records is made', () => {
    const fixture = new ReplicaFixture({ retention: { entriesThreshold: 2, entriesKept: 0 } });
    fixture.append(2, 3n, [putEntry(3n, 1), putEntry(3n, 2), putEntry(3n, 3)], { commit: 4n });
    while (fixture.turn?.kind !== 'snapshotStep') {
      if (fixture.turn !== undefined) fixture.endTurn();
      else if (!fixture.answerReads()) fixture.replica.wake();
    }
    const steps = fixture.turns.filter((kind) => kind === 'snapshotStep').length;
    fixture.replica.snapshotArrived(memberOf(2), 3n, fixture.stage(place));
    fixture.settle();
    expect(fixture.replica.snapshot?.index).toBe(20n);
    expect(fixture.turns.filter((kind) => kind === 'snapshotStep')).toHaveLength(steps);
  });

  test('reads that wait for what it covers are served by it', () => {
    const fixture = new ReplicaFixture();
    fixture.append(2, 3n, [putEntry(3n, 1)]);
    fixture.settle();
    const read = fixture.read();
    const { message } = fixture.sentOf('readIndex').at(-1)!;
    fixture.receive(2, { kind: 'readIndexResponse', term: 3n, read: message.read, index: 15n });
    expect(read.value).toBeUndefined();
    fixture.receiveSnapshot(2, 3n, place);
    fixture.settle();
    expect(read.value).toMatchObject({ index: 15n });
  });

  test('CS-116 one that is not needed any more changes nothing', () => {
    const fixture = new ReplicaFixture();
    const entries = Array.from({ length: 24 }, (_, i) => putEntry(3n, i));
    fixture.append(2, 3n, entries, { commit: 25n });
    fixture.settle();
    fixture.receiveSnapshot(2, 3n, place);
    expect(fixture.replica.isInstalling).toBe(false);
    expect(fixture.replica.applied.index).toBe(25n);
    expect(fixture.sentOf('appendAccepted').at(-1)?.message.match).toBe(25n);
  });

  test('CS-348 one of another foundation is dropped and reported', () => {
    const fixture = new ReplicaFixture();
    fixture.heartbeat(2, 3n);
    const foreign = { ...configurationOf([1, 2]), clusterUid: 'd0'.repeat(16) };
    fixture.receiveSnapshot(2, 3n, { ...place, configuration: foreign });
    expect(fixture.replica.isInstalling).toBe(false);
    expect(fixture.eventsOf('clusterMismatch')).toMatchObject([{ from: { nodeId: 'n2' } }]);
  });

  test('CS-348 a store without a cluster belongs to that of the snapshot', () => {
    const fixture = new ReplicaFixture({ configuration: undefined });
    fixture.receiveSnapshot(2, 3n, place);
    fixture.settle();
    const { clusterUid } = configurationOf([1]);
    expect(fixture.replica.clusterUid).toBe(clusterUid);
    expect(fixture.content.clusterUid).toBe(clusterUid);
    expect(fixture.jobs.filter((job) => job.clusterUid !== undefined)).toEqual([]);
  });

  test('CS-77 a step that fails ends everything', () => {
    const fixture = installing();
    fixture.endTurn();
    expect(fixture.turn?.kind).toBe('installStep');
    fixture.failTurn();
    fixture.tick(50);
    expect(fixture.replica.failure).toBeDefined();
    expect(fixture.turn).toBeUndefined();
    expect(fixture.sentOf('appendAccepted')).toEqual([]);
  });
});
