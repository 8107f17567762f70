import { describe, expect, test } from 'vitest';
import { levelsOfRelease } from '../../src/raft/feature-levels.ts';
import { FRAME_KIND } from '../../src/transport/frame.ts';
import { readRefusal } from '../../src/transport/hello.ts';
import { TcpTransport } from '../../src/transport/tcp-transport.ts';
import { RawPeer } from '../support/raw-peer.ts';
import { join, newId, TestProcess, until } from '../support/transport-fixture.ts';

/** The reason that a hand-made peer is given. */
async function refusalGiven(raw: RawPeer): Promise<string> {
  await until(() => raw.of(FRAME_KIND.refusal).length === 1 && raw.isClosed, 'the refusal');
  return readRefusal(raw.of(FRAME_KIND.refusal)[0]!);
}

/** The first reason that `a` and `b` note when `a` dials `b` as `peer`. */
async function refusals(
  a: TestProcess,
  b: TestProcess,
  peer = b.peer,
): Promise<readonly [string, string]> {
  a.transport.setPeers([peer]);
  await until(() => a.refusals.length > 0 && b.refusals.length > 0, 'the refusal at both ends');
  return [a.refusals[0]!.reason, b.refusals[0]!.reason];
}

test('CS-141 another cluster is refused and both ends hear why', async () => {
  const a = await TestProcess.start('a', { identity: { clusterId: 'blue' } });
  const b = await TestProcess.start('b');
  const [here, there] = await refusals(a, b);
  expect(there).toBe(
    "clusterMismatch: node 'a' belongs to cluster 'blue', node 'b' to cluster 'test';" +
      ' give both the same cluster id',
  );
  expect(here).toBe(there);
  expect(b.refusals[0]?.peer).toMatchObject(a.identity);
  expect(a.refusals[0]?.peer).toMatchObject({ ...b.id, endpoint: b.transport.endpoint });
  expect(b.transport.connectedPeers()).toEqual([]);
});

test('CS-348 another foundation of the same cluster is refused', async () => {
  const a = await TestProcess.start('a', { identity: { clusterUid: newId() } });
  const b = await TestProcess.start('b', { identity: { clusterUid: newId() } });
  const [here, there] = await refusals(a, b);
  expect(there).toMatch(/^clusterMismatch: node 'a' belongs to another foundation/);
  expect(here).toBe(there);
});

test('CS-28 another store than the one addressed is refused', async () => {
  const a = await TestProcess.start('a');
  const b = await TestProcess.start('b');
  const [here, there] = await refusals(a, b, { ...b.peer, storeId: newId() });
  expect(there).toMatch(/^storeMismatch: node 'b' has another store/);
  expect(here).toBe(there);
});

test('CS-141 another node at the endpoint is refused', async () => {
  const a = await TestProcess.start('a');
  const b = await TestProcess.start('b');
  const [here, there] = await refusals(a, b, { ...b.peer, nodeId: 'c' });
  expect(there).toContain("wants to reach node 'c' but this is node 'b'");
  expect(here).toBe(there);
});

test('a copy of the own store is refused', async () => {
  const storeId = newId();
  const a = await TestProcess.start('a', { identity: { storeId } });
  const b = await TestProcess.start('b', { identity: { storeId } });
  a.transport.setContacts([b.transport.endpoint]);
  await until(() => a.refusals.length > 0 && b.refusals.length > 0);
  expect(b.refusals[0]?.reason).toContain("node 'a' opened a copy of the store of node 'b'");
});

test('CS-137 a name of a living member, or the own one, is refused to another store', async () => {
  const b = await TestProcess.start('b');
  const member = await TestProcess.start('a');
  await join(member, b);
  const copy = await TestProcess.start('a');
  copy.transport.setContacts([b.transport.endpoint, member.transport.endpoint]);
  await until(() => b.refusals.length > 0 && copy.refusals.length > 1, 'the refusals');
  const reason =
    `nameInUse: the name of node 'a' is in use by the living member at ${member.transport.endpoint};` +
    ' give this process another name, or stop that one before it is replaced';
  for (const { refusals: all } of [b, copy]) {
    expect(new Set(all.map((it) => it.reason))).toEqual(new Set([reason]));
  }
  expect(b.refusals[0]?.peer).toMatchObject(copy.identity);
  expect(b.transport.connectedPeers()).toEqual([member.identity]);
  // It may come in when the member is gone, and then the member is told when it comes back.
  await member.transport.close();
  await until(() => b.met.some((it) => it.storeId === copy.id.storeId), 'the successor');
  b.transport.setPeers([copy.peer]);
  const back = await TestProcess.start('a', { identity: { storeId: member.id.storeId } });
  back.transport.setContacts([b.transport.endpoint]);
  await until(() => back.refusals.length > 0, 'the refusal of the former member');
  expect(back.refusals[0]?.reason).toContain(`the living member at ${copy.transport.endpoint};`);
});

test('CS-137 a member that comes back finds nobody else under its name', async () => {
  const b = await TestProcess.start('b');
  const member = await TestProcess.start('a');
  const copy = await TestProcess.start('a');
  copy.transport.setContacts([b.transport.endpoint]);
  await until(() => b.met.length > 0);
  b.transport.setPeers([member.peer]);
  member.transport.setPeers([b.peer]);
  await until(
    () => b.transport.connectedPeers().every((it) => it.storeId === member.id.storeId),
    'the end of the other one',
  );
  await until(() => copy.refusals.length > 0 && b.refusals.length > 0, 'the refusal');
  expect(copy.refusals[0]?.reason).toMatch(/^nameInUse: the name of node 'a' is in use/);
});

test('CS-141 another wire version is refused with the remedy', async () => {
  const b = await TestProcess.start('b');
  const raw = new RawPeer(b.transport.endpoint);
  raw.send(FRAME_KIND.hello, (writer) => writer.u32(0x4e565852).u16(9).u32(12345));
  const reason = await refusalGiven(raw);
  expect(reason).toMatch(
    /^wireVersionMismatch: the process at 127\.0\.0\.1:\d+ speaks wire version 9, .* 2; run releases/,
  );
  expect(b.refusals[0]?.reason).toBe(reason);
});

describe('CS-141 CS-343 processes of one cluster know its activated level', () => {
  const clusterUid = newId();
  const start = (nodeId: string, newest: number, level: number | undefined) =>
    TestProcess.start(nodeId, {
      identity: {
        clusterUid: level === undefined ? undefined : clusterUid,
        levels: levelsOfRelease(newest),
        level,
      },
    });

  test.each([
    ['the next release', 3, 2],
    ['the same release', 2, 2],
    ['a new member of the next release', 3, undefined],
    ['a member that has not applied the activation yet', 2, 1],
  ])('%s is let in', async (_, newest, level) => {
    const b = await start('b', 2, 2);
    const a = await start('a', newest, level);
    a.transport.setContacts([b.transport.endpoint]);
    await until(() => a.met.length > 0 && b.met.length > 0);
    expect(b.met[0]).toMatchObject({ nodeId: 'a', levels: levelsOfRelease(newest), level });
    expect([...a.refusals, ...b.refusals]).toEqual([]);
  });

  test.each([
    ['two levels above', 4, undefined],
    ['below', 1, 1],
  ])('a release that is %s is refused at both ends, with the remedy', async (_, newest, level) => {
    const b = await start('b', 2, 2);
    const a = await start('a', newest, level);
    a.transport.setContacts([b.transport.endpoint]);
    await until(() => a.refusals.length > 0 && b.refusals.length > 0, 'the refusal');
    const { oldest } = levelsOfRelease(newest);
    const reason =
      `node 'a' supports feature levels ${oldest} to ${newest}; the cluster has activated level 2;` +
      ' start a release that supports it';
    expect(b.refusals[0]?.reason).toBe(reason);
    expect(a.refusals[0]?.reason).toBe(reason);
    expect(b.met).toEqual([]);
  });

  test('one that is connected is refused once the other end has applied the activation', async () => {
    const b = await start('b', 2, 1);
    const a = await start('a', 1, 1);
    await join(a, b);
    b.identity = { ...b.identity, level: 2 };
    await until(() => a.refusals.length > 0, 'the refusal');
    expect(a.refusals[0]?.reason).toContain("node 'a' supports feature levels 1 to 1;");
  });

  test('the hello of a later release may say more, that of the own release may not', async () => {
    const b = await start('b', 2, 2);
    const hello = (newest: number): RawPeer => {
      const raw = new RawPeer(b.transport.endpoint);
      raw.hello({ levels: levelsOfRelease(newest), level: undefined }, {}, Uint8Array.of(7, 7, 7));
      return raw;
    };
    const later = hello(3);
    await until(() => later.frames.length > 0, 'the answer');
    expect(later.frames[0]?.kind).toBe(FRAME_KIND.hello);
    const reason = await refusalGiven(hello(2));
    expect(reason).toBe('it does not follow the protocol');
  });

  test('a build that writes other frames is refused, whatever levels it claims', async () => {
    const b = await start('b', 2, 2);
    const raw = new RawPeer(b.transport.endpoint);
    raw.hello({ levels: levelsOfRelease(2) }, { fingerprint: 'ab'.repeat(16) });
    expect(await refusalGiven(raw)).toBe(
      "wireMismatch: node 'raw' writes other frames than this release at the same feature level;" +
        ' run builds of one release',
    );
  });
});

test('what is no hello is refused, and silence ends after the setup deadline', async () => {
  const b = await TestProcess.start('b', { timing: { setupMs: 150 } });
  const silent = new RawPeer(b.transport.endpoint);
  const web = new RawPeer(b.transport.endpoint);
  web.socket.write('GET / HTTP/1.1\r\nHost: b\r\n\r\n');
  const hasty = new RawPeer(b.transport.endpoint);
  hasty.send(FRAME_KIND.ping);
  hasty.send(FRAME_KIND.message);
  await until(() => web.isClosed && silent.isClosed && hasty.isClosed, 'the end of all three');
  expect(hasty.of(FRAME_KIND.refusal).length).toBe(1);
  expect(b.met).toEqual([]);
});

test('CS-143 unfinished handshakes are bounded, and silence shuts nobody out', async () => {
  const b = await TestProcess.start('b', { limits: { handshakesMax: 3 } });
  const silent = [1, 2, 3].map(() => new RawPeer(b.transport.endpoint));
  await until(() => silent.every((it) => !it.socket.connecting));
  const further = new RawPeer(b.transport.endpoint);
  further.hello();
  await until(() => further.of(FRAME_KIND.hello).length === 1);
  expect(b.count('handshakesRefused')).toBe(1);
  expect(silent.filter((it) => it.isClosed)).toHaveLength(1);
  // One place is free again.
  const welcome = new RawPeer(b.transport.endpoint);
  welcome.hello();
  await until(() => welcome.of(FRAME_KIND.hello).length === 1);
  expect(b.count('handshakesRefused')).toBe(1);
});

test('processes that are no members are bounded', async () => {
  const b = await TestProcess.start('b', { limits: { candidatesMax: 2 } });
  const first = [1, 2].map(() => new RawPeer(b.transport.endpoint));
  for (const raw of first) {
    raw.hello();
    await until(() => raw.of(FRAME_KIND.hello).length === 1);
  }
  const further = new RawPeer(b.transport.endpoint);
  further.hello();
  expect(await refusalGiven(further)).toContain('too many processes that are no members');
  // A member is not concerned.
  const a = await TestProcess.start('a');
  b.transport.setPeers([a.peer]);
  a.transport.setPeers([b.peer]);
  await until(() => a.transport.isReachable(b.id));
});

test('bytes that do not follow the protocol end a connection', async () => {
  const b = await TestProcess.start('b');
  const attempts: readonly ((raw: RawPeer) => void)[] = [
    (raw) => raw.send(FRAME_KIND.message, (writer) => writer.u8(99)),
    (raw) => raw.send(FRAME_KIND.snapshotDone),
    (raw) => raw.send(FRAME_KIND.credit, (writer) => writer.u64(1n << 40n).u64(0n)),
    (raw) => raw.send(FRAME_KIND.message, (writer) => writer.bytes(new Uint8Array(70_000))),
    // An append belongs to the other class.
    (raw) => raw.send(FRAME_KIND.message, (writer) => writer.u8(5).bytes(new Uint8Array(68))),
  ];
  for (const [at, attempt] of attempts.entries()) {
    const raw = new RawPeer(b.transport.endpoint);
    raw.hello();
    await until(() => raw.of(FRAME_KIND.hello).length === 1);
    attempt(raw);
    await until(() => raw.isClosed, `the end of attempt ${at}`);
  }
  await until(() => b.count('malformed') === attempts.length);
  expect(b.received).toEqual([]);
});

test('CS-140 without TLS nothing leaves loopback', async () => {
  for (const listen of ['0.0.0.0:0', '192.0.2.1:0', '[::]:0', 'localhost:0']) {
    expect(() => new TcpTransport({ listen, tls: 'plaintext' })).toThrow(
      expect.objectContaining({ code: 'RAFT_PLAINTEXT_REFUSED' }),
    );
  }
  const a = await TestProcess.start('a');
  a.transport.setPeers([{ nodeId: 'b', storeId: newId(), endpoint: '192.0.2.1:5000' }]);
  await until(() => a.refusals.length > 0);
  expect(a.refusals[0]?.reason).toContain("'192.0.2.1' is no loopback address; configure TLS");
});

test('a place that is taken cannot be listened on', async () => {
  const b = await TestProcess.start('b');
  const second = new TcpTransport({ listen: b.transport.endpoint, tls: 'plaintext' });
  await expect(second.listen()).rejects.toMatchObject({
    code: 'RAFT_LISTEN_FAILED',
    message: `cannot listen for members at ${b.transport.endpoint}`,
  });
});

test('the advertised endpoint replaces the one listened on', async () => {
  const transport = new TcpTransport({
    listen: '127.0.0.1:0',
    advertise: 'b.example:0',
    tls: 'plaintext',
  });
  expect(await transport.listen()).toMatch(/^b\.example:[1-9]\d*$/);
  await transport.close();
});
