import { CHAIN_BYTES, type Entry, type EntryKind } from '../raft/entry.ts';
import { ENTRY_KINDS } from '../raft/entry-kind.ts';
import { MalformedBytesError } from './byte-codec.ts';
import { ENTRY_HEAD_BYTES } from './entry-codec.ts';

/**
 * Entries that were written together lie one behind the other in blocks, so that a group of
 * commands costs the database one record. An entry in it is term u64, kind u8, chain value of 16
 * bytes, payload length u32 and payload; its index follows from its place.
 */
const KIND_AT = 8;
const CHAIN_AT = 9;
const LENGTH_AT = CHAIN_AT + CHAIN_BYTES;

/** Size in bytes from which on a block takes no further entry: reading one entry reads its block. */
export const BLOCK_BYTES_MAX: number = 256 * 1_024;

/** The largest groups of entries, in order, that each make a block. */
export function blocksOf(entries: readonly Entry[]): readonly (readonly Entry[])[] {
  const blocks: Entry[][] = [];
  let block: Entry[] = [];
  let bytes = 0;
  for (const entry of entries) {
    const size = ENTRY_HEAD_BYTES + entry.payload.length;
    if (block.length > 0 && bytes + size > BLOCK_BYTES_MAX) {
      blocks.push(block);
      block = [];
      bytes = 0;
    }
    block.push(entry);
    bytes += size;
  }
  if (block.length > 0) blocks.push(block);
  return blocks;
}

/** Goes through the entries of a block from the first to the last. */
export class BlockCursor {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  readonly #first: bigint;
  #count = 0;
  #start = 0;
  #end = 0;

  /** `bytes` is the payload of the block's record, `first` the index of its first entry. */
  constructor(bytes: Uint8Array, first: bigint) {
    // A database gives views of another class, which would show in every entry.
    this.#bytes = new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#first = first;
  }

  /** Goes to the next entry; `false` behind the last. Throws {@link MalformedBytesError}. */
  next(): boolean {
    const start = this.#end;
    if (start === this.#bytes.length && this.#count > 0) return false;
    const payloadAt = start + ENTRY_HEAD_BYTES;
    if (payloadAt > this.#bytes.length) throw new MalformedBytesError('ends too early');
    const end = payloadAt + this.#view.getUint32(start + LENGTH_AT);
    if (end > this.#bytes.length) throw new MalformedBytesError('ends too early');
    this.#start = start;
    this.#end = end;
    this.#count += 1;
    return true;
  }

  /** Index of the entry at hand. */
  get index(): bigint {
    return this.#first + BigInt(this.#count - 1);
  }

  get term(): bigint {
    return this.#view.getBigUint64(this.#start);
  }

  /** Throws {@link MalformedBytesError} for one that does not exist. */
  get kind(): EntryKind {
    const code = this.#view.getUint8(this.#start + KIND_AT);
    const kind = ENTRY_KINDS.get(code);
    if (kind === undefined) throw new MalformedBytesError(`unknown entry kind ${code}`);
    return kind;
  }

  /** A view, like {@link payload}. */
  get chain(): Uint8Array {
    const start = this.#start + CHAIN_AT;
    return this.#bytes.subarray(start, start + CHAIN_BYTES);
  }

  get payload(): Uint8Array {
    return this.#bytes.subarray(this.#start + ENTRY_HEAD_BYTES, this.#end);
  }

  /** Where the entry at hand begins, in bytes of the block. */
  get offset(): number {
    return this.#start;
  }
}

/** Entries of a block from `from` to `through`, as views of it. */
export function entriesIn(
  bytes: Uint8Array,
  first: bigint,
  { from, through }: { readonly from: bigint; readonly through: bigint },
): readonly Entry[] {
  const entries: Entry[] = [];
  const cursor = new BlockCursor(bytes, first);
  while (cursor.next()) {
    const { index } = cursor;
    if (index < from) continue;
    if (index > through) break;
    const { term, kind, chain, payload } = cursor;
    entries.push({ index, term, kind, chain, payload });
  }
  return entries;
}

/** The beginning of a block that ends in front of the entry at `index`, which is in it. */
export function blockBefore(bytes: Uint8Array, first: bigint, index: bigint): Uint8Array {
  const cursor = new BlockCursor(bytes, first);
  while (cursor.next()) if (cursor.index === index) return bytes.subarray(0, cursor.offset);
  throw new MalformedBytesError(`does not hold entry ${index}`);
}
