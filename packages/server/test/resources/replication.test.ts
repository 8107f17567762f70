import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type {
  ReplicaOffer,
  ReplicaPeer,
  ReplicaTransfer,
} from '../../src/resources/replication/replica-peer.ts';
import { ReplicaReceiver, WINDOW_BYTES } from '../../src/resources/replication/replica-receiver.ts';
import { sendArchive } from '../../src/resources/replication/send-archive.ts';
import type { UploadReply } from '../../src/resources/resource-uploads.ts';
import type { ResourceStore } from '../../src/resources/store/resource-store.ts';
import { expectedOf } from '../../src/resources/store/version-folder.ts';
import { type ControlNode, openControlNode, START_MS } from '../support/control-node.ts';
import { LIMITS, openStore, pathsBelow, temporaryFolder } from '../support/resources/open-store.ts';
import { inPieces, tarBytes } from '../support/resources/tar-bytes.ts';
import { identityOf } from '../support/users.ts';

const LARGE = { ...LIMITS, archiveBytesMax: 16_777_216, extractedBytesMax: 16_777_216 };
const BIG = tarBytes([{ path: 'big.bin', content: Buffer.alloc(3 * WINDOW_BYTES, 7) }]);
const SMALL = tarBytes([{ path: 'ca.pem', content: 'small' }]);

/** Another node: its own store, reached without a network. */
interface OtherNode {
  readonly peer: ReplicaPeer;
  readonly store: ResourceStore;
  readonly directory: string;
  /** Bytes that were sent and not yet taken, at most. */
  mostUnderWay(): number;
}

async function otherNode(node: string, limits = LARGE): Promise<OtherNode> {
  const { store, directory } = await openStore({ limits });
  const receiver = new ReplicaReceiver(store, () => START_MS);
  let most = 0;
  const begin = async (offer: ReplicaOffer): Promise<ReplicaTransfer> => {
    const transfer = receiver.begin(offer);
    let credited = 0;
    return {
      ...transfer,
      credit: async () => {
        credited = await transfer.credit();
        return credited;
      },
      send: (chunk) => {
        most = Math.max(most, chunk.length);
        expect(chunk.length).toBeLessThanOrEqual(credited);
        credited -= chunk.length;
        transfer.send(chunk);
      },
    };
  };
  return { peer: { node, begin }, store, directory, mostUnderWay: () => most };
}

/** Installs an archive and gives the offer of it. */
async function installed(
  bytes: Buffer,
): Promise<{ readonly store: ResourceStore; readonly offer: ReplicaOffer }> {
  const { store } = await openStore({ limits: LARGE });
  const staged = await store.stage({ bytes: bytes.length }, inPieces(bytes, 65_536));
  await staged.install();
  return { store, offer: { ...expectedOf(staged.manifest), archiveBytes: bytes.length } };
}

describe('replication of an archive (CP-123)', () => {
  test('sends what the receiver has room for, and the receiver compares all of it', async () => {
    const { store, offer } = await installed(BIG);
    const other = await otherNode('n2');
    const folder = store.folder(offer.archiveDigest);
    expect(await sendArchive(folder, other.peer, offer)).toEqual({
      kind: 'ready',
      checksum: offer.rootChecksum,
      verifiedAtMs: START_MS,
    });
    expect(other.mostUnderWay()).toBeGreaterThan(0);
    await expect(other.store.verify(offer)).resolves.toMatchObject({ version: 1 });
    // A second time nothing is sent: the receiver has it.
    const sent: number[] = [];
    const watched: ReplicaPeer = {
      node: 'n2',
      begin: async (asked) => {
        const transfer = await other.peer.begin(asked);
        return { ...transfer, send: (chunk) => sent.push(chunk.length) };
      },
    };
    expect(await sendArchive(folder, watched, offer)).toMatchObject({ kind: 'ready' });
    expect(sent).toEqual([]);
  });

  test('gives no credit beyond its window, and ends a sender that exceeds it', async () => {
    const { offer } = await installed(BIG);
    const { store, directory } = await openStore({ limits: LARGE });
    const transfer = new ReplicaReceiver(store, () => START_MS).begin(offer);
    expect(await transfer.credit()).toBe(WINDOW_BYTES);
    transfer.send(BIG.subarray(0, WINDOW_BYTES));
    transfer.send(BIG.subarray(WINDOW_BYTES, 2 * WINDOW_BYTES + 1));
    expect(await transfer.finish()).toEqual({
      kind: 'failed',
      error: 'the sender exceeded its credit',
    });
    expect(await transfer.credit()).toBe(0);
    expect(await pathsBelow(directory)).toEqual(['objects', 'staging']);
  });

  test('keeps nothing of bytes that are not those that were offered', async () => {
    const { offer } = await installed(SMALL);
    const { store, directory } = await openStore({ limits: LARGE });
    const receiver = new ReplicaReceiver(store, () => START_MS);
    const flipped = Buffer.from(SMALL);
    flipped.writeUInt8(flipped.readUInt8(513) ^ 1, 513);
    const receive = async (asked: ReplicaOffer, bytes: Buffer) => {
      const transfer = receiver.begin(asked);
      await transfer.credit();
      transfer.send(bytes);
      return transfer.finish();
    };
    expect(await receive(offer, flipped)).toMatchObject({ kind: 'failed' });
    expect(await receive({ ...offer, rootChecksum: '0'.repeat(64) }, SMALL)).toEqual({
      kind: 'failed',
      error: 'the archive does not have its root checksum',
    });
    expect(await receive(offer, SMALL.subarray(0, 600))).toMatchObject({
      kind: 'failed',
      error: expect.stringContaining('fewer'),
    });
    expect(await pathsBelow(directory)).toEqual(['objects', 'staging']);
  });

  test('leaves nothing behind a transfer that is given up', async () => {
    const { offer } = await installed(BIG);
    const { store, directory } = await openStore({ limits: LARGE });
    const transfer = new ReplicaReceiver(store, () => START_MS).begin(offer);
    await transfer.credit();
    transfer.send(BIG.subarray(0, 4_000));
    await transfer.abort();
    expect(await pathsBelow(directory)).toEqual(['objects', 'staging']);
    expect(await transfer.credit()).toBe(0);
  });
});

interface Cluster {
  readonly node: ControlNode;
  readonly directory: string;
  readonly peers: ReplicaPeer[];
  /** How often a round waited for a node that did not answer. */
  pauses(): number;
}

async function openCluster(...peers: ReplicaPeer[]): Promise<Cluster> {
  const directory = path.join(await temporaryFolder(), 'resources');
  let pauses = 0;
  const pause = async (): Promise<void> => {
    pauses += 1;
    await new Promise((resolve) => setImmediate(resolve));
  };
  const node = await openControlNode({
    resources: { directory, limits: LARGE, peers: () => peers, pause },
  });
  await node.run('CREATE DOMAIN d;');
  await node.run('CREATE RESOURCE certs;');
  return { node, directory, peers, pauses: () => pauses };
}

function upload({ node }: Cluster, identity = 'a'): Promise<UploadReply> {
  const request = { owner: identityOf('ada'), domain: 'd', resource: 'certs', identity };
  return node.plane.upload({ ...request, bytes: SMALL.length, body: inPieces(SMALL, 700) });
}

describe('an upload is complete when every live node has it (CP-123)', () => {
  test('on all of them, with the record of each', async () => {
    const [second, third] = [await otherNode('n2'), await otherNode('n3')];
    const cluster = await openCluster(second.peer, third.peer);
    expect(await upload(cluster)).toMatchObject({ kind: 'installed', value: { version: 1 } });
    const record = cluster.node.state.resources.version('d', 'certs', 1);
    expect(record?.state).toBe('completed');
    expect(record?.replicas.map(({ node, state, source }) => [node, state, source])).toEqual([
      ['n1', 'ready', 'n1'],
      ['n2', 'ready', 'n1'],
      ['n3', 'ready', 'n1'],
    ]);
    for (const { store } of [second, third]) {
      expect(await store.has(record?.archiveDigest ?? '')).toBe(true);
    }
  });

  test('and failed for good at the first that cannot install it', async () => {
    const small = await otherNode('n2', { ...LIMITS, extractedBytesMax: 1 });
    const cluster = await openCluster(small.peer);
    const reply = await upload(cluster);
    expect(reply).toMatchObject({
      kind: 'refused',
      error: {
        code: 'INSTALLATION_FAILED',
        message:
          "resource 'certs@1' could not be installed on node 'n2': " +
          'the archive unpacks to more than 1 bytes',
        assigned_version: 1,
      },
    });
    expect(await upload(cluster)).toEqual(reply);
    const text = await cluster.node.text('DESCRIBE RESOURCE certs;');
    expect(text).toContain('versions: (none)\nlatest: (none)');
    expect(await cluster.node.text('DESCRIBE RESOURCE certs VERSION 1;')).toContain(
      '- n2 topology=unknown state=failed checksum=- verified_at=- source=n1 ' +
        'error=the archive unpacks to more than 1 bytes',
    );
  });

  test('however often a node has to be asked, and whoever joins meanwhile', async () => {
    const [second, third] = [await otherNode('n2'), await otherNode('n3')];
    const cluster = await openCluster();
    let failures = 3;
    cluster.peers.push({
      node: 'n2',
      begin: (offer) => {
        failures -= 1;
        if (failures < 0) return second.peer.begin(offer);
        if (failures === 0) cluster.peers.push(third.peer);
        return Promise.reject(new Error('no answer'));
      },
    });
    expect(await upload(cluster)).toMatchObject({ kind: 'installed' });
    expect(cluster.pauses()).toBe(3);
    const record = cluster.node.state.resources.version('d', 'certs', 1);
    expect(record?.replicas.map(({ node }) => node)).toEqual(['n1', 'n2', 'n3']);
  });

  test('does not wait for a node that is live no longer', async () => {
    const gone: ReplicaPeer = { node: 'n2', begin: () => Promise.reject(new Error('no answer')) };
    const cluster = await openCluster(gone);
    const running = upload(cluster);
    await expect.poll(cluster.pauses).toBeGreaterThan(2);
    expect(cluster.node.state.resources.version('d', 'certs', 1)?.state).toBe('published');
    // Nobody may bind it yet.
    const client =
      'CREATE CLIENT c TYPE HTTP MOUNT certs VERSION 1 ' +
      "CONFIG { 'endpoint' = 'https://h', 'timeout_ms' = '5' };";
    expect((await cluster.node.refuse(client)).message).toBe(
      "resource 'certs@1' is not a completed version in domain 'd'",
    );
    cluster.peers.length = 0;
    expect(await running).toMatchObject({ kind: 'installed', value: { version: 1 } });
    await cluster.node.run(client);
  });

  test('a stop leaves the outcome open, and the next start settles it', async () => {
    const gone: ReplicaPeer = { node: 'n2', begin: () => Promise.reject(new Error('no answer')) };
    const cluster = await openCluster(gone);
    const running = upload(cluster);
    await expect.poll(cluster.pauses).toBeGreaterThan(2);
    const closing = cluster.node.context.resources.close();
    expect(await running).toMatchObject({ kind: 'refused', error: { code: 'OUTCOME_UNKNOWN' } });
    await closing;
    const { directory } = cluster;
    const next = await cluster.node.restart({ resources: { directory, limits: LARGE } });
    await next.context.resources.idle();
    expect(next.state.resources.version('d', 'certs', 1)?.state).toBe('completed');
    expect(await upload({ ...cluster, node: next })).toMatchObject({
      value: { version: 1, origin: 'Recovered' },
    });
  });
});
