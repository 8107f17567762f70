import { assert } from '../assert.ts';
import { RaftError } from '../errors.ts';
import type { Entry } from '../raft/entry.ts';
import { type HardState, INITIAL_HARD_STATE } from '../raft/hard-state.ts';
import { ENTRY_OVERHEAD_BYTES } from './entry-codec.ts';
import { LogIndex } from './log-index.ts';
import {
  type AppliedPosition,
  INITIAL_APPLIED,
  type LogBounds,
  type LogStorage,
  type LogStorageCapabilities,
  type StateRecord,
  type StoreIdentity,
  type StoreJob,
  type WriteInterceptor,
} from './log-storage.ts';
import {
  checkIdentity,
  checkMayCreate,
  drawStoreId,
  type ExpectedIdentity,
} from './store-identity.ts';
import { checkJob, type JobBase, writePointsOf } from './store-job.ts';

interface DiskContent {
  readonly identity: StoreIdentity;
  hardState: HardState;
  applied: AppliedPosition;
  readonly log: LogIndex;
  /** The entry at index i is at `i - purged.index - 1`. */
  entries: readonly Entry[];
  records: ReadonlyMap<string, StateRecord>;
}

interface DiskState {
  content: DiskContent | undefined;
  /** The storage that has the disk open. */
  owner: object | undefined;
}

let stateOf: (disk: MemoryDisk) => DiskState;

/**
 * What a {@link MemoryLogStorage} keeps between two openings: the place of a disk in tests. Only
 * one storage at a time may have it open.
 */
export class MemoryDisk {
  readonly #state: DiskState = { content: undefined, owner: undefined };

  static {
    stateOf = (disk) => disk.#state;
  }

  /**
   * Takes the disk away from its owner as the end of its process would: what is not yet durable
   * never becomes so.
   */
  crash(): void {
    this.#state.owner = undefined;
  }
}

/** How to open a {@link MemoryLogStorage}. */
export interface MemoryLogStorageOptions extends ExpectedIdentity {
  readonly disk: MemoryDisk;
  /** Draws the id of a store that is created. Random by default. */
  readonly drawStoreId?: (() => string) | undefined;
  /** For fault injection; by default every write is carried out as it is. */
  readonly intercept?: WriteInterceptor | undefined;
}

/** A {@link LogStorage} without a disk: same contract, gone with the process. For tests. */
export class MemoryLogStorage implements LogStorage {
  readonly capabilities: LogStorageCapabilities = { isDurable: false, isChecksummed: false };
  readonly #disk: DiskState;
  readonly #content: DiskContent;
  readonly #intercept: WriteInterceptor;
  /** As of the newest acknowledged job, which a failed one may have left behind. */
  #acknowledged: JobBase;
  #failure: RaftError | undefined;
  #writing: Promise<void> | undefined;
  #closing: Promise<void> | undefined;

  private constructor(content: DiskContent, options: MemoryLogStorageOptions) {
    this.#disk = stateOf(options.disk);
    if (this.#disk.owner !== undefined) {
      throw new RaftError('RAFT_STORAGE_LOCKED', { directory: 'memory' });
    }
    this.#disk.owner = this;
    this.#content = content;
    this.#acknowledged = positionsOf(content);
    this.#intercept = options.intercept ?? ((_points, commit) => commit());
  }

  /** Opens or creates the store. Rejects with `RAFT_STORAGE_LOCKED` or `RAFT_FOREIGN_STORE`. */
  static async open(options: MemoryLogStorageOptions): Promise<MemoryLogStorage> {
    const { clusterId, nodeId } = options;
    const disk = stateOf(options.disk);
    if (disk.content === undefined) {
      checkMayCreate('memory', options);
      const storeId = (options.drawStoreId ?? drawStoreId)();
      disk.content = {
        identity: { clusterId, nodeId, storeId },
        hardState: INITIAL_HARD_STATE,
        applied: INITIAL_APPLIED,
        log: new LogIndex({ index: 0n, term: 0n }),
        entries: [],
        records: new Map(),
      };
    }
    const { content } = disk;
    checkIdentity('memory', options, content.identity);
    const { hardState, applied } = content;
    if (hardState.commit < applied.index)
      content.hardState = { ...hardState, commit: applied.index };
    return new MemoryLogStorage(content, options);
  }

  get identity(): StoreIdentity {
    return this.#content.identity;
  }

  get hardState(): HardState {
    return this.#acknowledged.hardState;
  }

  get bounds(): LogBounds {
    return this.#acknowledged.bounds;
  }

  get applied(): AppliedPosition {
    return this.#acknowledged.applied;
  }

  async write(job: StoreJob): Promise<void> {
    if (this.#closing !== undefined) throw new RaftError('RAFT_CLOSED', {});
    if (this.#failure !== undefined) {
      throw new RaftError('RAFT_STORAGE_FAILED', { isUncertain: false }, { cause: this.#failure });
    }
    assert(this.#writing === undefined, 'one job is written at a time');
    checkJob(this, job);
    this.#writing = this.#intercept(writePointsOf(this, job), async () => this.#commit(job));
    try {
      await this.#writing;
      this.#acknowledged = positionsOf(this.#content);
    } catch (error) {
      this.#failure = new RaftError('RAFT_STORAGE_FAILED', { isUncertain: true }, { cause: error });
      throw this.#failure;
    } finally {
      this.#writing = undefined;
    }
  }

  async entries(from: bigint, through: bigint, bytesMax: number): Promise<readonly Entry[]> {
    const { purged, last } = this.bounds;
    assert(from > purged.index && through <= last.index, 'the entries are stored');
    const range = this.#content.entries.slice(
      Number(from - purged.index - 1n),
      Number(through - purged.index),
    );
    let bytes = 0;
    const end = range.findIndex((entry, i) => {
      bytes += entryBytes(entry);
      return i > 0 && bytes > bytesMax;
    });
    return end < 0 ? range : range.slice(0, end);
  }

  indexBehind(entriesKept: number, bytesKept: number): bigint {
    return this.#content.log.indexBehind(entriesKept, bytesKept);
  }

  async *records(): AsyncGenerator<StateRecord> {
    const records = [...this.#content.records.values()];
    yield* records.sort((left, right) => Buffer.compare(left.key, right.key));
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    try {
      await this.#writing;
    } catch {
      // The caller of `write` has this error.
    }
    if (this.#disk.owner === this) this.#disk.owner = undefined;
  }

  #commit(job: StoreJob): void {
    if (this.#disk.owner !== this) throw new Error('the disk was taken away');
    const content = this.#content;
    content.hardState = job.hardState ?? content.hardState;
    for (const entry of job.entries) content.log.append(entry, entryBytes(entry));
    const entries = job.entries.map((entry) => ({ ...entry, payload: copy(entry.payload) }));
    content.entries = [...content.entries, ...entries];
    if (job.purgeThrough !== undefined) {
      const removed = Number(job.purgeThrough - content.log.bounds.purged.index);
      content.entries = content.entries.slice(removed);
      content.log.purge(job.purgeThrough);
    }
    if (job.applied === undefined) return;
    content.applied = job.applied;
    const records = new Map(content.records);
    for (const { key, value } of job.writes) {
      const name = Buffer.from(key).toString('latin1');
      if (value === undefined) records.delete(name);
      else records.set(name, { key: copy(key), value: copy(value) });
    }
    content.records = records;
  }
}

function positionsOf({ hardState, applied, log }: DiskContent): JobBase {
  return { hardState, applied, bounds: log.bounds };
}

function entryBytes(entry: Entry): number {
  return entry.payload.length + ENTRY_OVERHEAD_BYTES;
}

function copy(bytes: Uint8Array): Uint8Array {
  return new Uint8Array(bytes);
}
