import { assert } from '../assert.ts';
import { RaftError } from '../errors.ts';
import type { MemberId } from '../raft/member-id.ts';
import { RawRaft } from '../raft/raw-raft.ts';
import type { CoreStoreJob, Ready, Role } from '../raft/ready.ts';
import { LevelLogStorage } from '../storage/level-log-storage.ts';
import type { LogStorage, StateWrite, StoreIdentity } from '../storage/log-storage.ts';
import { Applier } from './applier.ts';
import { ChangeFeed, type ChangeListener, callSafely } from './change-feed.ts';
import { CommandGroup } from './command-group.ts';
import { ProposalQueue, type ProposalResult } from './proposal-queue.ts';
import {
  type RaftNodeLimits,
  type RaftNodeOptions,
  resolveLimits,
  resolveRetention,
} from './raft-node-options.ts';
import { type ReadBarrier, ReadQueue } from './read-queue.ts';
import { Retention } from './retention.ts';
import type { StateMachine } from './state-machine.ts';

/** What a node knows of itself. Indexes and terms are those of the log. */
export interface RaftNodeStatus {
  readonly identity: StoreIdentity;
  readonly role: Role;
  readonly term: bigint;
  /** The leader as far as this node knows. */
  readonly leader: MemberId | undefined;
  /** Oldest and newest durable entry; `firstIndex` is `lastIndex + 1` for an empty log. */
  readonly firstIndex: bigint;
  readonly lastIndex: bigint;
  readonly commitIndex: bigint;
  /** Newest entry whose effects are durable. */
  readonly appliedIndex: bigint;
  /** Durable state revision. */
  readonly revision: bigint;
  /** Size of the durable log. */
  readonly retainedEntries: number;
  readonly retainedBytes: number;
  /** Commands without an outcome, and their payload size. */
  readonly queuedProposals: number;
  readonly queuedBytes: number;
  readonly isClosed: boolean;
  /** Why the node has stopped for good; `undefined` while it works. */
  readonly failure: Error | undefined;
}

/** How many log bytes are read at once when committed entries are applied after a restart. */
const REPLAY_BYTES = 1_024 * 1_024;

/**
 * One member of a cluster: the log, its storage and the state machine in step. Commands are
 * answered after one durable write that holds the entry together with its effects; commands that
 * arrive during a write share the next one.
 */
export class RaftNode {
  readonly #storage: LogStorage;
  readonly #core: RawRaft;
  readonly #stateMachine: StateMachine;
  readonly #applier: Applier;
  readonly #limits: RaftNodeLimits;
  readonly #retention: Retention;
  readonly #queue: ProposalQueue;
  readonly #reads = new ReadQueue();
  readonly #feed: ChangeFeed;
  #driving: Promise<void> | undefined;
  #closing: Promise<void> | undefined;
  #failure: Error | undefined;

  private constructor(storage: LogStorage, options: RaftNodeOptions) {
    const { bounds, hardState, applied, identity } = storage;
    this.#storage = storage;
    this.#stateMachine = options.stateMachine;
    this.#limits = resolveLimits(options.limits);
    this.#retention = new Retention(resolveRetention(options.retention));
    this.#queue = new ProposalQueue(this.#limits);
    this.#applier = new Applier(options.stateMachine, applied);
    const { nodeId, storeId } = identity;
    this.#core = new RawRaft(
      { nodeId, storeId },
      {
        hardState,
        lastIndex: bounds.last.index,
        lastTerm: bounds.last.term,
        applied: applied.index,
      },
    );
    this.#feed = new ChangeFeed(() => ({
      revision: this.#storage.applied.revision,
      appliedIndex: this.#storage.applied.index,
      isLeader: this.#core.softState.role === 'leader',
      isFailed: this.#failure !== undefined,
    }));
  }

  /**
   * Opens or creates the store, restores the state machine, applies what is committed and not yet
   * applied, and takes the leadership. Rejects with the errors of {@link LevelLogStorage.open},
   * `RAFT_STORAGE_FAILED` or `RAFT_APPLY_FAILED`, and with whatever `restore` throws; the store is
   * then closed again.
   */
  static async open(options: RaftNodeOptions): Promise<RaftNode> {
    const storage = 'storage' in options ? options.storage : await LevelLogStorage.open(options);
    try {
      await options.stateMachine.restore(storage.records(), storage.applied);
      const node = new RaftNode(storage, options);
      node.#core.campaign();
      node.#wake();
      await node.#driving;
      if (node.#failure !== undefined) throw node.#failure;
      assert(node.#core.softState.role === 'leader', 'the only voter leads');
      return node;
    } catch (error) {
      await storage.close();
      throw error;
    }
  }

  /**
   * Appends a command and resolves once it and its effects are durable and published. Commands of
   * one caller keep their order. The payload is copied.
   *
   * Rejects with `RAFT_STORAGE_FAILED` (see its `isUncertain`), `RAFT_APPLY_FAILED`,
   * `RAFT_ENTRY_TOO_LARGE`, `RAFT_OVERLOADED`, `RAFT_NOT_LEADER` or `RAFT_CLOSED`. All but an
   * uncertain `RAFT_STORAGE_FAILED` mean that the command has no effect.
   */
  propose(payload: Uint8Array): Promise<ProposalResult> {
    const { promise, resolve, reject } = Promise.withResolvers<ProposalResult>();
    try {
      this.#checkServing();
      const bytesMax = this.#limits.payloadBytesMax;
      if (payload.length > bytesMax) {
        throw new RaftError('RAFT_ENTRY_TOO_LARGE', { bytes: payload.length, bytesMax });
      }
      this.#queue.add({ payload: new Uint8Array(payload), resolve, reject });
      this.#wake();
    } catch (error) {
      reject(error);
    }
    return promise;
  }

  /**
   * Linearizable barrier: once it resolves, what the state machine has published contains the
   * effects of every command answered before the call. Rejects with `RAFT_NOT_LEADER`,
   * `RAFT_STORAGE_FAILED`, `RAFT_APPLY_FAILED` or `RAFT_CLOSED`.
   */
  read(): Promise<ReadBarrier> {
    const { promise, resolve, reject } = Promise.withResolvers<ReadBarrier>();
    try {
      this.#checkServing();
      this.#core.readIndex(this.#reads.add({ resolve, reject }));
      this.#wake();
    } catch (error) {
      reject(error);
    }
    return promise;
  }

  /** A snapshot of positions, sizes and condition. Always answers. */
  status(): RaftNodeStatus {
    const { bounds, applied, identity } = this.#storage;
    return {
      ...this.#core.softState,
      identity,
      firstIndex: bounds.purged.index + 1n,
      lastIndex: bounds.last.index,
      commitIndex: this.#core.commit,
      appliedIndex: applied.index,
      revision: applied.revision,
      retainedEntries: bounds.retainedEntries,
      retainedBytes: bounds.retainedBytes,
      queuedProposals: this.#queue.count,
      queuedBytes: this.#queue.bytes,
      isClosed: this.#closing !== undefined,
      failure: this.#failure,
    };
  }

  /**
   * Calls `listener` after every durable change of revision, applied index or condition; several
   * changes may make one call, and the newest is always told. Returns the unsubscription.
   */
  subscribe(listener: ChangeListener): () => void {
    return this.#feed.subscribe(listener);
  }

  /**
   * Refuses new commands, waits for the outcomes of those already proposed, and closes the store.
   * A second call returns the same promise.
   */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    while (this.#driving !== undefined) await this.#driving;
    this.#core.stop();
    this.#reads.rejectAll(new RaftError('RAFT_CLOSED', {}));
    await this.#storage.close();
    this.#feed.notify();
  }

  #checkServing(): void {
    if (this.#closing !== undefined) throw new RaftError('RAFT_CLOSED', {});
    if (this.#failure !== undefined) throw refusalAfter(this.#failure);
    const { role, leader } = this.#core.softState;
    if (role !== 'leader') throw new RaftError('RAFT_NOT_LEADER', { leader });
  }

  /** Starts the driver unless it runs. It begins in a later microtask, so that calls gather. */
  #wake(): void {
    if (this.#driving !== undefined || this.#failure !== undefined) return;
    this.#driving = Promise.resolve().then(() => this.#drive());
  }

  async #drive(): Promise<void> {
    // No await may stand between the last look for work and the end of driving: a command that
    // came in between would wait for the next one.
    while (this.#failure === undefined && this.#hasWork()) {
      const group = new CommandGroup(this.#queue);
      try {
        await this.#turn(group);
      } catch (error) {
        this.#fail(error, group);
      }
    }
    this.#driving = undefined;
  }

  #hasWork(): boolean {
    return (
      this.#core.hasReady ||
      this.#applier.position.index < this.#core.commit ||
      this.#queue.waiting > 0 ||
      this.#retention.next(this.#storage) !== undefined
    );
  }

  /** One durable write, or less when there is nothing to write. */
  async #turn(group: CommandGroup): Promise<void> {
    if (this.#applier.position.index < this.#core.commit) {
      await this.#replay();
      return;
    }
    // Work of the core itself, such as a vote, goes before commands.
    if (!this.#core.hasReady) group.fill(this.#core, this.#applier, this.#limits);
    const ready = this.#core.ready();
    this.#serve(ready);
    const { storeJob } = ready;
    if (storeJob === undefined && this.#retention.next(this.#storage) === undefined) return;
    await this.#write(storeJob, this.#applyJointly(storeJob), group);
  }

  /**
   * When a job commits by its own durability, its entries are applied before it is written, so
   * that entries and effects become durable in one write.
   */
  #applyJointly(storeJob: CoreStoreJob | undefined): readonly StateWrite[] {
    const applied = this.#storage.applied.index;
    const isNext = storeJob?.entries[0]?.index === applied + 1n;
    if (storeJob?.commitOnPersist === undefined || !isNext) {
      assert(this.#applier.position.index === applied, 'nothing is applied that is not written');
      return [];
    }
    for (const entry of storeJob.entries) {
      // Commands went through the state machine when they were taken into the group.
      if (entry.index > this.#applier.position.index) this.#applier.apply(entry);
    }
    return this.#applier.take();
  }

  async #write(
    storeJob: CoreStoreJob | undefined,
    writes: readonly StateWrite[],
    group: CommandGroup,
  ): Promise<void> {
    const position = this.#applier.position;
    const isApplying = position.index > this.#storage.applied.index;
    await this.#storage.write({
      hardState: storeJob?.hardState,
      entries: storeJob?.entries ?? [],
      applied: isApplying ? position : undefined,
      writes,
      purgeThrough: this.#retention.next(this.#storage),
    });
    if (storeJob !== undefined) this.#core.persisted(storeJob.seq);
    if (isApplying) {
      this.#core.appliedTo(position.index);
      callSafely(() => this.#stateMachine.publish?.(position));
    }
    group.resolve();
    if (isApplying || storeJob !== undefined) this.#feed.notify();
  }

  /** Applies committed entries that a former process stored without their effects. */
  async #replay(): Promise<void> {
    const from = this.#applier.position.index + 1n;
    const entries = await this.#storage.entries(from, this.#core.commit, REPLAY_BYTES);
    for (const entry of entries) {
      this.#applier.apply(entry);
      const { operations, bytes } = this.#applier;
      if (operations >= this.#limits.groupOperationsMax || bytes > this.#limits.groupBytesMax)
        break;
    }
    await this.#write(undefined, this.#applier.take(), new CommandGroup(this.#queue));
  }

  #serve(ready: Ready): void {
    const { revision } = this.#storage.applied;
    for (const { context, index } of ready.readStates) {
      this.#reads.resolve(context, { index, revision });
    }
    const { leader } = this.#core.softState;
    for (const context of ready.readsRejected) {
      this.#reads.reject(context, new RaftError('RAFT_NOT_LEADER', { leader }));
    }
  }

  /** Stops the node for good: nothing that was not answered yet is ever acknowledged. */
  #fail(error: unknown, group: CommandGroup): void {
    const failure = error instanceof Error ? error : new Error(String(error));
    this.#failure = failure;
    this.#core.storeFailed();
    group.reject(failure);
    const refusal = refusalAfter(failure);
    for (const proposal of this.#queue.takeAll()) {
      this.#queue.release(proposal);
      proposal.reject(refusal);
    }
    this.#reads.rejectAll(refusal);
    this.#feed.notify();
    // Anything but an operating failure is a defect that the process must not survive silently.
    if (!(failure instanceof RaftError)) {
      callSafely(() => {
        throw failure;
      });
    }
  }
}

/** The error of a call that the failed node has not begun to carry out. */
function refusalAfter(failure: Error): Error {
  if (!(failure instanceof RaftError) || failure.code !== 'RAFT_STORAGE_FAILED') return failure;
  return new RaftError('RAFT_STORAGE_FAILED', { isUncertain: false }, { cause: failure });
}
