import { expect, test } from 'vitest';
import type { PeerMessage } from '../../src/raft/message.ts';
import { TestAuthority } from '../support/certificates.ts';
import { join, TestProcess, until } from '../support/transport-fixture.ts';

const heartbeat = (term: bigint): PeerMessage => ({
  kind: 'heartbeat',
  term,
  commit: 0n,
  read: undefined,
});
const append = (batch: bigint, bytes = 10): PeerMessage => ({
  kind: 'append',
  term: 1n,
  prevIndex: batch - 1n,
  prevTerm: 1n,
  prevChain: new Uint8Array(16),
  commit: 0n,
  entries: [{ term: 1n, kind: 'normal', payload: new Uint8Array(bytes).fill(Number(batch) % 256) }],
  generation: 1n,
  batch,
});

test('messages of both classes arrive in the order of each class', async () => {
  const a = await TestProcess.start('a');
  const b = await TestProcess.start('b');
  await join(a, b);
  b.react = (from, message) => {
    if (message.kind !== 'append') return;
    const { term, batch, generation } = message;
    b.transport.send(from, { kind: 'appendAccepted', term, match: batch, generation, batch });
  };
  for (let batch = 1n; batch <= 500n; batch += 1n) {
    a.transport.send(b.id, append(batch, 5_000));
    a.transport.send(b.id, heartbeat(batch));
  }
  await until(() => b.received.length === 1_000 && a.received.length === 500, 'all messages');
  const appends = b.from(a).filter((it) => it.kind === 'append');
  expect(appends).toEqual(Array.from({ length: 500 }, (_, at) => append(BigInt(at + 1), 5_000)));
  const beats = b.from(a).filter((it) => it.kind === 'heartbeat');
  expect(beats.map((it) => it.term)).toEqual(
    Array.from({ length: 500 }, (_, at) => BigInt(at + 1)),
  );
  const answers = a.from(b).map((it) => (it.kind === 'appendAccepted' ? it.batch : 0n));
  expect(answers).toEqual(Array.from({ length: 500 }, (_, at) => BigInt(at + 1)));
});

test('CS-140 members talk over mutual TLS', async () => {
  const authority = new TestAuthority();
  const a = await TestProcess.start('a', { tls: authority.node('a') });
  const b = await TestProcess.start('b', { tls: authority.node('b') });
  await join(a, b);
  a.transport.send(b.id, heartbeat(7n));
  a.transport.send(b.id, append(1n, 1_500_000));
  await until(() => b.received.length === 2, 'both messages');
  expect(b.from(a)).toContainEqual(append(1n, 1_500_000));
  expect(a.refusals).toEqual([]);
});
