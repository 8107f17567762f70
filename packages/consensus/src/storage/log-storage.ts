import type {
  ChainedPosition,
  ConfigurationRecord,
  Entry,
  EntryHeader,
  LogPosition,
} from '../raft/entry.ts';
import type { HardState } from '../raft/hard-state.ts';
import type { SnapshotMeta } from '../raft/message.ts';

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
  /** Newest entry removed by compaction; `LOG_START` when none was. */
  readonly purged: ChainedPosition;
  /** Newest stored entry, or `purged` when there is none. */
  readonly last: ChainedPosition;
  /** Number of stored entries. */
  readonly retainedEntries: number;
  /** Their encoded size in bytes. */
  readonly retainedBytes: number;
}

/** What proves the state machine's records complete, as of the applied position. */
export interface StateProof {
  /** Sum of the records' digests modulo 2^256; independent of their order. */
  readonly stateDigest: bigint;
  readonly recordCount: bigint;
}

/**
 * One unit of durable work: after a crash either all of it is there or nothing. The parts are
 * carried out in the order in which they stand here.
 */
export interface StoreJob {
  /** Taken over once, from the first leader that admits this member; never changed after. */
  readonly clusterUid?: string | undefined;
  /** Stored before a process makes itself known by it; greater than every one before. */
  readonly incarnation?: bigint | undefined;
  /** Removes this entry, all behind it and the configurations they introduced. */
  readonly truncateFrom?: bigint | undefined;
  /** Appended directly behind the newest stored entry. */
  readonly entries: readonly Entry[];
  /** The configurations that `entries` introduce. */
  readonly configurations?: readonly ConfigurationRecord[] | undefined;
  /** Replaces the stored hard state. */
  readonly hardState?: HardState | undefined;
  /** Moves the applied position; `writes` are the record changes of that move, in order. */
  readonly applied?: AppliedPosition | undefined;
  readonly writes: readonly StateWrite[];
  /**
   * Removes entries up to this index, at most {@link PURGE_ENTRIES_MAX} of them and none that is
   * not applied. In a cluster the driver purges only what a complete snapshot covers.
   */
  readonly purgeThrough?: bigint | undefined;
}

/** How many entries one job may remove, so that no write waits long behind a compaction. */
export const PURGE_ENTRIES_MAX = 4_096;

/** Largest encoded log entry in bytes. */
export const ENTRY_BYTES_MAX: number = 2 * 1_024 * 1_024;

/** Largest section of a snapshot in bytes, framing included. */
export const SECTION_BYTES_MAX: number = 8 * 1_024 * 1_024;

/** A complete snapshot: what it holds, and how to tell that nothing of it is missing. */
export interface SnapshotManifest extends SnapshotMeta, StateProof {
  readonly revision: bigint;
  /** Digest of each section in order, as hexadecimal digits. */
  readonly sections: readonly string[];
  /** Size of all sections together in bytes. */
  readonly bytes: number;
}

/**
 * A snapshot of the applied position at which it was begun, in the making. Other jobs may be
 * written between its steps.
 */
export interface SnapshotBuild {
  /**
   * Makes the next section durable, or the manifest, which also makes the snapshot the active one.
   * Counts as a write: the caller waits for it before the next job.
   */
  step(): Promise<
    | { readonly kind: 'section' }
    | { readonly kind: 'complete'; readonly manifest: SnapshotManifest }
  >;
  /** Gives up; the sections are removed by later jobs. */
  abandon(): void;
}

/** A snapshot of another member, being received. Sections come in order. */
export interface SnapshotReceipt {
  readonly manifest: SnapshotManifest;
  /** Checks the section against the manifest and makes it durable. Counts as a write. */
  section(bytes: Uint8Array): Promise<void>;
  /** Gives up; the sections are removed by later jobs. */
  abandon(): void;
}

/**
 * Replacement of state and, where it does not match, log by a received snapshot. From the first
 * step on it is finished by the next opening even if this process ends.
 */
export interface SnapshotInstall {
  /** One bounded, durable, repeatable write; `true` once the last one is done. */
  step(): Promise<boolean>;
}

/** What every write of a store consists of; named so that tests can fail or stop any of them. */
export type WritePoint =
  | 'format'
  | 'vote'
  | 'truncate'
  | 'append'
  | 'apply'
  | 'purge'
  | 'snap-section'
  | 'snap-manifest'
  | 'snap-marker'
  | 'install-clear'
  | 'install-section'
  | 'install-finish'
  | 'anchor';

/**
 * Stands around every durable write of a store: it must call `commit` exactly once and may fail
 * before or after, which the store treats as a failed write. It must not wait for a read of entries
 * that the write removes, because that read waits for the write. For fault injection.
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
 * An opened store of one member: hard state, log, configurations, snapshots and the state
 * machine's records. Opening is done by each implementation, verifies everything, finishes an
 * interrupted installation, and leaves the store exclusively owned.
 *
 * One write is made at a time, whatever it is: the caller waits for one before it gives the next.
 * After a failed one nothing more is accepted (`RAFT_STORAGE_FAILED`), because the failed one may
 * or may not be durable and only a new open can tell. Positions stay those of the newest
 * acknowledged write, while `entries` and `records` may already show the failed one.
 */
export interface LogStorage {
  readonly capabilities: LogStorageCapabilities;
  readonly identity: StoreIdentity;
  /** The cluster's identity, once known. */
  readonly clusterUid: string | undefined;
  /**
   * The feature level that everything is written at from now on: the one activated at the applied
   * position, or for a store without a cluster the oldest one of the release that made it.
   */
  readonly level: number;
  /** The newest process run of this store that was to be made known; 0 before the first. */
  readonly incarnation: bigint;
  /** The durable hard state. */
  readonly hardState: HardState;
  /** The durable bounds of the log. */
  readonly bounds: LogBounds;
  /** The durable applied position. */
  readonly applied: AppliedPosition;
  /** Of the durable records. */
  readonly stateProof: StateProof;
  /** In order of index: the one in force at the purged position, if any, and all behind it. */
  readonly configurations: readonly ConfigurationRecord[];
  /** The active snapshot. */
  readonly snapshot: SnapshotManifest | undefined;

  /**
   * Makes the job durable as a whole. Rejects with `RAFT_STORAGE_FAILED`, `RAFT_CLOSED`, or
   * `RAFT_STORAGE_CORRUPT` when it met damage before it wrote anything.
   */
  write(job: StoreJob): Promise<void>;

  /**
   * Like {@link write}, of a store that may do it within the call: without a promise the job is
   * durable. Throws or rejects as that does.
   */
  writeAtOnce?(job: StoreJob): Promise<void> | undefined;

  /** The stored entries in order, without their payloads. */
  headers(): Iterable<EntryHeader>;

  /**
   * Entries from `from` on in order, as many as fit `bytesMax` encoded bytes but at least one, and
   * none behind `through`. Both ends must be stored. When a write under way removes some of them,
   * they are read after it, and what is gone then is not given. Rejects with `RAFT_STORAGE_CORRUPT`.
   */
  entries(from: bigint, through: bigint, bytesMax: number): Promise<readonly Entry[]>;

  /** Newest index such that the entries up to it exceed neither limit; for retention. */
  indexBehind(entriesKept: number, bytesKept: number): bigint;

  /** Every record of the state machine as of the newest durable job, in key order. */
  records(): AsyncIterable<StateRecord>;

  /**
   * Begins a snapshot of the durable records. `configuration` is the one in force at the applied
   * position.
   */
  buildSnapshot(configuration: ConfigurationRecord): SnapshotBuild;

  /** A section of the active or a pinned snapshot. Rejects with `RAFT_SNAPSHOT_GONE` or `RAFT_STORAGE_CORRUPT`. */
  snapshotSection(generation: bigint, section: number): Promise<Uint8Array>;

  /** Keeps a generation until the returned function is called, or until a newer pin needs its place. */
  pinSnapshot(generation: bigint): () => void;

  /**
   * Begins to receive a snapshot; one that was being received before is given up. It may begin
   * while something is written; its sections then wait for their turn like any other write.
   */
  receiveSnapshot(manifest: SnapshotManifest): SnapshotReceipt;

  /** Begins to install a snapshot all of whose sections were received. */
  installSnapshot(receipt: SnapshotReceipt): SnapshotInstall;

  /** Releases the store. Waits for a write in flight; a second call does nothing. */
  close(): Promise<void>;
}
