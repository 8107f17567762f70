import type { Model, PlacementPolicy } from '@nervix/model';
import type { QueueableStatement } from '@nervix/planner';
import type {
  ErrorCode,
  ReferenceConflict,
  StalePreview,
  TransactionAdmission,
  WireDiagnostic,
} from '@nervix/protocol';
import type { ScheduleEntry } from '@nervix/scheduler';
import type { ResourceStateRecord } from './resource-records.js';
import type { SecretStateRecord } from './secret-records.js';
import type { UserIdentity } from './user-identity.js';

export interface UserRecord {
  readonly kind: 'user';
  readonly name: string;
  /** Reference of the command that created it; tells users of one name apart. */
  readonly incarnation: string;
  /** Argon2id hash with its parameters and salt; the password itself is never stored. */
  readonly passwordHash: string;
}

/** Where logical time of a domain began. */
export interface StartPoint {
  /** Whether a clock that stood was to go on, or the domain was given an instant. */
  readonly kind: 'resume' | 'instant';
  /** In milliseconds since 1970 UTC; of NOW it is the moment at which the START was admitted. */
  readonly atMs: number;
  /** How fast it runs: logical by physical time. */
  readonly timeRate: number;
}

export interface DomainRecord {
  readonly kind: 'domain';
  readonly name: string;
  readonly placement: PlacementPolicy;
  readonly status: 'stopped' | 'running';
  /** Counts the domain's starts; 0 before the first. */
  readonly generation: number;
  /** The last of these starts; null before the first. */
  readonly lastStart: StartPoint | null;
  /** Who holds the running domain, by transaction or reference; absent while nobody does. */
  readonly pausedBy?: string;
}

/** Who decided a schedule, and from what. */
export interface ScheduleBasis {
  /** Name of the leader that published it. */
  readonly leader: string;
  /** Raft term of that leader, in decimal text. */
  readonly term: string;
  /** Applied revision of the domain that it was computed from. */
  readonly revision: number;
}

/** The decision behind the schedule in force of a domain; {@link AssignmentRecord}s hold the rest. */
export interface ScheduleRecord {
  readonly kind: 'schedule';
  readonly domain: string;
  readonly basis: ScheduleBasis;
}

/** Where the schedule in force runs one graph node. */
export interface AssignmentRecord {
  readonly kind: 'assignment';
  readonly domain: string;
  readonly entry: ScheduleEntry;
}

/** A node, by its stable name, that is given nothing new. */
export interface CordonRecord {
  readonly kind: 'cordon';
  readonly node: string;
}

export interface ModelRecord {
  readonly kind: 'model';
  readonly domain: string;
  readonly model: Model;
}

/** The definite result of a command, as it is given to every repetition of its reference. */
export type RecordedOutcome =
  | {
      readonly kind: 'completed';
      readonly message: string;
      readonly alreadyExisted: boolean;
      /** Of an append: what it was accepted as. */
      readonly admission?: TransactionAdmission;
      /** Remarks on what was done all the same. */
      readonly remarks?: readonly WireDiagnostic[];
    }
  | {
      readonly kind: 'failed';
      readonly code: ErrorCode;
      readonly message: string;
      readonly diagnostics: readonly WireDiagnostic[];
      /** Of what is unknown only because it has not come to its end. */
      readonly isUnderWay?: boolean;
      /** Of a COMMIT whose preview no longer holds. */
      readonly stale?: StalePreview;
      /** Of a reference that stands for another command. */
      readonly conflict?: ReferenceConflict;
    };

export interface ReferenceRecord {
  readonly kind: 'reference';
  readonly id: string;
  readonly owner: UserIdentity;
  readonly domain: string | null;
  readonly transaction: string | null;
  readonly position: number | null;
  /** Digest of the statement, so that a reference cannot be reused for other content. */
  readonly digest: string;
  readonly outcome: RecordedOutcome;
  /** Unix milliseconds of the leader that recorded it. */
  readonly recordedAtMs: number;
}

/** Who alone may change a domain. */
export type LeaseOwner =
  | { readonly kind: 'command'; readonly reference: string }
  | { readonly kind: 'transaction'; readonly id: string };

/** The state of WASM guests that begins anew, as the schedule in force says. */
export interface GuestReset {
  readonly domain: string;
  readonly processor: string;
  /** Generation of the state that the instances begin with; of higher ones nothing exists yet. */
  readonly generation: number;
  /** Fingerprints of the branches whose instances they are; null of all instances. */
  readonly branches: readonly string[] | null;
}

/**
 * The right to change a domain, from the write that takes it to that of its owner's outcome. Fences
 * compare its revision: whoever holds none, or another one, writes nothing.
 */
export interface LeaseRecord {
  readonly kind: 'lease';
  readonly domain: string;
  readonly owner: LeaseOwner;
}

export type TransactionStateName =
  | 'OPEN'
  | 'COMMITTING'
  | 'COMMITTED'
  | 'FAILED'
  | 'REVERTED'
  | 'EXPIRED';

/** A statement that an open transaction accepted. It goes with the state in which it was accepted. */
export interface OperationRecord {
  readonly kind: 'operation';
  readonly transaction: string;
  /** Place in the transaction, from 1. */
  readonly number: number;
  /** As submitted, without secrets; only for display. */
  readonly text: string;
  readonly statement: QueueableStatement;
  /** Reference of the append, so that its exact repetition is recognised. */
  readonly reference: string;
  readonly message: string;
  readonly alreadyExisted: boolean;
}

/** Digests of the {@link ContentRecord}s that make up a stored value, in order. */
export type ContentReference = readonly string[];

/** The latest preview of a transaction: what its next commit has to match. */
export interface StoredPreview {
  /** Number of accepted operations. */
  readonly position: number;
  /** Fingerprint of the inputs that it was planned from, 64 lower-case hexadecimal digits. */
  readonly basis: string;
  readonly report: ContentReference;
  /** The graphs that the report refers to. */
  readonly graphs: ContentReference;
}

/** One pause that a step asked for, and what became of it, in order. */
export interface EngagementAttempt {
  /** The planned pause of the step, or the whole domain where that cannot be had. */
  readonly scope: 'PLANNED' | 'DOMAIN';
  readonly level: 'ENTITY_PAUSE' | 'DOMAIN_PAUSE';
  readonly outcomes: readonly EngagementOutcome[];
}

export interface EngagementOutcome {
  readonly kind: 'REQUESTED' | 'CONFIRMED' | 'FAILED' | 'UNCERTAIN' | 'RELEASED';
  readonly message?: string;
}

/** One step of a commit: operations that are applied together, as one-based numbers. */
export interface CommitStep {
  readonly first: number;
  readonly last: number;
  /** `APPLYING` once its effect is durable, until that is usable. */
  readonly outcome: 'UNATTEMPTED' | 'APPLYING' | 'APPLIED' | 'FAILED';
  readonly attempts: readonly EngagementAttempt[];
  /** Whether its effect is in force; a failed step may have kept it. */
  readonly hasEffect: boolean;
  /** Owners that it moves by plan. */
  readonly relocations: number;
  /** Versions that `LATEST` stands for, as results tell them. */
  readonly resolved: readonly string[];
  /** Why its effect was taken back, as long as not everybody has followed. */
  readonly withdrawn?: string;
}

/** What the commit of a transaction was admitted with, and how far it came. */
export interface CommitProgress {
  /** The frozen decisions; nothing of them is made again. */
  readonly plan: ContentReference;
  readonly steps: readonly CommitStep[];
}

/** Why a transaction failed. */
export interface TransactionFault {
  /** One-based number. */
  readonly operation: number;
  readonly message: string;
  readonly code: ErrorCode;
  readonly diagnostics: readonly WireDiagnostic[];
}

export interface TransactionRecord {
  readonly kind: 'transaction';
  readonly id: string;
  readonly owner: UserIdentity;
  readonly domain: string;
  readonly state: TransactionStateName;
  readonly sourceBytes: number;
  /**
   * Accepted operations. While it is open there is an {@link OperationRecord} of each; its plan holds
   * what they come to afterwards.
   */
  readonly accepted: number;
  readonly applied: number;
  /** Null before the first append. */
  readonly preview: StoredPreview | null;
  /** Null before a commit is admitted. */
  readonly progress: CommitProgress | null;
  readonly error: TransactionFault | null;
  readonly createdAtMs: number;
  readonly activeAtMs: number;
  /** Unix milliseconds; inclusive. */
  readonly deadlineMs: number;
}

/** An attempt of a command that came to nothing, because what it was planned from changed. */
export interface SpentAttempt {
  readonly reason: string;
  /** What was held for it. */
  readonly engagements: readonly EngagementAttempt[];
}

/**
 * A command that changes a domain by itself, as a transaction of one statement that nobody sees. It
 * is stored from the first write that somebody has to go on behind to the write of the outcome.
 */
export interface ExecutionRecord {
  readonly kind: 'execution';
  /** What the reference stands for; the outcome is written with it. */
  readonly reference: Omit<ReferenceRecord, 'outcome' | 'recordedAtMs'>;
  readonly domain: string;
  /** The statement and its text, from which further attempts are planned. */
  readonly statement: ContentReference;
  /** In order; their number counts against the bound of attempts. */
  readonly spent: readonly SpentAttempt[];
  /** The attempt that is under way; null before the next one is stored. */
  readonly progress: CommitProgress | null;
}

/** A bounded piece of what a transaction or a command keeps beside its record, named by what it holds. */
export interface ContentRecord {
  readonly kind: 'content';
  /** Id of the transaction, or reference of the command. */
  readonly transaction: string;
  /** SHA-256 of the bytes, 64 lower-case hexadecimal digits. */
  readonly digest: string;
  readonly bytes: Uint8Array;
}

/** The last transaction that a domain began: what is read before a BEGIN is fenced with it. */
export interface LatestBeginRecord {
  readonly kind: 'latest_begin';
  readonly domain: string;
  readonly transaction: string;
}

/** Bounds of the execution history. */
export interface HistoryRecord {
  readonly kind: 'history';
  /** References made at or before this instant (Unix milliseconds) are never admitted again. */
  readonly retryFenceMs: number;
}

export type StateRecord =
  | UserRecord
  | DomainRecord
  | ModelRecord
  | ScheduleRecord
  | AssignmentRecord
  | CordonRecord
  | LeaseRecord
  | ReferenceRecord
  | TransactionRecord
  | ExecutionRecord
  | OperationRecord
  | LatestBeginRecord
  | ContentRecord
  | ResourceStateRecord
  | SecretStateRecord
  | HistoryRecord;
