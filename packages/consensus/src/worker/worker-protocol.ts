import type { NodeChange } from '../node/change-feed.ts';
import type { DiskSpaceBounds } from '../node/disk-space-watch.ts';
import type { RaftNodeStatus } from '../node/raft-node.ts';
import type {
  ClusterOptions,
  NodeEvent,
  RaftNodeLimits,
  RaftTiming,
  RetentionPolicy,
} from '../node/raft-node-options.ts';
import type { ReplicaEvent } from '../node/replica-ports.ts';
import type { MemberChange } from '../raft/configuration.ts';
import type { MemberId } from '../raft/member-id.ts';
import type { AppliedPosition } from '../storage/log-storage.ts';
import type { CredentialBundle } from '../transport/credentials.ts';
import type { NameResolverOptions } from '../transport/name-resolver.ts';
import type { TcpTransport, TcpTransportOptions } from '../transport/tcp-transport.ts';
import type { TransportCounter } from '../transport/transport-context.ts';

/** Something with behaviour, which a worker therefore makes by itself. */
export interface WorkerModule {
  /**
   * Module whose export `name` is called with `argument` and returns what is wanted: a URL, best
   * `new URL('./machine.js', import.meta.url)`, or a path, relative to the working directory.
   */
  readonly url: string | URL;
  /** `default` when absent. */
  readonly name?: string | undefined;
  /** Must survive the structured clone. */
  readonly argument?: unknown;
}

/** Makes the state machine. */
export type StateMachineModule = WorkerModule;

/** Makes the function `admits` of `ClusterOptions`. */
export type AdmissionModule = WorkerModule;

/** How to build the transport of a worker: as any, with the resolver described by data. */
export interface WorkerTransportOptions
  extends Omit<TcpTransportOptions, 'resolve' | 'random' | 'nowMs'> {
  readonly resolver?: NameResolverOptions | undefined;
}

/** What the node of a worker needs to be one of several. */
export interface WorkerClusterOptions extends Omit<ClusterOptions, 'transport' | 'admits'> {
  readonly transport: WorkerTransportOptions;
  /** Names of the nodes that may become members, or what decides it; everyone when absent. */
  readonly admits?: readonly string[] | AdmissionModule | undefined;
}

/** How a worker opens its node. Everything here survives the structured clone. */
export interface WorkerNodeOptions {
  readonly directory: string;
  readonly clusterId: string;
  readonly nodeId: string;
  readonly storeId?: string | undefined;
  readonly stateMachine: StateMachineModule;
  readonly featureLevel?: number | undefined;
  readonly limits?: Partial<RaftNodeLimits> | undefined;
  readonly retention?: Partial<RetentionPolicy> | undefined;
  readonly timing?: Partial<RaftTiming> | undefined;
  readonly diskSpace?: DiskSpaceBounds | 'unwatched' | undefined;
  readonly readMode?: 'round' | 'lease' | undefined;
  readonly cluster?: WorkerClusterOptions | undefined;
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

/** What the transport of a node counts and has queued, for metrics. */
export interface TransportStatus {
  /** How often something went wrong. */
  readonly counters: ReadonlyMap<TransportCounter, number>;
  /** Messages and bytes that wait, by member key and class. */
  readonly queues: ReturnType<TcpTransport['queues']>;
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
  | {
      readonly kind: 'reloadCredentials';
      readonly id: number;
      readonly bundle: CredentialBundle;
    }
  | { readonly kind: 'transportStatus'; readonly id: number }
  /** The owner is done with so many bytes of {@link FeedReport}. */
  | { readonly kind: 'taken'; readonly bytes: number }
  | { readonly kind: 'close'; readonly id: number };

/** From the worker to the owner, in order. */
export type WorkerReport =
  | FeedReport
  | { readonly kind: 'opened'; readonly status: WorkerStatus }
  | { readonly kind: 'openFailed'; readonly error: PortError }
  /** Packed results of commands. */
  | { readonly kind: 'results'; readonly packed: Uint8Array }
  | { readonly kind: 'rejected'; readonly ids: readonly number[]; readonly error: PortError }
  | { readonly kind: 'answer'; readonly id: number; readonly value: unknown }
  | { readonly kind: 'refusal'; readonly id: number; readonly error: PortError };

/** What comes without being asked for, no faster than the owner takes it. */
export type FeedReport =
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
