import path from 'node:path';
import { DiskJournalFile } from '../../src/storage/journal-file.ts';
import { JOURNAL_NAMES } from '../../src/storage/level-directory.ts';
import { encodeId } from '../../src/storage/position-codec.ts';
import { StoreJournal } from '../../src/storage/store-journal.ts';

/** Replaces the journal of a closed store by an empty one behind batch `seq`. */
export async function renewJournal(directory: string, storeId: string, seq: bigint): Promise<void> {
  const [first, second] = JOURNAL_NAMES;
  const files = [
    await DiskJournalFile.create(path.join(directory, first), first),
    await DiskJournalFile.create(path.join(directory, second), second),
  ] as const;
  const checkpoint = () => Promise.resolve();
  const parts = { files, storeId: encodeId(storeId), checkpoint };
  await (await StoreJournal.create(parts, seq)).close();
}
