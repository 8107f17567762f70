import type { ListenAddress } from './listen-address.js';

/** Least severe level that the log shows. */
export type LogLevelName = 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'off';

/** Everything one node of the single-node profile is told at its start. */
export interface ServerOptions {
  /** Session listener: HTTP API, authenticated. */
  readonly addr: ListenAddress;
  /** Whether sessions are compressed for clients that ask for it. */
  readonly sessionCompression: boolean;
  /** Silence after which the client of a session is pinged; 0 for never. */
  readonly sessionKeepaliveMs: number;
  /** Bytes of a frame of a session. */
  readonly sessionFrameLimit: number;
  /** Bytes of a reply of a session, in all its frames. */
  readonly sessionTransferLimit: number;
  /** Data listener: HTTP endpoints declared in NSPL, not authenticated by the node. */
  readonly httpListenAddr: ListenAddress;
  /** Data listener of virtual hosts that are served over TLS; open while there are any. */
  readonly httpsListenAddr: ListenAddress;
  readonly httpMaxBodyBytes: number;
  /** Health and metrics, not authenticated. */
  readonly observabilityListenAddr: ListenAddress;
  readonly log: LogLevelName;
  readonly logFormat: 'json' | 'text';
  readonly clusterId: string;
  readonly nodeId: string;
  readonly defaultUser: string;
  /** Password of the default user; only used when that user does not exist yet. */
  readonly initDefaultUserPassword?: string;
  /** Told the generated password of a freshly created default user, once per store. */
  readonly onInitialPassword?: (user: string, password: string) => void;
  /** How long a change of a running domain may take to drain what it replaces. */
  readonly entityGateDeadlineMs: number;
  readonly drainTimeoutMs: number;
  readonly shutdownTimeoutMs: number;
  readonly commandRetryValidityMs: number;
  readonly commandExecutionCapacity: number;
  readonly transactionIdleTimeoutMs: number;
  readonly transactionTombstoneRetentionMs: number;
  readonly transactionMaxStatements: number;
  readonly transactionMaxSourceBytes: number;
  readonly transactionMaxOpen: number;
  readonly ingestGroupMaxMessages: number;
  readonly ingestGroupIdleMs: number;
  readonly branchScanIntervalMs: number;
  /** Allocated bytes of the data plane from which on intake is held; both watermarks or none. */
  readonly memoryHighWatermark?: number;
  /** Allocated bytes down to which intake is resumed. */
  readonly memoryLowWatermark?: number;
  readonly memoryPressureCheckIntervalMs: number;
  readonly memoryPressureResumeJitterMs: number;
  readonly dbPath: string;
  /** Largest archive of a resource version, in bytes. */
  readonly resourceMaxArchiveBytes: number;
  /** Largest content of a resource version, in bytes. */
  readonly resourceMaxExtractedBytes: number;
  /** Files and folders that a resource version may hold. */
  readonly resourceMaxFileCount: number;
  /** Where secrets of domains come from. */
  readonly secretProvider: 'store' | 'file' | 'env';
  /** File of the key that stored secrets are sealed with; `secret.key` in `dbPath` by default. */
  readonly secretKeyFile?: string;
  /** Folder of the provider `file`. */
  readonly secretDir?: string;
  /** Whether the log has a thread of its own. */
  readonly consensusThread: boolean;
  readonly raftSnapshotEntryThreshold: number;
  readonly raftSnapshotByteThreshold: number;
  readonly raftCoveredLogEntriesRetained: number;
  readonly raftCoveredLogBytesRetained: number;
  /** Lets listeners without authentication bind beyond loopback. */
  readonly allowUnauthenticatedListeners: boolean;
}

/** Why the options were refused. */
export interface OptionError {
  /** The option as it was given: `--node-id` or `NERVIX_NODE_ID`. */
  readonly option: string;
  readonly message: string;
}

/** One effective setting, for display. */
export interface OptionSetting {
  /** Name of the flag without dashes in front. */
  readonly name: string;
  /** Printed value; a secret reads `<redacted>`. */
  readonly text: string;
  readonly source: 'flag' | 'env' | 'default';
}
