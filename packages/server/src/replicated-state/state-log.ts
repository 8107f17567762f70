import type { RaftNode } from '@nervix/consensus';
import type { ReplicatedState } from './replicated-state.js';
import type { WriteCommand, WriteResult } from './write-command.js';

/** A log of commands as the control plane needs it: the one way to change replicated state. */
export interface StateLog {
  /** What the applied commands come to. */
  readonly state: ReplicatedState;
  /**
   * Commits a command. The answer comes after the write is durable and readable.
   *
   * @throws RaftError when the log does not take it, or its outcome is unknown
   */
  write(command: Partial<WriteCommand>): Promise<WriteResult>;
  /**
   * Activates the next feature level for the whole cluster, for ever.
   *
   * @throws RaftError `RAFT_INVALID_CHANGE` when a member does not support it, or like {@link write}
   */
  activateLevel(level: number): Promise<unknown>;
  /** Position and role of the node. */
  status(): ReturnType<RaftNode['status']>;
}
