import { type FeatureLevels, unsupportedLevel } from './raft/feature-levels.ts';
import type { MemberId } from './raft/member-id.ts';

/** What each error code carries beside its message. Sizes are bytes, positions are log indexes. */
export interface RaftErrorDetails {
  /** Stored state that fails a check. `location` is a key in hexadecimal or a file name. */
  readonly RAFT_STORAGE_CORRUPT: {
    readonly directory: string;
    readonly location: string;
    readonly problem: string;
  };
  /** Another process, or another store object of this process, has the directory open. */
  readonly RAFT_STORAGE_LOCKED: { readonly directory: string };
  /** The directory holds a store of another cluster, node or creation than the caller expects. */
  readonly RAFT_FOREIGN_STORE: {
    readonly directory: string;
    readonly field: 'clusterId' | 'nodeId' | 'storeId' | 'absent';
    readonly expected: string;
    readonly found: string;
  };
  /**
   * The store is in a layout that this build does not read: of an older one, or, when `found` is
   * greater than `supported`, of a newer one.
   */
  readonly RAFT_STORAGE_VERSION: {
    readonly directory: string;
    readonly found: number;
    readonly supported: number;
  };
  /** The store was written at a feature level that this release does not run at. */
  readonly RAFT_STORAGE_LEVEL: {
    readonly directory: string;
    readonly level: number;
    readonly levels: FeatureLevels;
  };
  /** The cluster has activated a feature level that the release of this node does not support. */
  readonly RAFT_LEVEL_UNSUPPORTED: {
    readonly nodeId: string;
    readonly level: number;
    readonly levels: FeatureLevels;
  };
  /** The directory cannot be opened for a reason that is not corruption, such as permissions. */
  readonly RAFT_STORAGE_UNAVAILABLE: { readonly directory: string };
  /**
   * A write, or a read without which the node cannot go on, failed; nothing more is written and
   * `cause` tells why. `isUncertain` says whether the command of this caller may nevertheless have
   * an effect: it is `true` only for commands in the log.
   */
  readonly RAFT_STORAGE_FAILED: { readonly isUncertain: boolean };
  /** The generation of a snapshot is not kept any more; begin again with the newest. */
  readonly RAFT_SNAPSHOT_GONE: { readonly generation: bigint };
  /** What was received does not fit the snapshot's manifest; nothing of it is used. */
  readonly RAFT_SNAPSHOT_INVALID: { readonly problem: string };
  /**
   * The state machine threw or broke a limit, and the node takes no further calls. The entry at
   * `index` is, or may be, committed.
   */
  readonly RAFT_APPLY_FAILED: { readonly index: bigint };
  /** The node is closing or closed; nothing was proposed. */
  readonly RAFT_CLOSED: Record<never, never>;
  /** This node does not lead; nothing was proposed. `leader` is a hint and may be outdated. */
  readonly RAFT_NOT_LEADER: { readonly leader: MemberId | undefined };
  /** The payload is larger than one log entry may be; nothing was proposed. */
  readonly RAFT_ENTRY_TOO_LARGE: { readonly bytes: number; readonly bytesMax: number };
  /**
   * The command is in the log of a leader that lost its leadership or failed; it may yet be
   * committed. `cause` is the failure, if it was one.
   */
  readonly RAFT_LEADERSHIP_LOST: Record<never, never>;
  /** Leadership is moving to another member; nothing was proposed. */
  readonly RAFT_TRANSFERRING: { readonly leader: MemberId | undefined };
  /** Too many bytes are appended and not committed; nothing was proposed. */
  readonly RAFT_UNCOMMITTED_LOG_FULL: Record<never, never>;
  /** The stored log stayed above its cap for as long as commands wait; nothing was proposed. */
  readonly RAFT_LOG_FULL: { readonly retainedBytes: number; readonly retainedBytesMax: number };
  /** Too little disk space here, or `undefined`: on so many voters that the rest is no quorum. */
  readonly RAFT_DISK_LOW: { readonly free: string | undefined };
  /** Another change of members is under way, or the leader is too new to begin one. */
  readonly RAFT_CHANGE_PENDING: Record<never, never>;
  /** The change of members makes no sense with respect to the present ones. */
  readonly RAFT_INVALID_CHANGE: { readonly problem: string };
  /** Another member's log contradicts what is committed here. */
  readonly RAFT_LOG_CONTRADICTED: { readonly problem: string };
  /** The store lacks entries that were confirmed to the leader, and perhaps votes. */
  readonly RAFT_ENTRIES_LOST: { readonly through: bigint };
  /** The records at this index differ from those of most members. */
  readonly RAFT_STATE_DIVERGED: { readonly index: bigint };
  /** Own certificate, key or authorities that other members would not accept. */
  readonly RAFT_CREDENTIALS_INVALID: { readonly problem: string };
  /** Connections without TLS were asked for beyond this machine. */
  readonly RAFT_PLAINTEXT_REFUSED: { readonly host: string };
  /** The listener of the transport could not be opened. */
  readonly RAFT_LISTEN_FAILED: { readonly endpoint: string };
  /**
   * A contact of a node that was to found a cluster has one already, or refuses this node, so that
   * nobody can tell. Nothing was founded.
   */
  readonly RAFT_ALREADY_FOUNDED: { readonly endpoint: string; readonly problem: string };
  /**
   * An option that cannot be used, with those around it in front, as `timing.heartbeatMs`. Nothing
   * was opened or created.
   */
  readonly RAFT_INVALID_OPTION: { readonly option: string; readonly problem: string };
  /**
   * The bounded queue of proposals is full and nothing was proposed, or that of reads, of which
   * `queuedReads` then says how many wait.
   */
  readonly RAFT_OVERLOADED: {
    readonly queued: number;
    readonly queuedBytes: number;
    readonly queuedReads?: number | undefined;
  };
}

/** Every error code of this package. Codes are public API and are only ever added to. */
export type RaftErrorCode = keyof RaftErrorDetails;

interface ErrorTemplate<C extends RaftErrorCode> {
  readonly retryable: boolean;
  readonly message: (details: RaftErrorDetails[C]) => string;
}

const TEMPLATES: { readonly [C in RaftErrorCode]: ErrorTemplate<C> } = {
  RAFT_STORAGE_CORRUPT: {
    retryable: false,
    message: ({ directory, location, problem }) =>
      "invalid consensus record storage; recreate the node's stored state" +
      ` (${location} in ${directory}: ${problem})`,
  },
  RAFT_STORAGE_LOCKED: {
    retryable: true,
    message: ({ directory }) =>
      `consensus storage at ${directory} is open already, in this process or another one`,
  },
  RAFT_FOREIGN_STORE: {
    retryable: false,
    message: ({ directory, field, expected, found }) =>
      field === 'absent'
        ? `consensus storage at ${directory} is absent; expected store ${expected}`
        : `consensus storage at ${directory} has ${field} ${found}; expected ${expected}`,
  },
  RAFT_STORAGE_VERSION: {
    retryable: false,
    message: ({ directory, found, supported }) =>
      found > supported
        ? `consensus storage at ${directory} is from the future: it has format ${found} and this` +
          ` build reads ${supported}; start the newer build again`
        : `consensus storage at ${directory} has format ${found} and this build reads` +
          ` ${supported}; recreate the node's stored state`,
  },
  RAFT_STORAGE_LEVEL: {
    retryable: false,
    message: ({ directory, level, levels: { oldest, newest } }) =>
      `the store was written at feature level ${level}; this release reads ${oldest} to ${newest}` +
      (level > newest
        ? `; start the newer release again (${directory})`
        : `; start a release that reads both, or recreate the node's stored state (${directory})`),
  },
  RAFT_LEVEL_UNSUPPORTED: {
    retryable: false,
    message: ({ level, ...process }) => unsupportedLevel(process, level),
  },
  RAFT_STORAGE_UNAVAILABLE: {
    retryable: true,
    message: ({ directory }) => `consensus storage at ${directory} cannot be opened`,
  },
  RAFT_STORAGE_FAILED: {
    retryable: false,
    message: () => 'consensus storage stopped after a failed write; restart the node to recover',
  },
  RAFT_SNAPSHOT_GONE: {
    retryable: true,
    message: ({ generation }) => `snapshot ${generation} is not kept any more`,
  },
  RAFT_SNAPSHOT_INVALID: {
    retryable: true,
    message: ({ problem }) => `the received snapshot is not usable: ${problem}`,
  },
  RAFT_APPLY_FAILED: {
    retryable: false,
    message: ({ index }) =>
      `the state machine failed on entry ${index}; restart the node to recover`,
  },
  RAFT_CLOSED: { retryable: false, message: () => 'the consensus node is closed' },
  RAFT_NOT_LEADER: {
    retryable: true,
    message: ({ leader }) =>
      leader === undefined
        ? 'this node does not lead and knows no leader'
        : `this node does not lead; the leader is ${leader.nodeId}`,
  },
  RAFT_ENTRY_TOO_LARGE: {
    retryable: false,
    message: ({ bytes, bytesMax }) =>
      `command too large: ${bytes} bytes, at most ${bytesMax} are allowed`,
  },
  RAFT_LEADERSHIP_LOST: {
    retryable: false,
    message: () => 'leadership lost; outcome unknown',
  },
  RAFT_TRANSFERRING: {
    retryable: true,
    message: () => 'leadership is being transferred',
  },
  RAFT_UNCOMMITTED_LOG_FULL: {
    retryable: true,
    message: () => 'proposal dropped: uncommitted log is full',
  },
  RAFT_LOG_FULL: {
    retryable: true,
    message: ({ retainedBytes, retainedBytesMax }) =>
      `the retained raft log holds ${retainedBytes} bytes against a ${retainedBytesMax}-byte cap` +
      ' and did not reclaim within 30s',
  },
  RAFT_DISK_LOW: {
    retryable: true,
    message: ({ free }) =>
      free === undefined
        ? 'consensus storage is low on disk space on too many members'
        : `consensus storage is low on disk space: ${free} free`,
  },
  RAFT_CHANGE_PENDING: {
    retryable: true,
    message: () => 'another change of members is under way',
  },
  RAFT_INVALID_CHANGE: { retryable: false, message: ({ problem }) => problem },
  RAFT_LOG_CONTRADICTED: {
    retryable: false,
    message: ({ problem }) =>
      `the logs of this member and of its leader contradict each other: ${problem}`,
  },
  RAFT_ENTRIES_LOST: {
    retryable: false,
    message: ({ through }) =>
      "invalid consensus record storage; recreate the node's stored state" +
      ` (entries up to ${through} were confirmed to the leader and are gone)`,
  },
  RAFT_STATE_DIVERGED: {
    retryable: false,
    message: ({ index }) =>
      `the records at entry ${index} differ from those of most members;` +
      " recreate the node's stored state",
  },
  RAFT_CREDENTIALS_INVALID: {
    retryable: false,
    message: ({ problem }) => `interconnect credentials are not usable: ${problem}`,
  },
  RAFT_PLAINTEXT_REFUSED: {
    retryable: false,
    message: ({ host }) =>
      `connections without TLS stay on this machine, but '${host}' is no loopback address;` +
      ' configure TLS credentials',
  },
  RAFT_LISTEN_FAILED: {
    retryable: true,
    message: ({ endpoint }) => `cannot listen for members at ${endpoint}`,
  },
  RAFT_ALREADY_FOUNDED: {
    retryable: false,
    message: ({ endpoint, problem }) =>
      `no second cluster is founded beside the contact ${endpoint}: ${problem};` +
      ' start this node without bootstrap, so that it joins',
  },
  RAFT_INVALID_OPTION: {
    retryable: false,
    message: ({ option, problem }) => `the option ${option} ${problem}`,
  },
  RAFT_OVERLOADED: {
    retryable: true,
    message: ({ queued, queuedBytes, queuedReads }) =>
      queuedReads === undefined
        ? 'proposal dropped: uncommitted log is full' +
          ` (${queued} proposals, ${queuedBytes} bytes waiting)`
        : `read dropped: ${queuedReads} reads wait already`,
  },
};

/** All codes with their retry class, for documentation and for tests that compare the two. */
export const RAFT_ERROR_CODES: readonly {
  readonly code: RaftErrorCode;
  readonly retryable: boolean;
}[] = Object.entries(TEMPLATES).map(([code, { retryable }]) => ({
  code: code as RaftErrorCode,
  retryable,
}));

/**
 * An operating failure of this package. Match on `code`, never on the message or on `instanceof`
 * across package copies. `retryable` says that the same call may succeed later without anyone
 * repairing this node.
 */
export class RaftError<C extends RaftErrorCode = RaftErrorCode> extends Error {
  override readonly name = 'RaftError';
  readonly code: C;
  readonly details: RaftErrorDetails[C];
  readonly retryable: boolean;

  constructor(code: C, details: RaftErrorDetails[C], options?: ErrorOptions) {
    const template: ErrorTemplate<C> = TEMPLATES[code];
    super(template.message(details), options);
    this.code = code;
    this.details = details;
    this.retryable = template.retryable;
  }
}

/** Whether `error` is a {@link RaftError} with the given code; narrows `details`. */
export function isRaftError<C extends RaftErrorCode>(
  error: unknown,
  code: C,
): error is RaftError<C> {
  return error instanceof Error && error.name === 'RaftError' && codeOf(error) === code;
}

/** The two ways to say that a command may have an effect; all others promise that it has none. */
export function isOutcomeUnknown(error: unknown): boolean {
  if (isRaftError(error, 'RAFT_STORAGE_FAILED')) return error.details.isUncertain;
  return isRaftError(error, 'RAFT_LEADERSHIP_LOST');
}

function codeOf(error: Error): unknown {
  return 'code' in error ? error.code : undefined;
}
