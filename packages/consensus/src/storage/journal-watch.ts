import type { BatchEncoder } from './batch-encoder.ts';
import { newestJournal, syncDirectory, WRITE_BUFFER_BYTES } from './level-directory.ts';
import { WriteBuffer } from './write-buffer.ts';

/** The buffer is taken for full earlier, for what was written before anyone counted. */
const FULL_BYTES = WRITE_BUFFER_BYTES - 32 * 1_024;

/**
 * Notices that LevelDB has begun another write-ahead file, whose name it does not make durable. It
 * does so only when its write buffer is full (`DBImpl::MakeRoomForWrite` of LevelDB 1.20), so
 * nobody looks before it can be.
 */
export class JournalWatch {
  readonly #directory: string;
  #journal: string | undefined;
  #buffer = new WriteBuffer();

  /** `directory` is that of a database just opened, with a write buffer as good as empty. */
  constructor(directory: string) {
    this.#directory = directory;
    this.#journal = newestJournal(directory);
  }

  /**
   * Makes the name of the file that a batch went to durable. Comes after each batch; `undefined`
   * when there is nothing to wait for.
   */
  written(batch: BatchEncoder): Promise<void> | undefined {
    // A file is begun in front of a batch, which is the first in the buffer then.
    if (this.#buffer.bytes > FULL_BYTES) return this.#look(batch);
    this.#add(batch);
    return undefined;
  }

  async #look(batch: BatchEncoder): Promise<void> {
    const journal = newestJournal(this.#directory);
    if (journal !== this.#journal) {
      await syncDirectory(this.#directory);
      this.#journal = journal;
      this.#buffer = new WriteBuffer();
    }
    this.#add(batch);
  }

  #add({ operations }: BatchEncoder): void {
    for (const operation of operations) this.#buffer.add(operation);
  }
}
