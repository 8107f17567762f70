import type { AnchorFile } from './anchor-file.ts';
import { BatchEncoder } from './batch-encoder.ts';
import { JournalWatch } from './journal-watch.ts';
import { type PositionChanges, type StorePositions, seal } from './level-batch.ts';
import type { StoreDatabase } from './level-directory.ts';
import type { WriteInterceptor, WritePoint } from './log-storage.ts';
import { checkThreadGoesOn } from './thread-end.ts';
import { WriteLatch } from './write-latch.ts';

/** How many batches may pass until the anchor file is synced for its own sake. */
const ANCHOR_SYNC_BATCHES = 256n;

/** What a writer needs of an opened store. */
export interface WriterParts {
  readonly directory: string;
  readonly database: StoreDatabase;
  readonly anchor: AnchorFile;
  readonly positions: StorePositions;
  /** `undefined` carries every write out as it is. */
  readonly intercept: WriteInterceptor | undefined;
}

/**
 * The one way by which a store is changed: batch by batch, each with a sync and followed by the
 * anchor. It stops for good at the first failure.
 */
export class LevelWriter {
  readonly #parts: WriterParts;
  #positions: StorePositions;
  readonly #journal: JournalWatch;
  readonly #latch = new WriteLatch();
  readonly #batch: BatchEncoder;

  constructor(parts: WriterParts) {
    this.#parts = parts;
    this.#positions = parts.positions;
    this.#journal = new JournalWatch(parts.directory);
    this.#batch = new BatchEncoder(parts.positions.format.level);
  }

  /** As of the newest acknowledged batch. */
  get positions(): StorePositions {
    return this.#positions;
  }

  /** Throws `RAFT_CLOSED` or `RAFT_STORAGE_FAILED` when nothing more is written. */
  checkUsable(): void {
    this.#latch.checkUsable();
  }

  /** The same, for what begins to write now. */
  checkOpen(): void {
    this.#latch.checkOpen();
  }

  /** Carries out one write, of any number of batches. Rejects like {@link WriteLatch}'s. */
  exclusively<T>(work: () => Promise<T>): Promise<T> {
    return this.#latch.exclusively(work);
  }

  /** Resolves once no write is under way; whether that one failed is for its caller. */
  settled(): Promise<void> {
    return this.#latch.settled();
  }

  /**
   * An empty batch for the next {@link commit}, in the memory of the one before. `capacity` is its
   * expected size in bytes.
   */
  batch(capacity: number): BatchEncoder {
    return this.#batch.restart(this.#positions.format.level, capacity);
  }

  /** The same in memory of its own. */
  newBatch(capacity?: number): BatchEncoder {
    return new BatchEncoder(this.#positions.format.level, capacity);
  }

  /** Makes one batch durable. Only within {@link exclusively}, or before the store is exposed. */
  async commit(
    points: readonly WritePoint[],
    batch: BatchEncoder,
    changes: PositionChanges = {},
  ): Promise<void> {
    const { database, intercept } = this.#parts;
    const after = seal(this.#positions, changes, batch);
    this.#latch.commitBegins();
    await this.#through(points, () => writeSynced(database, batch));
    const named = this.#journal.written(batch);
    if (named !== undefined) await named;
    const isSynced = points.includes('vote') || after.head.seq % ANCHOR_SYNC_BATCHES === 0n;
    if (intercept === undefined && !isSynced) this.#writeAnchor(after);
    else await this.#through(['anchor'], () => this.#anchor(after, isSynced));
    this.#latch.commitEnds();
    this.#positions = after;
  }

  #through(points: readonly WritePoint[], write: () => Promise<void>): Promise<void> {
    const { intercept } = this.#parts;
    return intercept === undefined ? write() : intercept(points, write);
  }

  async #anchor(after: StorePositions, isSynced: boolean): Promise<void> {
    this.#writeAnchor(after);
    if (isSynced) await this.#parts.anchor.sync();
  }

  #writeAnchor({ head, format }: StorePositions): void {
    const { storeId } = format.identity;
    this.#parts.anchor.write({ seq: head.seq, digest: head.digest, storeId });
  }

  close(): Promise<void> {
    return this.#latch.close(() => this.#release());
  }

  async #release(): Promise<void> {
    const { anchor, database } = this.#parts;
    try {
      if (!this.#latch.isLatched) await anchor.sync();
    } finally {
      await anchor.close();
      await database.close();
    }
  }
}

/**
 * Makes a batch durable. A chained batch crosses into the database once per value, an array of
 * operations many times.
 */
export async function writeSynced(
  database: StoreDatabase,
  { operations }: BatchEncoder,
): Promise<void> {
  const chained = database.batch();
  for (const operation of operations) {
    if (operation.type === 'put') chained.put(operation.key, operation.value);
    else chained.del(operation.key);
  }
  await chained.write({ sync: true });
  checkThreadGoesOn();
}
