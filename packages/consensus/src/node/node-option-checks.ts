import {
  endpoint,
  invalidOption,
  isFunction,
  isId,
  isName,
  isText,
  isTrueOrFalse,
  isUnsigned64,
  listOf,
  numberBetween,
  type OptionCheck,
  type OptionChecks,
  objectWith,
  oneOf,
  optional,
  optionsOf,
  wholeNumber,
} from '../options/option-check.ts';
import { FIRST_LEVEL, LEVEL_MAX } from '../raft/feature-levels.ts';
import { PAYLOAD_BYTES_MAX } from '../storage/entry-codec.ts';
import type { DiskSpaceBounds } from './disk-space-watch.ts';
import type {
  ClusterOptions,
  DirectoryNodeOptions,
  RaftNodeLimits,
  RaftTiming,
  RetentionPolicy,
  StorageNodeOptions,
} from './raft-node-options.ts';

type StorePlace = Pick<DirectoryNodeOptions, 'directory' | 'clusterId' | 'nodeId' | 'storeId'>;
/** What differs from thread to thread. */
type BehaviourOption = 'stateMachine' | 'cluster' | 'intercept';

/** Below, the smallest log would be above its cap, and commands would wait for nothing. */
const RETAINED_BYTES_LEAST = 4_096;
const HEARTBEAT_MS_LEAST = 10;
const HOUR_MS = 3_600_000;

const positive = optional(wholeNumber(1));
const atLeastNone = optional(wholeNumber(0));

/** Bounds of queues, groups and payloads. */
const isLimits: OptionCheck = optionsOf<RaftNodeLimits>({
  payloadBytesMax: optional(wholeNumber(1, PAYLOAD_BYTES_MAX)),
  queuedProposalsMax: positive,
  queuedBytesMax: positive,
  queuedReadsMax: positive,
  groupOperationsMax: positive,
  groupBytesMax: positive,
});

const isRetention: OptionCheck = optionsOf<RetentionPolicy>({
  entriesThreshold: atLeastNone,
  bytesThreshold: atLeastNone,
  entriesKept: atLeastNone,
  bytesKept: atLeastNone,
  retainedBytesMax: optional(wholeNumber(RETAINED_BYTES_LEAST)),
  admissionTicks: atLeastNone,
});

/** Each duration by itself; how they go together is judged when defaults are filled in. */
const isTiming: OptionCheck = optionsOf<RaftTiming>({
  heartbeatMs: optional(numberBetween(HEARTBEAT_MS_LEAST, HOUR_MS)),
  electionMinMs: optional(numberBetween(HEARTBEAT_MS_LEAST, HOUR_MS)),
  electionMaxMs: optional(numberBetween(HEARTBEAT_MS_LEAST, HOUR_MS)),
  writeStallMs: optional(numberBetween(1, 2 * HOUR_MS)),
});

const areSpaceBounds = optionsOf<DiskSpaceBounds>({
  lowBytes: numberBetween(0, Number.MAX_VALUE),
  enoughBytes: numberBetween(0, Number.MAX_VALUE),
});

/** Bounds of free disk space, or that nobody looks. */
const isDiskSpace: OptionCheck = (value, option) => {
  if (value === 'unwatched') return;
  if (typeof value === 'string') oneOf('unwatched')(value, option);
  areSpaceBounds(value, option);
  const { lowBytes, enoughBytes } = value as DiskSpaceBounds;
  if (lowBytes <= enoughBytes) return;
  throw invalidOption(`${option}.enoughBytes`, `is ${enoughBytes}; it must be at least lowBytes`);
};

const isStateMachine: OptionCheck = (value, option) => {
  objectWith('restore', 'apply')(value, option);
  optional(isFunction)(Reflect.get(Object(value), 'publish'), `${option}.publish`);
};

/** What the members of a cluster have in common, wherever their transport lives. */
export const CLUSTER_CHECKS: OptionChecks<
  Pick<ClusterOptions, 'bootstrap' | 'contacts' | 'incarnation'>
> = {
  bootstrap: isTrueOrFalse,
  contacts: optional(listOf(endpoint(false))),
  incarnation: optional(isUnsigned64),
};

const isCluster = optionsOf<ClusterOptions>({
  ...CLUSTER_CHECKS,
  transport: objectWith(
    'listen',
    'ask',
    'start',
    'connectedPeers',
    'setPeers',
    'setContacts',
    'send',
    'sendSnapshot',
    'queues',
    'close',
  ),
  admits: optional(isFunction),
});

/** What nodes have in common, in whatever thread they live. */
export const COMMON_CHECKS: OptionChecks<
  Omit<DirectoryNodeOptions, keyof StorePlace | BehaviourOption>
> = {
  featureLevel: optional(wholeNumber(FIRST_LEVEL, LEVEL_MAX)),
  limits: optional(isLimits),
  retention: optional(isRetention),
  timing: optional(isTiming),
  diskSpace: optional(isDiskSpace),
  readMode: optional(oneOf('round', 'lease')),
  observe: optional(isFunction),
};

/** Where a store is and whose it is. */
export const STORE_CHECKS: OptionChecks<StorePlace> = {
  directory: isText,
  clusterId: isName,
  nodeId: isName,
  storeId: optional(isId),
};

const NODE_CHECKS = {
  ...COMMON_CHECKS,
  stateMachine: isStateMachine,
  cluster: optional(isCluster),
};

const isDirectoryNode = optionsOf<DirectoryNodeOptions>({
  ...NODE_CHECKS,
  ...STORE_CHECKS,
  intercept: optional(isFunction),
});

const isStorageNode = optionsOf<StorageNodeOptions>({
  ...NODE_CHECKS,
  storage: objectWith('write', 'entries', 'headers', 'records', 'close'),
});

/**
 * Looks at all options of a node, before anything is done with one. Throws `RAFT_INVALID_OPTION` for
 * the first that cannot be used.
 */
export function checkNodeOptions(options: unknown): void {
  const hasStorage = typeof options === 'object' && options !== null && 'storage' in options;
  (hasStorage ? isStorageNode : isDirectoryNode)(options, '');
}
