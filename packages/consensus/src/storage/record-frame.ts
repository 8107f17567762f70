import { crc32 } from 'node:zlib';
import { FIRST_LEVEL } from '../raft/feature-levels.ts';
import { MalformedBytesError } from './byte-codec.ts';

/**
 * What a stored value is. Every value is framed as kind u8, feature level u8, length u32, payload
 * and CRC-32 u32. The level is that of the shape of the payload. The checksum also covers the key,
 * so that a value under another key fails.
 */
export const RECORD_KIND = {
  format: 1,
  block: 2,
  positions: 3,
  witness: 4,
  state: 5,
  configuration: 6,
  manifest: 7,
  section: 8,
  unreferenced: 9,
} as const;

/** One of the numbers of {@link RECORD_KIND}. */
export type RecordKind = (typeof RECORD_KIND)[keyof typeof RECORD_KIND];

/** Bytes that the frame adds to a payload: in front of it and behind it. */
export const FRAME_BYTES = 10;
/** Bytes of the frame in front of the payload. */
export const FRAME_HEAD_BYTES = 6;

/** Frames `payload`, in its shape of a feature level, for storage under `key`. */
export function encodeRecord(
  kind: RecordKind,
  key: Uint8Array,
  payload: Uint8Array,
  level: number,
): Uint8Array {
  const value = new Uint8Array(payload.length + FRAME_BYTES);
  const view = new DataView(value.buffer);
  view.setUint8(0, kind);
  view.setUint8(1, level);
  view.setUint32(2, payload.length);
  value.set(payload, FRAME_HEAD_BYTES);
  view.setUint32(value.length - 4, crc32(value.subarray(0, value.length - 4), crc32(key)));
  return value;
}

/**
 * The payload of a value found under `key`, as a view of it. Nothing in a store is of a greater
 * level than the store itself, `levelMax`. Throws {@link MalformedBytesError}.
 */
export function decodeRecord(
  kind: RecordKind,
  key: Uint8Array,
  value: Uint8Array,
  levelMax: number,
): Uint8Array {
  const payload = framedPayload(key, value);
  checkHead(kind, value, levelMax);
  return payload;
}

function checkHead(kind: RecordKind, [found, level = 0]: Uint8Array, levelMax: number): void {
  if (found !== kind) throw new MalformedBytesError(`record kind ${found}, not ${kind}`);
  if (level < FIRST_LEVEL || level > levelMax) {
    throw new MalformedBytesError(`record of feature level ${level} in a store of ${levelMax}`);
  }
}

/**
 * The payload of a value whose checksum is compared elsewhere. Throws {@link MalformedBytesError}
 * when its form is wrong.
 */
export function unverifiedPayload(
  kind: RecordKind,
  value: Uint8Array,
  levelMax: number,
): Uint8Array {
  const payload = sizedPayload(value);
  checkHead(kind, value, levelMax);
  return payload;
}

function framedPayload(key: Uint8Array, value: Uint8Array): Uint8Array {
  const payload = sizedPayload(value);
  const end = value.length - 4;
  if (u32At(value, end) !== crc32(value.subarray(0, end), crc32(key))) {
    throw new MalformedBytesError('checksum differs');
  }
  return payload;
}

function sizedPayload(value: Uint8Array): Uint8Array {
  const end = value.length - 4;
  if (end < FRAME_HEAD_BYTES) throw new MalformedBytesError('ends too early');
  if (u32At(value, 2) !== end - FRAME_HEAD_BYTES) {
    throw new MalformedBytesError('length differs');
  }
  return value.subarray(FRAME_HEAD_BYTES, end);
}

function u32At(bytes: Uint8Array, at: number): number {
  const high = ((bytes[at] ?? 0) << 24) | ((bytes[at + 1] ?? 0) << 16);
  return (high | ((bytes[at + 2] ?? 0) << 8) | (bytes[at + 3] ?? 0)) >>> 0;
}
