import {
  type DirectoryNodeOptions,
  isOutcomeUnknown,
  RaftNode,
  RaftWorkerNode,
  type RaftWorkerNodeOptions,
  type ReadBarrier,
  type StorageNodeOptions,
} from '@nervix/consensus';
import type { ConsensusCounts, LogOutcome } from '../observability/consensus-counts.js';
import { ReplicatedState } from './replicated-state.js';
import type { StateLog } from './state-log.js';
import { replicatedStateMachine } from './state-machine.js';
import { stateMirror } from './state-mirror.js';
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

/** Where the log is kept when its node has a thread of its own. */
export type ThreadLogOptions = Omit<RaftWorkerNodeOptions, 'stateMachine' | 'mirror'>;

/** Who counts what becomes of commands and reads. */
export type OutcomeCounts = Pick<ConsensusCounts, 'proposed' | 'read'>;

/** The log of a node, kept by consensus. */
export class ReplicatedLog implements StateLog {
  readonly state: ReplicatedState;
  readonly #node: RaftNode | RaftWorkerNode;
  readonly #counts: OutcomeCounts | undefined;

  private constructor(
    node: RaftNode | RaftWorkerNode,
    state: ReplicatedState,
    counts: OutcomeCounts | undefined,
  ) {
    this.#node = node;
    this.state = state;
    this.#counts = counts;
  }

  /**
   * Opens the store and recovers the state.
   *
   * @throws RaftError when the store is locked, foreign or damaged
   */
  static async open(options: ReplicatedLogOptions, counts?: OutcomeCounts): Promise<ReplicatedLog> {
    const state = new ReplicatedState();
    const stateMachine = replicatedStateMachine(state);
    const node = await RaftNode.open({ ...options, stateMachine });
    return new ReplicatedLog(node, state, counts);
  }

  /**
   * The same with node, store and network in a thread of their own, so that a busy main thread delays
   * no heartbeat. Commands are applied there; the state here follows what is published.
   *
   * @throws RaftError when the store is locked, foreign or damaged
   */
  static async openInThread(
    options: ThreadLogOptions,
    counts?: OutcomeCounts,
  ): Promise<ReplicatedLog> {
    const state = new ReplicatedState();
    const url = new URL('./thread-machine.js', import.meta.url);
    const stateMachine = { url, name: 'threadStateMachine' };
    const mirror = stateMirror(state);
    const node = await RaftWorkerNode.open({ ...options, stateMachine, mirror });
    return new ReplicatedLog(node, state, counts);
  }

  /** @throws RaftError when the store failed or is closed; the outcome is then unknown */
  async write(command: Partial<WriteCommand>): Promise<WriteResult> {
    const full = { fences: [], put: [], remove: [], reference: null, ...command };
    const proposed = this.#node.propose(encodeCommand(full));
    const { result } = await counted(proposed, (outcome) => this.#counts?.proposed(outcome));
    return decodeResult(result);
  }

  /**
   * Linearizable barrier: what the state shows afterwards contains every command answered anywhere
   * before the call.
   *
   * @throws RaftError when no leader confirms it, or the node failed
   */
  read(): Promise<ReadBarrier> {
    return counted(this.#node.read(), (outcome) => this.#counts?.read(outcome));
  }

  /** @throws RaftError `RAFT_INVALID_CHANGE` when a member does not support the level */
  activateLevel(level: number): Promise<unknown> {
    return this.#node.activateLevel(level);
  }

  status(): ReturnType<RaftNode['status']> {
    const status = this.#node.status();
    // What a thread reports of itself may be older than what is readable here.
    const revision = BigInt(this.state.revision ?? 0);
    return revision > status.revision ? { ...status, revision } : status;
  }

  async close(): Promise<void> {
    await this.#node.close();
  }
}

async function counted<T>(call: Promise<T>, count: (outcome: LogOutcome) => void): Promise<T> {
  try {
    const value = await call;
    count('done');
    return value;
  } catch (error) {
    count(isOutcomeUnknown(error) ? 'unknown' : 'refused');
    throw error;
  }
}
