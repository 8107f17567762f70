import { type DirectoryNodeOptions, RaftNode, type StorageNodeOptions } from '@nervix/consensus';
import { ReplicatedState } from './replicated-state.js';
import type { StateLog } from './state-log.js';
import { replicatedStateMachine } from './state-machine.js';
import {
  decodeResult,
  encodeCommand,
  type WriteCommand,
  type WriteResult,
} from './write-command.js';

/** Where the log is kept: a directory of its own, or a store that the caller opened. */
export type ReplicatedLogOptions =
  | Omit<DirectoryNodeOptions, 'stateMachine'>
  | Omit<StorageNodeOptions, 'stateMachine'>;

/** The log of a node, kept by consensus. */
export class ReplicatedLog implements StateLog {
  readonly state: ReplicatedState;
  readonly #node: RaftNode;

  private constructor(node: RaftNode, state: ReplicatedState) {
    this.#node = node;
    this.state = state;
  }

  /**
   * Opens the store and recovers the state.
   *
   * @throws RaftError when the store is locked, foreign or damaged
   */
  static async open(options: ReplicatedLogOptions): Promise<ReplicatedLog> {
    const state = new ReplicatedState();
    const stateMachine = replicatedStateMachine(state);
    const node = await RaftNode.open({ ...options, stateMachine });
    return new ReplicatedLog(node, state);
  }

  /** @throws RaftError when the store failed or is closed; the outcome is then unknown */
  async write(command: Partial<WriteCommand>): Promise<WriteResult> {
    const { result } = await this.#node.propose(
      encodeCommand({ fences: [], put: [], remove: [], reference: null, ...command }),
    );
    return decodeResult(result);
  }

  status(): ReturnType<RaftNode['status']> {
    return this.#node.status();
  }

  async close(): Promise<void> {
    await this.#node.close();
  }
}
