import {
  addressType,
  bytesType,
  choiceType,
  countType,
  durationType,
  intervalType,
  nameType,
  type OptionType,
  switchType,
  textType,
} from './option-values.js';
import type { ServerOptions } from './server-options.js';

/** The fields of {@link ServerOptions} that a flag sets. */
export type OptionField = Exclude<keyof ServerOptions, 'onInitialPassword'>;

/** A flag of the node. */
export interface OptionSpec {
  readonly field: OptionField;
  /** Flag without dashes in front; the variable `NERVIX_<NAME>` follows from it. */
  readonly name: string;
  readonly type: OptionType<unknown>;
  /** Default as a user would write it, or null for none. */
  readonly defaultText: string | null;
  readonly help: string;
  readonly isSwitch: boolean;
  /** A secret is absent from help and redacted wherever options are shown. */
  readonly isSecret: boolean;
}

interface SpecFlags {
  readonly isSwitch?: boolean;
  readonly isSecret?: boolean;
}

type Row<F extends OptionField> = readonly [
  type: OptionType<NonNullable<ServerOptions[F]>>,
  defaultText: string | null,
  help: string,
  flags?: SpecFlags,
];

const FRAME_BYTES_MIN = 1_024;
const FRAME_BYTES_MAX = 268_435_456;
const CHUNK_BYTES_MAX = 1_073_741_824;
const COUNT_MAX = 1_000_000_000;
const count = countType(1, COUNT_MAX);

const rows: { readonly [F in OptionField]-?: Row<F> } = {
  addr: [addressType, '127.0.0.1:47391', 'session listener: the HTTP API, authenticated'],
  sessionCompression: [
    switchType,
    'false',
    'compress sessions for clients that ask for it',
    { isSwitch: true },
  ],
  sessionKeepaliveMs: [
    intervalType,
    '20s',
    'silence after which the client of a session is pinged; 0 for never',
  ],
  sessionFrameLimit: [
    bytesType(FRAME_BYTES_MAX, FRAME_BYTES_MIN),
    '4MiB',
    'largest frame of a session',
  ],
  sessionTransferLimit: [
    bytesType(CHUNK_BYTES_MAX, FRAME_BYTES_MIN),
    '64MiB',
    'largest reply of a session, in all its frames',
  ],
  httpListenAddr: [addressType, '127.0.0.1:8080', 'data listener: HTTP endpoints of domains'],
  httpsListenAddr: [
    addressType,
    '127.0.0.1:8443',
    'data listener of virtual hosts with TLS, opened for the first of them',
  ],
  httpMaxBodyBytes: [bytesType(CHUNK_BYTES_MAX), '32MiB', 'largest body of the data listeners'],
  observabilityListenAddr: [addressType, '127.0.0.1:9090', 'health and metrics listener'],
  allowUnauthenticatedListeners: [
    switchType,
    'false',
    'let the data and observability listeners bind beyond loopback',
    { isSwitch: true },
  ],
  log: [
    choiceType('trace', 'debug', 'info', 'warn', 'error', 'off'),
    'info',
    'least severe level that is logged',
  ],
  logFormat: [choiceType('json', 'text'), 'json', 'form of log lines on standard error'],
  clusterId: [nameType, 'default', 'name of the cluster'],
  nodeId: [nameType, 'node-1', 'name of this node'],
  defaultUser: [nameType, 'default', 'user that the first start creates'],
  initDefaultUserPassword: [
    textType('password'),
    null,
    'password of the default user when it is created',
    { isSecret: true },
  ],
  memoryHighWatermark: [bytesType(), null, 'allocated memory from which on intake is held'],
  memoryLowWatermark: [bytesType(), null, 'allocated memory down to which intake is resumed'],
  memoryPressureCheckIntervalMs: [durationType, '500ms', 'time between looks at memory'],
  memoryPressureResumeJitterMs: [durationType, '1s', 'longest random wait of a resumed ingestor'],
  dbPath: [textType('folder'), './.nervix-db', 'folder of the databases'],
  resourceMaxArchiveBytes: [bytesType(), '4GiB', 'largest archive of a resource version'],
  resourceMaxExtractedBytes: [bytesType(), '16GiB', 'largest content of a resource version'],
  resourceMaxFileCount: [count, '1000000', 'files and folders of a resource version'],
  secretProvider: [choiceType('store', 'file', 'env'), 'store', 'where secrets come from'],
  secretKeyFile: [
    textType('file'),
    null,
    'key of stored secrets; secret.key in --db-path if absent',
  ],
  secretDir: [textType('folder'), null, 'secrets of the provider file'],
  entityGateDeadlineMs: [durationType, '60s', 'time to drain for a change, and for its gates'],
  drainTimeoutMs: [durationType, '30s', 'longest wait for admitted work while stopping'],
  shutdownTimeoutMs: [durationType, '50s', 'longest graceful stop as a whole'],
  commandRetryValidityMs: [durationType, '15m', 'how long a command reference stays answerable'],
  commandExecutionCapacity: [count, '65536', 'command references remembered at once'],
  transactionIdleTimeoutMs: [durationType, '15m', 'inactivity that expires an open transaction'],
  transactionTombstoneRetentionMs: [
    durationType,
    '15m',
    'how long a finished transaction stays readable',
  ],
  transactionMaxStatements: [count, '256', 'statements in one transaction'],
  transactionMaxSourceBytes: [
    bytesType(CHUNK_BYTES_MAX),
    '1048576',
    'bytes of statement text in one transaction',
  ],
  transactionMaxOpen: [count, '1024', 'transactions open or committing at once'],
  ingestGroupMaxMessages: [countType(1, 65_536), '1024', 'messages read into one batch'],
  ingestGroupIdleMs: [durationType, '5ms', 'pause of a source that closes a batch'],
  branchScanIntervalMs: [durationType, '30s', 'time between searches for expired branches'],
  consensusThread: [
    switchType,
    'false',
    'keep the log in a thread of its own, which no busy node delays',
  ],
  raftSnapshotEntryThreshold: [count, '10000', 'log entries that trigger a snapshot'],
  raftSnapshotByteThreshold: [bytesType(), '64MiB', 'log bytes that trigger a snapshot'],
  raftCoveredLogEntriesRetained: [
    countType(0, COUNT_MAX),
    '1000',
    'log entries kept behind a snapshot',
  ],
  raftCoveredLogBytesRetained: [bytesType(), '64MiB', 'log bytes kept behind a snapshot'],
};

/** Every flag, in the order of the help text. */
export const OPTION_SPECS: readonly OptionSpec[] = Object.entries(rows).map(
  ([field, [type, defaultText, help, flags]]) => ({
    field: field as OptionField,
    name: field
      .replace(/Ms$/, '')
      .replace(/[A-Z]/g, (letter: string) => `-${letter.toLowerCase()}`),
    // A row ties the type to its field; a list of all rows cannot say so any more.
    type: type as OptionType<unknown>,
    defaultText,
    help,
    isSwitch: flags?.isSwitch ?? false,
    isSecret: flags?.isSecret ?? false,
  }),
);

/** Environment variable of a flag. */
export function variableOf(name: string): string {
  return `NERVIX_${name.toUpperCase().replaceAll('-', '_')}`;
}
