import type { Entry, EntryKind } from '../raft/entry.ts';
import { ByteReader, ByteWriter, MalformedBytesError } from './byte-codec.ts';
import { ENTRY_BYTES_MAX } from './log-storage.ts';
import { FRAME_BYTES } from './record-frame.ts';

/** Stored number of each entry kind. */
export const ENTRY_KIND_CODE: { readonly [K in EntryKind]: number } = { normal: 1, empty: 2 };

/** Bytes of a chain value: SHA-256 cut in half. */
export const CHAIN_BYTES = 16;
const ENTRY_HEAD_BYTES = 8 + 8 + 1 + CHAIN_BYTES + 4;

/** Bytes that storage adds to a payload. */
export const ENTRY_OVERHEAD_BYTES: number = ENTRY_HEAD_BYTES + FRAME_BYTES;

/** Largest payload in bytes that still makes an entry of at most {@link ENTRY_BYTES_MAX}. */
export const PAYLOAD_BYTES_MAX: number = ENTRY_BYTES_MAX - ENTRY_OVERHEAD_BYTES;

/** An entry as stored, with the chain value that ends in it. */
export interface StoredEntry {
  readonly entry: Entry;
  readonly chain: Uint8Array;
}

/** Term u64, index u64, kind u8, chain 16 bytes, payload with its length. */
export function encodeEntry({ entry, chain }: StoredEntry): Uint8Array {
  return new ByteWriter(ENTRY_HEAD_BYTES + entry.payload.length)
    .u64(entry.term)
    .u64(entry.index)
    .u8(ENTRY_KIND_CODE[entry.kind])
    .bytes(chain)
    .sized(entry.payload)
    .finish();
}

/** Inverse of {@link encodeEntry}. Throws {@link MalformedBytesError}. */
export function decodeEntry(bytes: Uint8Array): StoredEntry {
  const reader = new ByteReader(bytes);
  const term = reader.u64();
  const index = reader.u64();
  const kind = kindOf(reader.u8());
  const chain = reader.bytes(CHAIN_BYTES);
  const payload = reader.sized();
  reader.finish();
  return { entry: { index, term, kind, payload }, chain };
}

function kindOf(code: number): EntryKind {
  for (const [kind, kindCode] of Object.entries(ENTRY_KIND_CODE)) {
    if (kindCode === code) return kind as EntryKind;
  }
  throw new MalformedBytesError(`unknown entry kind ${code}`);
}
