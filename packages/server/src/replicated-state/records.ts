import type {
  AlterDomainStatement,
  AlterModelStatement,
  Model,
  PlacementPolicy,
  Statement,
} from '@nervix/model';
import type { ErrorCode, WireDiagnostic } from '@nervix/protocol';
import type { ScheduleEntry } from '@nervix/scheduler';

export interface UserRecord {
  readonly kind: 'user';
  readonly name: string;
  /** Argon2id hash with its parameters and salt; the password itself is never stored. */
  readonly passwordHash: string;
}

export interface DomainRecord {
  readonly kind: 'domain';
  readonly name: string;
  readonly placement: PlacementPolicy;
  readonly status: 'stopped' | 'running';
  /** Counts the domain's starts; 0 before the first. */
  readonly generation: number;
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
  | { readonly kind: 'completed'; readonly message: string; readonly alreadyExisted: boolean }
  | {
      readonly kind: 'failed';
      readonly code: ErrorCode;
      readonly message: string;
      readonly diagnostics: readonly WireDiagnostic[];
    };

export interface ReferenceRecord {
  readonly kind: 'reference';
  readonly id: string;
  readonly owner: string;
  readonly domain: string | null;
  readonly transaction: string | null;
  readonly position: number | null;
  /** Digest of the statement, so that a reference cannot be reused for other content. */
  readonly digest: string;
  readonly outcome: RecordedOutcome;
  /** Unix milliseconds of the leader that recorded it. */
  readonly recordedAtMs: number;
}

export type TransactionStateName =
  | 'OPEN'
  | 'COMMITTING'
  | 'COMMITTED'
  | 'FAILED'
  | 'REVERTED'
  | 'EXPIRED';

/** `ALTER PLACEMENT`. */
export type AlterPlacementStatement = Extract<AlterModelStatement, { modelKind: 'placement' }>;

/** `ALTER DOMAIN SET PLACEMENT`. */
export interface SetDomainPlacementStatement extends AlterDomainStatement {
  readonly setting: Extract<AlterDomainStatement['setting'], { kind: 'placement' }>;
}

/** Statements that change the models of a domain. */
export type ModelStatement =
  | Extract<Statement, { kind: 'create_model' | 'drop_model' }>
  | AlterPlacementStatement;

/** Statements that a transaction queues. */
export type QueuedStatement =
  | ModelStatement
  | SetDomainPlacementStatement
  | Extract<Statement, { kind: 'start' | 'stop' }>;

export interface TransactionOperation {
  /** As submitted; only for display. */
  readonly text: string;
  readonly statement: QueuedStatement;
  /** Reference of the append, so that its exact repetition is recognised. */
  readonly reference: string;
  readonly message: string;
  readonly alreadyExisted: boolean;
}

/** One step of a commit: operations that are applied together, as one-based numbers. */
export interface CommitStep {
  readonly kind: 'models' | 'placement' | 'start' | 'stop';
  readonly first: number;
  readonly last: number;
}

/** Why a transaction failed. */
export interface TransactionFault {
  /** One-based number. */
  readonly operation: number;
  readonly message: string;
  /** Absent in records of releases that knew one code only. */
  readonly code?: ErrorCode;
  readonly diagnostics?: readonly WireDiagnostic[];
}

export interface TransactionRecord {
  readonly kind: 'transaction';
  readonly id: string;
  readonly owner: string;
  readonly domain: string;
  readonly state: TransactionStateName;
  /** Accepted and not yet applied, in order; the last one has the number `accepted`. */
  readonly operations: readonly TransactionOperation[];
  readonly sourceBytes: number;
  /** Accepted operations; survives finishing, which clears `operations`. */
  readonly accepted: number;
  readonly applied: number;
  /** Frozen when the commit is admitted; empty before. */
  readonly steps: readonly CommitStep[];
  readonly completedSteps: number;
  readonly quiesceLevel: 'DYNAMIC' | 'ENTITY_PAUSE' | 'DOMAIN_PAUSE' | null;
  readonly error: TransactionFault | null;
  readonly createdAtMs: number;
  readonly activeAtMs: number;
  /** Unix milliseconds; inclusive. */
  readonly deadlineMs: number;
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
  | ReferenceRecord
  | TransactionRecord
  | LatestBeginRecord
  | HistoryRecord;
