export { InvariantError } from './assert.ts';
export {
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
  DEFAULT_LIMITS,
  DEFAULT_RETENTION,
  type DirectoryNodeOptions,
  type RaftNodeLimits,
  type RaftNodeOptions,
  type RetentionPolicy,
  type StorageNodeOptions,
} from './node/raft-node-options.ts';
export type { ReadBarrier } from './node/read-queue.ts';
export {
  APPLY_BYTES_MAX,
  type ApplyContext,
  type ApplyOutcome,
  type StateMachine,
} from './node/state-machine.ts';
export type { Entry, EntryKind, LogPosition } from './raft/entry.ts';
export { type HardState, INITIAL_HARD_STATE } from './raft/hard-state.ts';
export type { MemberId } from './raft/member-id.ts';
export { RawRaft, type RawRaftState } from './raft/raw-raft.ts';
export type {
  CoreStoreJob,
  ProposalOutcome,
  ReadState,
  Ready,
  Role,
  SoftState,
} from './raft/ready.ts';
export { LevelLogStorage, type LevelLogStorageOptions } from './storage/level-log-storage.ts';
export type { StoreIdentity } from './storage/log-storage.ts';
export {
  type AppliedPosition,
  ENTRY_BYTES_MAX,
  INITIAL_APPLIED,
  type LogBounds,
  type LogStorage,
  type LogStorageCapabilities,
  PURGE_ENTRIES_MAX,
  type StateRecord,
  type StateWrite,
  type StoreJob,
  type WriteInterceptor,
  type WritePoint,
} from './storage/log-storage.ts';
export {
  MemoryDisk,
  MemoryLogStorage,
  type MemoryLogStorageOptions,
} from './storage/memory-log-storage.ts';
export type { ExpectedIdentity } from './storage/store-identity.ts';
