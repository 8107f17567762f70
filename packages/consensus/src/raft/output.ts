import type { ConfigurationRecord, Entry } from './entry.ts';
import type { HardState } from './hard-state.ts';
import type { MemberId } from './member-id.ts';
import type { SentMessage, SnapshotMeta } from './message.ts';

/** Role of a member in the protocol. */
export type Role = 'follower' | 'preCandidate' | 'candidate' | 'leader';

/** Role, term and leader hint; volatile, for observers. */
export interface SoftState {
  readonly role: Role;
  readonly term: bigint;
  /** The leader as far as this member knows; a hint that may be outdated. */
  readonly leader: MemberId | undefined;
}

/**
 * One unit of durable work. Jobs become durable in the order of `seq`, each as a whole; several
 * may share one write. The parts are carried out in the order in which they stand here.
 */
export interface CoreStoreJob {
  /** Number of the job, from 1; reported back through the input `persisted`. */
  readonly seq: bigint;
  /** Removes this entry and all behind it, with the configurations that they introduced. */
  readonly truncateFrom: bigint | undefined;
  /** Appended directly behind the newest entry. */
  readonly entries: readonly Entry[];
  /** The configurations that `entries` introduce. */
  readonly configurations: readonly ConfigurationRecord[];
  /** Present when term or vote changed, or when a newer commit index can be taken along. */
  readonly hardState: HardState | undefined;
  /**
   * The commit index that follows from this job alone becoming durable here: defined when this
   * member is the only voter. Its entries may be applied in the same write.
   */
  readonly commitOnPersist: bigint | undefined;
  /** Begin to replace state and log by this staged snapshot; answered by `installed`. */
  readonly installSnapshot: SnapshotMeta | undefined;
}

/** A message and whom it is for. */
export interface OutgoingMessage {
  readonly to: MemberId;
  readonly message: SentMessage;
}

/** A message that asserts something durable: it must not leave before job `seq` is. */
export interface GatedMessage extends OutgoingMessage {
  readonly seq: bigint;
}

/** A read whose index is known: serve it once that index is applied. */
export interface ReadState {
  /** The number given with the input `readIndex`. */
  readonly context: bigint;
  readonly index: bigint;
}

/** Why a proposal was not appended. */
export type ProposalRefusal =
  | 'notLeader'
  | 'storeFailed'
  | 'stopped'
  /** Leadership is being transferred. */
  | 'transferring'
  /** Too many bytes are appended and not committed. */
  | 'uncommittedLogFull'
  /** The command is larger than one entry may be. */
  | 'tooLarge'
  /** Another change is on its way, or no entry of the leader's own term is committed yet. */
  | 'changePending'
  /** The change makes no sense with respect to the newest configuration; see `text`. */
  | 'invalidChange';

/** Answer to one proposal: its place in the log, or why it has none. */
export type ProposalOutcome =
  | { readonly kind: 'accepted'; readonly index: bigint; readonly term: bigint }
  | {
      readonly kind: 'dropped';
      readonly reason: ProposalRefusal;
      readonly leader: MemberId | undefined;
      /** Explanation of an `invalidChange`. */
      readonly text?: string | undefined;
    };

/** Entries that the core no longer holds and needs in order to send them. */
export interface EntriesRequest {
  /** Returned with the input `entriesLoaded`. */
  readonly request: bigint;
  readonly from: bigint;
  readonly through: bigint;
  /** Bound of the payloads together; the first entry is loaded whatever its size. */
  readonly bytesMax: number;
}

/** What happened, for traces, metrics and logs. Nothing depends on it. */
export type CoreEvent =
  | { readonly kind: 'campaign'; readonly phase: 'preVote' | 'vote'; readonly term: bigint }
  | { readonly kind: 'elected'; readonly term: bigint }
  /** An attempt to become leader, or to find out whether there are votes for one, has failed. */
  | {
      readonly kind: 'campaignFailed';
      readonly phase: 'preVote' | 'vote';
      readonly term: bigint;
      readonly reason: string;
    }
  | { readonly kind: 'steppedDown'; readonly term: bigint; readonly reason: string }
  | { readonly kind: 'truncated'; readonly from: bigint }
  | { readonly kind: 'configuration'; readonly record: ConfigurationRecord }
  | { readonly kind: 'transferAborted'; readonly target: MemberId }
  | { readonly kind: 'memberLostEntries'; readonly member: MemberId; readonly match: bigint }
  /**
   * The log of another member contradicts what is committed here, or this member has lost what it
   * had confirmed up to `lostThrough`; the core has halted.
   */
  | {
      readonly kind: 'invariantViolated';
      readonly text: string;
      readonly lostThrough?: bigint | undefined;
    };

/** Everything that the core wants done after one input, in the order of the fields. */
export interface Output {
  readonly storeJob: CoreStoreJob | undefined;
  /** May leave before `storeJob` is durable. */
  readonly messagesNow: readonly OutgoingMessage[];
  readonly messagesAfter: readonly GatedMessage[];
  /** Members to which the newest snapshot must be sent. */
  readonly snapshotsTo: readonly { readonly to: MemberId; readonly snapshot: SnapshotMeta }[];
  readonly entriesRequests: readonly EntriesRequest[];
  /** The new commit index when it advanced. */
  readonly commit: bigint | undefined;
  readonly readStates: readonly ReadState[];
  /** Reads that this member cannot confirm; their callers ask again. */
  readonly readsRejected: readonly bigint[];
  /** One per payload of `propose`, or one for `proposeConfiguration` or `transferLeader`. */
  readonly proposals: readonly ProposalOutcome[];
  /** Present when role, term or leader changed. */
  readonly softState: SoftState | undefined;
  readonly events: readonly CoreEvent[];
}

/** What a step gives that wants nothing done. */
export const NO_OUTPUT: Output = {
  storeJob: undefined,
  messagesNow: [],
  messagesAfter: [],
  snapshotsTo: [],
  entriesRequests: [],
  commit: undefined,
  readStates: [],
  readsRejected: [],
  proposals: [],
  softState: undefined,
  events: [],
};
