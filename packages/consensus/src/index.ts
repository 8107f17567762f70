export { InvariantError } from './assert.ts';
export {
  isOutcomeUnknown,
  isRaftError,
  RAFT_ERROR_CODES,
  RaftError,
  type RaftErrorCode,
  type RaftErrorDetails,
} from './errors.ts';
export type { ChangeListener, NodeChange } from './node/change-feed.ts';
export type { ProposalResult } from './node/proposal-queue.ts';
export { RaftNode, type RaftNodeStatus } from './node/raft-node.ts';
export {
  type ClusterOptions,
  DEFAULT_LIMITS,
  DEFAULT_RETENTION,
  DEFAULT_TIMING,
  type DirectoryNodeOptions,
  type NodeEvent,
  type RaftNodeLimits,
  type RaftNodeOptions,
  type RaftTiming,
  type RetentionPolicy,
  type StorageNodeOptions,
} from './node/raft-node-options.ts';
export type { ReadBarrier } from './node/read-queue.ts';
export type { ReplicaEvent } from './node/replica-ports.ts';
export {
  APPLY_BYTES_MAX,
  type ApplyContext,
  type ApplyOutcome,
  type StateMachine,
} from './node/state-machine.ts';
export type { Configuration, Member, MemberChange } from './raft/configuration.ts';
export {
  type ChainedPosition,
  type ConfigurationRecord,
  type Entry,
  type EntryBody,
  type EntryHeader,
  type EntryKind,
  LOG_START,
  type LogPosition,
} from './raft/entry.ts';
export type { FeatureLevels, LeveledProcess } from './raft/feature-levels.ts';
export { type HardState, INITIAL_HARD_STATE } from './raft/hard-state.ts';
export type { Input } from './raft/input.ts';
export { isSameMember, type MemberId } from './raft/member-id.ts';
export type {
  DriverMessage,
  Message,
  PeerMessage,
  ReadContext,
  SentMessage,
  SnapshotMeta,
} from './raft/message.ts';
export type {
  CoreEvent,
  CoreStoreJob,
  EntriesRequest,
  GatedMessage,
  OutgoingMessage,
  Output,
  ProposalOutcome,
  ProposalRefusal,
  ReadState,
  Role,
  SoftState,
} from './raft/output.ts';
export { Raft } from './raft/raft.ts';
export { DEFAULT_RAFT_OPTIONS, type RaftOptions, type RaftState } from './raft/raft-options.ts';
export { chainOf } from './storage/digests.ts';
export { LevelLogStorage, type LevelLogStorageOptions } from './storage/level-log-storage.ts';
export {
  type AppliedPosition,
  ENTRY_BYTES_MAX,
  INITIAL_APPLIED,
  type LogBounds,
  type LogStorage,
  type LogStorageCapabilities,
  PURGE_ENTRIES_MAX,
  SECTION_BYTES_MAX,
  type SnapshotBuild,
  type SnapshotInstall,
  type SnapshotManifest,
  type SnapshotReceipt,
  type StateProof,
  type StateRecord,
  type StateWrite,
  type StoreIdentity,
  type StoreJob,
  type WriteInterceptor,
  type WritePoint,
} from './storage/log-storage.ts';
export { MemoryDisk } from './storage/memory-disk.ts';
export { MemoryLogStorage, type MemoryLogStorageOptions } from './storage/memory-log-storage.ts';
export type { ExpectedIdentity } from './storage/store-identity.ts';
export type { CredentialBundle } from './transport/credentials.ts';
export type { NameResolverOptions } from './transport/name-resolver.ts';
export { TcpTransport, type TcpTransportOptions } from './transport/tcp-transport.ts';
export type {
  ContactAnswer,
  OutgoingSnapshot,
  PeerIdentity,
  SnapshotSink,
  Transport,
  TransportPeer,
  TransportReceiver,
} from './transport/transport.ts';
export {
  RaftWorkerNode,
  type RaftWorkerNodeOptions,
  type RecordMirror,
} from './worker/raft-worker-node.ts';
export type {
  AdmissionModule,
  StateMachineModule,
  TransportStatus,
  WorkerClusterOptions,
  WorkerTransportOptions,
} from './worker/worker-protocol.ts';
