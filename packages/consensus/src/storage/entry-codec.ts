import { CHAIN_BYTES } from '../raft/entry.ts';
import { ENTRY_BYTES_MAX } from './log-storage.ts';
import { FRAME_BYTES } from './record-frame.ts';

/** Bytes of a stored entry in front of its payload: term, kind, chain value, length. */
export const ENTRY_HEAD_BYTES: number = 8 + 1 + CHAIN_BYTES + 4;

/** Bytes that storage adds to a payload at most: an entry may have a block to itself. */
export const ENTRY_OVERHEAD_BYTES: number = ENTRY_HEAD_BYTES + FRAME_BYTES;

/** Largest payload in bytes that still makes an entry of at most {@link ENTRY_BYTES_MAX}. */
export const PAYLOAD_BYTES_MAX: number = ENTRY_BYTES_MAX - ENTRY_OVERHEAD_BYTES;

/** Size of an entry in bytes as it is stored, at most. */
export function storedBytes(entry: { readonly payload: Uint8Array }): number {
  return entry.payload.length + ENTRY_OVERHEAD_BYTES;
}
