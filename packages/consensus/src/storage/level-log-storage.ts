import { resolve } from 'node:path';
import { assert, InvariantError, present } from '../assert.ts';
import { RaftError } from '../errors.ts';
import { lesser } from '../raft/big-order.ts';
import type { ConfigurationRecord, Entry, EntryHeader } from '../raft/entry.ts';
import { FIRST_LEVELS } from '../raft/feature-levels.ts';
import type { HardState } from '../raft/hard-state.ts';
import { contentDigest } from './digests.ts';
import { storedBytes } from './entry-codec.ts';
import { storageError } from './level-directory.ts';
import { type JobContext, writeJob } from './level-job.ts';
import { blockKey, placeInKey, sectionKey, stateKeyRange } from './level-keys.ts';
import { openStore } from './level-open.ts';
import { LevelSnapshotBuild } from './level-snapshot-build.ts';
import { LevelSnapshotInstall } from './level-snapshot-install.ts';
import { LevelSnapshotReceipt } from './level-snapshot-receipt.ts';
import { entriesIn } from './log-block.ts';
import type {
  AppliedPosition,
  LogBounds,
  LogStorage,
  LogStorageCapabilities,
  SnapshotBuild,
  SnapshotInstall,
  SnapshotManifest,
  SnapshotReceipt,
  StateProof,
  StateRecord,
  StoreIdentity,
  StoreJob,
  WriteInterceptor,
} from './log-storage.ts';
import { RECORD_KIND } from './record-frame.ts';
import type { ExpectedIdentity } from './store-identity.ts';
import { checkJob, removesAny } from './store-job.ts';

/** How to open a {@link LevelLogStorage}. */
export interface LevelLogStorageOptions extends ExpectedIdentity {
  /** Database directory; created when absent. Its anchor file lies beside it. */
  readonly directory: string;
  /** Draws the id of a store that is created. Random by default. */
  readonly drawStoreId?: (() => string) | undefined;
  /** For fault injection; by default every write is carried out as it is. */
  readonly intercept?: WriteInterceptor | undefined;
}

const CAPABILITIES: LogStorageCapabilities = { isDurable: true, isChecksummed: true };

/**
 * A {@link LogStorage} in a LevelDB database of its own with a journal in front of it. Every job is
 * one batch with a sync; every record carries a checksum, every batch a link to the one before, and a
 * small anchor file names the newest batch, because LevelDB by itself reports neither lost batches
 * nor a lost tail.
 */
export class LevelLogStorage implements LogStorage {
  readonly capabilities: LogStorageCapabilities = CAPABILITIES;
  readonly #context: JobContext;
  #receipt: LevelSnapshotReceipt | undefined;

  private constructor(context: JobContext) {
    this.#context = context;
  }

  /**
   * Opens or creates the store and verifies all of it. Rejects with `RAFT_STORAGE_CORRUPT`,
   * `RAFT_STORAGE_LOCKED`, `RAFT_STORAGE_VERSION`, `RAFT_STORAGE_LEVEL`, `RAFT_FOREIGN_STORE`,
   * `RAFT_INVALID_OPTION` when it would be created among other files, or
   * `RAFT_STORAGE_UNAVAILABLE`, with the cause, such as a full disk. Nothing stored is ever repaired
   * or cut.
   */
  static async open(options: LevelLogStorageOptions): Promise<LevelLogStorage> {
    const directory = resolve(options.directory);
    const { intercept, levels = FIRST_LEVELS } = options;
    try {
      return new LevelLogStorage(await openStore({ ...options, directory, intercept, levels }));
    } catch (error) {
      if (error instanceof RaftError || error instanceof InvariantError) throw error;
      throw storageError(directory, error);
    }
  }

  get identity(): StoreIdentity {
    return this.#context.writer.positions.format.identity;
  }

  get clusterUid(): string | undefined {
    return this.#context.writer.positions.format.clusterUid;
  }

  get level(): number {
    return this.#context.writer.positions.format.level;
  }

  get incarnation(): bigint {
    return this.#context.writer.positions.format.incarnation;
  }

  get hardState(): HardState {
    return this.#context.writer.positions.hardState;
  }

  get bounds(): LogBounds {
    return this.#context.content.log.bounds;
  }

  get applied(): AppliedPosition {
    return this.#context.writer.positions.applied.position;
  }

  get stateProof(): StateProof {
    const { stateDigest, recordCount } = this.#context.writer.positions.applied;
    return { stateDigest, recordCount };
  }

  get configurations(): readonly ConfigurationRecord[] {
    return this.#context.content.configurations;
  }

  get snapshot(): SnapshotManifest | undefined {
    return this.#context.content.generations.active;
  }

  async write(job: StoreJob): Promise<void> {
    await this.writeAtOnce(job);
  }

  writeAtOnce(job: StoreJob): Promise<void> | undefined {
    const { writer, content } = this.#context;
    writer.checkOpen();
    const { clusterUid, incarnation, hardState, applied } = this;
    checkJob({ clusterUid, incarnation, hardState, applied, log: content.log }, job);
    return writer.run(() => writeJob(this.#context, job));
  }

  headers(): Iterable<EntryHeader> {
    return this.#context.content.log.headers();
  }

  async entries(from: bigint, through: bigint, bytesMax: number): Promise<readonly Entry[]> {
    const { content } = this.#context;
    assert(content.log.holds(from) && content.log.holds(through), 'the entries are stored');
    await this.#removalsOf(from, through);
    if (!content.log.holds(from)) return [];
    return this.#entries(from, lesser(through, content.log.lastIndex), bytesMax);
  }

  /** The database shows a removal before the log here does, so reading waits until both do. */
  async #removalsOf(from: bigint, through: bigint): Promise<void> {
    const { content, writer } = this.#context;
    while (content.writing !== undefined && removesAny(content.writing, from, through)) {
      await writer.settled();
    }
  }

  async #entries(from: bigint, through: bigint, bytesMax: number): Promise<readonly Entry[]> {
    const { reader, content } = this.#context;
    const { epoch } = content.blocks;
    const entries: Entry[] = [];
    let index = from;
    let bytes = 0;
    const gte = blockKey({ epoch, first: content.blocks.startOf(from) });
    const lte = blockKey({ epoch, first: through });
    for await (const page of reader.pages({ gte, lte })) {
      for (const [key, value] of page) {
        for (const entry of this.#entriesIn(key, value, { from: index, through })) {
          if (entry.index !== index) throw this.#missing(key, index);
          bytes += storedBytes(entry);
          if (entries.length > 0 && bytes > bytesMax) return entries;
          entries.push(entry);
          index += 1n;
        }
      }
    }
    if (index <= through) throw this.#missing(gte, index);
    return entries;
  }

  #entriesIn(
    key: Uint8Array,
    value: Uint8Array,
    range: { readonly from: bigint; readonly through: bigint },
  ): readonly Entry[] {
    const { reader } = this.#context;
    const { first } = present(placeInKey(key), 'the key is that of a block');
    return reader.decode(RECORD_KIND.block, key, value, (it) => entriesIn(it, first, range));
  }

  #missing(key: Uint8Array, index: bigint): Error {
    return this.#context.reader.corrupt(key, `entry ${index} is missing`);
  }

  indexBehind(entriesKept: number, bytesKept: number): bigint {
    return this.#context.content.log.indexBehind(entriesKept, bytesKept);
  }

  async *records(): AsyncGenerator<StateRecord> {
    const { reader } = this.#context;
    for await (const page of reader.pages(stateKeyRange())) {
      for (const [key, value] of page) {
        const payload = reader.decode(RECORD_KIND.state, key, value, (bytes) => bytes);
        yield { key: new Uint8Array(key.subarray(1)), value: new Uint8Array(payload) };
      }
    }
  }

  buildSnapshot(configuration: ConfigurationRecord): SnapshotBuild {
    this.#context.writer.checkOpen();
    return new LevelSnapshotBuild(this.#context, configuration);
  }

  async snapshotSection(generation: bigint, section: number): Promise<Uint8Array> {
    const { reader, content } = this.#context;
    const { generations } = content;
    const digest = generations.kept(generation)?.sections[section];
    if (digest === undefined) throw new RaftError('RAFT_SNAPSHOT_GONE', { generation });
    const key = sectionKey(generation, section);
    const value = await reader.getValue(key);
    // It may have lost its place while it was being read.
    if (generations.kept(generation) === undefined) {
      throw new RaftError('RAFT_SNAPSHOT_GONE', { generation });
    }
    if (value === undefined) throw reader.corrupt(key, 'record is missing');
    const bytes = reader.decode(RECORD_KIND.section, key, value, (payload) => payload);
    if (contentDigest(bytes) !== digest) throw reader.corrupt(key, 'differs from its digest');
    return bytes;
  }

  pinSnapshot(generation: bigint): () => void {
    return this.#context.content.generations.pin(generation);
  }

  receiveSnapshot(manifest: SnapshotManifest): SnapshotReceipt {
    this.#context.writer.checkUsable();
    const receipt = new LevelSnapshotReceipt(this.#context, manifest);
    this.#receipt?.abandon();
    this.#receipt = receipt;
    return receipt;
  }

  installSnapshot(receipt: SnapshotReceipt): SnapshotInstall {
    const received = this.#receipt;
    assert(received !== undefined && received === receipt, 'the newest receipt is installed');
    assert(received.isInstallable, 'all sections were received');
    const install = new LevelSnapshotInstall(this.#context, received.manifest, 'mark');
    received.handOver();
    this.#receipt = undefined;
    return install;
  }

  close(): Promise<void> {
    return this.#context.writer.close();
  }
}
