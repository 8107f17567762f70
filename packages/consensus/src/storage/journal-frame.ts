import { crc32 } from 'node:zlib';

/**
 * Unit of the journal in bytes. A frame begins with a block and has all of its blocks to itself, so
 * that no later write touches what was acknowledged, and no write has to read a page first.
 */
export const BLOCK_BYTES = 4_096;

/** What stands in front of the bytes of a batch. */
export const FRAME_HEAD_BYTES = 56;

/** `NVXJ`. */
const MAGIC = 0x4e56_584a;
const CHECKSUM_BYTES = 4;
/** Of the layout of frames. */
const VERSION = 1;
const STORE_ID_AT = 40;
const STORE_ID_BYTES = 16;

/** Head of a frame: a batch, or a mark, which has no bytes and tells `base` alone. */
export interface FrameHead {
  /** Number of the frame among all that the journal ever took. */
  readonly ordinal: bigint;
  /** The batch in the frame; of a mark the newest one in front of it. */
  readonly seq: bigint;
  /** The database itself had all batches through this one durably when the frame was written. */
  readonly base: bigint;
  /** Id of the store, 16 bytes. */
  readonly storeId: Uint8Array;
}

/** A frame as it was found. */
export interface JournalFrame extends FrameHead {
  /** The bytes of the batch; none in a mark. */
  readonly payload: Uint8Array;
  /** Where the frame begins in its file, and where the next one can, in bytes. */
  readonly at: number;
  readonly end: number;
}

/** `bytes` rounded up to whole blocks. */
export function wholeBlocks(bytes: number): number {
  return Math.ceil(bytes / BLOCK_BYTES) * BLOCK_BYTES;
}

/** Writes the head of a frame in front of a batch of `length` bytes, which `frame` already holds. */
export function writeFrameHead(
  frame: Uint8Array,
  length: number,
  { ordinal, seq, base, storeId }: FrameHead,
): void {
  const view = new DataView(frame.buffer, frame.byteOffset, FRAME_HEAD_BYTES);
  view.setUint32(4, MAGIC);
  view.setUint32(8, VERSION);
  view.setUint32(12, length);
  view.setBigUint64(16, ordinal);
  view.setBigUint64(24, seq);
  view.setBigUint64(32, base);
  frame.set(storeId, STORE_ID_AT);
  view.setUint32(0, crc32(frame.subarray(CHECKSUM_BYTES, FRAME_HEAD_BYTES + length)));
}

/** The frame that begins at `at`, or `undefined` when none does or not all of it is there. */
export function readFrame(file: Uint8Array, at: number): JournalFrame | undefined {
  if (at + FRAME_HEAD_BYTES > file.length) return undefined;
  const view = new DataView(file.buffer, file.byteOffset + at, FRAME_HEAD_BYTES);
  if (view.getUint32(4) !== MAGIC || view.getUint32(8) !== VERSION) return undefined;
  const length = view.getUint32(12);
  const payloadAt = at + FRAME_HEAD_BYTES;
  if (length > file.length - payloadAt) return undefined;
  const checked = file.subarray(at + CHECKSUM_BYTES, payloadAt + length);
  if (view.getUint32(0) !== crc32(checked)) return undefined;
  return {
    ordinal: view.getBigUint64(16),
    seq: view.getBigUint64(24),
    base: view.getBigUint64(32),
    storeId: file.subarray(at + STORE_ID_AT, at + STORE_ID_AT + STORE_ID_BYTES),
    payload: file.subarray(payloadAt, payloadAt + length),
    at,
    end: at + wholeBlocks(FRAME_HEAD_BYTES + length),
  };
}
