import type { Entry, LogPosition } from '../raft/entry.ts';
import type { HardState } from '../raft/hard-state.ts';

/** Whose store this is. Fixed when the store is created and checked at every open. */
export interface StoreIdentity {
  readonly clusterId: string;
  readonly nodeId: string;
  /** 16 random bytes as 32 lower-case hexadecimal digits, drawn when the store is created. */
  readonly storeId: string;
}

/** How far the state machine's records are durable. */
export interface AppliedPosition extends LogPosition {
  /** Number of applied entries that changed at least one record; 0 for the initial state. */
  readonly revision: bigint;
}

/** The position of a state machine to which nothing was applied. */
export const INITIAL_APPLIED: AppliedPosition = { index: 0n, term: 0n, revision: 0n };

/** One record of the state machine. Keys are ordered bytewise. */
export interface StateRecord {
  readonly key: Uint8Array;
  readonly value: Uint8Array;
}

/** One change of the state machine's records; an `undefined` value deletes the key. */
export interface StateWrite {
  readonly key: Uint8Array;
  readonly value: Uint8Array | undefined;
}

/** The part of the log that is stored. */
export interface LogBounds {
  /** Newest entry removed by compaction; both 0 when none was. */
  readonly purged: LogPosition;
  /** Newest stored entry, or `purged` when there is none. */
  readonly last: LogPosition;
  /** Number of stored entries. */
  readonly retainedEntries: number;
  /** Their encoded size in bytes. */
  readonly retainedBytes: number;
}

/** One unit of durable work: after a crash either all of it is there or nothing. */
export interface StoreJob {
  /** Replaces the stored hard state. */
  readonly hardState?: HardState | undefined;
  /** Appended directly behind the newest stored entry. */
  readonly entries: readonly Entry[];
  /** Moves the applied position; `writes` are the record changes of that move, in order. */
  readonly applied?: AppliedPosition | undefined;
  readonly writes: readonly StateWrite[];
  /**
   * Removes entries up to this index, at most {@link PURGE_ENTRIES_MAX} of them and none that is
   * not applied.
   */
  readonly purgeThrough?: bigint | undefined;
}

/** How many entries one job may remove, so that no write waits long behind a compaction. */
export const PURGE_ENTRIES_MAX = 4_096;

/** Largest encoded log entry in bytes. */
export const ENTRY_BYTES_MAX: number = 2 * 1_024 * 1_024;

/** What every write of a store consists of; named so that tests can fail or stop any of them. */
export type WritePoint = 'format' | 'vote' | 'append' | 'apply' | 'purge' | 'anchor';

/**
 * Stands around every durable write of a store: it must call `commit` exactly once and may fail
 * before or after, which the store treats as a failed write. For fault injection.
 */
export type WriteInterceptor = (
  points: readonly WritePoint[],
  commit: () => Promise<void>,
) => Promise<void>;

/** What a kind of store promises. */
export interface LogStorageCapabilities {
  /** Whether a successful write survives the end of the process and the loss of power. */
  readonly isDurable: boolean;
  /** Whether damage of stored bytes is found when the store is opened. */
  readonly isChecksummed: boolean;
}

/**
 * An opened store of one member: hard state, log, and the state machine's records. Opening is done
 * by each implementation, verifies everything, and leaves the store exclusively owned.
 *
 * One job is written at a time; the caller waits for one before it gives the next. After a failed
 * job nothing more is accepted (`RAFT_STORAGE_FAILED`), because the failed one may or may not be
 * durable and only a new open can tell. Positions stay those of the newest acknowledged job, while
 * `entries` and `records` may already show the failed one.
 */
export interface LogStorage {
  readonly capabilities: LogStorageCapabilities;
  readonly identity: StoreIdentity;
  /** The durable hard state. */
  readonly hardState: HardState;
  /** The durable bounds of the log. */
  readonly bounds: LogBounds;
  /** The durable applied position. */
  readonly applied: AppliedPosition;

  /** Makes the job durable as a whole. Rejects with `RAFT_STORAGE_FAILED` or `RAFT_CLOSED`. */
  write(job: StoreJob): Promise<void>;

  /**
   * Entries from `from` on in order, as many as fit `bytesMax` encoded bytes but at least one, and
   * none behind `through`. Both ends must be stored. Rejects with `RAFT_STORAGE_CORRUPT`.
   */
  entries(from: bigint, through: bigint, bytesMax: number): Promise<readonly Entry[]>;

  /** Newest index such that the entries up to it exceed neither limit; for retention. */
  indexBehind(entriesKept: number, bytesKept: number): bigint;

  /** Every record of the state machine as of the newest durable job, in key order. */
  records(): AsyncIterable<StateRecord>;

  /** Releases the store. Waits for a job in flight; a second call does nothing. */
  close(): Promise<void>;
}
