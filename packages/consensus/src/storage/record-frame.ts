import { crc32 } from 'node:zlib';
import { ByteReader, ByteWriter, MalformedBytesError } from './byte-codec.ts';

/**
 * What a stored value is. Every value is framed as kind u8, version u8, length u32, payload and
 * CRC-32 u32. The checksum also covers the key, so that a value under another key fails.
 */
export const RECORD_KIND = {
  format: 1,
  entry: 2,
  hardState: 3,
  bounds: 4,
  applied: 5,
  head: 6,
  witness: 7,
  state: 8,
} as const;

/** One of the numbers of {@link RECORD_KIND}. */
export type RecordKind = (typeof RECORD_KIND)[keyof typeof RECORD_KIND];

/** Bytes that the frame adds to a payload. */
export const FRAME_BYTES = 10;

const RECORD_VERSION = 1;

/** Frames `payload` for storage under `key`. */
export function encodeRecord(kind: RecordKind, key: Uint8Array, payload: Uint8Array): Uint8Array {
  const value = new ByteWriter(payload.length + FRAME_BYTES)
    .u8(kind)
    .u8(RECORD_VERSION)
    .sized(payload)
    .u32(0)
    .finish();
  const checksum = crc32(value.subarray(0, value.length - 4), crc32(key));
  new DataView(value.buffer).setUint32(value.length - 4, checksum);
  return value;
}

/** The payload of a value found under `key`. Throws {@link MalformedBytesError}. */
export function decodeRecord(kind: RecordKind, key: Uint8Array, value: Uint8Array): Uint8Array {
  const reader = new ByteReader(value);
  const foundKind = reader.u8();
  const version = reader.u8();
  const payload = reader.sized();
  const checksum = reader.u32();
  reader.finish();
  if (checksum !== crc32(value.subarray(0, value.length - 4), crc32(key))) {
    throw new MalformedBytesError('checksum differs');
  }
  if (foundKind !== kind) throw new MalformedBytesError(`record kind ${foundKind}, not ${kind}`);
  if (version !== RECORD_VERSION) throw new MalformedBytesError(`record version ${version}`);
  return payload;
}
