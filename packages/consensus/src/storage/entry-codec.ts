import { CHAIN_BYTES, type Entry, type EntryKind } from '../raft/entry.ts';
import { ENTRY_KIND_CODE, ENTRY_KINDS } from '../raft/entry-kind.ts';
import { ByteReader, ByteWriter, MalformedBytesError } from './byte-codec.ts';
import { ENTRY_BYTES_MAX } from './log-storage.ts';
import { FRAME_BYTES } from './record-frame.ts';

/** Bytes of an encoded entry in front of its payload. */
export const ENTRY_HEAD_BYTES: number = 8 + 8 + 1 + CHAIN_BYTES + 4;

/** Bytes that storage adds to a payload. */
export const ENTRY_OVERHEAD_BYTES: number = ENTRY_HEAD_BYTES + FRAME_BYTES;

/** Largest payload in bytes that still makes an entry of at most {@link ENTRY_BYTES_MAX}. */
export const PAYLOAD_BYTES_MAX: number = ENTRY_BYTES_MAX - ENTRY_OVERHEAD_BYTES;

/** Size of an entry in bytes as it is stored. */
export function storedBytes(entry: Pick<Entry, 'payload'>): number {
  return entry.payload.length + ENTRY_OVERHEAD_BYTES;
}

/** Term u64, index u64, kind u8, chain 16 bytes, payload with its length. */
export function encodeEntry({ index, term, kind, payload, chain }: Entry): Uint8Array {
  return new ByteWriter(ENTRY_HEAD_BYTES + payload.length)
    .u64(term)
    .u64(index)
    .u8(ENTRY_KIND_CODE[kind])
    .bytes(chain)
    .sized(payload)
    .finish();
}

/** Inverse of {@link encodeEntry}. Throws {@link MalformedBytesError}. */
export function decodeEntry(bytes: Uint8Array): Entry {
  const reader = new ByteReader(bytes);
  const term = reader.u64();
  const index = reader.u64();
  const kind = kindOf(reader.u8());
  const chain = reader.bytes(CHAIN_BYTES);
  const payload = reader.sized();
  reader.finish();
  return { index, term, kind, payload, chain };
}

function kindOf(code: number): EntryKind {
  const kind = ENTRY_KINDS.get(code);
  if (kind === undefined) throw new MalformedBytesError(`unknown entry kind ${code}`);
  return kind;
}
