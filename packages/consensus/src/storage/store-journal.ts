import { present } from '../assert.ts';
import type { BatchEncoder } from './batch-encoder.ts';
import { followedBy } from './followed-by.ts';
import type { JournalFile } from './journal-file.ts';
import { BLOCK_BYTES, FRAME_HEAD_BYTES, wholeBlocks, writeFrameHead } from './journal-frame.ts';
import type { FoundJournal } from './journal-scan.ts';

/** Size of a file of the journal in bytes: at first, and at most, unless one batch needs more. */
const JOURNAL_BYTES_MIN = 256 * 1_024;
const JOURNAL_BYTES_MAX = 16 * 1_024 * 1_024;

interface Segment {
  readonly file: JournalFile;
  /** Newest batch in it. */
  newestSeq: bigint;
}

/** What a journal needs of its store. */
export interface JournalParts {
  readonly files: readonly [JournalFile, JournalFile];
  /** 16 bytes. */
  readonly storeId: Uint8Array;
  /** Makes all batches so far durable in the database. */
  readonly checkpoint: () => Promise<void>;
}

/** Where a journal goes on. */
type JournalStart = Pick<FoundJournal, 'newestSeqs'> & {
  readonly newest: Pick<FoundJournal['newest'], 'ordinal' | 'seq' | 'base' | 'file' | 'end'>;
};

/**
 * Makes batches durable before the database has them: each is one write into blocks that exist, and
 * one sync. Two files take turns. When one is full, the database is made durable, behind which the
 * batches in that file are not needed any more.
 *
 * Every frame says through which batch the database was durable by itself. What is needed is thus
 * known from the newest frame, and a file is written over only when a durable frame says that
 * nothing in it is needed.
 */
export class StoreJournal {
  readonly #parts: JournalParts;
  readonly #segments: readonly [Segment, Segment];
  readonly #markBlock = new Uint8Array(BLOCK_BYTES);
  #active: Segment;
  #at: number;
  #ordinal: bigint;
  #seq: bigint;
  /** The database is durable through this batch, and what the newest frame says of that. */
  #base: bigint;
  #toldBase: bigint;
  #freeing: Promise<void> | undefined;

  constructor(parts: JournalParts, { newest, newestSeqs }: JournalStart) {
    const [first, second] = parts.files;
    this.#parts = parts;
    this.#segments = [
      { file: first, newestSeq: newestSeqs[0] ?? 0n },
      { file: second, newestSeq: newestSeqs[1] ?? 0n },
    ];
    this.#active = present(this.#segments[newest.file], 'a journal has two files');
    this.#at = newest.end;
    this.#ordinal = newest.ordinal;
    this.#seq = newest.seq;
    this.#base = newest.base;
    this.#toldBase = newest.base;
  }

  /** The journal of a database that is durable through a batch; its files are empty. */
  static async create(parts: JournalParts, seq: bigint): Promise<StoreJournal> {
    for (const file of parts.files) await file.extend(JOURNAL_BYTES_MIN);
    const newest = { ordinal: 0n, seq, base: seq, file: 0, end: 0 };
    const journal = new StoreJournal(parts, { newest, newestSeqs: [0n, 0n] });
    await journal.#mark();
    return journal;
  }

  /** Makes the next batch, number `seq`, durable; without a promise it is that already. */
  append(batch: BatchEncoder, seq: bigint): Promise<void> | undefined {
    const blocks = batch.blocks();
    const turning = this.#hasRoom(blocks.length) ? undefined : this.#turn(blocks.length);
    return followedBy(turning, () => {
      this.#seq = seq;
      this.#active.newestSeq = seq;
      return this.#write(blocks, batch.byteLength);
    });
  }

  /** Notes durably that the database needs nothing of the journal. */
  async settle(): Promise<void> {
    await this.#freeing;
    await this.#parts.checkpoint();
    this.#base = this.#seq;
    if (this.#toldBase < this.#base) await this.#mark();
  }

  async close(): Promise<void> {
    try {
      await this.#freeing;
    } catch {
      // The store is closed because of this, or whoever wrote next was told.
    }
    for (const { file } of this.#segments) await file.close();
  }

  /** One block is left for the mark at the end. */
  #hasRoom(bytes: number): boolean {
    return this.#at + bytes + BLOCK_BYTES <= this.#active.file.size;
  }

  /** Goes on in the other file, once nothing in it is needed. */
  async #turn(bytes: number): Promise<void> {
    await this.#freeing;
    const former = this.#active;
    // A write that breaks off may destroy what the newest frame says is needed.
    const other = this.#other;
    if (this.#toldBase < other.newestSeq) await this.#mark();
    this.#active = other;
    this.#at = 0;
    this.#freeing = this.#free(former);
    // Whoever turns next is told.
    this.#freeing.catch(() => {});
    if (!this.#hasRoom(bytes)) await other.file.extend(bytes + BLOCK_BYTES);
  }

  get #other(): Segment {
    const [first, second] = this.#segments;
    return this.#active === first ? second : first;
  }

  /** Makes what was full free; there will be more of it next time. */
  async #free({ file }: Segment): Promise<void> {
    const seq = this.#seq;
    await this.#parts.checkpoint();
    this.#base = seq;
    await file.extend(Math.min(2 * file.size, JOURNAL_BYTES_MAX));
  }

  async #mark(): Promise<void> {
    const end = this.#at + BLOCK_BYTES;
    // Behind another mark there may be no room.
    if (end > this.#active.file.size) await this.#active.file.extend(end);
    await this.#write(this.#markBlock, 0);
  }

  #write(blocks: Uint8Array, length: number): Promise<void> | undefined {
    const { storeId } = this.#parts;
    const base = this.#base;
    this.#ordinal += 1n;
    writeFrameHead(blocks, length, { ordinal: this.#ordinal, seq: this.#seq, base, storeId });
    const at = this.#at;
    this.#at += wholeBlocks(FRAME_HEAD_BYTES + length);
    return followedBy(this.#active.file.write(blocks, at), () => {
      this.#toldBase = base;
    });
  }
}
