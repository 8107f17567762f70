import type { MemberChange } from './configuration.ts';
import type { Entry, LogPosition } from './entry.ts';
import type { MemberId } from './member-id.ts';
import type { Message, SnapshotMeta } from './message.ts';

/** Everything that can happen to the core. One input is one call of `step`. */
export type Input =
  /** A tenth of the heartbeat interval has passed, or less than it should have. */
  | { readonly kind: 'tick' }
  /** A message whose sender the transport has authenticated. */
  | { readonly kind: 'message'; readonly from: MemberId; readonly message: Message }
  /** Commands in order. Each has one result, in the same order. Payloads are not copied. */
  | { readonly kind: 'propose'; readonly payloads: readonly Uint8Array[] }
  | { readonly kind: 'proposeConfiguration'; readonly changes: readonly MemberChange[] }
  /** Asks for the index of a linearizable read; contexts of one process are distinct. */
  | { readonly kind: 'readIndex'; readonly context: bigint }
  /** Tell followers the commit index that have not been told yet and have no append on its way. */
  | { readonly kind: 'announceCommit' }
  | { readonly kind: 'transferLeader'; readonly target: MemberId }
  /** Begin an election now, for tests and for the only voter of a cluster. */
  | { readonly kind: 'campaign' }
  /** The store job `seq`, and with it every job before, is durable. */
  | { readonly kind: 'persisted'; readonly seq: bigint }
  /** The effects of all entries up to `index` are durable. */
  | { readonly kind: 'applied'; readonly index: bigint }
  /** A complete snapshot may be sent to members that need entries which are no longer there. */
  | { readonly kind: 'snapshotAvailable'; readonly snapshot: SnapshotMeta }
  /** Answer of an `EntriesRequest`; empty when the entries are gone. */
  | {
      readonly kind: 'entriesLoaded';
      readonly request: bigint;
      readonly entries: readonly Entry[];
    }
  /** The snapshot replaced state and log of this member durably. */
  | { readonly kind: 'installed'; readonly snapshot: SnapshotMeta }
  /** The entries up to here have left the log. */
  | { readonly kind: 'purged'; readonly through: LogPosition }
  /** The stream of appends to this member ended, or nothing reaches it. */
  | { readonly kind: 'peerUnreachable'; readonly peer: MemberId }
  /** The transfer of a snapshot to this member ended. */
  | { readonly kind: 'snapshotResult'; readonly peer: MemberId; readonly ok: boolean }
  /** A write has taken so long that it may never return: another member should lead. */
  | { readonly kind: 'storeStalled' }
  /** The write that took so long is durable after all. */
  | { readonly kind: 'storeResumed' }
  /** A write failed: nothing more is stored, and nothing that asserts durability is sent. */
  | { readonly kind: 'storeFailed' }
  | { readonly kind: 'stop' };
