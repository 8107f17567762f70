import { expect, onTestFinished, test } from 'vitest';
import type { PeerMessage } from '../../src/raft/message.ts';
import { FRAME_BYTES_MAX } from '../../src/transport/frame.ts';
import { LinkProxy } from '../support/link-proxy.ts';
import {
  append,
  heartbeat,
  join,
  newId,
  TestProcess,
  until,
} from '../support/transport-fixture.ts';

const numbers = (count: number): bigint[] =>
  Array.from({ length: count }, (_, at) => BigInt(at + 1));
const termsOf = (messages: readonly PeerMessage[]): bigint[] =>
  messages.map((it) => ('term' in it ? it.term : 0n));

test('CS-42 CS-45 messages of both classes arrive in the order of each class', async () => {
  const a = await TestProcess.start('a');
  const b = await TestProcess.start('b');
  await join(a, b);
  b.react = (from, message) => {
    if (message.kind !== 'append') return;
    const { term, batch, generation } = message;
    b.transport.send(from, { kind: 'appendAccepted', term, match: batch, generation, batch });
  };
  for (const number of numbers(500)) {
    a.transport.send(b.id, append(number, 5_000));
    a.transport.send(b.id, heartbeat(number));
  }
  await until(() => b.received.length === 1_000 && a.received.length === 500, 'all messages');
  const appends = b.from(a).filter((it) => it.kind === 'append');
  expect(appends).toEqual(numbers(500).map((it) => append(it, 5_000)));
  expect(termsOf(b.from(a).filter((it) => it.kind === 'heartbeat'))).toEqual(numbers(500));
  const answers = a.from(b).map((it) => (it.kind === 'appendAccepted' ? it.batch : 0n));
  expect(answers).toEqual(numbers(500));
});

test('CS-45 heartbeats pass while the replication connection is full', async () => {
  const a = await TestProcess.start('a');
  const b = await TestProcess.start('b');
  await join(a, b);
  for (const number of numbers(16)) a.transport.send(b.id, append(number, 1_000_000));
  a.transport.send(b.id, heartbeat(9n));
  await until(() => b.from(a).some((it) => it.kind === 'heartbeat'), 'the heartbeat');
  expect(b.from(a).filter((it) => it.kind === 'append').length).toBeLessThan(16);
});

test('CS-40 what has no encoding never throws: it is counted, and a stream that lacks it ends', async () => {
  const a = await TestProcess.start('a');
  const b = await TestProcess.start('b');
  await join(a, b);
  const read = { epoch: 'no epoch', context: 1n };
  a.transport.send(b.id, { kind: 'readIndex', term: 1n, read });
  a.transport.send(b.id, heartbeat(1n));
  await until(() => b.from(a).length === 1, 'what followed on the same connection');
  expect(a.count('droppedUnsendable')).toBe(1);
  expect(a.lost).toEqual([]);
  a.transport.send(b.id, append(1n, FRAME_BYTES_MAX.replication));
  expect(a.count('droppedUnsendable')).toBe(2);
  await until(() => a.lost.length === 1, 'news of the loss');
  expect(a.lost).toEqual([b.id]);
  await until(() => a.transport.isReachable(b.id), 'the next connection');
  a.transport.send(b.id, append(2n));
  await until(() => b.from(a).length === 2, 'what followed on the next connection');
  expect(b.from(a).at(-1)).toEqual(append(2n));
});

test('CS-141 CS-355 who dials the next process of a store first takes it for that one', async () => {
  const a = await TestProcess.start('a');
  const first = await TestProcess.start('b');
  const proxy = await LinkProxy.start(first.transport.endpoint);
  onTestFinished(() => proxy.close());
  a.transport.setPeers([{ ...first.id, endpoint: proxy.endpoint }]);
  await until(() => a.transport.isReachable(first.id), 'the first process');
  await first.transport.close();
  const { storeId } = first.identity;
  const next = await TestProcess.start('b', { identity: { storeId, incarnation: 2n } });
  proxy.retarget(next.transport.endpoint);
  const { epoch } = next.identity;
  await until(() => a.transport.connectedPeers()[0]?.epoch === epoch, 'the next process');
  // It is not taken for a second process beside the one that is connected already.
  next.transport.setPeers([a.peer]);
  await until(() => next.transport.isReachable(a.id), 'the way back');
  expect([...a.refusals, ...next.refusals]).toEqual([]);
});

test('CS-144 a process that comes back is found again, and its peers hear of the loss', async () => {
  const a = await TestProcess.start('a');
  const b = await TestProcess.start('b');
  const proxy = await LinkProxy.start(b.transport.endpoint);
  a.transport.setPeers([{ ...b.id, endpoint: proxy.endpoint }]);
  await until(() => a.transport.isReachable(b.id));
  a.transport.send(b.id, append(1n));
  await until(() => b.received.length === 1);
  proxy.refuse();
  await until(() => a.lost.length > 0 && !a.transport.isReachable(b.id), 'the loss');
  expect(a.lost[0]).toEqual(b.id);
  a.transport.send(b.id, append(2n));
  const lostBefore = a.lost.length;
  proxy.heal();
  await until(() => a.transport.isReachable(b.id), 'the return');
  // The append that found no connection is lost; the sender must hear of it to send it again.
  await until(() => a.lost.length > lostBefore, 'the report of the lost append');
  a.transport.send(b.id, append(3n));
  await until(() => b.received.length === 2);
  expect(b.from(a)).toEqual([append(1n), append(3n)]);
  await proxy.close();
});

test('CS-144 attempts to connect are spread and grow rarer', async () => {
  const gone = await LinkProxy.start('127.0.0.1:1');
  gone.refuse();
  const randoms: number[] = [];
  const a = await TestProcess.start('a', {
    timing: { backoffMinMs: 20, backoffMaxMs: 80 },
    random: () => {
      randoms.push(0);
      return 0;
    },
  });
  const startedAt = performance.now();
  a.transport.setPeers([{ nodeId: 'b', storeId: newId(), endpoint: gone.endpoint }]);
  await until(() => gone.openings >= 10, 'ten attempts on two connections');
  // Half of 20 + 40 + 80 + 80 ms passes at least before the fifth attempt of one connection.
  expect(performance.now() - startedAt).toBeGreaterThan(100);
  expect(randoms.length).toBeGreaterThanOrEqual(8);
  await gone.close();
});

test('a member whose endpoint does not work is answered over its own connections', async () => {
  const a = await TestProcess.start('a');
  const b = await TestProcess.start('b');
  a.transport.setPeers([b.peer]);
  await until(() => a.transport.isReachable(b.id));
  b.react = (from, message) => {
    if (message.kind === 'preVote') {
      b.transport.send(from, { kind: 'preVoteResponse', term: message.term, granted: true });
    } else if (message.kind === 'append') {
      const { term, batch, generation } = message;
      b.transport.send(from, { kind: 'appendAccepted', term, match: batch, generation, batch });
    }
  };
  a.transport.send(b.id, {
    kind: 'preVote',
    term: 2n,
    lastIndex: 0n,
    lastTerm: 0n,
    transfer: false,
  });
  a.transport.send(b.id, append(1n));
  await until(() => a.received.length === 2);
  expect(b.transport.isReachable(a.id)).toBe(false);
});

test('messages keep their order while answers move to a connection of their own', async () => {
  const a = await TestProcess.start('a');
  const b = await TestProcess.start('b');
  a.transport.setPeers([b.peer]);
  await until(() => a.transport.isReachable(b.id));
  b.react = (from, message) => {
    if (message.kind !== 'heartbeat') return;
    b.transport.send(from, { kind: 'heartbeatResponse', term: message.term, read: undefined });
  };
  let sent = 0n;
  const sendSome = (): void => {
    for (let left = 50; left > 0; left -= 1) {
      sent += 1n;
      a.transport.send(b.id, heartbeat(sent));
    }
  };
  sendSome();
  b.transport.setPeers([a.peer]);
  await until(() => {
    if (sent < 5_000n && a.received.length > Number(sent) - 50) sendSome();
    return b.transport.isReachable(a.id) && sent >= 2_000n;
  }, 'the connections back');
  sendSome();
  await until(() => a.received.length === Number(sent), 'all answers');
  expect(termsOf(a.from(b))).toEqual(numbers(Number(sent)));
});

test('CS-22 a process that is no peer is heard and answered, and forgotten when it leaves', async () => {
  const a = await TestProcess.start('a');
  const b = await TestProcess.start('b', { identity: { clusterUid: newId() } });
  a.transport.setContacts([b.transport.endpoint]);
  await until(() => a.met.length > 0 && b.met.length > 0, 'the introduction');
  expect(a.met[0]).toEqual(b.identity);
  expect(b.met[0]).toEqual(a.identity);
  a.transport.send(b.id, {
    kind: 'preVote',
    term: 2n,
    lastIndex: 0n,
    lastTerm: 0n,
    transfer: false,
  });
  await until(() => b.received.length === 1);
  b.transport.send(a.id, { kind: 'preVoteResponse', term: 2n, granted: true });
  await until(() => a.received.length === 1);
  expect(a.received[0]?.clusterUid).toBe(b.identity.clusterUid);
  expect(b.transport.connectedPeers()).toEqual([a.identity]);
  await a.transport.close();
  await until(() => b.transport.connectedPeers().length === 0, 'the end');
});

test('a contact is dialled again after a loss and not while it is connected', async () => {
  const a = await TestProcess.start('a');
  const b = await TestProcess.start('b');
  const proxy = await LinkProxy.start(b.transport.endpoint);
  a.transport.setContacts([proxy.endpoint, a.transport.endpoint]);
  await until(() => a.met.length === 1);
  proxy.reset();
  await until(() => a.met.length === 2, 'the second introduction');
  a.transport.setContacts([]);
  expect(proxy.openings).toBe(2);
  expect(a.refusals).toEqual([]);
  await proxy.close();
});

test('CS-348 a process that joins a cluster tells those it is connected with', async () => {
  const uid = newId();
  const a = await TestProcess.start('a', { identity: { clusterUid: uid } });
  const b = await TestProcess.start('b');
  await join(a, b);
  b.identity = { ...b.identity, clusterUid: uid };
  await until(() => a.met.some((it) => it.clusterUid === uid), 'the announcement');
  expect(a.transport.connectedPeers()).toEqual([b.identity]);
  b.identity = { ...b.identity, clusterUid: newId() };
  await until(() => a.refusals.length > 0, 'the refusal');
  expect(a.refusals[0]?.reason).toMatch(/^clusterMismatch: node 'b' belongs to another foundation/);
});

test('a removed peer gets what was sent before, and then nothing', async () => {
  const a = await TestProcess.start('a');
  const b = await TestProcess.start('b');
  a.transport.setPeers([b.peer]);
  await until(() => a.transport.isReachable(b.id));
  for (const number of numbers(100)) a.transport.send(b.id, heartbeat(number));
  a.transport.setPeers([]);
  a.transport.send(b.id, heartbeat(101n));
  await until(() => b.transport.connectedPeers().length === 0);
  expect(termsOf(b.from(a))).toEqual(numbers(100));
  await until(() => a.transport.queues().size === 0, 'the end of the queues');
});

test('CS-355 an answer to an earlier process is not given to its successor', async () => {
  const a = await TestProcess.start('a');
  const storeId = newId();
  const first = await TestProcess.start('b', { identity: { storeId } });
  await join(a, first);
  first.transport.send(a.id, {
    kind: 'preVote',
    term: 2n,
    lastIndex: 0n,
    lastTerm: 0n,
    transfer: false,
  });
  await until(() => a.received.length === 1);
  await first.transport.close();
  const second = await TestProcess.start('b', { identity: { storeId, incarnation: 2n } });
  await join(a, second);
  a.transport.send(second.id, { kind: 'preVoteResponse', term: 2n, granted: true });
  a.transport.send(second.id, heartbeat(3n));
  await until(() => second.received.length > 0);
  expect(second.from(a)).toEqual([heartbeat(3n)]);
  expect(a.count('droppedEarlierProcess')).toBe(1);
});

test('CS-355 a store that is in use is refused to another process until that one is gone', async () => {
  const a = await TestProcess.start('a');
  const storeId = newId();
  const first = await TestProcess.start('b', { identity: { storeId } });
  await join(a, first);
  const copy = await TestProcess.start('b', { identity: { storeId, incarnation: 2n } });
  copy.transport.setPeers([a.peer]);
  await until(() => copy.refusals.length > 0 && a.refusals.length > 0, 'the refusal');
  const reason = "storeInUse: another process uses the store of node 'b'";
  expect(copy.refusals[0]?.reason).toContain(reason);
  expect(a.refusals[0]?.reason).toContain(reason);
  expect(a.transport.connectedPeers()).toEqual([first.identity]);
  await first.transport.close();
  await until(() => copy.transport.isReachable(a.id), 'the admission of the successor');
  const late = await TestProcess.start('b', { identity: { storeId, incarnation: 1n } });
  await copy.transport.close();
  late.transport.setPeers([a.peer]);
  await until(() => late.refusals.length > 0);
});

test('CS-148 names are resolved for every attempt', async () => {
  const b = await TestProcess.start('b');
  const asked: string[] = [];
  const a = await TestProcess.start('a', {
    resolve: async (host) => {
      asked.push(host);
      if (asked.length < 3) throw new Error('no address');
      return ['127.0.0.1'];
    },
  });
  const port = b.transport.endpoint.split(':')[1];
  a.transport.setPeers([{ ...b.id, endpoint: `b.example:${port}` }]);
  await until(() => a.transport.isReachable(b.id));
  expect(asked.length).toBeGreaterThanOrEqual(4);
  expect(new Set(asked)).toEqual(new Set(['b.example']));
});
