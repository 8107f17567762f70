import type { RaftError } from '../errors.ts';
import { LEVEL_MAX } from '../raft/feature-levels.ts';
import { MalformedBytesError } from './byte-codec.ts';
import { corrupt, type StoreDatabase, storageError } from './level-directory.ts';
import type { LevelFeed } from './level-feed.ts';
import { printKey } from './level-keys.ts';
import { decodeRecord, type RecordKind } from './record-frame.ts';

/** Bounds of a scan; the whole store without any. */
export interface KeyRange {
  readonly gte?: Uint8Array;
  readonly lte?: Uint8Array;
  readonly lt?: Uint8Array;
}

/** Keys with their values, in order. */
export type RecordPage = readonly (readonly [Uint8Array, Uint8Array])[];

/** A view of the database as it was at one moment. */
export type DatabaseView = ReturnType<StoreDatabase['snapshot']>;

const PAGE_RECORDS = 1_000;
const PAGE_BYTES = 256 * 1_024;

/**
 * Read-only view of one database that turns every damage into an error naming the key. Whatever
 * else LevelDB cannot read is `RAFT_STORAGE_UNAVAILABLE`.
 */
export class StoreReader {
  /** Where the database lies. */
  readonly directory: string;
  readonly #database: StoreDatabase;
  readonly #feed: LevelFeed;
  #level: () => number = () => LEVEL_MAX;

  /** Every read shows what `feed` was given before. */
  constructor(database: StoreDatabase, directory: string, feed: LevelFeed) {
    this.#database = database;
    this.directory = directory;
    this.#feed = feed;
  }

  /** Feature level of the store; nothing in it is of a greater one. */
  get level(): number {
    return this.#level();
  }

  /** Says where the level of the store is known from now on. */
  follow(level: () => number): void {
    this.#level = level;
  }

  /** Value under `key` as it is stored, or `undefined`. */
  getValue(key: Uint8Array): Promise<Uint8Array | undefined> {
    return this.#read(() => this.#database.get(key));
  }

  /** Values under `keys` as they are stored, in the same order. */
  getValues(keys: Uint8Array[]): Promise<readonly (Uint8Array | undefined)[]> {
    return this.#read(() => this.#database.getMany(keys));
  }

  /** The first keys of a range. */
  firstKeys(range: KeyRange, limit: number): Promise<readonly Uint8Array[]> {
    return this.#read(() => this.#database.keys({ ...range, limit }).all());
  }

  /** Value under `key` decoded as `kind`, or `undefined`. Throws `RAFT_STORAGE_CORRUPT`. */
  async get<T>(
    kind: RecordKind,
    key: Uint8Array,
    decode: (payload: Uint8Array) => T,
  ): Promise<T | undefined> {
    const value = await this.getValue(key);
    return value === undefined ? undefined : this.decode(kind, key, value, decode);
  }

  /** Like {@link get} for a record that must exist. */
  async require<T>(
    kind: RecordKind,
    key: Uint8Array,
    decode: (payload: Uint8Array) => T,
  ): Promise<T> {
    const value = await this.get(kind, key, decode);
    if (value === undefined) throw this.corrupt(key, 'record is missing');
    return value;
  }

  /** Decodes a value that was read elsewhere. Throws `RAFT_STORAGE_CORRUPT`. */
  decode<T>(
    kind: RecordKind,
    key: Uint8Array,
    value: Uint8Array,
    decode: (payload: Uint8Array) => T,
  ): T {
    try {
      return decode(decodeRecord(kind, key, value, this.level));
    } catch (error) {
      if (!(error instanceof MalformedBytesError)) throw error;
      throw this.corrupt(key, error.message, error);
    }
  }

  /** A `RAFT_STORAGE_CORRUPT` error for a key. */
  corrupt(key: Uint8Array, problem: string, cause?: unknown): RaftError {
    return corrupt(this.directory, printKey(key), problem, cause);
  }

  /**
   * Keys and values in key order, as of now or of `view`: all of them, or those of a range, in
   * pages of bounded size. Throws `RAFT_STORAGE_CORRUPT` or `RAFT_STORAGE_UNAVAILABLE` when
   * LevelDB cannot read on.
   */
  async *pages(range: KeyRange = {}, view?: DatabaseView): AsyncGenerator<RecordPage, void, void> {
    if (view === undefined) await this.#shown();
    const iterator = this.#database.iterator({
      ...range,
      fillCache: false,
      highWaterMarkBytes: PAGE_BYTES,
      ...(view === undefined ? {} : { snapshot: view }),
    });
    try {
      // While one page is looked at, the next one is read on a thread of the pool.
      let reading = iterator.nextv(PAGE_RECORDS);
      for (;;) {
        const page = await this.#reading(() => reading);
        if (page.length === 0) return;
        reading = iterator.nextv(PAGE_RECORDS);
        // Its failure is met with when its turn comes; nobody waits for it after an early end.
        reading.catch(() => {});
        yield page;
      }
    } finally {
      await iterator.close();
    }
  }

  /** Like {@link pages} for the keys alone. */
  async *keyPages(range: KeyRange): AsyncGenerator<readonly Uint8Array[], void, void> {
    await this.#shown();
    const iterator = this.#database.keys({ ...range, fillCache: false });
    try {
      for (;;) {
        const page = await this.#reading(() => iterator.nextv(PAGE_RECORDS));
        if (page.length === 0) return;
        yield page;
      }
    } finally {
      await iterator.close();
    }
  }

  async #read<T>(read: () => Promise<T>): Promise<T> {
    await this.#shown();
    return this.#reading(read);
  }

  #shown(): Promise<void> {
    return this.#reading(async () => this.#feed.shown());
  }

  async #reading<T>(read: () => Promise<T>): Promise<T> {
    try {
      return await read();
    } catch (error) {
      throw storageError(this.directory, error);
    }
  }
}
