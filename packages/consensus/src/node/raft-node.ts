import { randomBytes, randomInt } from 'node:crypto';
import { RaftError } from '../errors.ts';
import type { MemberChange } from '../raft/configuration.ts';
import type { ConfigurationRecord } from '../raft/entry.ts';
import type { FeatureLevels } from '../raft/feature-levels.ts';
import type { MemberId } from '../raft/member-id.ts';
import type { Role } from '../raft/output.ts';
import { DEFAULT_RAFT_OPTIONS, type RaftOptions } from '../raft/raft-options.ts';
import { chainOf } from '../storage/digests.ts';
import { LevelLogStorage } from '../storage/level-log-storage.ts';
import type { LogStorage, StoreIdentity } from '../storage/log-storage.ts';
import { checkStoreLevel } from '../storage/store-level.ts';
import { ByteSlab } from './byte-slab.ts';
import { ChangeFeed, type ChangeListener, callSafely } from './change-feed.ts';
import { ClusterLink } from './cluster-link.ts';
import { checkPayload } from './command-payload.ts';
import { DEFAULT_DISK_SPACE, DiskSpaceWatch } from './disk-space-watch.ts';
import { storeFailure } from './failures.ts';
import { checkChanges, checkTarget } from './member-checks.ts';
import { type NodeSettings, releaseTransport, settingsOf } from './node-settings.ts';
import { storeRun } from './process-run.ts';
import type { ProposalResult } from './proposal-queue.ts';
import {
  type RaftNodeLimits,
  type RaftNodeOptions,
  type RaftTiming,
  retentionWarning,
} from './raft-node-options.ts';
import type { ReadBarrier } from './read-queue.ts';
import { Replica } from './replica.ts';
import type { ReplicaEvent, ReplicaPorts, StoreTurn, StoreTurnResult } from './replica-ports.ts';
import { StoreTurns } from './store-turns.ts';
import { Ticker } from './ticker.ts';

/** What a node knows of itself. Indexes and terms are those of the log. */
export interface RaftNodeStatus {
  readonly identity: StoreIdentity;
  /** Identity of the cluster, once the node belongs to one. */
  readonly clusterUid: string | undefined;
  /** Feature levels that this node supports. */
  readonly levels: FeatureLevels;
  /** The activated one, as far as it is applied here. */
  readonly level: number;
  readonly role: Role;
  readonly term: bigint;
  /** The leader as far as this node knows. */
  readonly leader: MemberId | undefined;
  /** The newest configuration in the log, committed or not. */
  readonly configuration: ConfigurationRecord | undefined;
  readonly firstIndex: bigint;
  readonly lastIndex: bigint;
  readonly commitIndex: bigint;
  /** Newest entry whose effects are durable. */
  readonly appliedIndex: bigint;
  /** Durable state revision. */
  readonly revision: bigint;
  /** Index of the newest complete snapshot. */
  readonly snapshotIndex: bigint | undefined;
  /** Size of the durable log. */
  readonly retainedEntries: number;
  readonly retainedBytes: number;
  /** Commands without an outcome, and their payload size. */
  readonly queuedProposals: number;
  readonly queuedBytes: number;
  /** Batches of entries that were sent to other members and are not answered; of a leader. */
  readonly inflightBatches: number;
  /** Whether a write takes so long that it may never return. */
  readonly isWriteStalled: boolean;
  readonly isClosed: boolean;
  /** Why the node has stopped for good; `undefined` while it works. */
  readonly failure: Error | undefined;
}

/** How many log bytes are read at once when committed entries are applied after a restart. */
const REPLAY_BYTES = 1_024 * 1_024;

/** Ticks of a heartbeat interval. */
const HEARTBEAT_TICKS = 10;

/** How long a leader waits for other voters before it writes an entry itself. */
const DEFER_TICKS = 2;

/** How long an advance of the commit index waits for something to share messages and writes with. */
const WAKE_MS = 5;

/** How long commands are kept back for those that follow what was just answered. */
const GATHER_MS = 1;

/**
 * The transport ends a stream that is neither answered nor read for five seconds, and says so; this
 * is for what it cannot see. Sooner, a slow link would be filled with what is under way on it.
 */
const ANSWER_TIMEOUT_MS = 60_000;

/** How long a closing member of a cluster waits for outcomes that may need others. */
const CLOSE_TIMEOUT_MS = 5_000;

/**
 * One member of a cluster: log, store, state machine and, when there are others, the network.
 * Commands are answered after their effects are durable here; commands that arrive together share
 * messages and writes.
 */
export class RaftNode {
  readonly #storage: LogStorage;
  readonly #levels: FeatureLevels;
  readonly #replica: Replica;
  readonly #payloads = new ByteSlab();
  readonly #turns: StoreTurns;
  readonly #feed: ChangeFeed;
  readonly #ticker: Ticker;
  readonly #link: ClusterLink | undefined;
  readonly #diskSpace: DiskSpaceWatch | undefined;
  #isFlushScheduled = false;
  #isHalted = false;
  #waking: NodeJS.Timeout | undefined;
  #gathering: NodeJS.Timeout | undefined;
  /** A turn of the store is due or under way. */
  #isRunning = false;
  #whenIdle: (() => void) | undefined;
  #closing: Promise<void> | undefined;

  private constructor(
    storage: LogStorage,
    options: RaftNodeOptions,
    { limits, timing, retention, levels }: NodeSettings,
    epoch: string,
  ) {
    const { nodeId, storeId } = storage.identity;
    const self: MemberId = { nodeId, storeId };
    const observe = safely(options.observe);
    const warning = retentionWarning(retention);
    if (warning !== undefined) observe({ kind: 'warning', text: warning });
    this.#storage = storage;
    this.#levels = levels;
    this.#turns = new StoreTurns(storage, options.stateMachine, options.observe);
    const { cluster } = options;
    if (cluster !== undefined) {
      this.#link = new ClusterLink({
        cluster,
        storage,
        epoch,
        levels,
        turns: this.#turns,
        observe,
      });
    }
    this.#replica = new Replica(
      {
        core: {
          ...coreOptions(timing, limits),
          self,
          epoch,
          readMode: options.readMode ?? 'round',
        },
        limits,
        levels,
        retention,
        deferTicksMax: DEFER_TICKS,
        writeTicksMax: Math.ceil((timing.writeStallMs * HEARTBEAT_TICKS) / timing.heartbeatMs),
        stateMachine: {
          restore: (records, applied) => options.stateMachine.restore(records, applied),
          apply: (entry, context) => options.stateMachine.apply(entry, context),
          publish: (applied) => callSafely(() => options.stateMachine.publish?.(applied)),
        },
      },
      {
        hardState: storage.hardState,
        purged: storage.bounds.purged,
        headers: storage.headers(),
        configurations: storage.configurations,
        clusterUid: storage.clusterUid,
        applied: storage.applied,
        level: storage.level,
        snapshot: storage.snapshot,
      },
      this.#ports(observe),
    );
    this.#feed = new ChangeFeed(() => ({
      revision: this.#replica.applied.revision,
      appliedIndex: this.#replica.applied.index,
      isLeader: this.#replica.core.role === 'leader',
      isFailed: this.#replica.failure !== undefined,
    }));
    this.#ticker = new Ticker(
      timing.heartbeatMs / HEARTBEAT_TICKS,
      () => this.#replica.tick(),
      (lostTicks) => observe({ kind: 'stalled', lostTicks }),
    );
    if ('directory' in options && options.diskSpace !== 'unwatched') {
      const bounds = options.diskSpace ?? DEFAULT_DISK_SPACE;
      this.#diskSpace = new DiskSpaceWatch(options.directory, bounds, (space) => {
        this.#replica.diskIsLow(space.isLow ? space.text : undefined);
        observe({ kind: 'diskSpace', freeBytes: space.freeBytes, isLow: space.isLow });
      });
    }
  }

  /**
   * Opens or creates the store and restores the state machine. A node without `cluster`, or the
   * only voter of one, also applies what is committed and takes the leadership before this
   * resolves. Rejects with `RAFT_INVALID_OPTION` before anything is done, with the errors of
   * {@link LevelLogStorage.open}, `RAFT_ALREADY_FOUNDED`, `RAFT_STORAGE_FAILED` or
   * `RAFT_APPLY_FAILED`, and with whatever `restore` or the transport throws; store and transport
   * are then closed again. A transport whose store could not be opened can be used again.
   */
  static async open(options: RaftNodeOptions): Promise<RaftNode> {
    const settings = settingsOf(options);
    const storage = await openStorage(options, settings.levels);
    try {
      const endpoint = await options.cluster?.transport.listen();
      const epoch = randomBytes(16).toString('hex');
      const run = { epoch, endpoint: endpoint ?? '', levels: settings.levels };
      await storeRun(storage, options.cluster, run);
      await options.stateMachine.restore(storage.records(), storage.applied);
      const node = new RaftNode(storage, options, settings, epoch);
      await node.#begin();
      return node;
    } catch (error) {
      try {
        await options.cluster?.transport.close();
      } finally {
        await storage.close();
      }
      throw error;
    }
  }

  /** Nothing of a node that does not start goes on: neither a timer nor a turn of the store. */
  async #begin(): Promise<void> {
    try {
      await this.#start();
    } catch (error) {
      await this.#halt();
      throw error;
    }
  }

  async #start(): Promise<void> {
    await this.#diskSpace?.start();
    this.#link?.start(this.#replica);
    this.#ticker.start();
    if (!this.#replica.isSoleVoter) return;
    this.#replica.campaign();
    await this.#until(() => {
      const { core, applied } = this.#replica;
      return core.role === 'leader' && applied.index === core.lastIndex;
    });
    const { failure } = this.#replica;
    if (failure !== undefined) throw failure;
  }

  /**
   * Appends a command and resolves once it and its effects are durable and published. Commands of
   * one caller keep their order. The payload is copied.
   *
   * Rejects with `RAFT_NOT_LEADER`, `RAFT_ENTRY_TOO_LARGE`, `RAFT_OVERLOADED`, `RAFT_LOG_FULL`,
   * `RAFT_UNCOMMITTED_LOG_FULL`, `RAFT_DISK_LOW`, `RAFT_TRANSFERRING`, `RAFT_CLOSED`, or the
   * failure of the node when it had failed before: the command has no effect.
   * `RAFT_LEADERSHIP_LOST`, whose `cause` is the failure of the node if it failed meanwhile, and
   * `RAFT_STORAGE_FAILED` with `isUncertain` mean that its outcome is unknown. Rejects with
   * `TypeError` what is no `Uint8Array`.
   */
  propose(payload: Uint8Array): Promise<ProposalResult> {
    const { promise, resolve, reject } = Promise.withResolvers<ProposalResult>();
    if (this.#closing !== undefined) {
      reject(new RaftError('RAFT_CLOSED', {}));
      return promise;
    }
    try {
      checkPayload(payload);
      this.#replica.propose({ payload: this.#payloads.copy(payload), resolve, reject });
      this.#scheduleFlush();
    } catch (error) {
      reject(error);
    }
    return promise;
  }

  /**
   * Linearizable barrier, on any member: once it resolves, what the state machine has published
   * contains the effects of every command answered anywhere before the call. Rejects with
   * `RAFT_NOT_LEADER` when no leader confirms it, `RAFT_OVERLOADED` when too many wait for that,
   * `RAFT_STORAGE_FAILED`, `RAFT_APPLY_FAILED` or `RAFT_CLOSED`.
   */
  read(): Promise<ReadBarrier> {
    const { promise, resolve, reject } = Promise.withResolvers<ReadBarrier>();
    if (this.#closing !== undefined) reject(new RaftError('RAFT_CLOSED', {}));
    else this.#replica.read({ resolve, reject });
    return promise;
  }

  /**
   * Changes the members, as leader, and resolves once the change is committed and durable here.
   * Rejects like {@link propose}, and with `RAFT_CHANGE_PENDING`, `RAFT_INVALID_CHANGE`, or
   * `RAFT_INVALID_OPTION` for what describes no change.
   */
  changeMembers(changes: readonly MemberChange[]): Promise<ProposalResult> {
    const { promise, resolve, reject } = Promise.withResolvers<ProposalResult>();
    try {
      if (this.#closing !== undefined) throw new RaftError('RAFT_CLOSED', {});
      checkChanges(changes);
      const problem = this.#link?.levelProblem(changes);
      if (problem !== undefined) throw new RaftError('RAFT_INVALID_CHANGE', { problem });
      this.#replica.changeMembers(changes, { resolve, reject });
    } catch (error) {
      reject(error);
    }
    return promise;
  }

  /**
   * Activates the next feature level, as leader, for ever; resolves once that is committed and
   * durable here. Rejects like {@link changeMembers}; `RAFT_INVALID_CHANGE` tells which member does
   * not support it, by the release that it runs or has run last.
   */
  activateLevel(level: number): Promise<ProposalResult> {
    return this.changeMembers([{ kind: 'activate', level }]);
  }

  /**
   * Begins to hand leadership to a voter. Whether it took it shows in {@link status}; after one
   * election timeout without success this node leads on. Rejects with `RAFT_NOT_LEADER`,
   * `RAFT_INVALID_CHANGE`, `RAFT_CLOSED`, or `RAFT_INVALID_OPTION` for what names no member.
   */
  async transferLeader(target: MemberId): Promise<void> {
    if (this.#closing !== undefined) throw new RaftError('RAFT_CLOSED', {});
    checkTarget(target);
    const error = this.#replica.transferLeader(target);
    if (error !== undefined) throw error;
  }

  /** A snapshot of positions, sizes and condition. Always answers. */
  status(): RaftNodeStatus {
    const { core, applied, proposals, snapshot, failure } = this.#replica;
    const { bounds, identity } = this.#storage;
    return {
      identity,
      clusterUid: this.#replica.clusterUid,
      levels: this.#levels,
      level: this.#storage.level,
      role: core.role,
      term: core.term,
      leader: core.leader,
      configuration: this.#replica.configuration,
      firstIndex: bounds.purged.index + 1n,
      lastIndex: bounds.last.index,
      commitIndex: core.commit,
      appliedIndex: applied.index,
      revision: applied.revision,
      snapshotIndex: snapshot?.index,
      retainedEntries: bounds.retainedEntries,
      retainedBytes: bounds.retainedBytes,
      queuedProposals: proposals.count,
      queuedBytes: proposals.bytes,
      inflightBatches: core.inflightBatches,
      isWriteStalled: this.#replica.isWriteStalled,
      isClosed: this.#closing !== undefined,
      failure,
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
   * Refuses new commands, waits for the outcomes of those already proposed, for a bounded time when
   * they depend on other members, and closes network and store. A second call returns the same
   * promise.
   */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    this.#replica.flush();
    const limitMs = this.#replica.isSoleVoter ? undefined : CLOSE_TIMEOUT_MS;
    await this.#until(() => !this.#replica.isBusy, limitMs);
    await this.#halt();
    await this.#storage.close();
    this.#feed.notify();
  }

  async #halt(): Promise<void> {
    this.#isHalted = true;
    this.#replica.stop();
    this.#ticker.stop();
    clearTimeout(this.#waking);
    clearTimeout(this.#gathering);
    this.#diskSpace?.stop();
    await this.#link?.close();
    if (this.#isRunning) await new Promise<void>((resolve) => (this.#whenIdle = resolve));
  }

  /**
   * Resolves when `condition` holds, the replica has failed or the time is over. Whatever changes
   * an answer is told to the feed.
   */
  #until(condition: () => boolean, limitMs?: number): Promise<void> {
    const isOver = () => this.#replica.failure !== undefined || condition();
    if (isOver()) return Promise.resolve();
    return new Promise((resolve) => {
      const end = () => {
        clearTimeout(timer);
        unsubscribe();
        resolve();
      };
      const timer = limitMs === undefined ? undefined : setTimeout(end, limitMs);
      const unsubscribe = this.#feed.subscribe(() => {
        if (isOver()) end();
      });
    });
  }

  /** Commands of one turn of the event loop are proposed together. */
  #scheduleFlush(): void {
    if (this.#isFlushScheduled) return;
    this.#isFlushScheduled = true;
    setImmediate(() => {
      this.#isFlushScheduled = false;
      this.#replica.flush();
    });
  }

  #ports(observe: NonNullable<RaftNodeOptions['observe']>): ReplicaPorts {
    const storage = this.#storage;
    return {
      store: {
        get bounds() {
          return storage.bounds;
        },
        indexBehind: (entriesKept, bytesKept) => storage.indexBehind(entriesKept, bytesKept),
        stateDigest: () => storage.stateProof.stateDigest.toString(16).padStart(64, '0'),
      },
      startTurn: (turn) => {
        this.#isRunning = true;
        // Whatever was read together with what this turn is for takes part or has its turn next, and
        // messages leave before this thread is busy with the disk.
        setImmediate(() => this.#runTurn(turn));
      },
      nowMs: () => performance.now(),
      wakeSoon: () => {
        // As long as one advance follows the other, messages and writes come for all but the last.
        if (this.#waking !== undefined) this.#waking.refresh();
        else {
          this.#waking = setTimeout(() => {
            this.#waking = undefined;
            this.#replica.wake();
          }, WAKE_MS);
        }
      },
      gatherSoon: () => {
        clearTimeout(this.#gathering);
        this.#gathering = setTimeout(() => this.#replica.gathered(), GATHER_MS);
      },
      send: (to, message) => this.#link?.send(to, message),
      sendSnapshot: (to, term, snapshot) => {
        if (this.#link === undefined) return;
        void this.#link.sendSnapshot(to, term, snapshot.generation);
      },
      readEntries: ({ request, from, through, bytesMax }) => {
        this.#read(from, through, bytesMax, (entries) => {
          this.#replica.entriesRead(request, entries);
        });
      },
      readCommitted: (from, through) => {
        this.#read(from, through, REPLAY_BYTES, (entries) => {
          this.#replica.committedRead(from, entries);
        });
      },
      changed: () => {
        this.#link?.membersChanged(this.#replica);
        this.#feed.notify();
      },
      event: (event: ReplicaEvent) => observe(event),
    };
  }

  #runTurn(turn: StoreTurn): void {
    let running: Promise<StoreTurnResult> | undefined;
    try {
      running = this.#turns.run(turn);
    } catch (error) {
      this.#turnFailed(error);
      return;
    }
    if (running === undefined) this.#turnEnded({ kind: 'done' });
    else {
      running.then(
        (result) => this.#turnEnded(result),
        (error: unknown) => this.#turnFailed(error),
      );
    }
  }

  #turnFailed(error: unknown): void {
    const failure = storeFailure(error);
    this.#turnEnded({ kind: 'failed', error: failure });
    this.#throwDefect(failure);
  }

  #turnEnded(result: StoreTurnResult): void {
    this.#isRunning = false;
    callSafely(() => this.#replica.turnEnded(result));
    // Turns that change nothing for anyone else are still waited for by whoever closes the node.
    if (!this.#replica.isBusy) this.#feed.notify();
    if (!this.#isRunning) this.#whenIdle?.();
  }

  #read(
    from: bigint,
    through: bigint,
    bytesMax: number,
    take: (entries: Awaited<ReturnType<LogStorage['entries']>>) => void,
  ): void {
    // What was asked for may have been purged since.
    const { purged, last } = this.#storage.bounds;
    const isStored = from > purged.index && from <= last.index;
    const end = through < last.index ? through : last.index;
    const reading = isStored ? this.#storage.entries(from, end, bytesMax) : Promise.resolve([]);
    reading.then(
      (entries) => callSafely(() => take(entries)),
      (error: unknown) => this.#readFailed(error),
    );
  }

  #readFailed(error: unknown): void {
    // The store is closed without waiting for reads whose answers nobody wants any more.
    if (this.#isHalted) return;
    this.#replica.fail(storeFailure(error));
    this.#throwDefect(error);
  }

  /** Anything but an operating failure is a defect that the process must not survive silently. */
  #throwDefect(error: unknown): void {
    if (error instanceof RaftError) return;
    callSafely(() => {
      throw error;
    });
  }
}

async function openStorage(options: RaftNodeOptions, levels: FeatureLevels): Promise<LogStorage> {
  try {
    if (!('storage' in options)) return await LevelLogStorage.open({ ...options, levels });
    checkStoreLevel('the given store', options.storage.level, levels);
    return options.storage;
  } catch (error) {
    releaseTransport(options);
    throw error;
  }
}

/** Whoever observes must not disturb what is observed: its defect becomes an uncaught exception. */
function safely(observe: RaftNodeOptions['observe']): NonNullable<RaftNodeOptions['observe']> {
  if (observe === undefined) return () => {};
  return (event) => callSafely(() => observe(event));
}

function coreOptions(
  timing: RaftTiming,
  limits: RaftNodeLimits,
): Omit<RaftOptions, 'self' | 'epoch' | 'readMode'> {
  const tickMs = timing.heartbeatMs / HEARTBEAT_TICKS;
  const electionTicksMin = Math.ceil(timing.electionMinMs / tickMs);
  return {
    ...DEFAULT_RAFT_OPTIONS,
    chainOf,
    seed: randomInt(2 ** 31),
    heartbeatTicks: HEARTBEAT_TICKS,
    electionTicksMin,
    electionTicksMax: Math.max(electionTicksMin + 1, Math.ceil(timing.electionMaxMs / tickMs)),
    probeTicksMax: Math.ceil(ANSWER_TIMEOUT_MS / tickMs),
    answerTicksMax: Math.ceil(ANSWER_TIMEOUT_MS / tickMs),
    payloadBytesMax: limits.payloadBytesMax,
  };
}
