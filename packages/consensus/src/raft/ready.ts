import type { Entry } from './entry.ts';
import type { HardState } from './hard-state.ts';
import type { MemberId } from './member-id.ts';

/** Role of a member in the protocol. */
export type Role = 'follower' | 'preCandidate' | 'candidate' | 'leader';

/** Role, term and leader hint; volatile, for observers. */
export interface SoftState {
  readonly role: Role;
  readonly term: bigint;
  /** The leader as far as this member knows; a hint that may be outdated. */
  readonly leader: MemberId | undefined;
}

/** One unit of durable work. Jobs are written in the order of `seq`, each as a whole. */
export interface CoreStoreJob {
  /** Number of the job, from 1; reported back through `persisted`. */
  readonly seq: bigint;
  /** Present when it differs from the one in the job before. */
  readonly hardState: HardState | undefined;
  /** Appended directly behind the newest entry of the job before. */
  readonly entries: readonly Entry[];
  /**
   * The commit index that follows from this job alone becoming durable here. It is defined when
   * no other member has a say, and then entries up to it may be applied in the same write.
   */
  readonly commitOnPersist: bigint | undefined;
}

/** A read whose index is known: serve it once `applied >= index`. */
export interface ReadState {
  /** The number the caller gave to `readIndex`. */
  readonly context: bigint;
  readonly index: bigint;
}

/**
 * Everything the core wants done. The caller writes `storeJob` first, then serves the rest.
 */
export interface Ready {
  readonly storeJob: CoreStoreJob | undefined;
  /** Entries up to here are committed and may be applied. */
  readonly commit: bigint;
  /** Reads that may be served now. */
  readonly readStates: readonly ReadState[];
  /** Contexts of reads that this member cannot confirm; their callers ask again elsewhere. */
  readonly readsRejected: readonly bigint[];
  /** Present when role, term or leader changed since the last one. */
  readonly softState: SoftState | undefined;
}

/** Answer to a proposal: its place in the log, or why it has none. */
export type ProposalOutcome =
  | { readonly kind: 'accepted'; readonly entry: Entry }
  | {
      readonly kind: 'dropped';
      readonly reason: 'notLeader' | 'storeFailed' | 'stopped';
      readonly leader: MemberId | undefined;
    };
