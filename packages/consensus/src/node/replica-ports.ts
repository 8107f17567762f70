import type { ConfigurationRecord, Entry } from '../raft/entry.ts';
import type { MemberId } from '../raft/member-id.ts';
import type { PeerMessage, SnapshotMeta } from '../raft/message.ts';
import type { CoreEvent, EntriesRequest, SoftState } from '../raft/output.ts';
import type { AppliedPosition, SnapshotManifest, StoreJob } from '../storage/log-storage.ts';

/**
 * A message with both ends, as the replica checks it. A transport that binds a connection to its
 * two ends once fills this in for every message; the simulation carries it along.
 */
export interface Envelope {
  readonly from: MemberId;
  readonly to: MemberId;
  /** Process epoch of the sender. */
  readonly fromEpoch: string;
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
  | { readonly kind: 'installed'; readonly applied: AppliedPosition }
  | { readonly kind: 'failed'; readonly error: unknown };

/**
 * What a replica needs done. Every call returns at once; results come back as calls of the
 * replica, never from inside of the call.
 */
export interface ReplicaPorts {
  /** Starts a turn of the store; answered by `Replica.turnEnded`. */
  startTurn(turn: StoreTurn): void;
  /** Hands a message to the network. */
  send(to: MemberId, message: PeerMessage): void;
  /** Starts the transfer of a snapshot; answered by `Replica.snapshotSent`. */
  sendSnapshot(to: MemberId, term: bigint, snapshot: SnapshotMeta): void;
  /** Reads stored entries; answered by `Replica.entriesRead`. */
  readEntries(request: EntriesRequest): void;
  /** Tells observers of a new position, role, membership or failure. */
  changed(): void;
  /** For traces, metrics and logs. */
  event(event: CoreEvent | { readonly kind: 'softState'; readonly softState: SoftState }): void;
}

/** Entries that were read for the application of what is committed. */
export type AppliedEntries = readonly Entry[];
