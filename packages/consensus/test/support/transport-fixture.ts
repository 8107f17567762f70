import { randomBytes } from 'node:crypto';
import { onTestFinished } from 'vitest';
import { FIRST_LEVELS } from '../../src/raft/feature-levels.ts';
import type { MemberId } from '../../src/raft/member-id.ts';
import type { PeerMessage } from '../../src/raft/message.ts';
import type { SnapshotManifest } from '../../src/storage/log-storage.ts';
import { TcpTransport } from '../../src/transport/tcp-transport.ts';
import type {
  PeerIdentity,
  SnapshotSink,
  TransportPeer,
  TransportReceiver,
} from '../../src/transport/transport.ts';
import type { TcpTransportOptions } from '../../src/transport/transport-options.ts';

/** 16 random bytes as hexadecimal digits. */
export const newId = (): string => randomBytes(16).toString('hex');

/** Deadlines short enough for tests and long enough for a busy machine. */
export const TEST_TIMING = {
  setupMs: 3_000,
  stallMs: 1_500,
  pingMs: 100,
  backoffMinMs: 20,
  backoffMaxMs: 200,
} as const;

/** Resolves once `isMet` holds; rejects when it does not within `limitMs`. */
export async function until(
  isMet: () => boolean,
  what = 'the condition',
  limitMs = 8_000,
): Promise<void> {
  const deadline = performance.now() + limitMs;
  while (!isMet()) {
    if (performance.now() > deadline) throw new Error(`${what} did not come about in time`);
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
}

/** A heartbeat of a term. */
export const heartbeat = (term: bigint): PeerMessage => ({
  kind: 'heartbeat',
  term,
  commit: 0n,
  read: undefined,
});

/** An append with one entry of so many bytes. */
export const append = (batch: bigint, bytes = 10, generation = 1n): PeerMessage => ({
  kind: 'append',
  term: 1n,
  prevIndex: batch - 1n,
  prevTerm: 1n,
  prevChain: new Uint8Array(16),
  commit: 0n,
  entries: [{ term: 1n, kind: 'normal', payload: new Uint8Array(bytes).fill(Number(batch) % 256) }],
  generation,
  batch,
});

/** A message that was received. */
export interface Received {
  readonly from: MemberId;
  readonly message: PeerMessage;
  readonly clusterUid: string | undefined;
}

/** A process with a transport that notes all it is told. */
export class TestProcess implements TransportReceiver {
  readonly transport: TcpTransport;
  readonly received: Received[] = [];
  readonly lost: MemberId[] = [];
  readonly met: PeerIdentity[] = [];
  readonly refusals: { readonly peer: Partial<PeerIdentity>; readonly reason: string }[] = [];
  identity: PeerIdentity;
  /** Called with each message after it was noted. */
  react: (from: MemberId, message: PeerMessage) => void = () => undefined;
  sink: (term: bigint, manifest: SnapshotManifest) => SnapshotSink | undefined = () => undefined;

  constructor(identity: PeerIdentity, options: Partial<TcpTransportOptions>) {
    this.identity = identity;
    this.transport = new TcpTransport({
      listen: '127.0.0.1:0',
      tls: 'plaintext',
      ...options,
      timing: { ...TEST_TIMING, ...options.timing },
    });
  }

  /** Starts one that is closed when the running test ends. */
  static async start(
    nodeId: string,
    options: Partial<TcpTransportOptions> & { readonly identity?: Partial<PeerIdentity> } = {},
  ): Promise<TestProcess> {
    const { identity, ...rest } = options;
    const process = new TestProcess(
      {
        clusterId: 'test',
        clusterUid: undefined,
        nodeId,
        storeId: newId(),
        epoch: newId(),
        incarnation: 1n,
        endpoint: '',
        levels: FIRST_LEVELS,
        level: undefined,
        ...identity,
      },
      rest,
    );
    onTestFinished(() => process.transport.close());
    const endpoint = await process.transport.listen();
    if (process.identity.endpoint === '') process.identity = { ...process.identity, endpoint };
    process.transport.start(() => process.identity, process);
    return process;
  }

  get id(): MemberId {
    return { nodeId: this.identity.nodeId, storeId: this.identity.storeId };
  }

  get peer(): TransportPeer {
    return { ...this.id, endpoint: this.transport.endpoint };
  }

  /** The messages that came from a process, in order. */
  from(other: TestProcess): PeerMessage[] {
    return this.received
      .filter((it) => it.from.storeId === other.id.storeId)
      .map((it) => it.message);
  }

  count(counter: Parameters<TcpTransport['counters']['get']>[0]): number {
    return this.transport.counters.get(counter) ?? 0;
  }

  message(from: MemberId, message: PeerMessage, clusterUid: string | undefined): void {
    this.received.push({ from, message, clusterUid });
    this.react(from, message);
  }

  unreachable(peer: MemberId): void {
    this.lost.push(peer);
  }

  connected(peer: PeerIdentity): void {
    this.met.push(peer);
  }

  refused(peer: Partial<PeerIdentity>, reason: string): void {
    this.refusals.push({ peer, reason });
  }

  snapshot(_from: MemberId, term: bigint, manifest: SnapshotManifest): SnapshotSink | undefined {
    return this.sink(term, manifest);
  }
}

/** Makes both peers of each other and waits for all four connections. */
export async function join(...processes: readonly TestProcess[]): Promise<void> {
  const peers = processes.map((it) => it.peer);
  for (const process of processes) process.transport.setPeers(peers);
  for (const process of processes) {
    for (const other of processes) {
      if (other === process) continue;
      await until(
        () => process.transport.isReachable(other.id),
        `the connections from ${process.id.nodeId} to ${other.id.nodeId}`,
      );
    }
  }
}
