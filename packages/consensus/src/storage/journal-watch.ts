import type { BatchEncoder } from './batch-encoder.ts';
import { newestJournal, syncDirectory, WRITE_BUFFER_BYTES } from './level-directory.ts';

/** What an operation takes of the write buffer beside its bytes, at most: a node of a skip list. */
const OPERATION_BYTES_MAX = 144;
/** Memory in units of what is asked for, at most: a block of 4 KiB may end with 1 KiB unused. */
const WASTE_MAX = 4 / 3;

/**
 * Notices that LevelDB has begun another write-ahead file, whose name it does not make durable. It
 * does so only when its write buffer is full, so nobody looks before it can be: `db/memtable.cc`,
 * `util/arena.cc` and `DBImpl::MakeRoomForWrite` of LevelDB 1.23.
 */
export class JournalWatch {
  readonly #directory: string;
  #journal: string | undefined;
  /** Upper bound of the bytes in the write buffer. */
  #buffered = 0;

  constructor(directory: string) {
    this.#directory = directory;
    this.#journal = newestJournal(directory);
  }

  /** Makes the name of the file that a batch went to durable. Comes after each batch. */
  async written({ byteLength, operations }: BatchEncoder): Promise<void> {
    // A file may be begun in front of a batch, whose own bytes do not count for that.
    if (this.#buffered >= WRITE_BUFFER_BYTES) await this.#look();
    this.#buffered += WASTE_MAX * (byteLength + OPERATION_BYTES_MAX * operations.length);
  }

  async #look(): Promise<void> {
    const journal = newestJournal(this.#directory);
    if (journal === this.#journal) return;
    await syncDirectory(this.#directory);
    this.#journal = journal;
    this.#buffered = 0;
  }
}
