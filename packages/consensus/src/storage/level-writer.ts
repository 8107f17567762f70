import type { AnchorFile } from './anchor-file.ts';
import { BatchEncoder } from './batch-encoder.ts';
import { followedBy } from './followed-by.ts';
import { type PositionChanges, type StorePositions, seal } from './level-batch.ts';
import type { StoreDatabase } from './level-directory.ts';
import type { LevelFeed } from './level-feed.ts';
import type { WriteInterceptor, WritePoint } from './log-storage.ts';
import type { StoreJournal } from './store-journal.ts';
import { checkThreadGoesOn } from './thread-end.ts';
import { WriteLatch } from './write-latch.ts';

/** How many batches may pass until the anchor file is synced for its own sake. */
const ANCHOR_SYNC_BATCHES = 256n;

/** What a writer needs of an opened store. */
export interface WriterParts {
  readonly database: StoreDatabase;
  readonly journal: StoreJournal;
  readonly feed: LevelFeed;
  readonly anchor: AnchorFile;
  readonly positions: StorePositions;
  /** `undefined` carries every write out as it is. */
  readonly intercept: WriteInterceptor | undefined;
}

/**
 * The one way by which a store is changed: batch by batch, each durable in the journal before the
 * database is given it, and followed by the anchor. It stops for good at the first failure.
 */
export class LevelWriter {
  readonly #parts: WriterParts;
  #positions: StorePositions;
  readonly #latch = new WriteLatch();
  readonly #batch: BatchEncoder;

  constructor(parts: WriterParts) {
    this.#parts = parts;
    this.#positions = parts.positions;
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

  /** Carries out one write like {@link WriteLatch}'s. */
  run(work: () => Promise<void> | undefined): Promise<void> | undefined {
    return this.#latch.run(work);
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

  /**
   * Makes one batch durable; without a promise it is that already. Only within {@link exclusively} or
   * {@link run}, or before the store is exposed.
   */
  commit(
    points: readonly WritePoint[],
    batch: BatchEncoder,
    changes: PositionChanges = {},
  ): Promise<void> | undefined {
    const { feed } = this.#parts;
    return followedBy(feed.room(), () => this.#commit(points, batch, changes));
  }

  #commit(
    points: readonly WritePoint[],
    batch: BatchEncoder,
    changes: PositionChanges,
  ): Promise<void> | undefined {
    const { journal, feed } = this.#parts;
    const after = seal(this.#positions, changes, batch);
    this.#latch.commitBegins();
    const journalling = this.#through(points, () => journal.append(batch, after.head.seq));
    const anchoring = followedBy(journalling, () => {
      checkThreadGoesOn();
      feed.add(batch.operations);
      const isSynced = points.includes('vote') || after.head.seq % ANCHOR_SYNC_BATCHES === 0n;
      return this.#through(['anchor'], () => this.#anchor(after, isSynced));
    });
    return followedBy(anchoring, () => {
      this.#latch.commitEnds();
      this.#positions = after;
    });
  }

  #through(
    points: readonly WritePoint[],
    write: () => Promise<void> | undefined,
  ): Promise<void> | undefined {
    const { intercept } = this.#parts;
    return intercept === undefined ? write() : intercept(points, async () => write());
  }

  #anchor(after: StorePositions, isSynced: boolean): Promise<void> | undefined {
    this.#writeAnchor(after);
    return isSynced ? this.#parts.anchor.sync() : undefined;
  }

  #writeAnchor({ head, format }: StorePositions): void {
    const { storeId } = format.identity;
    this.#parts.anchor.write({ seq: head.seq, digest: head.digest, storeId });
  }

  close(): Promise<void> {
    return this.#latch.close(() => this.#release());
  }

  async #release(): Promise<void> {
    const { anchor, database, journal, feed } = this.#parts;
    try {
      // After a failure only the next opening can tell what is needed of the journal.
      if (!this.#latch.isLatched && feed.failure === undefined) {
        await journal.settle();
        await anchor.sync();
      }
    } finally {
      await anchor.close();
      await journal.close();
      await database.close();
    }
  }
}
