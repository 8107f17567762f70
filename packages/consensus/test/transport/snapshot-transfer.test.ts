import { expect, test } from 'vitest';
import { SECTION_BYTES_MAX, type SnapshotManifest } from '../../src/storage/log-storage.ts';
import { FRAME_KIND } from '../../src/transport/frame.ts';
import { writeManifest } from '../../src/transport/snapshot-codec.ts';
import type { OutgoingSnapshot, SnapshotSink } from '../../src/transport/transport.ts';
import { LinkProxy } from '../support/link-proxy.ts';
import { RawPeer } from '../support/raw-peer.ts';
import { join, newId, TestProcess, until } from '../support/transport-fixture.ts';

const SECTION_BYTES = 300_000;

function manifestOf(sections: number, index = 9n): SnapshotManifest {
  return {
    index,
    term: 2n,
    chain: new Uint8Array(16).fill(3),
    generation: 1n,
    configuration: { clusterUid: newId(), level: 1, voters: [], outgoing: [], learners: [] },
    configurationIndex: 1n,
    revision: 5n,
    stateDigest: 123n,
    recordCount: 4n,
    sections: Array.from({ length: sections }, (_, at) => at.toString(16).padStart(64, '0')),
    bytes: sections * SECTION_BYTES,
  };
}

const sectionOf = (section: number): Uint8Array => new Uint8Array(SECTION_BYTES).fill(section + 1);

function outgoing(manifest: SnapshotManifest, more: Partial<OutgoingSnapshot> = {}) {
  return { term: 2n, manifest, section: async (at: number) => sectionOf(at), ...more };
}

/** Collects a snapshot. */
class TestSink implements SnapshotSink {
  readonly sections: Uint8Array[] = [];
  isFinished = false;
  isAbandoned = false;
  /** Awaited before a section counts as durable. */
  store: () => Promise<void> = async () => undefined;

  async section(bytes: Uint8Array): Promise<void> {
    await this.store();
    this.sections.push(bytes);
  }

  async finish(): Promise<void> {
    this.isFinished = true;
  }

  abandon(): void {
    this.isAbandoned = true;
  }
}

async function startPair(timing = {}): Promise<readonly [TestProcess, TestProcess, TestSink]> {
  const a = await TestProcess.start('a', { timing });
  const b = await TestProcess.start('b', { timing });
  await join(a, b);
  const sink = new TestSink();
  b.sink = () => sink;
  return [a, b, sink];
}

test('CS-113 a snapshot arrives section by section', async () => {
  const [a, b, sink] = await startPair();
  const manifest = manifestOf(4);
  let seen: SnapshotManifest | undefined;
  b.sink = (term, given) => {
    expect(term).toBe(2n);
    seen = given;
    return sink;
  };
  expect(await a.transport.sendSnapshot(b.id, outgoing(manifest))).toBe(true);
  expect(seen).toEqual(manifest);
  expect(sink.sections).toEqual([0, 1, 2, 3].map(sectionOf));
  expect([sink.isFinished, sink.isAbandoned]).toEqual([true, false]);
});

test('CS-113 a snapshot without sections and one with an empty section arrive', async () => {
  const [a, b, sink] = await startPair();
  expect(await a.transport.sendSnapshot(b.id, outgoing(manifestOf(0)))).toBe(true);
  expect(sink.isFinished).toBe(true);
  const section = async (): Promise<Uint8Array> => new Uint8Array(0);
  expect(await a.transport.sendSnapshot(b.id, outgoing(manifestOf(1), { section }))).toBe(true);
  expect(sink.sections).toEqual([new Uint8Array(0)]);
});

test('CS-113 the next section is asked for only when the one before is durable', async () => {
  const [a, b, sink] = await startPair();
  const asked: number[] = [];
  const gates = [0, 1, 2].map(() => Promise.withResolvers<void>());
  sink.store = () => gates[sink.sections.length]!.promise;
  const section = async (at: number): Promise<Uint8Array> => {
    asked.push(at);
    return sectionOf(at);
  };
  const result = a.transport.sendSnapshot(b.id, outgoing(manifestOf(3), { section }));
  for (const [at, gate] of gates.entries()) {
    await until(() => asked.length === at + 1);
    a.transport.send(b.id, { kind: 'termNotice', term: 1n });
    expect(sink.sections.length).toBe(at);
    gate.resolve();
  }
  expect(await result).toBe(true);
  expect(asked).toEqual([0, 1, 2]);
});

test('CS-113 what is refused, fails or has nowhere to go is reported', async () => {
  const [a, b, sink] = await startPair();
  b.sink = () => undefined;
  expect(await a.transport.sendSnapshot(b.id, outgoing(manifestOf(2)))).toBe(false);
  b.sink = () => sink;
  sink.store = async () => {
    throw new Error('it does not match its digest');
  };
  expect(await a.transport.sendSnapshot(b.id, outgoing(manifestOf(2)))).toBe(false);
  expect(sink.isAbandoned).toBe(true);
  const gone = new TestSink();
  b.sink = () => gone;
  const section = async (): Promise<Uint8Array> => {
    throw new Error('the generation is gone');
  };
  expect(await a.transport.sendSnapshot(b.id, outgoing(manifestOf(2), { section }))).toBe(false);
  await until(() => gone.isAbandoned);
  const nobody = { nodeId: 'nobody', storeId: newId() };
  expect(await a.transport.sendSnapshot(nobody, outgoing(manifestOf(2)))).toBe(false);
});

test('CS-113 CS-143 a manifest that has no frame fails its transfer and leaves no connection', async () => {
  const [a, b, sink] = await startPair();
  const sockets = () => process.getActiveResourcesInfo().filter((it) => it === 'TCPSocketWrap');
  const before = sockets().length;
  expect(await a.transport.sendSnapshot(b.id, outgoing(manifestOf(70_000)))).toBe(false);
  await until(() => sockets().length === before, 'the end of the connection');
  expect([sink.sections, sink.isFinished]).toEqual([[], false]);
  expect(await a.transport.sendSnapshot(b.id, outgoing(manifestOf(1)))).toBe(true);
});

test('CS-113 a newer transfer of the same sender supersedes the one before', async () => {
  const [a, b, first] = await startPair();
  first.store = () => new Promise(() => undefined);
  const firstResult = a.transport.sendSnapshot(b.id, outgoing(manifestOf(2)));
  const second = new TestSink();
  let begun = 0;
  b.sink = () => {
    begun += 1;
    return begun === 1 ? first : second;
  };
  await until(() => begun === 1);
  expect(await a.transport.sendSnapshot(b.id, outgoing(manifestOf(2, 10n)))).toBe(true);
  expect(await firstResult).toBe(false);
  expect([first.isAbandoned, second.isFinished]).toEqual([true, true]);
});

test('CS-113 a transfer without progress of a section ends at both ends', async () => {
  const [a, b, sink] = await startPair({ sectionMs: 300 });
  sink.store = () => new Promise(() => undefined);
  const startedAt = performance.now();
  expect(await a.transport.sendSnapshot(b.id, outgoing(manifestOf(2)))).toBe(false);
  expect(performance.now() - startedAt).toBeGreaterThan(250);
  await until(() => sink.isAbandoned);
});

test('CS-113 a transfer that takes too long in all ends', async () => {
  const [a, b, sink] = await startPair({ sectionMs: 5_000, snapshotMs: 300 });
  const proxy = await LinkProxy.start(b.transport.endpoint);
  proxy.limit(200_000, 'forward');
  a.transport.setPeers([{ ...b.id, endpoint: proxy.endpoint }]);
  expect(await a.transport.sendSnapshot(b.id, outgoing(manifestOf(4)))).toBe(false);
  await until(() => sink.isAbandoned || sink.sections.length === 0);
  expect(sink.isFinished).toBe(false);
  await proxy.close();
});

test('a broken connection abandons the transfer', async () => {
  const [a, b, sink] = await startPair();
  const proxy = await LinkProxy.start(b.transport.endpoint);
  a.transport.setPeers([{ ...b.id, endpoint: proxy.endpoint }]);
  sink.store = async () => {
    if (sink.sections.length === 1) proxy.reset();
  };
  expect(await a.transport.sendSnapshot(b.id, outgoing(manifestOf(5)))).toBe(false);
  await until(() => sink.isAbandoned);
  expect(sink.isFinished).toBe(false);
  await proxy.close();
});

test('CS-113 a slow transfer delays no heartbeat', async () => {
  const [a, b, sink] = await startPair();
  const proxy = await LinkProxy.start(b.transport.endpoint);
  proxy.limit(1_000_000, 'forward');
  a.transport.setPeers([{ ...b.id, endpoint: proxy.endpoint }]);
  await until(() => a.transport.isReachable(b.id));
  const result = a.transport.sendSnapshot(b.id, outgoing(manifestOf(2)));
  await until(() => sink.sections.length === 1);
  a.transport.send(b.id, { kind: 'timeoutNow', term: 1n });
  await until(() => b.received.length === 1);
  expect(sink.sections.length).toBe(1);
  expect(await result).toBe(true);
  await proxy.close();
});

test('chunks that do not fit their section end the transfer before memory is taken', async () => {
  const b = await TestProcess.start('b');
  const chunks: readonly (readonly [number, number, number, number])[] = [
    [1, 100, 0, 10],
    [0, SECTION_BYTES_MAX + 1, 0, 10],
    [0, 100, 10, 10],
    [0, 100, 0, 101],
    [0, 100, 0, 0],
  ];
  for (const [section, total, offset, length] of chunks) {
    const sink = new TestSink();
    b.sink = () => sink;
    const raw = new RawPeer(b.transport.endpoint);
    raw.hello({}, { trafficClass: 'bulk' });
    await until(() => raw.of(FRAME_KIND.hello).length === 1);
    raw.send(FRAME_KIND.snapshotBegin, (writer) => writeManifest(writer.u64(1n), manifestOf(2)));
    await until(() => raw.of(FRAME_KIND.snapshotNext).length === 1);
    raw.send(FRAME_KIND.snapshotChunk, (writer) => {
      writer.u32(section).u32(total).u32(offset).bytes(new Uint8Array(length));
    });
    await until(() => raw.isClosed && sink.isAbandoned);
    expect(sink.sections).toEqual([]);
  }
  expect(b.count('malformed')).toBe(chunks.length);
});
