import type { NodeChange } from '../node/change-feed.ts';
import type { DiskSpaceBounds } from '../node/disk-space-watch.ts';
import type { RaftNodeStatus } from '../node/raft-node.ts';
import type {
  NodeEvent,
  RaftNodeLimits,
  RaftTiming,
  RetentionPolicy,
} from '../node/raft-node-options.ts';
import type { ReplicaEvent } from '../node/replica-ports.ts';
import type { MemberChange } from '../raft/configuration.ts';
import type { MemberId } from '../raft/member-id.ts';
import type { AppliedPosition } from '../storage/log-storage.ts';
import type { TcpTransportOptions } from '../transport/tcp-transport.ts';

/** A state machine that a worker loads by itself. */
export interface StateMachineModule {
  /** Module whose export `name` is called with `argument` and returns the state machine. */
  readonly url: string;
  /** `default` when absent. */
  readonly name?: string | undefined;
  /** Must survive the structured clone. */
  readonly argument?: unknown;
}

/** How a worker opens its node. Everything here survives the structured clone. */
export interface WorkerNodeOptions {
  readonly directory: string;
  readonly clusterId: string;
  readonly nodeId: string;
  readonly storeId?: string | undefined;
  readonly stateMachine: StateMachineModule;
  readonly limits?: Partial<RaftNodeLimits> | undefined;
  readonly retention?: Partial<RetentionPolicy> | undefined;
  readonly timing?: Partial<RaftTiming> | undefined;
  readonly diskSpace?: DiskSpaceBounds | 'unwatched' | undefined;
  readonly readMode?: 'round' | 'lease' | undefined;
  readonly cluster?:
    | {
        readonly transport: TcpTransportOptions;
        readonly bootstrap: boolean;
        readonly contacts?: readonly string[] | undefined;
        readonly incarnation?: bigint | undefined;
      }
    | undefined;
  /** Whether records and their changes are also sent to the owner, for a view of its own. */
  readonly mirrored: boolean;
  /** Whether the owner is told of what happens. */
  readonly observed: boolean;
}

/** What a node tells of, with errors taken apart. */
export type PortEvent =
  | Exclude<ReplicaEvent | NodeEvent, { readonly kind: 'membershipFailed' }>
  | { readonly kind: 'membershipFailed'; readonly nodeId: string; readonly error: PortError };

/** An error as it crosses threads. */
export interface PortError {
  readonly name: string;
  readonly message: string;
  readonly stack: string | undefined;
  readonly code: string | undefined;
  readonly details: unknown;
  readonly cause: PortError | undefined;
}

/** From the owner to the worker. */
export type WorkerRequest =
  /** Packed commands; they take the next numbers in order. */
  | { readonly kind: 'propose'; readonly first: number; readonly packed: Uint8Array }
  | { readonly kind: 'read'; readonly id: number }
  | {
      readonly kind: 'changeMembers';
      readonly id: number;
      readonly changes: readonly MemberChange[];
    }
  | { readonly kind: 'transferLeader'; readonly id: number; readonly target: MemberId }
  | { readonly kind: 'close'; readonly id: number };

/** From the worker to the owner, in order. */
export type WorkerReport =
  | { readonly kind: 'opened'; readonly status: WorkerStatus }
  | { readonly kind: 'openFailed'; readonly error: PortError }
  /** Packed results of commands. */
  | { readonly kind: 'results'; readonly packed: Uint8Array }
  | { readonly kind: 'rejected'; readonly ids: readonly number[]; readonly error: PortError }
  | { readonly kind: 'answer'; readonly id: number; readonly value: unknown }
  | { readonly kind: 'refusal'; readonly id: number; readonly error: PortError }
  | { readonly kind: 'event'; readonly event: PortEvent }
  | { readonly kind: 'changed'; readonly change: NodeChange; readonly status: WorkerStatus }
  /** Packed records, all of which take the place of those before when `isFirst`. */
  | {
      readonly kind: 'records';
      readonly packed: Uint8Array;
      readonly isFirst: boolean;
      readonly applied: AppliedPosition | undefined;
    }
  /** Packed changes of records that have become durable. */
  | { readonly kind: 'writes'; readonly packed: Uint8Array; readonly applied: AppliedPosition };

/** Status without what cannot cross threads. */
export interface WorkerStatus extends Omit<RaftNodeStatus, 'failure'> {
  readonly failure: PortError | undefined;
}
