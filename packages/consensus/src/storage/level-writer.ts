import type { AnchorFile } from './anchor-file.ts';
import type { BatchEncoder } from './batch-encoder.ts';
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
  readonly intercept: WriteInterceptor;
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

  constructor(parts: WriterParts) {
    this.#parts = parts;
    this.#positions = parts.positions;
    this.#journal = new JournalWatch(parts.directory);
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

  /** Makes one batch durable. Only within {@link exclusively}, or before the store is exposed. */
  async commit(
    points: readonly WritePoint[],
    batch: BatchEncoder,
    changes: PositionChanges = {},
  ): Promise<void> {
    const after = seal(this.#positions, changes, batch);
    await this.#latch.committing(() => this.#commit(points, batch, after));
    this.#positions = after;
  }

  async #commit(
    points: readonly WritePoint[],
    batch: BatchEncoder,
    after: StorePositions,
  ): Promise<void> {
    const { database, anchor, intercept } = this.#parts;
    await intercept(points, () => writeSynced(database, batch));
    await this.#journal.written(batch);
    const { head, format } = after;
    const { storeId } = format.identity;
    const isSynced = points.includes('vote') || head.seq % ANCHOR_SYNC_BATCHES === 0n;
    await intercept(['anchor'], async () => {
      anchor.write({ seq: head.seq, digest: head.digest, storeId });
      if (isSynced) await anchor.sync();
    });
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
