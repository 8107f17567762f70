import type { FeatureLevels } from '../raft/feature-levels.ts';
import type { RaftOptions, RaftState } from '../raft/raft-options.ts';
import type { AppliedPosition, SnapshotManifest } from '../storage/log-storage.ts';
import type { RaftNodeLimits, RetentionPolicy } from './raft-node-options.ts';
import type { StateMachine } from './state-machine.ts';

/** How a replica behaves. */
export interface ReplicaOptions {
  readonly core: RaftOptions;
  readonly limits: RaftNodeLimits;
  readonly retention: RetentionPolicy;
  readonly stateMachine: StateMachine;
  /** Feature levels that this release supports. */
  readonly levels: FeatureLevels;
  /** How many ticks a write may take before this member lets another one lead. */
  readonly writeTicksMax: number;
  /**
   * How many ticks a leader may leave entries to the other voters before it writes them itself; 0
   * for never.
   */
  readonly deferTicksMax: number;
}

/** What a replica takes over from its opened store. */
export interface ReplicaState extends Omit<RaftState, 'applied' | 'snapshot'> {
  readonly clusterUid: string | undefined;
  readonly applied: AppliedPosition;
  /** The feature level that is activated at that position. */
  readonly level: number;
  readonly snapshot: SnapshotManifest | undefined;
}
