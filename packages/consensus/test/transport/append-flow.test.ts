import { expect, test } from 'vitest';
import { AppendWatch } from '../../src/transport/append-flow.ts';
import { FRAME_KIND } from '../../src/transport/frame.ts';
import { writeMessage } from '../../src/transport/message-codec.ts';
import { LinkProxy } from '../support/link-proxy.ts';
import { RawPeer } from '../support/raw-peer.ts';
import {
  append,
  heartbeat,
  join,
  newId,
  TestProcess,
  until,
} from '../support/transport-fixture.ts';

const batchesOf = (process: TestProcess): bigint[] =>
  process.received.map(({ message }) => (message.kind === 'append' ? message.batch : 0n));

/** A connection opened by hand, over which appends can be sent to `process`. */
async function openReplication(process: TestProcess): Promise<RawPeer & { storeId: string }> {
  const storeId = newId();
  const raw = new RawPeer(process.transport.endpoint);
  raw.hello({ storeId }, { trafficClass: 'replication' });
  await until(() => raw.of(FRAME_KIND.hello).length === 1);
  return Object.assign(raw, { storeId });
}

const sendAppend = (raw: RawPeer, batch: bigint, generation = 1n): void =>
  raw.send(FRAME_KIND.message, (writer) => writeMessage(writer, append(batch, 10, generation)));

/** Resolves after the process has taken everything that was sent to it before. */
async function settle(process: TestProcess): Promise<void> {
  const raw = new RawPeer(process.transport.endpoint);
  raw.hello();
  await until(() => raw.of(FRAME_KIND.hello).length === 1);
  raw.send(FRAME_KIND.ping);
  await until(() => raw.of(FRAME_KIND.credit).length > 0);
}

test('CS-44 at most four appends are taken before one of them is answered', async () => {
  const b = await TestProcess.start('b');
  const raw = await openReplication(b);
  const to = { nodeId: 'raw', storeId: raw.storeId };
  for (let batch = 1n; batch <= 10n; batch += 1n) sendAppend(raw, batch);
  await until(() => b.received.length === 4);
  await settle(b);
  expect(batchesOf(b)).toEqual([1n, 2n, 3n, 4n]);
  b.transport.send(to, { kind: 'appendAccepted', term: 1n, match: 1n, generation: 1n, batch: 1n });
  await until(() => b.received.length === 5);
  await settle(b);
  expect(b.received.length).toBe(5);
  // One answer may stand for several batches.
  b.transport.send(to, { kind: 'appendAccepted', term: 1n, match: 4n, generation: 1n, batch: 4n });
  await until(() => b.received.length === 8);
  await settle(b);
  expect(b.received.length).toBe(8);
  b.transport.send(to, { kind: 'termNotice', term: 2n });
  await until(() => b.received.length === 10);
  expect(batchesOf(b)).toEqual([1n, 2n, 3n, 4n, 5n, 6n, 7n, 8n, 9n, 10n]);
});

test('CS-42 CS-44 a rejection and a newer generation free what was sent before', async () => {
  const b = await TestProcess.start('b');
  const raw = await openReplication(b);
  const to = { nodeId: 'raw', storeId: raw.storeId };
  for (let batch = 1n; batch <= 8n; batch += 1n) sendAppend(raw, batch);
  await until(() => b.received.length === 4);
  b.transport.send(to, {
    kind: 'appendRejected',
    term: 1n,
    rejectIndex: 0n,
    hintIndex: 0n,
    hintTerm: 0n,
    generation: 1n,
    batch: 1n,
  });
  await until(() => b.received.length === 8);
  const next = await openReplication(b);
  for (let batch = 1n; batch <= 3n; batch += 1n) sendAppend(next, batch);
  for (let batch = 1n; batch <= 4n; batch += 1n) sendAppend(next, batch, 2n);
  await until(() => b.received.length === 15, 'the newer generation');
});

test('CS-44 the end of a stream frees what it left unanswered', async () => {
  const b = await TestProcess.start('b');
  const raw = await openReplication(b);
  for (let batch = 1n; batch <= 6n; batch += 1n) sendAppend(raw, batch);
  await until(() => b.received.length === 4);
  raw.socket.destroy();
  const again = new RawPeer(b.transport.endpoint);
  again.hello({ storeId: raw.storeId, incarnation: 2n }, { trafficClass: 'replication' });
  const isKnown = (): boolean => again.of(FRAME_KIND.hello).length === 1;
  await until(() => isKnown() || again.isClosed);
  expect(isKnown()).toBe(true);
  for (let batch = 1n; batch <= 4n; batch += 1n) sendAppend(again, batch);
  await until(() => b.received.length === 8);
});

test('CS-43 appends that are neither answered nor read end the stream', async () => {
  const a = await TestProcess.start('a', { timing: { stallMs: 400, pingMs: 50 } });
  const b = await TestProcess.start('b');
  await join(a, b);
  const startedAt = performance.now();
  a.transport.send(b.id, append(1n));
  await until(() => a.lost.length === 1, 'the end of the stream');
  expect(performance.now() - startedAt).toBeGreaterThan(350);
  expect(a.count('stalled')).toBe(1);
  // The other class is not concerned, and the stream is opened again.
  await until(() => a.transport.isReachable(b.id));
  expect(b.received.length).toBe(1);
});

test('CS-43 CS-115 who installs a snapshot answers late, for a bounded time and once', () => {
  const sent = append(1n) as Extract<ReturnType<typeof append>, { kind: 'append' }>;
  const answer = {
    kind: 'appendAccepted',
    term: 1n,
    match: 1n,
    generation: 0n,
    batch: 0n,
  } as const;
  const begin = (): AppendWatch => {
    const watch = new AppendWatch(100);
    watch.snapshotTaken(1_000);
    watch.sent(sent, 10);
    return watch;
  };
  const bounded = begin();
  for (let ms = 0; ms < 1_000; ms += 50) expect(bounded.sweep(50, 10)).toBe(false);
  expect([bounded.sweep(50, 10), bounded.sweep(50, 10)]).toEqual([false, true]);
  for (const end of ['answer', 'process'] as const) {
    const watch = begin();
    for (let ms = 0; ms < 300; ms += 50) expect(watch.sweep(50, 10)).toBe(false);
    if (end === 'answer') watch.received(answer);
    else watch.processChanged();
    expect([watch.sweep(50, 10), watch.sweep(50, 10)]).toEqual([false, true]);
  }
});

test('CS-43 a stream that is idle or answered does not age', async () => {
  const a = await TestProcess.start('a', { timing: { stallMs: 300, pingMs: 50 } });
  const b = await TestProcess.start('b');
  await join(a, b);
  a.transport.send(b.id, append(1n));
  await until(() => b.received.length === 1);
  b.transport.send(a.id, {
    kind: 'appendAccepted',
    term: 1n,
    match: 1n,
    generation: 1n,
    batch: 1n,
  });
  await until(() => a.received.length === 1);
  // Three times the bound, measured by a process that does stall meanwhile.
  const c = await TestProcess.start('c', { timing: { stallMs: 900, pingMs: 50 } });
  c.transport.setPeers([b.peer]);
  await until(() => c.transport.isReachable(b.id));
  c.transport.send(b.id, append(1n));
  await until(() => c.lost.length === 1);
  expect(a.lost).toEqual([]);
});

test('CS-43 CS-145 a slow stream that moves does not count as stalled', async () => {
  const a = await TestProcess.start('a', { timing: { stallMs: 400, pingMs: 50 } });
  const b = await TestProcess.start('b', { timing: { stallMs: 400, pingMs: 50 } });
  const proxy = await LinkProxy.start(b.transport.endpoint);
  a.transport.setPeers([{ ...b.id, endpoint: proxy.endpoint }]);
  b.transport.setPeers([a.peer]);
  await until(() => a.transport.isReachable(b.id) && b.transport.isReachable(a.id));
  proxy.limit(400_000, 'forward');
  b.react = (from, message) => {
    if (message.kind !== 'append') return;
    b.transport.send(from, {
      kind: 'appendAccepted',
      term: 1n,
      match: 1n,
      generation: 1n,
      batch: 1n,
    });
  };
  const startedAt = performance.now();
  a.transport.send(b.id, append(1n, 600_000));
  await until(() => a.received.length === 1, 'the answer');
  expect(performance.now() - startedAt).toBeGreaterThan(1_000);
  expect(a.lost).toEqual([]);
  await proxy.close();
});

test('a peer that vanishes without a word is noticed on every connection', async () => {
  const a = await TestProcess.start('a', { timing: { stallMs: 300, pingMs: 50 } });
  const b = await TestProcess.start('b', { timing: { stallMs: 300, pingMs: 50 } });
  const proxy = await LinkProxy.start(b.transport.endpoint);
  a.transport.setPeers([{ ...b.id, endpoint: proxy.endpoint }]);
  await until(() => a.transport.isReachable(b.id));
  proxy.cut();
  await until(() => !a.transport.isReachable(b.id), 'the loss here');
  await until(() => b.transport.connectedPeers().length === 0, 'the loss there');
  proxy.heal();
  await until(() => a.transport.isReachable(b.id), 'the return');
  await proxy.close();
});

test('CS-43 CS-143 a peer that stops reading costs bounded memory and then its connection', async () => {
  const a = await TestProcess.start('a', {
    timing: { stallMs: 600, pingMs: 50 },
    limits: {
      replicationBytesMax: 4_000_000,
      windowBytesMax: 500_000,
      managementMessagesMax: 100,
      managementBytesMax: 50_000,
    },
  });
  const b = await TestProcess.start('b');
  const proxy = await LinkProxy.start(b.transport.endpoint);
  a.transport.setPeers([{ ...b.id, endpoint: proxy.endpoint }]);
  await until(() => a.transport.isReachable(b.id));
  proxy.cut('forward');
  for (let batch = 1n; batch <= 12n; batch += 1n) a.transport.send(b.id, append(batch, 250_000));
  for (let term = 1n; term <= 1_000n; term += 1n) a.transport.send(b.id, heartbeat(term));
  const queues = a.transport.queues();
  const key = `${b.id.storeId}/${b.id.nodeId}`;
  expect(queues.get(`${key}/replication`)?.bytes).toBeGreaterThan(2_500_000);
  expect(queues.get(`${key}/management`)?.messages).toBe(100);
  expect(a.count('droppedQueueFull')).toBe(900);
  expect(a.lost).toEqual([]);
  for (let batch = 13n; batch <= 20n; batch += 1n) a.transport.send(b.id, append(batch, 250_000));
  await until(() => a.lost.length > 0, 'the report');
  await until(() => !a.transport.isReachable(b.id), 'the end of the connections');
  await until(() => [...a.transport.queues().values()].every((it) => it.bytes === 0));
  proxy.heal();
  await proxy.close();
});
