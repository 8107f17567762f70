import { writeSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { crc32 } from 'node:zlib';
import { assert } from '../assert.ts';
import { CHAIN_BYTES } from '../raft/entry.ts';
import { ByteReader } from './byte-codec.ts';
import { encodeId } from './position-codec.ts';

/** Newest batch that this file has seen become durable. */
export interface Anchor {
  readonly seq: bigint;
  readonly digest: Uint8Array;
  readonly storeId: string;
}

const MAGIC = new TextEncoder().encode('NVXANCH1');
/** Each slot has a block of its own, so that a torn block leaves the other slot intact. */
const BLOCK_BYTES = 4_096;
const STORE_ID_BYTES = 16;
const DIGEST_AT = MAGIC.length + 8;
const CHECKSUM_AT = DIGEST_AT + CHAIN_BYTES + STORE_ID_BYTES;
const SLOT_BYTES = CHECKSUM_AT + 4;

/**
 * A small file beside the database that remembers the newest durable batch. A database that opens
 * with an older one has lost its tail, which LevelDB itself does not report. The two slots are
 * written in turn and never before the batch they name is durable.
 */
export class AnchorFile {
  readonly #file: FileHandle;
  readonly #slot = new AnchorSlot();

  private constructor(file: FileHandle) {
    this.#file = file;
  }

  /** Creates the file or overwrites one of an unfinished creation, and syncs it. */
  static async create(path: string, anchor: Anchor): Promise<AnchorFile> {
    const anchorFile = new AnchorFile(await open(path, 'w+'));
    try {
      await anchorFile.#file.truncate(2 * BLOCK_BYTES);
      anchorFile.write(anchor);
      await anchorFile.sync();
      return anchorFile;
    } catch (error) {
      await anchorFile.close();
      throw error;
    }
  }

  /** Opens an existing file; its absence is the operating system's `ENOENT`. */
  static async open(path: string): Promise<AnchorFile> {
    return new AnchorFile(await open(path, 'r+'));
  }

  /** The newer valid slot, or `undefined` when neither is valid. */
  async read(): Promise<Anchor | undefined> {
    const content = new Uint8Array(2 * BLOCK_BYTES);
    const { bytesRead } = await this.#file.read(content, 0, content.length, 0);
    const slots = [0, BLOCK_BYTES]
      .filter((start) => start + SLOT_BYTES <= bytesRead)
      .map((start) => decodeSlot(content.slice(start, start + SLOT_BYTES)))
      .filter((slot) => slot !== undefined);
    return slots.reduce<Anchor | undefined>(
      (newest, slot) => (newest === undefined || slot.seq > newest.seq ? slot : newest),
      undefined,
    );
  }

  /**
   * Writes the slot whose turn it is, without syncing it. Not asynchronous: these few bytes go to
   * the page cache in less time than a thread of the pool takes to begin.
   */
  write(anchor: Anchor): void {
    const position = anchor.seq % 2n === 0n ? 0 : BLOCK_BYTES;
    const bytes = this.#slot.encode(anchor);
    const bytesWritten = writeSync(this.#file.fd, bytes, 0, SLOT_BYTES, position);
    assert(bytesWritten === SLOT_BYTES, 'a slot is written as a whole');
  }

  async sync(): Promise<void> {
    await this.#file.datasync();
  }

  async close(): Promise<void> {
    await this.#file.close();
  }
}

/** Encodes one slot after the other in the same memory; most of a slot never changes. */
class AnchorSlot {
  readonly #bytes = new Uint8Array(SLOT_BYTES);
  readonly #view = new DataView(this.#bytes.buffer);
  readonly #checked = this.#bytes.subarray(0, CHECKSUM_AT);
  #storeId: string | undefined;

  constructor() {
    this.#bytes.set(MAGIC);
  }

  /** The bytes of a slot, until the next call. */
  encode({ seq, digest, storeId }: Anchor): Uint8Array {
    if (storeId !== this.#storeId) {
      this.#bytes.set(encodeId(storeId), DIGEST_AT + CHAIN_BYTES);
      this.#storeId = storeId;
    }
    this.#view.setBigUint64(MAGIC.length, seq);
    this.#bytes.set(digest, DIGEST_AT);
    this.#view.setUint32(CHECKSUM_AT, crc32(this.#checked));
    return this.#bytes;
  }
}

function decodeSlot(slot: Uint8Array): Anchor | undefined {
  const reader = new ByteReader(slot);
  const magic = reader.bytes(MAGIC.length);
  const seq = reader.u64();
  const digest = reader.bytes(CHAIN_BYTES);
  const storeId = reader.hex(STORE_ID_BYTES);
  const checksum = reader.u32();
  const isValid =
    checksum === crc32(slot.subarray(0, CHECKSUM_AT)) && Buffer.compare(magic, MAGIC) === 0;
  return isValid ? { seq, digest, storeId } : undefined;
}
