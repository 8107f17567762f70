import type { ConfigurationRecord } from '../raft/entry.ts';
import type { MemberId } from '../raft/member-id.ts';
import type { PeerMessage, SnapshotMeta } from '../raft/message.ts';
import type { CoreEvent, EntriesRequest, SoftState } from '../raft/output.ts';
import type {
  AppliedPosition,
  LogBounds,
  SnapshotManifest,
  StoreJob,
} from '../storage/log-storage.ts';

/**
 * A message with both ends, as the replica checks it. A transport that binds a connection to its
 * two ends once fills this in for every message; the simulation carries it along.
 */
export interface Envelope {
  readonly from: MemberId;
  readonly to: MemberId;
  /** `undefined` while the sender belongs to no cluster. */
  readonly clusterUid: string | undefined;
  readonly message: PeerMessage;
}

/** Durable work that takes one turn of the store. Turns never overlap. */
export type StoreTurn =
  | { readonly kind: 'job'; readonly job: StoreJob }
  /** Begin or continue the snapshot of the durable records. */
  | { readonly kind: 'snapshotStep'; readonly configuration: ConfigurationRecord }
  /** Make the next received section durable; the shell holds its bytes. */
  | { readonly kind: 'receiveStep' }
  /** Begin or continue to install the received snapshot. */
  | { readonly kind: 'installStep'; readonly snapshot: SnapshotMeta };

/** What became of a turn. */
export type StoreTurnResult =
  | { readonly kind: 'done' }
  | { readonly kind: 'snapshotComplete'; readonly manifest: SnapshotManifest }
  /** State and log were replaced; the state machine has taken over the new records. */
  | {
      readonly kind: 'installed';
      readonly applied: AppliedPosition;
      /** The active snapshot from now on. */
      readonly manifest: SnapshotManifest;
    }
  | { readonly kind: 'failed'; readonly error: unknown };

/** What the replica looks up in the store between two turns. */
export interface StoreView {
  /** The durable bounds of the log. */
  readonly bounds: LogBounds;
  /** See `LogStorage.indexBehind`. */
  indexBehind(entriesKept: number, bytesKept: number): bigint;
  /** Digest of the durable records as hexadecimal digits. */
  stateDigest(): string;
}

/** What happened, for traces, metrics and logs. Nothing depends on it. */
export type ReplicaEvent =
  | CoreEvent
  | { readonly kind: 'softState'; readonly softState: SoftState }
  /** A message was meant for another store of this node. */
  | { readonly kind: 'storeMismatch'; readonly from: MemberId }
  /** A message came from a cluster of another foundation. */
  | { readonly kind: 'clusterMismatch'; readonly from: MemberId }
  /** The records of a member differ from those of most others at the same index. */
  | { readonly kind: 'stateDivergence'; readonly member: MemberId; readonly index: bigint }
  /** A write takes so long that it may never return; `ticks` is how long it has taken. */
  | { readonly kind: 'writeStalled'; readonly ticks: number }
  | { readonly kind: 'writeResumed'; readonly ticks: number }
  /** `damaged` when a section could not be read whole; another snapshot is then made. */
  | {
      readonly kind: 'snapshot';
      readonly phase: 'begun' | 'complete' | 'damaged' | 'installed';
    }
  | { readonly kind: 'purged'; readonly through: bigint };

/**
 * What a replica needs done. Every call returns at once; results come back as calls of the
 * replica, never from inside of the call.
 */
export interface ReplicaPorts {
  readonly store: StoreView;
  /** Starts a turn of the store; answered by `Replica.turnEnded`. */
  startTurn(turn: StoreTurn): void;
  /** Milliseconds of a monotonic clock, to measure by; nothing that must hold depends on it. */
  nowMs(): number;
  /**
   * Asks for `Replica.wake` once a few milliseconds have passed without another call; the next tick
   * does as well.
   */
  wakeSoon(): void;
  /**
   * Asks for `Replica.gathered` when what was just answered has had time to be followed; a tick is
   * too late. Without it, no command is kept back.
   */
  readonly gatherSoon: (() => void) | undefined;
  /** Hands a message to the network. */
  send(to: MemberId, message: PeerMessage): void;
  /** Starts the transfer of a snapshot; answered by `Replica.snapshotSent`. */
  sendSnapshot(to: MemberId, term: bigint, snapshot: SnapshotMeta): void;
  /** Reads stored entries to be sent; answered by `Replica.entriesRead`. */
  readEntries(request: EntriesRequest): void;
  /** Reads stored entries to be applied; answered by `Replica.committedRead`. */
  readCommitted(from: bigint, through: bigint): void;
  /** Tells observers of a new position, role, membership or failure. */
  changed(): void;
  event(event: ReplicaEvent): void;
}
