import { describe, expect, test } from 'vitest';
import type { MemberChange } from '../../src/raft/configuration.ts';
import { memberKey } from '../../src/raft/member-id.ts';
import type { Message } from '../../src/raft/message.ts';
import type { MessageOf } from '../../src/raft/messages.ts';
import type { Output } from '../../src/raft/output.ts';
import { CoreCluster, idOf } from '../support/core-cluster.ts';
import {
  CoreDisk,
  CoreMember,
  configurationOf,
  memberOf,
  testChain,
} from '../support/core-member.ts';

const ZERO = new Uint8Array(16);
const from = (number: number, message: Message) =>
  ({ kind: 'message', from: idOf(number), message }) as const;
const sent = (member: CoreMember) => member.outgoing.splice(0).map(({ message }) => message);
const appendsIn = (output: Output) =>
  output.messagesNow.flatMap(({ message }) => (message.kind === 'append' ? [message] : []));
const progressOf = (leader: CoreMember, number: number) =>
  leader.core.progress.get(memberKey(memberOf(number)))!;

interface Piece {
  readonly term: bigint;
  readonly bytes?: readonly number[];
}

/** An append behind `prev`, built as the leader of `term` would. */
function append(
  term: bigint,
  prev: { readonly index: bigint; readonly term: bigint; readonly chain?: Uint8Array },
  pieces: readonly Piece[],
  commit = 0n,
): MessageOf<'append'> {
  const entries = pieces.map(({ term: at, bytes = [] }) => ({
    term: at,
    kind: bytes.length === 0 ? ('empty' as const) : ('normal' as const),
    payload: Uint8Array.from(bytes),
  }));
  const { index: prevIndex, term: prevTerm, chain: prevChain = ZERO } = prev;
  const place = { prevIndex, prevTerm, prevChain };
  return { kind: 'append', term, ...place, commit, entries, generation: 1n, batch: 1n };
}

/** A disk with one entry of each of the given terms. */
function diskOf(terms: readonly number[], commit = 0n, voters = [1, 2, 3]): CoreDisk {
  const disk = new CoreDisk(configurationOf(voters));
  let chain: Uint8Array = ZERO;
  for (const [at, term] of terms.entries()) {
    const body = { index: BigInt(at + 1), term: BigInt(term), kind: 'normal' as const };
    const entry = { ...body, payload: Uint8Array.of(at, term) };
    chain = testChain(chain, entry);
    disk.entries.push({ ...entry, chain });
  }
  disk.hardState = { term: BigInt(terms.at(-1) ?? 0), votedFor: undefined, commit };
  return disk;
}

const follower = (terms: readonly number[], commit = 0n) =>
  new CoreMember(memberOf(2), diskOf(terms, commit), 1);
const positionOf = (member: CoreMember, index: bigint) => ({
  index,
  term: member.core.log.termAt(index)!,
  chain: member.core.log.chainAt(index),
});

describe('log replication', () => {
  test('CS-13 leader and follower write at the same time; the leader counts only what is durable', () => {
    const cluster = new CoreCluster([1, 2, 3]);
    const leader = cluster.elect(1);
    const output = leader.step({ kind: 'propose', payloads: [Uint8Array.of(1), Uint8Array.of(2)] });
    expect(output.proposals).toEqual([
      { kind: 'accepted', index: 2n, term: 1n },
      { kind: 'accepted', index: 3n, term: 1n },
    ]);
    expect(appendsIn(output).map(({ entries }) => entries.length)).toEqual([2, 2]);
    cluster.collect();
    for (const { to, message } of cluster.flights.splice(0)) {
      cluster.of(to).step(from(1, message));
      cluster.of(to).persist();
    }
    leader.step(
      from(2, { kind: 'appendAccepted', term: 1n, match: 3n, generation: 1n, batch: 2n }),
    );
    expect(leader.core.commit).toBe(1n);
    leader.persist();
    expect(leader.core.commit).toBe(3n);
  });

  test('CS-26 entries of older terms are committed only along with one of the own term', () => {
    const member = new CoreMember(memberOf(1), diskOf([1, 2]), 1);
    member.step({ kind: 'campaign' });
    member.step(from(2, { kind: 'preVoteResponse', term: 3n, granted: true }));
    member.persist();
    member.step(from(2, { kind: 'voteResponse', term: 3n, granted: true }));
    const accepted = { kind: 'appendAccepted', term: 3n, generation: 1n, batch: 1n } as const;
    member.persist();
    member.step(from(2, { ...accepted, match: 2n }));
    expect(member.core.commit).toBe(0n);
    member.step(from(2, { ...accepted, match: 3n }));
    expect(member.core.commit).toBe(3n);
  });

  test('CS-12 pitfall 2: an answer that writes nothing waits for what it confirms', () => {
    const member = follower([]);
    const message = append(1n, { index: 0n, term: 0n }, [{ term: 1n, bytes: [1] }]);
    member.step(from(1, message));
    const repeated = member.step(from(1, message));
    expect(repeated.storeJob).toBeUndefined();
    expect(repeated.messagesAfter).toMatchObject([{ seq: 1n, message: { match: 1n } }]);
    expect(member.outgoing).toEqual([]);
    // A higher term meanwhile does not restamp what was confirmed in the older one.
    member.step(from(3, { kind: 'termNotice', term: 7n }));
    member.persist();
    expect(sent(member)).toMatchObject([
      { kind: 'appendAccepted', term: 1n, match: 1n },
      { kind: 'appendAccepted', term: 1n, match: 1n },
    ]);
  });

  test('CS-14 a commit index alone is not written, and goes along with the next job', () => {
    const cluster = new CoreCluster([1, 2, 3]);
    cluster.elect(1);
    cluster.propose(1, 1);
    cluster.settle();
    const member = cluster.of(2);
    const { disk, core } = member;
    expect(core.commit).toBe(2n);
    expect(disk.hardState.commit).toBeLessThan(2n);
    expect(member.jobs).toEqual([]);
    cluster.propose(1, 2);
    cluster.settle();
    expect(disk.hardState.commit).toBe(2n);
    expect(cluster.restart(2).core.commit).toBe(3n);
  });

  test('CS-30 hints skip whole terms on both sides', () => {
    const terms = [...Array<number>(40).fill(1), ...Array<number>(40).fill(3)];
    const other = [...Array<number>(20).fill(1), ...Array<number>(60).fill(2)];
    const cluster = new CoreCluster([1, 2, 3]);
    cluster.crash(1);
    cluster.crash(2);
    cluster.start(1, diskOf(terms));
    cluster.start(2, diskOf(other));
    cluster.elect(1);
    cluster.delivered.splice(0);
    cluster.propose(1, 1);
    cluster.tick(4);
    expect(cluster.of(2).core.log.lastChain).toEqual(cluster.of(1).core.log.lastChain);
    const rejections = cluster.delivered.filter(({ message }) => message.kind === 'appendRejected');
    expect(rejections.length).toBeLessThanOrEqual(2);
  });

  test.each([
    [[1, 1, 2, 2], 4n, 3n, 0n, 4n, 2n],
    [[1, 1, 2, 2], 9n, 5n, 0n, 4n, 2n],
    [[1, 1, 3, 3], 4n, 2n, 0n, 2n, 1n],
    [[3, 3, 3], 3n, 2n, 0n, 0n, 0n],
    [[1, 3, 3], 3n, 2n, 1n, 1n, 1n],
  ] as const)(
    'CS-30 a log of terms %j rejects %s/%s at commit %s with hint %s/%s',
    (terms, prevIndex, prevTerm, commit, hintIndex, hintTerm) => {
      const member = follower(terms, commit);
      member.step(from(1, append(9n, { index: prevIndex, term: prevTerm }, [])));
      member.persist();
      expect(sent(member)).toMatchObject([
        { kind: 'appendRejected', rejectIndex: prevIndex, hintIndex, hintTerm },
      ]);
    },
  );

  test('CS-31 a suffix goes only where an entry conflicts; a delayed append cuts nothing', () => {
    const member = follower([1, 1, 1]);
    const first = append(1n, { index: 0n, term: 0n }, [{ term: 1n, bytes: [0, 1] }]);
    member.step(from(1, first));
    expect(member.core.lastIndex).toBe(3n);
    const prev = positionOf(member, 1n);
    const output = member.step(from(1, append(2n, prev, [{ term: 2n, bytes: [9] }])));
    expect(output.storeJob).toMatchObject({ truncateFrom: 2n, entries: [{ index: 2n, term: 2n }] });
    expect(member.core.lastIndex).toBe(2n);
  });

  test('CS-32, CS-350 what contradicts a committed entry halts the member', () => {
    const cut = follower([1, 1, 1], 2n);
    const at = positionOf(cut, 1n);
    const output = cut.step(from(1, append(2n, at, [{ term: 2n, bytes: [9] }])));
    expect(output.events).toContainEqual({
      kind: 'invariantViolated',
      text: 'committed entry 2 of term 1 would be replaced by term 2',
    });
    expect(output.storeJob).toBeUndefined();
    expect(output.messagesAfter).toEqual([]);
    const dropped = cut.step({ kind: 'propose', payloads: [new Uint8Array(1)] });
    expect(dropped.proposals).toMatchObject([{ kind: 'dropped', reason: 'storeFailed' }]);

    const chained = follower([1, 1]);
    const other = append(1n, { index: 2n, term: 1n, chain: new Uint8Array(16).fill(7) }, []);
    expect(chained.step(from(1, other)).events).toMatchObject([{ kind: 'invariantViolated' }]);

    const denied = follower([1, 1], 2n);
    const older = append(2n, { index: 2n, term: 2n }, []);
    expect(denied.step(from(1, older)).events).toMatchObject([{ kind: 'invariantViolated' }]);
  });

  test('CS-10 appends that no leader sends change nothing and answer nothing', () => {
    const member = follower([2]);
    const at = positionOf(member, 1n);
    for (const pieces of [[{ term: 1n }], [{ term: 3n }, { term: 2n }], [{ term: 9n }]]) {
      const output = member.step(from(1, append(4n, at, pieces)));
      expect(output.messagesAfter).toEqual([]);
      expect(member.core.lastIndex).toBe(1n);
      expect(output.events).toEqual([]);
    }
  });

  test('CS-356 pitfall 5: match and commit go as far as the message proves, not to the end', () => {
    const member = follower([1, 1, 1, 1]);
    const at = positionOf(member, 1n);
    member.step(from(1, append(2n, at, [], 4n)));
    member.persist();
    expect(sent(member)).toMatchObject([{ kind: 'appendAccepted', match: 1n }]);
    expect(member.core.commit).toBe(1n);
    member.step(from(1, { kind: 'heartbeat', term: 2n, commit: 9n, read: undefined }));
    expect(member.core.commit).toBe(4n);
  });

  test('CS-45 heartbeats carry a commit index that is cut to what the receiver confirmed', () => {
    const cluster = new CoreCluster([1, 2, 3]);
    const leader = cluster.elect(1);
    cluster.cut(1, 3);
    cluster.propose(1, 1);
    cluster.settle();
    expect(leader.core.commit).toBe(2n);
    const heartbeats: Message[] = [];
    for (let tick = 0; tick < 4; tick += 1) {
      leader.step({ kind: 'tick' });
      for (const { to, message } of leader.outgoing.splice(0)) {
        if (message.kind === 'heartbeat' && to.nodeId === 'n3') heartbeats.push(message);
      }
    }
    expect(heartbeats).not.toEqual([]);
    for (const message of heartbeats) expect(message).toMatchObject({ commit: 1n });
  });

  test('CS-13, CS-356 pitfall 6: a report from before a cut makes nothing else durable', () => {
    const member = follower([]);
    const pieces = [
      { term: 1n, bytes: [1] },
      { term: 1n, bytes: [2] },
    ];
    member.step(from(1, append(1n, { index: 0n, term: 0n }, pieces)));
    const at = positionOf(member, 1n);
    member.step(from(3, append(2n, at, [{ term: 2n, bytes: [3] }])));
    expect(member.core.log.stable).toBe(0n);
    member.step({ kind: 'persisted', seq: 1n });
    // Entry 2 is another one now; what the report named is gone.
    expect(member.core.log.stable).toBeLessThan(2n);
    member.step({ kind: 'persisted', seq: 2n });
    expect(member.core.log.stable).toBe(2n);
    // The mark falls to the cut.
    member.step(from(1, append(3n, positionOf(member, 1n), [{ term: 3n, bytes: [4] }])));
    expect(member.core.log.stable).toBe(1n);
  });

  test('CS-356 pitfall 7: an append below the purged part is accepted up to the commit index', () => {
    const member = follower([1, 1, 1, 1], 3n);
    member.disk.purge(3n);
    member.step({ kind: 'purged', through: { index: 3n, term: 1n } });
    member.step(from(1, append(1n, { index: 1n, term: 1n }, [{ term: 1n, bytes: [7] }], 1n)));
    expect(sent(member)).toMatchObject([{ kind: 'appendAccepted', match: 3n }]);
  });
});

describe('flow control', () => {
  const payload = (bytes: number) => new Uint8Array(bytes);
  const elected = (options: ConstructorParameters<typeof CoreCluster>[2]) => {
    const cluster = new CoreCluster([1, 2, 3], configurationOf([1, 2, 3]), options);
    return { cluster, leader: cluster.elect(1) };
  };

  test('CS-40 batches end at their bounds; the first entry travels whatever its size', () => {
    const { leader } = elected({ appendBytesMax: 100, appendEntriesMax: 3 });
    const sizes = [40, 40, 40, 300, 1, 1, 1, 1];
    const output = leader.step({ kind: 'propose', payloads: sizes.map(payload) });
    const batches = output.messagesNow
      .filter(({ to }) => to.nodeId === 'n2')
      .flatMap(({ message }) => (message.kind === 'append' ? [message.entries] : []));
    expect(batches.map((it) => it.map((entry) => entry.payload.length))).toEqual([
      [40, 40],
      [40],
      [300],
      [1, 1, 1],
      [1],
    ]);
  });

  test('CS-40 a command above the limit is refused', () => {
    const { leader } = elected({ payloadBytesMax: 10 });
    const output = leader.step({ kind: 'propose', payloads: [payload(11), payload(10)] });
    expect(output.proposals).toMatchObject([{ reason: 'tooLarge' }, { kind: 'accepted' }]);
  });

  test('CS-33, CS-41 parity: the window of batches and bytes is filled and never passed', () => {
    const options = { appendBytesMax: 10, inflightBatchesMax: 4, inflightBytesMax: 35 };
    const { cluster, leader } = elected(options);
    leader.step({ kind: 'propose', payloads: Array.from({ length: 9 }, () => payload(10)) });
    const progress = progressOf(leader, 2);
    expect(progress.inflightBatches).toBe(3);
    expect(progress.inflightBytes).toBe(30);
    const small = elected({ ...options, inflightBytesMax: 1_000 });
    small.leader.step({ kind: 'propose', payloads: Array.from({ length: 9 }, () => payload(10)) });
    expect(progressOf(small.leader, 2).inflightBatches).toBe(4);
    cluster.settle();
    expect(progressOf(leader, 2)).toMatchObject({ match: 10n, inflightBatches: 0 });
  });

  test('CS-33 a probe is alone until it is answered', () => {
    const { cluster, leader } = elected({});
    leader.step({ kind: 'peerUnreachable', peer: idOf(2) });
    expect(progressOf(leader, 2).state).toBe('probe');
    const first = leader.step({ kind: 'propose', payloads: [payload(1)] });
    const second = leader.step({ kind: 'propose', payloads: [payload(1)] });
    const count = (output: Output) =>
      output.messagesNow.filter(({ to }) => to.nodeId === 'n2').length;
    expect([count(first), count(second)]).toEqual([1, 0]);
    cluster.settle();
    expect(progressOf(leader, 2)).toMatchObject({ state: 'replicate', match: 3n });
  });

  test('CS-42 an answer of an ended stream frees nothing and still proves what it proves', () => {
    const { leader } = elected({});
    leader.step({ kind: 'propose', payloads: [payload(1)] });
    const progress = progressOf(leader, 2);
    const { generation } = progress;
    leader.step({ kind: 'peerUnreachable', peer: idOf(2) });
    expect(progress.generation).toBe(generation + 1n);
    leader.step({ kind: 'propose', payloads: [payload(1)] });
    expect(progress.inflightBatches).toBe(1);
    const old = { kind: 'appendAccepted', term: 1n, match: 2n, generation, batch: 2n } as const;
    leader.step(from(2, old));
    expect(progress).toMatchObject({ match: 2n, inflightBatches: 1, state: 'probe' });
    const rejected = { rejectIndex: 3n, hintIndex: 0n, hintTerm: 0n, generation, batch: 3n };
    leader.step(from(2, { kind: 'appendRejected', term: 1n, ...rejected }));
    expect(progress.next).toBeGreaterThan(2n);
  });

  test('CS-42 a conflict in the middle of a stream begins a new one at what is confirmed', () => {
    const { cluster, leader } = elected({});
    cluster.cut(1, 2);
    cluster.propose(1, 1);
    cluster.settle();
    cluster.heal();
    const progress = progressOf(leader, 2);
    const { generation } = progress;
    cluster.propose(1, 2);
    cluster.settle();
    expect(progress.generation).toBeGreaterThan(generation);
    expect(progress).toMatchObject({ match: 3n, state: 'replicate' });
  });

  test('CS-353 a member that denies what it confirmed is told, and halts', () => {
    const { cluster, leader } = elected({});
    cluster.propose(1, 1);
    cluster.settle();
    cluster.crash(2);
    cluster.start(2, new CoreDisk(configurationOf([1, 2, 3])));
    leader.step({ kind: 'peerUnreachable', peer: idOf(2) });
    cluster.propose(1, 2);
    cluster.settle();
    expect(leader.events).toContainEqual({
      kind: 'memberLostEntries',
      member: expect.objectContaining(idOf(2)),
      match: 2n,
    });
    expect(cluster.of(2).events).toMatchObject([{ kind: 'invariantViolated' }]);
    expect(leader.core.role).toBe('leader');
  });

  test('CS-353 a rejection on the stream in which the match was confirmed proves nothing', () => {
    const { leader, cluster } = elected({});
    cluster.propose(1, 1);
    cluster.settle();
    const { generation } = progressOf(leader, 2);
    const hint = { rejectIndex: 1n, hintIndex: 0n, hintTerm: 0n, generation, batch: 1n };
    leader.step(from(2, { kind: 'appendRejected', term: 1n, ...hint }));
    expect(leader.events.filter(({ kind }) => kind === 'memberLostEntries')).toEqual([]);
    expect(progressOf(leader, 2).match).toBe(2n);
  });

  test('CS-353 what a member answered before it was removed says nothing of it when it is back', () => {
    const { leader, cluster } = elected({});
    const change = (...changes: MemberChange[]) => {
      leader.step({ kind: 'proposeConfiguration', changes });
      cluster.settle();
    };
    const add = { kind: 'addLearner', member: memberOf(4) } as const;
    cluster.start(4, new CoreDisk(configurationOf([1, 2, 3])));
    change(add);
    const former: bigint[] = [];
    for (let turn = 0; turn < 3; turn += 1) {
      leader.step({ kind: 'peerUnreachable', peer: idOf(4) });
      cluster.propose(1, turn);
      cluster.settle();
      former.push(progressOf(leader, 4).generation);
    }
    change({ kind: 'remove', member: idOf(4) });
    change(add);
    for (let turn = 0; turn < 4; turn += 1) {
      leader.step({ kind: 'peerUnreachable', peer: idOf(4) });
      cluster.settle();
      const { generation, match } = progressOf(leader, 4);
      expect(former).not.toContain(generation);
      expect(match).toBeGreaterThan(1n);
      for (const old of former) {
        const hint = { rejectIndex: 1n, hintIndex: 0n, hintTerm: 0n, generation: old, batch: 1n };
        leader.step(from(4, { kind: 'appendRejected', term: 1n, ...hint }));
      }
    }
    expect(leader.events.filter(({ kind }) => kind === 'memberLostEntries')).toEqual([]);
  });

  test('CS-46 the uncommitted log is bounded, admits one entry when empty, and empties again', () => {
    const { cluster, leader } = elected({ uncommittedBytesMax: 100 });
    const propose = (bytes: number) =>
      leader.step({ kind: 'propose', payloads: [payload(bytes)] }).proposals[0];
    expect(propose(500)).toMatchObject({ kind: 'accepted' });
    expect(propose(1)).toMatchObject({ reason: 'uncommittedLogFull' });
    const change = [{ kind: 'addLearner', member: memberOf(4) }] as const;
    const { proposals } = leader.step({ kind: 'proposeConfiguration', changes: change });
    expect(proposals).toMatchObject([{ kind: 'accepted' }]);
    cluster.settle();
    expect(propose(60)).toMatchObject({ kind: 'accepted' });
    expect(propose(60)).toMatchObject({ reason: 'uncommittedLogFull' });
  });

  test('CS-47 parity: followers forward no proposals; they name the leader', () => {
    const { cluster } = elected({});
    const { proposals } = cluster.of(2).step({ kind: 'propose', payloads: [payload(1)] });
    expect(proposals).toEqual([
      { kind: 'dropped', reason: 'notLeader', leader: idOf(1), text: undefined },
    ]);
  });

  test('CS-45 append answers suppress heartbeats, except while a read is open', () => {
    const cluster = new CoreCluster([1, 2, 3]);
    const leader = cluster.elect(1);
    const beats = () => {
      const found = leader.outgoing.filter(({ message }) => message.kind === 'heartbeat').length;
      cluster.settle();
      return found;
    };
    const quiet = [1, 2, 3, 4].map(() => {
      leader.step({ kind: 'tick' });
      return beats();
    });
    expect(quiet.reduce((sum, it) => sum + it, 0)).toBeGreaterThan(0);
    const busy = [1, 2, 3, 4].map((byte) => {
      cluster.propose(1, byte);
      cluster.settle();
      leader.step({ kind: 'tick' });
      return beats();
    });
    expect(busy).toEqual([0, 0, 0, 0]);
    cluster.isolate(1);
    leader.step({ kind: 'readIndex', context: 1n });
    cluster.settle();
    let carried = 0;
    for (let tick = 0; tick < 4; tick += 1) {
      leader.step({ kind: 'tick' });
      for (const { message } of leader.outgoing.splice(0)) {
        if (message.kind !== 'heartbeat') continue;
        expect(message.read).toEqual({ epoch: leader.epoch, context: 1n });
        carried += 1;
      }
    }
    expect(carried).toBeGreaterThanOrEqual(4);
  });

  test('CS-15 what the cache lost is asked for, one request for each member at a time', () => {
    const { cluster, leader } = elected({ cacheBytesMax: 20, appendBytesMax: 50 });
    cluster.isolate(3);
    for (let at = 0; at < 20; at += 1) {
      leader.step({ kind: 'propose', payloads: [payload(10)] });
      cluster.settle();
    }
    cluster.heal();
    leader.step({ kind: 'peerUnreachable', peer: idOf(3) });
    const output = leader.step({ kind: 'propose', payloads: [payload(10)] });
    expect(output.entriesRequests).toMatchObject([{ from: 2n, bytesMax: 50 }]);
    const again = leader.step({ kind: 'propose', payloads: [payload(10)] });
    expect(again.entriesRequests).toEqual([]);
    // The answer of a former stream is not sent.
    const [request] = leader.requests;
    leader.step({ kind: 'peerUnreachable', peer: idOf(3) });
    const entries = leader.disk.entries.slice(1, 3);
    const late = leader.step({ kind: 'entriesLoaded', request: request!.request, entries });
    expect(late.messagesNow.filter(({ to }) => to.nodeId === 'n3')).toEqual([]);
    cluster.tick(4);
    expect(cluster.of(3).core.log.lastChain).toEqual(leader.core.log.lastChain);
  });
});

describe('one voter', () => {
  test('CS-13 it commits by its own disk, and says so in the job', () => {
    const cluster = new CoreCluster([1]);
    const leader = cluster.elect(1);
    const output = leader.step({ kind: 'propose', payloads: [Uint8Array.of(1)] });
    expect(output.storeJob).toMatchObject({ commitOnPersist: 2n });
    expect(output.commit).toBeUndefined();
    leader.persist();
    expect(leader.core.commit).toBe(2n);
  });

  test('CS-12 what it decided alone stays decided although another voter was added meanwhile', () => {
    const cluster = new CoreCluster([1, 2], configurationOf([1], [2]));
    const leader = cluster.elect(1);
    cluster.isolate(2);
    leader.step({ kind: 'propose', payloads: [Uint8Array.of(1)] });
    const changes = [{ kind: 'promote', member: idOf(2) }] as const;
    const { storeJob } = leader.step({ kind: 'proposeConfiguration', changes });
    expect(storeJob?.commitOnPersist).toBeUndefined();
    leader.persist();
    expect(leader.core.commit).toBe(2n);
    leader.persist();
    expect(leader.core.commit).toBe(2n);
  });

  test('CS-12 one report stands for all jobs before it', () => {
    const cluster = new CoreCluster([1]);
    const leader = cluster.of(1);
    leader.step({ kind: 'campaign' });
    leader.persist();
    for (const byte of [1, 2, 3]) leader.step({ kind: 'propose', payloads: [Uint8Array.of(byte)] });
    leader.persist(4);
    expect(leader.core.commit).toBe(4n);
  });
});

describe('halted', () => {
  test.each(['storeFailed', 'stop'] as const)('CS-20 after %s everything is refused', (kind) => {
    const cluster = new CoreCluster([1, 2, 3]);
    const leader = cluster.elect(1);
    leader.step({ kind: 'propose', payloads: [Uint8Array.of(1)] });
    const output = leader.step({ kind });
    expect(output.softState).toEqual({ role: 'follower', term: 1n, leader: undefined });
    const reason = kind === 'stop' ? 'stopped' : 'storeFailed';
    const change = { kind: 'proposeConfiguration', changes: [] } as const;
    expect(leader.step(change).proposals).toMatchObject([{ reason }]);
    const transfer = { kind: 'transferLeader', target: idOf(2) } as const;
    expect(leader.step(transfer).proposals).toMatchObject([{ reason }]);
    expect(leader.step({ kind: 'readIndex', context: 3n }).readsRejected).toEqual([3n]);
    const silent = leader.step(from(2, append(5n, { index: 0n, term: 0n }, [])));
    expect(silent).toMatchObject({ storeJob: undefined, messagesNow: [], messagesAfter: [] });
  });
});
