import { once } from 'node:events';
import { connect } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { TestAuthority } from '@nervix/testkit';
import { expect, test } from 'vitest';
import { type CredentialBundle, checkCredentials } from '../../src/transport/credentials.ts';
import { append, heartbeat, join, TestProcess, until } from '../support/transport-fixture.ts';

const HOUR_MS = 3_600_000;
const authority = new TestAuthority();
const foreign = new TestAuthority('another authority');
const owner = { clusterId: 'test', nodeId: 'a', host: '127.0.0.1' };
const uri = 'nervix://cluster/test/node/a';

const unusable: readonly (readonly [string, () => CredentialBundle, string])[] = [
  [
    'another cluster',
    () => authority.node('a', 'blue'),
    "the certificate is for cluster 'blue', not 'test'",
  ],
  ['another node', () => authority.node('b'), "the certificate is for node 'b', not 'a'"],
  [
    'a foreign authority',
    () => ({ ...foreign.node('a'), ca: authority.certificate }),
    'no given authority vouches for the certificate',
  ],
  [
    'an expired certificate',
    () => authority.node('a', 'test', { validToMs: Date.now() - HOUR_MS }),
    'the certificate has expired',
  ],
  [
    'a certificate of tomorrow',
    () => authority.node('a', 'test', { validFromMs: Date.now() + HOUR_MS }),
    'the certificate is not valid yet',
  ],
  [
    'another endpoint',
    () => authority.node('a', 'test', { names: [uri, '127.0.0.2', 'elsewhere'] }),
    "the certificate does not cover the endpoint host '127.0.0.1'",
  ],
  [
    'no node',
    () => authority.node('a', 'test', { names: ['127.0.0.1'] }),
    'the certificate must name exactly one node of a cluster',
  ],
  [
    'two nodes',
    () => authority.node('a', 'test', { names: [uri, `${uri}b`, '127.0.0.1'] }),
    'the certificate must name exactly one node of a cluster',
  ],
  [
    'a name of another kind',
    () => authority.node('a', 'test', { names: ['https://a.example/', '127.0.0.1'] }),
    'the certificate names no node of a cluster',
  ],
  [
    'a certificate for clients only',
    () => authority.node('a', 'test', { usages: ['client'] }),
    'the certificate must allow use by servers and by clients',
  ],
  [
    'the key of another',
    () => ({ ...authority.node('a'), key: authority.node('a').key }),
    'the key does not belong to the certificate',
  ],
  ['no key', () => ({ ...authority.node('a'), key: 'secret' }), 'the key cannot be read'],
  ['no certificate', () => ({ ...authority.node('a'), cert: '' }), 'a certificate is missing'],
];

test.each(unusable)('CS-140 own credentials with %s are refused', (_what, bundle, problem) => {
  let error: unknown;
  try {
    checkCredentials(bundle(), owner, Date.now());
  } catch (thrown) {
    error = thrown;
  }
  expect(error).toMatchObject({ code: 'RAFT_CREDENTIALS_INVALID', details: { problem } });
  // Neither material nor a cause that could hold some.
  expect(String(error)).not.toMatch(/BEGIN|secret/);
  expect(error).not.toHaveProperty('cause');
});

test('CS-140 own credentials are accepted, also by an intermediate authority', () => {
  const nowMs = Date.now();
  expect(checkCredentials(authority.node('a'), owner, nowMs).validToMs).toBeGreaterThan(nowMs);
  const intermediate = new TestAuthority('intermediate', authority);
  expect(checkCredentials(intermediate.node('a'), owner, nowMs).validToMs).toBeGreaterThan(nowMs);
});

test('CS-140 a transport does not start with credentials of another node', async () => {
  const started = TestProcess.start('a', { tls: authority.node('b') });
  await expect(started).rejects.toMatchObject({ code: 'RAFT_CREDENTIALS_INVALID' });
});

test('CS-140 members talk over mutual TLS', async () => {
  const a = await TestProcess.start('a', { tls: authority.node('a') });
  const b = await TestProcess.start('b', { tls: authority.node('b') });
  await join(a, b);
  a.transport.send(b.id, heartbeat(7n));
  a.transport.send(b.id, append(1n, 1_500_000));
  await until(() => b.received.length === 2, 'both messages');
  expect(b.from(a)).toContainEqual(append(1n, 1_500_000));
  expect(a.refusals).toEqual([]);
});

test('CS-140 a member of another cluster with the same authority is refused', async () => {
  const tls = authority.node('a', 'blue');
  const a = await TestProcess.start('a', { tls, identity: { clusterId: 'blue' } });
  const b = await TestProcess.start('b', { tls: authority.node('b') });
  a.transport.setPeers([b.peer]);
  await until(() => a.refusals.length > 0, 'the refusal');
  expect(a.refusals[0]?.reason).toContain(
    "the certificate of node 'b' is for cluster 'test', not 'blue'",
  );
  expect(b.met).toEqual([]);
});

test('CS-140 a member that takes the name of another is refused', async () => {
  const a = await TestProcess.start('a', { tls: authority.node('a') });
  const b = await TestProcess.start('b', { tls: authority.node('b') });
  a.identity = { ...a.identity, nodeId: 'c' };
  a.transport.setPeers([b.peer]);
  await until(() => a.refusals.length > 0 && b.refusals.length > 0, 'the refusal');
  expect(b.refusals[0]?.reason).toContain("node 'c' presented the certificate of node 'a'");
  expect(a.refusals[0]?.reason).toBe(b.refusals[0]?.reason);
});

test('CS-140 a foreign authority is refused at both ends', async () => {
  const a = await TestProcess.start('a', { tls: foreign.node('a') });
  const b = await TestProcess.start('b', { tls: authority.node('b') });
  a.transport.setPeers([b.peer]);
  b.transport.setPeers([a.peer]);
  await until(() => a.refusals.length > 1 && b.refusals.length > 1, 'the refusals');
  for (const { reason } of [...a.refusals, ...b.refusals]) {
    expect(reason).toMatch(/^the TLS handshake failed \(\w+\); check the certificates$/);
  }
  expect([...a.met, ...b.met]).toEqual([]);
});

test('CS-140 whoever nobody vouches for is named, and told why', async () => {
  const b = await TestProcess.start('b', { tls: authority.node('b') });
  const unknown = foreign.node('a');
  const tls = { ...unknown, ca: unknown.ca + authority.certificate };
  const a = await TestProcess.start('a', { tls });
  a.transport.setPeers([b.peer]);
  await until(() => a.refusals.length > 0 && b.refusals.length > 0, 'the refusals');
  const text =
    "the certificate of node 'a' is not vouched for (SELF_SIGNED_CERT_IN_CHAIN);" +
    ' give it a valid one of an authority of this cluster';
  expect(b.refusals[0]).toMatchObject({ peer: { nodeId: 'a' }, reason: text });
  expect(a.refusals[0]?.reason).toBe(text);
  expect(b.met).toEqual([]);
});

test('CS-140 a certificate that does not cover the dialled host is refused', async () => {
  const a = await TestProcess.start('a', {
    tls: authority.node('a'),
    resolve: async () => ['127.0.0.1'],
  });
  const b = await TestProcess.start('b', { tls: authority.node('b') });
  const port = b.transport.endpoint.split(':')[1];
  a.transport.setPeers([{ ...b.id, endpoint: `b.example:${port}` }]);
  await until(() => a.refusals.length > 0);
  expect(a.refusals[0]?.reason).toContain("certificate of node 'b' does not cover 'b.example'");
});

test('CS-140 clients without TLS, without a certificate or of TLS 1.2 get nowhere', async () => {
  const b = await TestProcess.start('b', { tls: authority.node('b') });
  const port = Number(b.transport.endpoint.split(':')[1]);
  const plain = connect(port, '127.0.0.1').on('error', () => undefined);
  plain.write('GET / HTTP/1.1\r\n\r\n');
  await new Promise<void>((resolve) => plain.on('close', () => resolve()).resume());
  const { ca, cert, key } = authority.node('a');
  const bare = connectTls({ port, host: '127.0.0.1', ca, ALPNProtocols: ['nervix-raft/1'] });
  bare.on('error', () => undefined).resume();
  await new Promise<void>((resolve) => bare.on('close', () => resolve()));
  const old = connectTls({ port, host: '127.0.0.1', ca, cert, key, maxVersion: 'TLSv1.2' });
  await expect(once(old, 'secureConnect')).rejects.toThrow();
  await until(() => b.refusals.length >= 3, 'the reports');
  expect(b.met).toEqual([]);
});

test('CS-146 connections end with the first certificate and are opened with new ones', async () => {
  let nowMs = Date.now();
  const brief = { validToMs: nowMs + HOUR_MS };
  const a = await TestProcess.start('a', { tls: authority.node('a'), nowMs: () => nowMs });
  const b = await TestProcess.start('b', {
    tls: authority.node('b', 'test', brief),
    nowMs: () => nowMs,
  });
  await join(a, b);
  nowMs += HOUR_MS + 1_000;
  await until(() => !a.transport.isReachable(b.id), 'the expiry');
  await until(() => a.refusals.length > 0, 'the refusal of the expired certificate');
  expect(a.refusals[0]?.reason).toMatch(
    /^the certificate of node '[ab]' has expired; give it a valid one of an authority/,
  );
  b.transport.reloadCredentials(authority.node('b'));
  await until(() => a.transport.isReachable(b.id) && b.transport.isReachable(a.id), 'the return');
});

test('CS-146 new credentials replace the old ones without losing what is queued', async () => {
  const a = await TestProcess.start('a', { tls: authority.node('a') });
  const b = await TestProcess.start('b', { tls: authority.node('b') });
  await join(a, b);
  const metBefore = b.met.length;
  const metThere = a.met.length;
  for (let term = 1n; term <= 200n; term += 1n) a.transport.send(b.id, heartbeat(term));
  a.transport.reloadCredentials(authority.node('a'));
  await until(() => b.met.length > metBefore && a.transport.isReachable(b.id), 'the renewal');
  expect(b.from(a).length).toBe(200);
  // What the other end had opened rested on the former ones too.
  await until(() => a.met.length > metThere, 'the renewal of the other end');
  expect(() => a.transport.reloadCredentials(authority.node('b'))).toThrow(
    expect.objectContaining({ code: 'RAFT_CREDENTIALS_INVALID' }),
  );
  a.transport.send(b.id, heartbeat(201n));
  await until(() => b.from(a).length === 201);
});
