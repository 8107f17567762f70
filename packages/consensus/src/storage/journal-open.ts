import { join } from 'node:path';
import { readOperations } from './batch-encoder.ts';
import { DiskJournalFile } from './journal-file.ts';
import { type FoundJournal, scanJournal } from './journal-scan.ts';
import { corrupt, JOURNAL_NAMES, syncDirectory } from './level-directory.ts';
import type { LevelFeed } from './level-feed.ts';
import { encodeId } from './position-codec.ts';
import { StoreJournal } from './store-journal.ts';
import { hasCode } from './system-error.ts';

/** A store whose journal is opened. */
export interface JournalledStore {
  readonly directory: string;
  readonly feed: LevelFeed;
  readonly storeId: string;
  /** Newest batch that the database shows by itself. */
  readonly seq: bigint;
  /** Whether its creation may have been interrupted in front of the journal. */
  readonly isNew: boolean;
}

type Files = readonly [DiskJournalFile, DiskJournalFile];

/**
 * Opens the journal of a store and gives the database everything that it may lack, durably. Creates
 * the journal of a new store. Throws `RAFT_STORAGE_CORRUPT` with the file at fault when a batch is
 * missing that the database need not have, or that it has and the journal has not; only the newest
 * batch may have been cut off while it was written, and is then as if it had never been.
 */
export async function openJournal(store: JournalledStore): Promise<StoreJournal> {
  const files = await openFiles(store);
  if (files === undefined) return createJournal(store);
  try {
    const found = await findBatches(store, files);
    if (found === undefined) {
      await closeFiles(files);
      return await createJournal(store);
    }
    return await replay(store, files, found);
  } catch (error) {
    await closeFiles(files);
    throw error;
  }
}

/** `undefined` when they are still to be created. */
async function openFiles({ directory, isNew }: JournalledStore): Promise<Files | undefined> {
  const opened: DiskJournalFile[] = [];
  for (const name of JOURNAL_NAMES) {
    try {
      opened.push(await DiskJournalFile.open(join(directory, name), name));
    } catch (error) {
      await closeFiles(opened);
      if (!hasCode(error, 'ENOENT')) throw error;
      if (isNew) return undefined;
      throw corrupt(directory, name, 'file is missing');
    }
  }
  const [first, second] = opened;
  return first === undefined || second === undefined ? undefined : [first, second];
}

async function createJournal({
  directory,
  feed,
  storeId,
  seq,
}: JournalledStore): Promise<StoreJournal> {
  const [one, other] = JOURNAL_NAMES;
  const first = await DiskJournalFile.create(join(directory, one), one);
  const second = await DiskJournalFile.create(join(directory, other), other);
  try {
    const journal = await StoreJournal.create(partsOf([first, second], storeId, feed), seq);
    await syncDirectory(directory);
    return journal;
  } catch (error) {
    await closeFiles([first, second]);
    throw error;
  }
}

async function findBatches(
  store: JournalledStore,
  files: Files,
): Promise<FoundJournal | undefined> {
  const { directory, seq, isNew } = store;
  // What a killed process wrote may be there for readers alone.
  for (const file of files) await file.sync();
  const contents = await Promise.all(files.map((file) => file.read()));
  const [first] = JOURNAL_NAMES;
  const found = scanJournal(contents);
  if (found === undefined) {
    if (isNew) return undefined;
    throw corrupt(directory, first, 'holds no batch and no mark');
  }
  if ('missing' in found) {
    const { missing } = found;
    const name = JOURNAL_NAMES[missing.after?.file ?? 0] ?? first;
    const place = missing.after === undefined ? '' : ` behind byte ${missing.after.end}`;
    throw corrupt(directory, name, `batch ${missing.seq} is missing${place}`);
  }
  const { newest, batches } = found;
  const name = JOURNAL_NAMES[newest.file] ?? first;
  const id = encodeId(store.storeId);
  if ([newest, ...batches].some((frame) => Buffer.compare(frame.storeId, id) !== 0)) {
    throw corrupt(directory, name, 'belongs to another store');
  }
  if (seq > newest.seq) {
    const problem = `batches ${newest.seq + 1n} to ${seq} are missing behind byte ${newest.end}`;
    throw corrupt(directory, name, problem);
  }
  if (seq < newest.base) {
    throw corrupt(directory, 'database', `batches ${seq + 1n} to ${newest.base} are lost`);
  }
  return found;
}

async function replay(
  { feed, storeId }: JournalledStore,
  files: Files,
  found: FoundJournal,
): Promise<StoreJournal> {
  for (const { payload } of found.batches) {
    await feed.room();
    feed.add(readOperations(payload));
  }
  const journal = new StoreJournal(partsOf(files, storeId, feed), found);
  if (found.batches.length > 0) await journal.settle();
  return journal;
}

function partsOf(files: Files, storeId: string, feed: LevelFeed) {
  return { files, storeId: encodeId(storeId), checkpoint: () => feed.checkpoint() };
}

async function closeFiles(files: readonly DiskJournalFile[]): Promise<void> {
  for (const file of files) await file.close();
}
