import { assert } from '../assert.ts';
import { PAYLOAD_BYTES_MAX } from '../storage/entry-codec.ts';
import type { LogStorage, WriteInterceptor } from '../storage/log-storage.ts';
import type { StateMachine } from './state-machine.ts';

/** Bounds of a node. All sizes are bytes. */
export interface RaftNodeLimits {
  /** Largest payload of one command. */
  readonly payloadBytesMax: number;
  /** Commands without an outcome, above which `propose` refuses. */
  readonly queuedProposalsMax: number;
  /** Their payload size, above which `propose` refuses. */
  readonly queuedBytesMax: number;
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

interface RaftNodeBaseOptions {
  readonly stateMachine: StateMachine;
  readonly limits?: Partial<RaftNodeLimits> | undefined;
  readonly retention?: Partial<RetentionPolicy> | undefined;
}

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

/** Fills in and checks the limits. Throws `InvariantError` for values that make no sense. */
export function resolveLimits(limits: Partial<RaftNodeLimits> | undefined): RaftNodeLimits {
  const resolved = { ...DEFAULT_LIMITS, ...limits };
  for (const [name, value] of Object.entries(resolved)) {
    assert(Number.isSafeInteger(value) && value > 0, `${name} is a positive whole number`);
  }
  assert(
    resolved.payloadBytesMax <= PAYLOAD_BYTES_MAX,
    `payloadBytesMax is at most ${PAYLOAD_BYTES_MAX}`,
  );
  return resolved;
}

/** Fills in and checks the retention. Throws `InvariantError` for values that make no sense. */
export function resolveRetention(policy: Partial<RetentionPolicy> | undefined): RetentionPolicy {
  const resolved = { ...DEFAULT_RETENTION, ...policy };
  for (const [name, value] of Object.entries(resolved)) {
    assert(Number.isSafeInteger(value) && value >= 0, `${name} is a whole number`);
  }
  return resolved;
}
