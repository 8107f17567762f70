import type { FeatureLevels } from '../raft/feature-levels.ts';
import { type Anchor, AnchorFile } from './anchor-file.ts';
import { BatchEncoder } from './batch-encoder.ts';
import { openJournal } from './journal-open.ts';
import { initialPositions, seal } from './level-batch.ts';
import {
  anchorName,
  anchorPath,
  corrupt,
  inspectDirectory,
  openDatabase,
  type StoreDatabase,
  syncDirectory,
  syncDirectoryAndParent,
} from './level-directory.ts';
import { LevelFeed } from './level-feed.ts';
import type { JobContext } from './level-job.ts';
import { witnessKey } from './level-keys.ts';
import { StoreReader } from './level-reader.ts';
import {
  type RecoveredStore,
  readFormat,
  readStoredPositions,
  recoverStore,
} from './level-recovery.ts';
import { LevelSnapshotInstall } from './level-snapshot-install.ts';
import { LevelWriter } from './level-writer.ts';
import type { WriteInterceptor } from './log-storage.ts';
import { decodeWitness } from './position-codec.ts';
import { RECORD_KIND } from './record-frame.ts';
import {
  checkIdentity,
  checkMayCreate,
  drawStoreId,
  type ExpectedIdentity,
} from './store-identity.ts';
import type { StoreJournal } from './store-journal.ts';

/** How a store in a directory is opened. */
export interface OpenRequest extends ExpectedIdentity {
  readonly levels: FeatureLevels;
  readonly directory: string;
  readonly drawStoreId?: (() => string) | undefined;
  readonly intercept: WriteInterceptor | undefined;
}

/** Opens or creates a store, verifies all of it and finishes an interrupted installation. */
export async function openStore(request: OpenRequest): Promise<JobContext> {
  const { directory } = request;
  const { hasAnchor, hasDatabase } = await inspectDirectory(directory);
  if (!hasDatabase) checkMayCreate(directory, request);
  const database = await openDatabase(directory, !hasDatabase);
  let journal: StoreJournal | undefined;
  let anchor: AnchorFile | undefined;
  try {
    const feed = new LevelFeed(directory, database);
    const reader = new StoreReader(database, directory, feed);
    if (await isEmpty(database)) {
      if (hasAnchor) throw corrupt(directory, 'database', 'holds nothing beside its anchor file');
      checkMayCreate(directory, request);
      await createStore(database, request);
      await syncDirectoryAndParent(directory);
    }
    journal = await readJournal({ request, reader, feed, hasAnchor });
    const recovered = await recoverStore(reader, request.levels);
    const { positions, content } = recovered;
    anchor = await openAnchor({ directory, reader, recovered, hasAnchor });
    await syncDirectory(directory);
    const { intercept } = request;
    const writer = new LevelWriter({ database, journal, feed, anchor, positions, intercept });
    reader.follow(() => writer.positions.format.level);
    const context = { feed, reader, writer, content };
    await finishInstallation(context, recovered);
    return context;
  } catch (error) {
    await anchor?.close();
    await journal?.close();
    await database.close();
    throw error;
  }
}

/** Brings the database to the newest batch, once it is known to be the store that is wanted. */
async function readJournal(store: {
  readonly request: OpenRequest;
  readonly reader: StoreReader;
  readonly feed: LevelFeed;
  readonly hasAnchor: boolean;
}): Promise<StoreJournal> {
  const { request, reader, feed, hasAnchor } = store;
  const { directory } = request;
  const { identity } = (await readFormat(reader, request.levels)).value;
  checkIdentity(directory, request, identity);
  const { seq } = (await readStoredPositions(reader)).head;
  const { storeId } = identity;
  return openJournal({ directory, feed, storeId, seq, isNew: !hasAnchor && seq === 1n });
}

/** Nothing of the store is to be seen before the marked snapshot has replaced its state. */
async function finishInstallation(
  context: JobContext,
  { installation }: RecoveredStore,
): Promise<void> {
  if (installation === undefined) return;
  const install = new LevelSnapshotInstall(context, installation, 'clear');
  while (!(await install.resume()));
}

async function isEmpty(database: StoreDatabase): Promise<boolean> {
  const iterator = database.iterator({ limit: 1 });
  try {
    return (await iterator.next()) === undefined;
  } finally {
    await iterator.close();
  }
}

async function createStore(database: StoreDatabase, request: OpenRequest): Promise<void> {
  const { clusterId, nodeId, intercept, levels } = request;
  const storeId = (request.drawStoreId ?? drawStoreId)();
  const positions = initialPositions({ clusterId, nodeId, storeId }, levels.oldest);
  const batch = new BatchEncoder(levels.oldest);
  seal(positions, positions, batch);
  const write = () => database.batch([...batch.operations], { sync: true });
  await (intercept === undefined ? write() : intercept(['format'], write));
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
  const { head, format } = recovered.positions;
  const { storeId } = format.identity;
  const present = { seq: head.seq, digest: head.digest, storeId };
  const name = anchorName(directory);
  if (!hasAnchor) {
    if (head.seq > 1n) throw corrupt(directory, name, 'file is missing');
    return createAnchor(directory, present);
  }
  const file = await AnchorFile.open(anchorPath(directory));
  try {
    const anchor = await file.read();
    if (anchor !== undefined) {
      await checkAnchor(reader, anchor, present);
      return file;
    }
    if (head.seq > 1n) throw corrupt(directory, name, 'holds no valid slot');
  } catch (error) {
    await file.close();
    throw error;
  }
  await file.close();
  return createAnchor(directory, present);
}

async function checkAnchor(reader: StoreReader, anchor: Anchor, head: Anchor): Promise<void> {
  const { directory } = reader;
  const name = anchorName(directory);
  if (anchor.storeId !== head.storeId) throw corrupt(directory, name, 'belongs to another store');
  if (anchor.seq > head.seq) {
    throw corrupt(directory, name, `batches ${head.seq + 1n} to ${anchor.seq} are lost`);
  }
  const key = witnessKey(anchor.seq);
  const witness = await reader.get(RECORD_KIND.witness, key, decodeWitness);
  const isSame = witness !== undefined && Buffer.compare(witness.digest, anchor.digest) === 0;
  if (witness?.seq === anchor.seq && !isSame) {
    throw reader.corrupt(key, 'differs from the anchor file');
  }
}

async function createAnchor(directory: string, anchor: Anchor): Promise<AnchorFile> {
  const file = await AnchorFile.create(anchorPath(directory), anchor);
  await syncDirectoryAndParent(directory);
  return file;
}
