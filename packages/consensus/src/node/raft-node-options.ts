import { invalidOption, withDefaults } from '../options/option-check.ts';
import { PAYLOAD_BYTES_MAX } from '../storage/entry-codec.ts';
import type { LogStorage, WriteInterceptor } from '../storage/log-storage.ts';
import type { PeerIdentity, Transport } from '../transport/transport.ts';
import type { DiskSpaceBounds } from './disk-space-watch.ts';
import type { ReplicaEvent } from './replica-ports.ts';
import type { StateMachine } from './state-machine.ts';

/** Bounds of a node. All sizes are bytes. */
export interface RaftNodeLimits {
  /** Largest payload of one command. */
  readonly payloadBytesMax: number;
  /** Commands without an outcome, above which `propose` refuses. */
  readonly queuedProposalsMax: number;
  /** Their payload size, above which `propose` refuses. */
  readonly queuedBytesMax: number;
  /** Reads without a barrier, above which `read` refuses. */
  readonly queuedReadsMax: number;
  /** Entries and record changes that end a group; the last command may exceed it. */
  readonly groupOperationsMax: number;
  /** Size of entries and record changes that ends a group; the last command may exceed it. */
  readonly groupBytesMax: number;
}

/**
 * When the log is compacted and what remains. The applied records are always durable, so every
 * applied entry may go; the newest are kept for inspection and, later, for slow followers.
 */
export interface RetentionPolicy {
  /** Compaction begins when the log holds this many entries more than are kept. */
  readonly entriesThreshold: number;
  /** Compaction begins when the log holds this many bytes more than are kept. */
  readonly bytesThreshold: number;
  /** At most this many entries remain. */
  readonly entriesKept: number;
  /** At most this many bytes remain. */
  readonly bytesKept: number;
  /** Size of the log above which commands wait. */
  readonly retainedBytesMax: number;
  /** How many ticks they wait before they are refused. */
  readonly admissionTicks: number;
}

const MEBIBYTE = 1_024 * 1_024;

/** Bounds that hold when the caller sets none. */
export const DEFAULT_LIMITS: RaftNodeLimits = {
  payloadBytesMax: PAYLOAD_BYTES_MAX,
  queuedProposalsMax: 16_384,
  queuedBytesMax: 64 * MEBIBYTE,
  queuedReadsMax: 16_384,
  groupOperationsMax: 4_096,
  groupBytesMax: 8 * MEBIBYTE,
};

/** Retention that holds when the caller sets none. */
export const DEFAULT_RETENTION: RetentionPolicy = {
  entriesThreshold: 10_000,
  bytesThreshold: 64 * MEBIBYTE,
  entriesKept: 1_000,
  bytesKept: 64 * MEBIBYTE,
  retainedBytesMax: 1_024 * MEBIBYTE,
  admissionTicks: 1_200,
};

/** How time is measured in the protocol. All values are milliseconds. */
export interface RaftTiming {
  readonly heartbeatMs: number;
  readonly electionMinMs: number;
  /** Exclusive. */
  readonly electionMaxMs: number;
  /**
   * How long a write may take before this node lets another one lead; twice `electionMaxMs` when
   * absent. The only voter leads on, because nobody else could.
   */
  readonly writeStallMs: number;
}

/** Timing that holds when the caller sets none. */
export const DEFAULT_TIMING: RaftTiming = {
  heartbeatMs: 250,
  electionMinMs: 1_500,
  electionMaxMs: 3_000,
  writeStallMs: 6_000,
};

/** What a node needs to be one of several. Without it a node is a cluster of its own. */
export interface ClusterOptions {
  readonly transport: Transport;
  /**
   * Found a new cluster if the store belongs to none. Exactly one node does so, and only on its
   * very first start; when one of its contacts answers and has the cluster, it is refused.
   */
  readonly bootstrap: boolean;
  /** `host:port` of others, dialled by a node whose store knows no members yet. */
  readonly contacts?: readonly string[] | undefined;
  /**
   * Least number of this process run; milliseconds since 1970 by default. It is raised above every
   * earlier one of the store. A node whose store was replaced needs one above those of the old
   * store, which only a clock that was not set back gives.
   */
  readonly incarnation?: bigint | undefined;
  /**
   * Whether this leader may make a process that introduced itself a member. By default everyone
   * whom the transport let in may become one.
   */
  readonly admits?: ((candidate: PeerIdentity) => boolean) | undefined;
}

interface RaftNodeBaseOptions {
  readonly stateMachine: StateMachine;
  /**
   * Newest feature level of the application that is built on this node; it also runs at the level
   * below. 1 by default. Clusters are founded at it, and moved to it by `activateLevel`.
   */
  readonly featureLevel?: number | undefined;
  readonly limits?: Partial<RaftNodeLimits> | undefined;
  readonly retention?: Partial<RetentionPolicy> | undefined;
  readonly timing?: Partial<RaftTiming> | undefined;
  readonly cluster?: ClusterOptions | undefined;
  /**
   * How much free space there must be; `unwatched` lets a full disk show itself by a failed write.
   * Only of nodes with a directory.
   */
  readonly diskSpace?: DiskSpaceBounds | 'unwatched' | undefined;
  /** How reads are confirmed; leases trust clocks and are for comparison only. */
  readonly readMode?: 'round' | 'lease' | undefined;
  /** Told of what happens, for metrics and logs. Must not throw. */
  readonly observe?: ((event: ReplicaEvent | NodeEvent) => void) | undefined;
}

/** What happens outside of the protocol, for metrics and logs. */
export type NodeEvent =
  /** Options that work, but not as they are probably meant. */
  | { readonly kind: 'warning'; readonly text: string }
  /**
   * A batch is durable: how long its write took, sync included, how many entries and changes of
   * records it held, and their size in bytes. Batches of snapshots are not told.
   */
  | {
      readonly kind: 'write';
      readonly milliseconds: number;
      readonly operations: number;
      readonly bytes: number;
    }
  | { readonly kind: 'stalled'; readonly lostTicks: number }
  | { readonly kind: 'connected'; readonly peer: PeerIdentity }
  | { readonly kind: 'refused'; readonly peer: Partial<PeerIdentity>; readonly reason: string }
  | { readonly kind: 'membership'; readonly step: string; readonly nodeId: string }
  | { readonly kind: 'membershipFailed'; readonly nodeId: string; readonly error: unknown }
  | { readonly kind: 'diskSpace'; readonly freeBytes: number; readonly isLow: boolean };

/** A node that opens or creates its store in a directory. */
export interface DirectoryNodeOptions extends RaftNodeBaseOptions {
  /** Database directory, used by nothing else. Its anchor file lies beside it. */
  readonly directory: string;
  readonly clusterId: string;
  readonly nodeId: string;
  /**
   * The store this node used before, when the caller remembers it elsewhere; an absent or another
   * store is then refused.
   */
  readonly storeId?: string | undefined;
  /** For fault injection. */
  readonly intercept?: WriteInterceptor | undefined;
}

/** A node on a store that the caller opened; the node closes it. */
export interface StorageNodeOptions extends RaftNodeBaseOptions {
  readonly storage: LogStorage;
}

/** How to open a node. */
export type RaftNodeOptions = DirectoryNodeOptions | StorageNodeOptions;

/** Fills in the limits, each of which is judged already. */
export function resolveLimits(limits: Partial<RaftNodeLimits> | undefined): RaftNodeLimits {
  return withDefaults(DEFAULT_LIMITS, limits);
}

/**
 * Fills in the timing, each value of which is judged already. Throws `RAFT_INVALID_OPTION` for values
 * that do not go together.
 */
export function resolveTiming(timing: Partial<RaftTiming> | undefined): RaftTiming {
  const electionMax = timing?.electionMaxMs ?? DEFAULT_TIMING.electionMaxMs;
  const resolved = withDefaults({ ...DEFAULT_TIMING, writeStallMs: 2 * electionMax }, timing);
  const { heartbeatMs, electionMinMs, electionMaxMs } = resolved;
  if (electionMaxMs <= electionMinMs) {
    throw invalidOption(
      'timing.electionMaxMs',
      `must be more than electionMinMs, ${electionMinMs}`,
    );
  }
  if (electionMinMs <= heartbeatMs) {
    throw invalidOption('timing.electionMinMs', `must be more than heartbeatMs, ${heartbeatMs}`);
  }
  return resolved;
}

/** Fills in the retention, each value of which is judged already. */
export function resolveRetention(policy: Partial<RetentionPolicy> | undefined): RetentionPolicy {
  return withDefaults(DEFAULT_RETENTION, policy);
}

/**
 * Why commands may have to wait for the log to shrink although nothing is wrong: it keeps what a
 * snapshot covers, and grows by what makes two of them due. `undefined` for a cap above that.
 */
export function retentionWarning(policy: RetentionPolicy): string | undefined {
  const { retainedBytesMax, bytesKept, bytesThreshold } = policy;
  const least = bytesKept + 2 * bytesThreshold;
  if (retainedBytesMax >= least) return undefined;
  return (
    `retainedBytesMax is ${retainedBytesMax} bytes, less than the ${least} bytes that the log` +
    ' usually needs; commands may wait for it to shrink'
  );
}
