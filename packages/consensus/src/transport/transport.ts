import type { LeveledProcess } from '../raft/feature-levels.ts';
import type { MemberId } from '../raft/member-id.ts';
import type { PeerMessage } from '../raft/message.ts';
import type { SnapshotManifest } from '../storage/log-storage.ts';

/** Who a process is, told to the other end of every connection before anything else. */
export interface PeerIdentity extends MemberId, LeveledProcess {
  readonly clusterId: string;
  /** `undefined` for a store that belongs to no cluster yet. */
  readonly clusterUid: string | undefined;
  /** Process epoch: 16 bytes as 32 lower-case hexadecimal digits, new with every process. */
  readonly epoch: string;
  /** Process run of the node; only ever grows. */
  readonly incarnation: bigint;
  /** `host:port` at which this process is reached. */
  readonly endpoint: string;
}

/** A member and where it is. */
export interface TransportPeer extends MemberId {
  readonly endpoint: string;
}

/** A snapshot on its way to another member. */
export interface OutgoingSnapshot {
  /** Term of the leader that sends it. */
  readonly term: bigint;
  readonly manifest: SnapshotManifest;
  readonly section: (section: number) => Promise<Uint8Array>;
}

/** What became of asking who is at an endpoint. */
export type ContactAnswer =
  | { readonly kind: 'introduced'; readonly peer: PeerIdentity }
  /** One side refuses the other; `reason` names the remedy and no secret. */
  | { readonly kind: 'refused'; readonly reason: string }
  /** Nobody answers there in time. */
  | { readonly kind: 'silent' };

/** Takes in a snapshot section by section. */
export interface SnapshotSink {
  /** Resolves when the section is durable; rejects when it is refused. */
  section(bytes: Uint8Array): Promise<void>;
  /** All sections have arrived. Resolves once the snapshot is handed to the protocol. */
  finish(): Promise<void>;
  /** The transfer ended early. */
  abandon(): void;
}

/** What the transport tells its owner. Calls are synchronous and in order for each connection. */
export interface TransportReceiver {
  message(from: MemberId, message: PeerMessage, clusterUid: string | undefined): void;
  /** The append stream to this member ended or stalled; what was sent may be lost. */
  unreachable(peer: MemberId): void;
  /** A connection with this process was established, whichever side opened it. */
  connected(peer: PeerIdentity): void;
  /** A process was refused; for logs and status. `reason` names no secret. */
  refused(peer: Partial<PeerIdentity>, reason: string): void;
  /** A transfer begins; `undefined` refuses it. A newer one of the same sender supersedes it. */
  snapshot(from: MemberId, term: bigint, manifest: SnapshotManifest): SnapshotSink | undefined;
}

/**
 * Carries messages between members. Best effort: a message may be lost, but messages of one class
 * to one member never overtake each other, and one of an earlier process of either end is never
 * delivered. All queues are bounded.
 */
export interface Transport {
  /** `host:port` at which others reach this process; known once it listens. */
  readonly endpoint: string;
  /** Begins to listen without serving anyone yet. Resolves with {@link endpoint}. */
  listen(): Promise<string>;
  /**
   * Asks, between {@link listen} and {@link start}, who is at an endpoint. Rejects only when nobody
   * would accept this process.
   */
  ask(endpoint: string, own: PeerIdentity): Promise<ContactAnswer>;
  /** Begins to serve connections and to make them. Called once, after {@link listen}. */
  start(identity: () => PeerIdentity, receiver: TransportReceiver): void;
  /** The processes with which a connection is established now. */
  connectedPeers(): readonly PeerIdentity[];
  /** Replaces the members to which connections are kept. */
  setPeers(peers: readonly TransportPeer[]): void;
  /** Endpoints to be dialled although no member is known there, by a process that wants to join. */
  setContacts(endpoints: readonly string[]): void;
  /**
   * Queues a message; drops it when the member is not connected, its queue is full or the message
   * has no encoding. Never throws for any of these.
   */
  send(to: MemberId, message: PeerMessage): void;
  /** Sends a snapshot; resolves with whether the member took it. */
  sendSnapshot(to: MemberId, snapshot: OutgoingSnapshot): Promise<boolean>;
  /** Bytes and messages queued, by member key and class; for metrics. */
  queues(): ReadonlyMap<string, { readonly messages: number; readonly bytes: number }>;
  close(): Promise<void>;
}
