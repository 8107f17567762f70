import { assert } from '../assert.ts';
import { RaftError } from '../errors.ts';
import { lesser } from '../raft/big-order.ts';
import type { ConfigurationRecord, Entry, EntryHeader } from '../raft/entry.ts';
import { FIRST_LEVELS } from '../raft/feature-levels.ts';
import type { HardState } from '../raft/hard-state.ts';
import { storedBytes } from './entry-codec.ts';
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
  WritePoint,
} from './log-storage.ts';
import { checkOwner, diskState, MemoryContent, type MemoryDisk } from './memory-disk.ts';
import {
  MemorySnapshotBuild,
  type MemorySnapshotContext,
  MemorySnapshotInstall,
  MemorySnapshotReceipt,
} from './memory-snapshots.ts';
import { SnapshotGenerations, type UnreferencedGeneration } from './snapshot-generations.ts';
import {
  checkIdentity,
  checkMayCreate,
  drawStoreId,
  type ExpectedIdentity,
} from './store-identity.ts';
import { checkJob, removesAny, writePointsOf } from './store-job.ts';
import { checkStoreLevel } from './store-level.ts';
import { WriteLatch } from './write-latch.ts';

export { MemoryDisk } from './memory-disk.ts';

/** How to open a {@link MemoryLogStorage}. */
export interface MemoryLogStorageOptions extends ExpectedIdentity {
  readonly disk: MemoryDisk;
  /** Draws the id of a store that is created. Random by default. */
  readonly drawStoreId?: (() => string) | undefined;
  /** For fault injection; by default every write is carried out as it is. */
  readonly intercept?: WriteInterceptor | undefined;
}

/** What is durable for certain, which a failed write may have left behind. */
interface Acknowledged {
  readonly clusterUid: string | undefined;
  readonly level: number;
  readonly incarnation: bigint;
  readonly hardState: HardState;
  readonly applied: AppliedPosition;
  readonly proof: StateProof;
  readonly bounds: LogBounds;
  readonly configurations: readonly ConfigurationRecord[];
}

/** A {@link LogStorage} without a disk: same contract, gone with the process. For tests. */
export class MemoryLogStorage implements LogStorage {
  readonly capabilities: LogStorageCapabilities = { isDurable: false, isChecksummed: false };
  readonly #disk: ReturnType<typeof diskState>;
  readonly #content: MemoryContent;
  readonly #generations: SnapshotGenerations;
  readonly #intercept: WriteInterceptor;
  readonly #context: MemorySnapshotContext;
  #acknowledged: Acknowledged;
  #receipt: MemorySnapshotReceipt | undefined;
  readonly #latch = new WriteLatch();
  /** The job that is being written, which the content may show already. */
  #writing: StoreJob | undefined;

  private constructor(content: MemoryContent, options: MemoryLogStorageOptions) {
    this.#disk = diskState(options.disk);
    if (this.#disk.owner !== undefined) {
      throw new RaftError('RAFT_STORAGE_LOCKED', { directory: 'memory' });
    }
    this.#disk.owner = this;
    this.#content = content;
    this.#acknowledged = acknowledgedOf(content);
    this.#intercept = options.intercept ?? ((_points, commit) => commit());
    this.#generations = new SnapshotGenerations(
      content.generation + 1n,
      content.snapshot,
      unreferencedIn(content),
    );
    this.#context = {
      content,
      generations: this.#generations,
      checkOpen: () => this.#latch.checkOpen(),
      commit: (point, change) => this.#write([point], change),
    };
    this.#dropUnreferenced();
  }

  /** Opens or creates the store. Rejects with `RAFT_STORAGE_LOCKED`, `RAFT_FOREIGN_STORE` or `RAFT_STORAGE_LEVEL`. */
  static async open(options: MemoryLogStorageOptions): Promise<MemoryLogStorage> {
    const { clusterId, nodeId, levels = FIRST_LEVELS } = options;
    const disk = diskState(options.disk);
    if (disk.content === undefined) {
      checkMayCreate('memory', options);
      const storeId = (options.drawStoreId ?? drawStoreId)();
      disk.content = new MemoryContent({ clusterId, nodeId, storeId }, levels.oldest);
    }
    const { content } = disk;
    checkIdentity('memory', options, content.identity);
    checkStoreLevel('memory', content.level, levels);
    const { hardState, applied } = content;
    if (hardState.commit < applied.index)
      content.hardState = { ...hardState, commit: applied.index };
    const storage = new MemoryLogStorage(content, options);
    try {
      await storage.#finishInstallation();
    } catch (error) {
      await storage.close();
      throw error;
    }
    return storage;
  }

  get identity(): StoreIdentity {
    return this.#content.identity;
  }

  get clusterUid(): string | undefined {
    return this.#acknowledged.clusterUid;
  }

  get level(): number {
    return this.#acknowledged.level;
  }

  get incarnation(): bigint {
    return this.#acknowledged.incarnation;
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

  get stateProof(): StateProof {
    return this.#acknowledged.proof;
  }

  get configurations(): readonly ConfigurationRecord[] {
    return this.#acknowledged.configurations;
  }

  get snapshot(): SnapshotManifest | undefined {
    return this.#generations.active;
  }

  async write(job: StoreJob): Promise<void> {
    this.#latch.checkOpen();
    checkJob(this.#content, job);
    this.#writing = job;
    try {
      await this.#write(writePointsOf(this.hardState, job), () => this.#content.write(job));
    } finally {
      this.#writing = undefined;
    }
    this.#dropUnreferenced();
  }

  headers(): Iterable<EntryHeader> {
    return this.#content.log.headers();
  }

  async entries(from: bigint, through: bigint, bytesMax: number): Promise<readonly Entry[]> {
    const { purged, last } = this.#acknowledged.bounds;
    const isStored = from > purged.index && from <= through && through <= last.index;
    assert(isStored, 'the entries are stored');
    while (this.#writing !== undefined && removesAny(this.#writing, from, through)) {
      await this.#latch.settled();
    }
    const { log } = this.#content;
    if (!log.holds(from)) return [];
    const range = this.#content.entries(from, lesser(through, log.lastIndex));
    let bytes = 0;
    const end = range.findIndex((entry, i) => {
      bytes += storedBytes(entry);
      return i > 0 && bytes > bytesMax;
    });
    return end < 0 ? range : range.slice(0, end);
  }

  indexBehind(entriesKept: number, bytesKept: number): bigint {
    return this.#content.log.indexBehind(entriesKept, bytesKept);
  }

  async *records(): AsyncGenerator<StateRecord> {
    yield* this.#content.sortedRecords();
  }

  buildSnapshot(configuration: ConfigurationRecord): SnapshotBuild {
    this.#latch.checkOpen();
    return new MemorySnapshotBuild(this.#context, configuration);
  }

  async snapshotSection(generation: bigint, section: number): Promise<Uint8Array> {
    const isKept = this.#generations.kept(generation) !== undefined;
    const bytes = isKept ? this.#content.sections.get(generation)?.[section] : undefined;
    if (bytes === undefined) throw new RaftError('RAFT_SNAPSHOT_GONE', { generation });
    return bytes;
  }

  pinSnapshot(generation: bigint): () => void {
    return this.#generations.pin(generation);
  }

  receiveSnapshot(manifest: SnapshotManifest): SnapshotReceipt {
    this.#latch.checkUsable();
    const receipt = new MemorySnapshotReceipt(this.#context, manifest);
    this.#receipt?.abandon();
    this.#receipt = receipt;
    return receipt;
  }

  installSnapshot(receipt: SnapshotReceipt): SnapshotInstall {
    const received = this.#receipt;
    assert(received !== undefined && received === receipt, 'the newest receipt is installed');
    assert(received.isInstallable, 'all sections were received');
    const { index, term } = received.manifest;
    assert(index > this.applied.index, 'a snapshot never goes back');
    assert(term <= this.hardState.term, 'no snapshot is newer than the term');
    received.handOver();
    this.#receipt = undefined;
    return new MemorySnapshotInstall(this.#context, received.manifest, false);
  }

  close(): Promise<void> {
    return this.#latch.close(async () => {
      if (this.#disk.owner === this) this.#disk.owner = undefined;
    });
  }

  async #finishInstallation(): Promise<void> {
    const { installation } = this.#content;
    if (installation === undefined) return;
    const install = new MemorySnapshotInstall(this.#context, installation, true);
    while (!(await install.step()));
  }

  async #write(points: readonly WritePoint[], change: () => void): Promise<void> {
    await this.#latch.exclusively(async () => {
      this.#latch.commitBegins();
      await this.#intercept(points, async () => {
        checkOwner(this.#disk, this);
        change();
      });
      this.#latch.commitEnds();
    });
    this.#acknowledged = acknowledgedOf(this.#content);
  }

  #dropUnreferenced(): void {
    for (;;) {
      const dropped = this.#generations.takeUnreferenced(Number.MAX_SAFE_INTEGER);
      if (dropped === undefined) return;
      this.#content.sections.delete(dropped.generation);
    }
  }
}

/** Sections that an ended process left without a manifest. */
function unreferencedIn(content: MemoryContent): readonly UnreferencedGeneration[] {
  const named = [content.snapshot?.generation, content.installation?.generation];
  return [...content.sections]
    .filter(([generation]) => !named.includes(generation))
    .map(([generation, { length }]) => ({ generation, sections: length }));
}

function acknowledgedOf(content: MemoryContent): Acknowledged {
  const { clusterUid, level, incarnation, hardState, applied, proof, configurations } = content;
  const { bounds } = content.log;
  return { clusterUid, level, incarnation, hardState, applied, proof, bounds, configurations };
}
