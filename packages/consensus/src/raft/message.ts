import type { Configuration } from './configuration.ts';
import type { ChainedPosition, EntryBody } from './entry.ts';

/** Names one asker of a read across restarts: a counter alone would repeat itself. */
export interface ReadContext {
  /** Process epoch of the asker: 16 bytes as 32 lower-case hexadecimal digits. */
  readonly epoch: string;
  readonly context: bigint;
}

/** A snapshot as the protocol knows it: a position, and who the members were at that position. */
export interface SnapshotMeta extends ChainedPosition {
  /** Number of the generation in the store that holds it. */
  readonly generation: bigint;
  /** The configuration in force at `index`, never a newer one. */
  readonly configuration: Configuration;
  /** Index of the entry that introduced `configuration`. */
  readonly configurationIndex: bigint;
}

/** What one member tells another. Every message is complete when it is created. */
export type Message =
  | {
      readonly kind: 'preVote' | 'vote';
      /** Term the sender wants to be elected in; a pre-vote does not enter it. */
      readonly term: bigint;
      readonly lastIndex: bigint;
      readonly lastTerm: bigint;
      /** The present leader asked for this election. */
      readonly transfer: boolean;
    }
  | {
      readonly kind: 'preVoteResponse' | 'voteResponse';
      /** The proposed term of a granted pre-vote; otherwise the sender's own term. */
      readonly term: bigint;
      readonly granted: boolean;
    }
  | {
      readonly kind: 'append';
      readonly term: bigint;
      readonly prevIndex: bigint;
      readonly prevTerm: bigint;
      readonly prevChain: Uint8Array;
      readonly commit: bigint;
      readonly entries: readonly EntryBody[];
      /** Number of the stream of appends to this follower, and of the batch in it, from 1. */
      readonly generation: bigint;
      readonly batch: bigint;
    }
  | {
      readonly kind: 'appendAccepted';
      readonly term: bigint;
      readonly match: bigint;
      readonly generation: bigint;
      readonly batch: bigint;
    }
  | {
      readonly kind: 'appendRejected';
      readonly term: bigint;
      /** `prevIndex` of the append that does not fit. */
      readonly rejectIndex: bigint;
      readonly hintIndex: bigint;
      readonly hintTerm: bigint;
      readonly generation: bigint;
      readonly batch: bigint;
    }
  | {
      readonly kind: 'heartbeat';
      readonly term: bigint;
      /** Cut to what the receiver is known to have. */
      readonly commit: bigint;
      readonly read: ReadContext | undefined;
    }
  | {
      readonly kind: 'heartbeatResponse';
      readonly term: bigint;
      readonly read: ReadContext | undefined;
    }
  /** Answer to an append, heartbeat or snapshot of a lower term. */
  | { readonly kind: 'termNotice'; readonly term: bigint }
  | { readonly kind: 'readIndex'; readonly term: bigint; readonly read: ReadContext }
  | {
      readonly kind: 'readIndexResponse';
      readonly term: bigint;
      readonly read: ReadContext;
      /** `undefined` when refused. */
      readonly index: bigint | undefined;
    }
  | { readonly kind: 'timeoutNow'; readonly term: bigint }
  /** A snapshot whose records the receiver already holds, verified, in its staging area. */
  | { readonly kind: 'snapshot'; readonly term: bigint; readonly snapshot: SnapshotMeta }
  /** The leader tells a member that it lost entries which it had confirmed. */
  | { readonly kind: 'storeLost'; readonly term: bigint; readonly match: bigint };

/** What travels as it is; a snapshot is told of only where its records have arrived. */
export type SentMessage = Exclude<Message, { readonly kind: 'snapshot' }>;

/**
 * What members tell each other beside the protocol, between their drivers. The core never sees
 * these.
 */
export type DriverMessage =
  /** Digest of the sender's records right after the entry at `index`, in hexadecimal digits. */
  | { readonly kind: 'stateDigest'; readonly index: bigint; readonly digest: string }
  /** Whether the sender's disk has room; sent on change and now and then. */
  | { readonly kind: 'storageStatus'; readonly isLow: boolean };

/** Everything that travels between two members, snapshots aside. */
export type PeerMessage = SentMessage | DriverMessage;

/** The names of all of them. */
export type MessageKind = PeerMessage['kind'];
