import { PAYLOAD_BYTES_MAX } from '../storage/entry-codec.ts';
import { APPEND_OVERHEAD_BYTES } from './message-codec.ts';
import { MalformedFrameError } from './wire-reader.ts';
import type { WireWriter } from './wire-writer.ts';

/**
 * What a connection is for. A class never changes and has its own connection, so that a long
 * append delays no heartbeat and a snapshot delays neither.
 */
export type TrafficClass = 'management' | 'replication' | 'bulk';

/** Number of each class on the wire. */
export const CLASS_CODE: { readonly [C in TrafficClass]: number } = {
  management: 1,
  replication: 2,
  bulk: 3,
};

const KIBIBYTE = 1_024;
const KIND_BYTES = 1;

/** Largest frame of each class in bytes, without the length in front of it. */
export const FRAME_BYTES_MAX: { readonly [C in TrafficClass]: number } = {
  management: 64 * KIBIBYTE,
  /** Whatever a store admits can be sent: an entry that could not would block its log for ever. */
  replication: KIND_BYTES + APPEND_OVERHEAD_BYTES + PAYLOAD_BYTES_MAX,
  /** Bounded by the list of section digests of a very large snapshot. */
  bulk: 2 * KIBIBYTE * KIBIBYTE,
};

/** Largest frame in bytes before both ends know each other. */
export const SETUP_FRAME_BYTES_MAX: number = 8 * KIBIBYTE;

/** What a frame holds: its first byte. */
export const FRAME_KIND = {
  hello: 1,
  refusal: 2,
  credit: 3,
  ping: 4,
  message: 5,
  snapshotBegin: 6,
  snapshotChunk: 7,
  snapshotNext: 8,
  snapshotDone: 9,
} as const;

/** The numbers of {@link FRAME_KIND}. */
export type FrameKind = (typeof FRAME_KIND)[keyof typeof FRAME_KIND];

/** Length of the length field in bytes. It counts the kind and the body behind it. */
export const LENGTH_BYTES = 4;

/** A frame as received. `body` may be a view of memory that holds other frames too. */
export interface Frame {
  readonly kind: number;
  readonly body: Uint8Array;
}

/** Writes one frame; `writeBody` appends its body. Throws `RangeError` above the bound. */
export function writeFrame(
  writer: WireWriter,
  kind: FrameKind,
  bytesMax: number,
  writeBody: (writer: WireWriter) => void,
): number {
  try {
    writer.u32(0).u8(kind);
    writeBody(writer);
    const total = writer.frameBytes;
    if (total - LENGTH_BYTES > bytesMax) throw new RangeError('a frame is above its bound');
    writer.patchU32(0, total - LENGTH_BYTES).commit();
    return total;
  } catch (error) {
    writer.rollback();
    throw error;
  }
}

/** The class with this number. Throws {@link MalformedFrameError}. */
export function classOf(code: number): TrafficClass {
  if (code === CLASS_CODE.management) return 'management';
  if (code === CLASS_CODE.replication) return 'replication';
  if (code === CLASS_CODE.bulk) return 'bulk';
  throw new MalformedFrameError(`unknown traffic class ${code}`);
}
