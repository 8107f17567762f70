import { describe, expect, test } from 'vitest';
import { memberKey } from '../../src/raft/member-id.ts';
import type { Message, SnapshotMeta } from '../../src/raft/message.ts';
import { CoreCluster, idOf } from '../support/core-cluster.ts';
import {
  CoreDisk,
  CoreMember,
  configurationOf,
  memberOf,
  testChain,
} from '../support/core-member.ts';

const from = (number: number, message: Message) =>
  ({ kind: 'message', from: idOf(number), message }) as const;
const sent = (member: CoreMember) => member.outgoing.splice(0).map(({ message }) => message);

function snapshotOf(index: bigint, term: bigint, voters = [1, 2, 3]): SnapshotMeta {
  const configuration = configurationOf(voters);
  const chain = new Uint8Array(16).fill(Number(index));
  return { index, term, chain, generation: 1n, configuration, configurationIndex: 0n };
}

/** A follower with uncommitted entries up to 22, those from 18 on of term 3. */
function diverged(): CoreMember {
  const disk = new CoreDisk(configurationOf([1, 2, 3]));
  let chain: Uint8Array = new Uint8Array(16);
  for (let index = 1n; index <= 22n; index += 1n) {
    const term = index < 18n ? 1n : 3n;
    const body = { index, term, kind: 'normal' as const, payload: new Uint8Array(1) };
    chain = testChain(chain, body);
    disk.entries.push({ ...body, chain });
  }
  disk.hardState = { term: 3n, votedFor: undefined, commit: 10n };
  return new CoreMember(memberOf(2), disk, 1);
}

describe('snapshots', () => {
  test('CS-33, CS-114 parity: a member behind the purged part is brought up by a snapshot', () => {
    const cluster = new CoreCluster([1, 2, 3]);
    const leader = cluster.elect(1);
    cluster.isolate(3);
    for (let byte = 0; byte < 20; byte += 1) {
      cluster.propose(1, byte);
      cluster.settle();
    }
    leader.compact();
    cluster.propose(1, 99);
    cluster.settle();
    cluster.heal();
    cluster.tickUntil(() => cluster.of(3).core.commit === leader.core.commit, 60);
    expect(cluster.of(3).core.log.lastChain).toEqual(leader.core.log.lastChain);
    expect(cluster.of(3).core.log.purged.index).toBe(21n);
    const progress = leader.core.progress.get(memberKey(memberOf(3)));
    expect(progress).toMatchObject({ state: 'replicate', match: 22n });
  });

  test('CS-33 one transfer at a time, and another after it failed', () => {
    const cluster = new CoreCluster([1, 2, 3]);
    const leader = cluster.elect(1);
    cluster.isolate(3);
    cluster.propose(1, 1);
    cluster.settle();
    leader.compact();
    cluster.heal();
    leader.step({ kind: 'peerUnreachable', peer: idOf(3) });
    leader.step({ kind: 'tick' });
    expect(leader.snapshotsTo).toHaveLength(1);
    for (let tick = 0; tick < 5; tick += 1) leader.step({ kind: 'tick' });
    expect(leader.snapshotsTo).toHaveLength(1);
    leader.step({ kind: 'snapshotResult', peer: idOf(3), ok: false });
    expect(leader.snapshotsTo).toHaveLength(1);
    for (let tick = 0; tick < 3; tick += 1) leader.step({ kind: 'tick' });
    expect(leader.snapshotsTo).toHaveLength(2);
    cluster.tickUntil(() => cluster.of(3).core.commit === leader.core.commit, 60);
  });

  test('BC-27 a conflicting suffix goes with the log, and the next append is accepted', () => {
    const member = diverged();
    const snapshot = snapshotOf(20n, 5n);
    const output = member.step(from(1, { kind: 'snapshot', term: 5n, snapshot }));
    expect(output.storeJob).toMatchObject({ installSnapshot: snapshot });
    member.persist();
    expect(sent(member)).toMatchObject([{ kind: 'appendAccepted', match: 20n, term: 5n }]);
    expect(member.core).toMatchObject({ lastIndex: 20n, commit: 20n, applied: 20n });
    const entries = [{ term: 5n, kind: 'normal' as const, payload: new Uint8Array(1) }];
    const place = { prevIndex: 20n, prevTerm: 5n, prevChain: snapshot.chain };
    const rest = { commit: 20n, entries, generation: 1n, batch: 1n };
    member.step(from(1, { kind: 'append', term: 5n, ...place, ...rest }));
    member.persist();
    expect(sent(member)).toMatchObject([{ kind: 'appendAccepted', match: 21n }]);
    const again = member.step(from(1, { kind: 'snapshot', term: 5n, snapshot }));
    expect(again.storeJob).toBeUndefined();
  });

  test('CS-115 from the job to its end only votes and heartbeats are answered, as before', () => {
    const member = diverged();
    member.step(from(1, { kind: 'snapshot', term: 5n, snapshot: snapshotOf(20n, 5n) }));
    const place = { prevIndex: 22n, prevTerm: 3n, prevChain: member.core.log.lastChain };
    const rest = { commit: 22n, entries: [], generation: 1n, batch: 1n };
    const dropped = member.step(from(1, { kind: 'append', term: 5n, ...place, ...rest }));
    expect(dropped.messagesAfter).toEqual([]);
    member.step(from(1, { kind: 'snapshot', term: 5n, snapshot: snapshotOf(21n, 5n) }));
    const beat = { kind: 'heartbeat', term: 5n, commit: 22n, read: undefined } as const;
    expect(member.step(from(1, beat)).messagesNow).toMatchObject([
      { message: { kind: 'heartbeatResponse' } },
    ]);
    expect(member.core.commit).toBe(10n);
    for (let tick = 0; tick < 60; tick += 1) member.step({ kind: 'tick' });
    expect(member.events.filter(({ kind }) => kind === 'campaign')).toEqual([]);
    const vote = { kind: 'vote', term: 6n, lastIndex: 21n, lastTerm: 3n, transfer: false } as const;
    expect(member.step(from(3, vote)).messagesNow).toMatchObject([{ message: { granted: false } }]);
    expect(member.jobs.filter((job) => job.installSnapshot !== undefined)).toHaveLength(1);
  });

  test('CS-44 CS-115 appends dropped meanwhile are answered as soon as the installation ends', () => {
    const member = diverged();
    const snapshot = snapshotOf(20n, 5n);
    member.step(from(1, { kind: 'snapshot', term: 5n, snapshot }));
    const entries = [{ term: 5n, kind: 'normal' as const, payload: new Uint8Array(1) }];
    const place = { prevIndex: 20n, prevTerm: 5n, prevChain: snapshot.chain };
    for (const batch of [1n, 2n]) {
      const rest = { commit: 20n, entries, generation: 3n, batch };
      member.step(from(1, { kind: 'append', term: 5n, ...place, ...rest }));
    }
    member.persist();
    expect(sent(member)).toMatchObject([
      { kind: 'appendAccepted', term: 5n, match: 20n, generation: 3n, batch: 2n },
    ]);
  });

  test('CS-44 CS-115 only the present leader is answered for appends that were dropped', () => {
    const member = diverged();
    const snapshot = snapshotOf(20n, 5n);
    member.step(from(1, { kind: 'snapshot', term: 5n, snapshot }));
    const place = { prevIndex: 20n, prevTerm: 5n, prevChain: snapshot.chain };
    const rest = { commit: 20n, entries: [], generation: 3n, batch: 1n };
    member.step(from(1, { kind: 'append', term: 5n, ...place, ...rest }));
    member.step(from(3, { kind: 'heartbeat', term: 6n, commit: 20n, read: undefined }));
    member.persist();
    expect(sent(member).filter(({ kind }) => kind === 'appendAccepted')).toEqual([]);
  });

  test('CS-44 CS-115 a leader whose probe was dropped goes on at once behind the snapshot', () => {
    const cluster = new CoreCluster([1, 2, 3]);
    const leader = cluster.elect(1);
    cluster.isolate(3);
    cluster.propose(1, 1);
    cluster.settle();
    leader.compact();
    cluster.propose(1, 2);
    cluster.settle();
    leader.step({ kind: 'peerUnreachable', peer: idOf(3) });
    leader.step({ kind: 'tick' });
    const [transfer] = leader.snapshotsTo;
    sent(leader);
    leader.step({ kind: 'snapshotResult', peer: idOf(3), ok: true });
    const [probe] = sent(leader).filter(({ kind }) => kind === 'append');
    if (probe?.kind !== 'append' || transfer === undefined) throw new Error('nothing was sent');
    const { term, generation, batch } = probe;
    const match = transfer.snapshot.index;
    leader.step(from(3, { kind: 'appendAccepted', term, match, generation, batch }));
    expect(sent(leader).filter(({ kind }) => kind === 'append')).toMatchObject([
      { prevIndex: match, entries: [{ kind: 'normal' }] },
    ]);
  });

  test('CS-116 pitfall 5: a stale snapshot is answered with the commit index', () => {
    const member = diverged();
    member.step(from(1, { kind: 'snapshot', term: 5n, snapshot: snapshotOf(9n, 1n) }));
    member.persist();
    expect(sent(member)).toMatchObject([{ kind: 'appendAccepted', match: 10n }]);
    expect(member.core).toMatchObject({ lastIndex: 22n, commit: 10n });
  });

  test('CS-114 a log that has the entry only learns that it is committed', () => {
    const member = diverged();
    member.step(from(1, { kind: 'snapshot', term: 5n, snapshot: snapshotOf(15n, 1n) }));
    member.persist();
    expect(sent(member)).toMatchObject([{ kind: 'appendAccepted', match: 15n }]);
    expect(member.core).toMatchObject({ lastIndex: 22n, commit: 15n });
  });

  test('CS-115 pitfall 10, directed: a leftover configuration above a snapshot never returns', () => {
    const disk = new CoreDisk(configurationOf([1, 2, 3]));
    const member = new CoreMember(memberOf(2), disk, 1);
    const cluster = new CoreCluster([1, 2, 3]);
    const leader = cluster.elect(1);
    leader.step({ kind: 'proposeConfiguration', changes: [{ kind: 'remove', member: idOf(3) }] });
    const entries = leader.disk.entries.concat(leader.jobs.flatMap((job) => job.entries));
    const bodies = entries.map(({ term, kind, payload }) => ({ term, kind, payload }));
    const place = { prevIndex: 0n, prevTerm: 0n, prevChain: new Uint8Array(16) };
    const rest = { commit: 1n, entries: bodies, generation: 1n, batch: 1n };
    member.step(from(1, { kind: 'append', term: 1n, ...place, ...rest }));
    member.persist();
    expect(member.core.configuration?.voters).toHaveLength(2);
    expect(disk.configurations).toHaveLength(2);
    // Term 2 went another way; its snapshot ends below the uncommitted removal.
    const snapshot = { ...snapshotOf(2n, 2n), chain: new Uint8Array(16).fill(9) };
    member.step(from(3, { kind: 'snapshot', term: 2n, snapshot }));
    member.persist();
    expect(member.core.configuration).toEqual(configurationOf([1, 2, 3]));
    const more = {
      kind: 'append',
      term: 2n,
      prevIndex: 2n,
      prevTerm: 2n,
      prevChain: snapshot.chain,
      commit: 2n,
      entries: [1, 2].map((byte) => ({
        term: 2n,
        kind: 'normal' as const,
        payload: Uint8Array.of(byte),
      })),
      generation: 1n,
      batch: 1n,
    } as const;
    member.step(from(3, more));
    member.persist();
    expect(member.core.configuration).toEqual(configurationOf([1, 2, 3]));
    const again = new CoreMember(memberOf(2), disk, 2);
    expect(again.core.configuration).toEqual(configurationOf([1, 2, 3]));
    expect(again.core.lastIndex).toBe(4n);
  });

  test('CS-110 pitfall 10: a snapshot brings the configuration at its index, not a newer one', () => {
    const cluster = new CoreCluster([1, 2, 3]);
    const leader = cluster.elect(1);
    cluster.propose(1, 1);
    cluster.settle();
    leader.step({ kind: 'proposeConfiguration', changes: [{ kind: 'remove', member: idOf(3) }] });
    leader.persist();
    leader.compact();
    expect(leader.core.configuration?.voters).toHaveLength(2);
    expect(leader.disk.snapshot?.configuration.voters).toHaveLength(3);
  });

  test('CS-15, CS-33 entries that were purged while they were being read end in a snapshot', () => {
    const options = { cacheBytesMax: 2, appendBytesMax: 4 };
    const cluster = new CoreCluster([1, 2, 3], configurationOf([1, 2, 3]), options);
    const leader = cluster.elect(1);
    cluster.isolate(3);
    for (let byte = 0; byte < 10; byte += 1) {
      cluster.propose(1, byte);
      cluster.settle();
    }
    cluster.heal();
    leader.step({ kind: 'peerUnreachable', peer: idOf(3) });
    leader.step({ kind: 'tick' });
    expect(leader.requests).toHaveLength(1);
    const [request] = leader.requests.splice(0);
    leader.compact();
    leader.step({ kind: 'entriesLoaded', request: request!.request, entries: [] });
    expect(leader.snapshotsTo).toHaveLength(1);
    cluster.tickUntil(() => cluster.of(3).core.commit === leader.core.commit, 60);
  });

  test('CS-30 a member whose log ends below the purged part gets a snapshot, not endless probes', () => {
    const cluster = new CoreCluster([1, 2, 3]);
    cluster.elect(1);
    cluster.isolate(3);
    for (let byte = 0; byte < 10; byte += 1) {
      cluster.propose(1, byte);
      cluster.settle();
    }
    cluster.of(1).compact();
    cluster.crash(1);
    const disk = cluster.of(2).disk;
    cluster.of(2).compact(1n);
    cluster.crash(2);
    cluster.start(2, disk);
    cluster.start(1, new CoreDisk(undefined));
    cluster.heal();
    cluster.tickUntil(() => cluster.leaders.includes(2), 400);
    cluster.tickUntil(() => cluster.of(3).core.commit === cluster.of(2).core.lastIndex, 100);
    expect(cluster.of(3).core.log.lastChain).toEqual(cluster.of(2).core.log.lastChain);
  });
});
