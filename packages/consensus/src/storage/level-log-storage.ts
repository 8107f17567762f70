import { resolve } from 'node:path';
import { assert, InvariantError, present } from '../assert.ts';
import { RaftError } from '../errors.ts';
import type { Entry } from '../raft/entry.ts';
import { type HardState, INITIAL_HARD_STATE } from '../raft/hard-state.ts';
import { type Anchor, AnchorFile } from './anchor-file.ts';
import { type BatchOperation, ZERO_CHAIN } from './digests.ts';
import { decodeEntry } from './entry-codec.ts';
import {
  buildBatch,
  type JobInputs,
  recordName,
  type StorePositions,
  seal,
} from './level-batch.ts';
import {
  anchorName,
  anchorPath,
  corrupt,
  inspectDirectory,
  newestJournal,
  openDatabase,
  type StoreDatabase,
  storageError,
  syncDirectory,
  syncDirectoryAndParent,
} from './level-directory.ts';
import { entryKey, FORMAT_KEY, KEY_PREFIX, stateKey, witnessKey } from './level-keys.ts';
import { StoreReader } from './level-reader.ts';
import { type RecoveredStore, recoverStore } from './level-recovery.ts';
import type { LogIndex } from './log-index.ts';
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
  type WritePoint,
} from './log-storage.ts';
import { decodeWitness, encodeIdentity } from './position-codec.ts';
import { encodeRecord, RECORD_KIND } from './record-frame.ts';
import {
  checkIdentity,
  checkMayCreate,
  drawStoreId,
  type ExpectedIdentity,
} from './store-identity.ts';
import { checkJob, isVoteChanged, writePointsOf } from './store-job.ts';

/** How to open a {@link LevelLogStorage}. */
export interface LevelLogStorageOptions extends ExpectedIdentity {
  /** Database directory; created when absent. Its anchor file lies beside it. */
  readonly directory: string;
  /** Draws the id of a store that is created. Random by default. */
  readonly drawStoreId?: (() => string) | undefined;
  /** For fault injection; by default every write is carried out as it is. */
  readonly intercept?: WriteInterceptor | undefined;
}

/** How many batches may pass until the anchor file is synced for its own sake. */
const ANCHOR_SYNC_BATCHES = 256n;

const CAPABILITIES: LogStorageCapabilities = { isDurable: true, isChecksummed: true };

const writeThrough: WriteInterceptor = (_points, commit) => commit();

/**
 * A {@link LogStorage} in a LevelDB database of its own. Every job is one batch with a sync; every
 * record carries a checksum, every batch a link to the one before, and a small anchor file names
 * the newest batch, because LevelDB by itself reports neither lost batches nor a lost tail.
 */
export class LevelLogStorage implements LogStorage {
  readonly capabilities: LogStorageCapabilities = CAPABILITIES;
  readonly identity: StoreIdentity;
  readonly #directory: string;
  readonly #database: StoreDatabase;
  readonly #reader: StoreReader;
  readonly #anchor: AnchorFile;
  readonly #intercept: WriteInterceptor;
  readonly #log: LogIndex;
  #positions: StorePositions;
  #journal: string | undefined;
  #writing: Promise<void> | undefined;
  #failure: RaftError | undefined;
  #closing: Promise<void> | undefined;

  private constructor(opened: OpenedStore, intercept: WriteInterceptor) {
    this.identity = opened.identity;
    this.#directory = opened.directory;
    this.#database = opened.database;
    this.#reader = opened.reader;
    this.#anchor = opened.anchor;
    this.#log = opened.log;
    this.#positions = opened.positions;
    this.#intercept = intercept;
    this.#journal = newestJournal(opened.directory);
  }

  /**
   * Opens or creates the store and verifies all of it. Rejects with `RAFT_STORAGE_CORRUPT`,
   * `RAFT_STORAGE_LOCKED`, `RAFT_FOREIGN_STORE` or `RAFT_STORAGE_UNAVAILABLE`. Nothing stored is
   * ever repaired or cut.
   */
  static async open(options: LevelLogStorageOptions): Promise<LevelLogStorage> {
    const directory = resolve(options.directory);
    const intercept = options.intercept ?? writeThrough;
    try {
      return new LevelLogStorage(await openStore(directory, options, intercept), intercept);
    } catch (error) {
      if (error instanceof RaftError || error instanceof InvariantError) throw error;
      throw storageError(directory, error);
    }
  }

  get hardState(): HardState {
    return this.#positions.hardState;
  }

  get bounds(): LogBounds {
    return this.#log.bounds;
  }

  get applied(): AppliedPosition {
    return this.#positions.applied.position;
  }

  async write(job: StoreJob): Promise<void> {
    if (this.#closing !== undefined) throw new RaftError('RAFT_CLOSED', {});
    if (this.#failure !== undefined) throw this.#refusal(this.#failure);
    assert(this.#writing === undefined, 'one job is written at a time');
    checkJob(this, job);
    this.#writing = this.#writeJob(job);
    try {
      await this.#writing;
    } catch (error) {
      // From here on LevelDB may accept batches and lose them, so no other one may reach it.
      this.#failure = new RaftError('RAFT_STORAGE_FAILED', { isUncertain: true }, { cause: error });
      throw this.#failure;
    } finally {
      this.#writing = undefined;
    }
  }

  async entries(from: bigint, through: bigint, bytesMax: number): Promise<readonly Entry[]> {
    const { purged, last } = this.bounds;
    assert(from > purged.index && through <= last.index, 'the entries are stored');
    const entries: Entry[] = [];
    let index = from;
    let bytes = 0;
    const range = { gte: entryKey(from), lte: entryKey(through) };
    for await (const [key, value] of this.#reader.scan(range)) {
      const { entry } = this.#reader.decode(RECORD_KIND.entry, key, value, decodeEntry);
      if (entry.index !== index) break;
      bytes += value.length;
      if (entries.length > 0 && bytes > bytesMax) return entries;
      entries.push(entry);
      index += 1n;
    }
    if (index <= through) throw this.#reader.corrupt(entryKey(index), 'entry is missing');
    return entries;
  }

  indexBehind(entriesKept: number, bytesKept: number): bigint {
    return this.#log.indexBehind(entriesKept, bytesKept);
  }

  async *records(): AsyncGenerator<StateRecord> {
    const range = { gte: stateKey(new Uint8Array(0)), lt: Uint8Array.of(KEY_PREFIX.state + 1) };
    for await (const [key, value] of this.#reader.scan(range)) {
      const payload = this.#reader.decode(RECORD_KIND.state, key, value, (bytes) => bytes);
      yield { key: new Uint8Array(key.subarray(1)), value: payload };
    }
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
    try {
      if (this.#failure === undefined) await this.#anchor.sync();
    } finally {
      await this.#anchor.close();
      await this.#database.close();
    }
  }

  async #writeJob(job: StoreJob): Promise<void> {
    const batch = buildBatch(this.#positions, job, await this.#readInputs(job));
    const isVote = isVoteChanged(this.hardState, job);
    await commitBatch(this.#database, writePointsOf(this, job), batch.operations, this.#intercept);
    const journal = newestJournal(this.#directory);
    if (journal !== this.#journal) {
      await syncDirectory(this.#directory);
      this.#journal = journal;
    }
    const { head } = batch.positions;
    await this.#intercept(['anchor'], async () => {
      await this.#anchor.write({ ...head, storeId: this.identity.storeId });
      if (isVote || head.seq % ANCHOR_SYNC_BATCHES === 0n) await this.#anchor.sync();
    });
    this.#positions = batch.positions;
    job.entries.forEach((entry, i) => {
      this.#log.append(entry, present(batch.entryBytes[i], 'every entry was encoded'));
    });
    if (job.purgeThrough !== undefined) this.#log.purge(job.purgeThrough);
  }

  async #readInputs(job: StoreJob): Promise<JobInputs> {
    const keys = new Map(job.writes.map(({ key }) => [recordName(key), stateKey(key)]));
    const previousValues = new Map<string, Uint8Array | undefined>();
    const values = keys.size === 0 ? [] : await this.#database.getMany([...keys.values()]);
    let i = 0;
    for (const [name, key] of keys) {
      const value = values[i];
      i += 1;
      if (value === undefined) continue;
      previousValues.set(
        name,
        this.#reader.decode(RECORD_KIND.state, key, value, (it) => it),
      );
    }
    if (job.purgeThrough === undefined) return { previousValues, purgedEntry: undefined };
    const key = entryKey(job.purgeThrough);
    const { entry, chain } = await this.#reader.require(RECORD_KIND.entry, key, decodeEntry);
    return { previousValues, purgedEntry: { term: entry.term, chain } };
  }

  #refusal(failure: RaftError): RaftError {
    return new RaftError('RAFT_STORAGE_FAILED', { isUncertain: false }, { cause: failure });
  }
}

interface OpenedStore extends RecoveredStore {
  readonly directory: string;
  readonly database: StoreDatabase;
  readonly reader: StoreReader;
  readonly anchor: AnchorFile;
}

async function openStore(
  directory: string,
  options: LevelLogStorageOptions,
  intercept: WriteInterceptor,
): Promise<OpenedStore> {
  const { hasAnchor, hasDatabase } = await inspectDirectory(directory);
  if (!hasDatabase) checkMayCreate(directory, options);
  const database = await openDatabase(directory, !hasDatabase);
  try {
    const reader = new StoreReader(database, directory);
    if (await isEmpty(database)) {
      if (hasAnchor) throw corrupt(directory, 'database', 'holds nothing beside its anchor file');
      checkMayCreate(directory, options);
      await createStore(database, options, intercept);
      await syncDirectoryAndParent(directory);
    }
    const recovered = await recoverStore(reader);
    checkIdentity(directory, options, recovered.identity);
    const anchor = await openAnchor({ directory, reader, recovered, hasAnchor });
    await syncDirectory(directory);
    return { directory, database, reader, anchor, ...recovered };
  } catch (error) {
    await database.close();
    throw error;
  }
}

async function isEmpty(database: StoreDatabase): Promise<boolean> {
  const iterator = database.iterator({ limit: 1 });
  try {
    return (await iterator.next()) === undefined;
  } finally {
    await iterator.close();
  }
}

async function commitBatch(
  database: StoreDatabase,
  points: readonly WritePoint[],
  operations: readonly BatchOperation[],
  intercept: WriteInterceptor,
): Promise<void> {
  await intercept(points, () => database.batch([...operations], { sync: true }));
}

async function createStore(
  database: StoreDatabase,
  options: LevelLogStorageOptions,
  intercept: WriteInterceptor,
): Promise<void> {
  const { clusterId, nodeId } = options;
  const storeId = (options.drawStoreId ?? drawStoreId)();
  const identity = encodeIdentity({ clusterId, nodeId, storeId });
  const value = encodeRecord(RECORD_KIND.format, FORMAT_KEY, identity);
  const positions: StorePositions = {
    hardState: INITIAL_HARD_STATE,
    bounds: {
      purgedIndex: 0n,
      purgedTerm: 0n,
      purgedChain: ZERO_CHAIN,
      lastIndex: 0n,
      lastChain: ZERO_CHAIN,
    },
    applied: { position: INITIAL_APPLIED, stateDigest: 0n, recordCount: 0n },
    head: { seq: 1n, digest: ZERO_CHAIN, hardStateSeq: 1n, boundsSeq: 1n, appliedSeq: 1n },
  };
  const { operations } = seal(ZERO_CHAIN, positions, [{ type: 'put', key: FORMAT_KEY, value }]);
  await commitBatch(database, ['format'], operations, intercept);
}

/**
 * Opens the anchor file and holds the database against it, or creates it when the creation of the
 * store was interrupted before that step.
 */
async function openAnchor(store: {
  readonly directory: string;
  readonly reader: StoreReader;
  readonly recovered: RecoveredStore;
  readonly hasAnchor: boolean;
}): Promise<AnchorFile> {
  const { directory, reader, recovered, hasAnchor } = store;
  const { head } = recovered.positions;
  const { storeId } = recovered.identity;
  const path = anchorPath(directory);
  const name = anchorName(directory);
  if (!hasAnchor) {
    if (head.seq > 1n) throw corrupt(directory, name, 'file is missing');
    return createAnchor(directory, { ...head, storeId });
  }
  const file = await AnchorFile.open(path);
  try {
    const anchor = await file.read();
    if (anchor === undefined) {
      if (head.seq > 1n) throw corrupt(directory, name, 'holds no valid slot');
      await file.close();
      return await createAnchor(directory, { ...head, storeId });
    }
    if (anchor.storeId !== storeId) throw corrupt(directory, name, 'belongs to another store');
    if (anchor.seq > head.seq) {
      const problem = `batches ${head.seq + 1n} to ${anchor.seq} are lost`;
      throw corrupt(directory, name, problem);
    }
    const key = witnessKey(anchor.seq);
    const witness = await reader.get(RECORD_KIND.witness, key, decodeWitness);
    const isSame = witness !== undefined && Buffer.compare(witness.digest, anchor.digest) === 0;
    if (witness?.seq === anchor.seq && !isSame) {
      throw reader.corrupt(key, 'differs from the anchor file');
    }
    return file;
  } catch (error) {
    await file.close();
    throw error;
  }
}

async function createAnchor(directory: string, anchor: Anchor): Promise<AnchorFile> {
  const file = await AnchorFile.create(anchorPath(directory), anchor);
  await syncDirectoryAndParent(directory);
  return file;
}
