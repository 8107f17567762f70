import { crc32 } from 'node:zlib';
import { CHAIN_BYTES, type Entry } from '../raft/entry.ts';
import { ENTRY_KIND_CODE } from '../raft/entry-kind.ts';
import { halfDigest } from './digests.ts';
import { ENTRY_HEAD_BYTES, storedBytes } from './entry-codec.ts';
import { KEY_PREFIX } from './level-keys.ts';
import {
  FRAME_BYTES,
  FRAME_HEAD_BYTES,
  RECORD_KIND,
  RECORD_VERSION,
  type RecordKind,
} from './record-frame.ts';

/** One operation of a LevelDB batch. */
export type BatchOperation =
  | { readonly type: 'put'; readonly key: Uint8Array; readonly value: Uint8Array }
  | { readonly type: 'del'; readonly key: Uint8Array };

const OPERATION_HEAD_BYTES = 9;
const ENTRY_KEY_BYTES = 9;

/**
 * Collects the operations of one batch. Keys and values lie one behind the other in one buffer, so
 * that the digest of the batch is one hash over that buffer and nothing is copied twice.
 */
export class BatchEncoder {
  readonly #operations: BatchOperation[] = [];
  #bytes: Uint8Array;
  #view: DataView;
  /** The digest of the batch before goes in front of the operations. */
  #length = CHAIN_BYTES;

  /** `capacity` is the expected size of all operations in bytes; it may be exceeded. */
  constructor(capacity = 1_024) {
    this.#bytes = new Uint8Array(CHAIN_BYTES + capacity);
    this.#view = new DataView(this.#bytes.buffer);
  }

  get operations(): readonly BatchOperation[] {
    return this.#operations;
  }

  /** Stores `payload`, framed, under `key`. */
  put(kind: RecordKind, key: Uint8Array, payload: Uint8Array): void {
    const valueLength = payload.length + FRAME_BYTES;
    const keyStart = this.#begin(1, key.length, valueLength);
    this.#bytes.set(key, keyStart);
    const start = keyStart + key.length;
    this.#bytes.set(payload, start + FRAME_HEAD_BYTES);
    this.#finishPut(kind, keyStart, start, valueLength);
  }

  /** Stores a log entry; the same bytes as its codec, written in place. */
  putEntry(entry: Entry): void {
    const { payload } = entry;
    const valueLength = storedBytes(entry);
    const keyStart = this.#begin(1, ENTRY_KEY_BYTES, valueLength);
    const start = keyStart + ENTRY_KEY_BYTES;
    const view = this.#view;
    view.setUint8(keyStart, KEY_PREFIX.entry);
    view.setBigUint64(keyStart + 1, entry.index);
    const at = start + FRAME_HEAD_BYTES;
    view.setBigUint64(at, entry.term);
    view.setBigUint64(at + 8, entry.index);
    view.setUint8(at + 16, ENTRY_KIND_CODE[entry.kind]);
    this.#bytes.set(entry.chain, at + 17);
    view.setUint32(at + 17 + CHAIN_BYTES, payload.length);
    this.#bytes.set(payload, at + ENTRY_HEAD_BYTES);
    this.#finishPut(RECORD_KIND.entry, keyStart, start, valueLength);
  }

  delete(key: Uint8Array): void {
    const start = this.#begin(0, key.length, 0);
    this.#bytes.set(key, start);
    this.#operations.push({ type: 'del', key: this.#bytes.subarray(start, start + key.length) });
  }

  /** Digest of everything collected so far, behind the digest of the batch before. */
  digest(previous: Uint8Array): Uint8Array {
    this.#bytes.set(previous);
    return halfDigest(this.#bytes.subarray(0, this.#length));
  }

  /** Makes room for an operation, writes its head and gives the place of its key. */
  #begin(type: number, keyLength: number, valueLength: number): number {
    const start = this.#length;
    const end = start + OPERATION_HEAD_BYTES + keyLength + valueLength;
    if (end > this.#bytes.length) this.#grow(end);
    this.#view.setUint8(start, type);
    this.#view.setUint32(start + 1, keyLength);
    this.#view.setUint32(start + 5, valueLength);
    this.#length = end;
    return start + OPERATION_HEAD_BYTES;
  }

  #finishPut(kind: RecordKind, keyStart: number, start: number, valueLength: number): void {
    const view = this.#view;
    view.setUint8(start, kind);
    view.setUint8(start + 1, RECORD_VERSION);
    view.setUint32(start + 2, valueLength - FRAME_BYTES);
    const end = start + valueLength;
    const key = this.#bytes.subarray(keyStart, start);
    view.setUint32(end - 4, crc32(this.#bytes.subarray(start, end - 4), crc32(key)));
    this.#operations.push({ type: 'put', key, value: this.#bytes.subarray(start, end) });
  }

  /** Operations collected before keep their views of the old buffer, whose bytes stay as they are. */
  #grow(needed: number): void {
    const bytes = new Uint8Array(Math.max(needed, 2 * this.#bytes.length));
    bytes.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer);
  }
}
