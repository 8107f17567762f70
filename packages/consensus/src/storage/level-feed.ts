import type { BatchOperation } from './batch-encoder.ts';
import { type StoreDatabase, syncDirectory, syncWriteAheadFiles } from './level-directory.ts';
import type { DatabaseView } from './level-reader.ts';
import { checkThreadGoesOn } from './thread-end.ts';

/** So many bytes are collected before the database is given them without being asked for. */
const COLLECTED_BYTES = 64 * 1_024;
/** So many may wait for a database that is slower than the journal. */
const WAITING_BYTES_MAX = 8 * 1_024 * 1_024;

/**
 * Brings what is in the journal into the database: in order, many batches at a time, without a
 * sync. After a failure nothing more.
 */
export class LevelFeed {
  readonly #directory: string;
  readonly #database: StoreDatabase;
  #collected: ReturnType<StoreDatabase['batch']> | undefined;
  #collectedBytes = 0;
  #writing: Promise<void> | undefined;
  #failure: Error | undefined;

  constructor(directory: string, database: StoreDatabase) {
    this.#directory = directory;
    this.#database = database;
  }

  /** Why the database takes nothing more. */
  get failure(): Error | undefined {
    return this.#failure;
  }

  /** Something to wait for before more is added, unless there is room. Rejects after a failure. */
  room(): Promise<void> | undefined {
    if (this.#failure !== undefined) return Promise.reject(this.#failure);
    return this.#collectedBytes > WAITING_BYTES_MAX ? this.#flush() : undefined;
  }

  /** Takes over the operations of one batch; the bytes are copied. */
  add(operations: readonly BatchOperation[]): void {
    // An array of operations would cross into the database many times per operation.
    this.#collected ??= this.#database.batch();
    for (const operation of operations) {
      if (operation.type === 'put') {
        this.#collected.put(operation.key, operation.value);
        this.#collectedBytes += operation.value.length;
      } else this.#collected.del(operation.key);
      this.#collectedBytes += operation.key.length;
    }
    if (this.#collectedBytes > COLLECTED_BYTES && this.#writing === undefined) void this.#flush();
  }

  /** Something to wait for until the database shows all that was added, unless it does. */
  shown(): Promise<void> | undefined {
    if (this.#failure !== undefined) return Promise.reject(this.#failure);
    return this.#collected === undefined ? this.#writing : this.#flush();
  }

  /** A view of the database with all that was added so far, and nothing that is added later. */
  view(): Promise<DatabaseView> {
    const viewing = (this.shown() ?? Promise.resolve()).then(() => this.#database.snapshot());
    void this.#follow(viewing);
    return viewing;
  }

  /** Makes all that was added so far durable in the database itself. */
  async checkpoint(): Promise<void> {
    await this.shown();
    await syncWriteAheadFiles(this.#directory);
    await syncDirectory(this.#directory);
    checkThreadGoesOn();
  }

  /** Writes what is collected behind what is being written. */
  #flush(): Promise<void> {
    const collected = this.#collected;
    if (collected === undefined) return this.#writing ?? Promise.resolve();
    this.#collected = undefined;
    this.#collectedBytes = 0;
    const before = this.#writing ?? Promise.resolve();
    return this.#follow(before.then(() => this.#write(collected)));
  }

  async #write(collected: ReturnType<StoreDatabase['batch']>): Promise<void> {
    await collected.write({ sync: false });
    checkThreadGoesOn();
  }

  /** What comes later waits for this, and so does whoever asks what is shown. */
  #follow(work: Promise<unknown>): Promise<void> {
    const writing: Promise<void> = this.#finish(work).finally(() => this.#ended(writing));
    this.#writing = writing;
    // Whoever writes next is told, whether somebody waits for this or not.
    writing.catch(() => {});
    return writing;
  }

  async #finish(work: Promise<unknown>): Promise<void> {
    try {
      await work;
    } catch (error) {
      this.#failure ??= error instanceof Error ? error : new Error(String(error));
      throw this.#failure;
    }
  }

  #ended(writing: Promise<void>): void {
    if (this.#writing !== writing) return;
    this.#writing = undefined;
    if (this.#failure === undefined && this.#collectedBytes > COLLECTED_BYTES) void this.#flush();
  }
}
