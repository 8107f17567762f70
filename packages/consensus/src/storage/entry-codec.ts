import { CHAIN_BYTES, type EntryKind } from '../raft/entry.ts';
import { ENTRY_BYTES_MAX } from './log-storage.ts';
import { FRAME_BYTES } from './record-frame.ts';

/** Stored number of each entry kind. */
export const ENTRY_KIND_CODE: { readonly [K in EntryKind]: number } = {
  normal: 1,
  empty: 2,
  configuration: 3,
};

/** Inverse of {@link ENTRY_KIND_CODE}. */
export const ENTRY_KINDS: ReadonlyMap<number, EntryKind> = new Map([
  [ENTRY_KIND_CODE.normal, 'normal'],
  [ENTRY_KIND_CODE.empty, 'empty'],
  [ENTRY_KIND_CODE.configuration, 'configuration'],
]);

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
