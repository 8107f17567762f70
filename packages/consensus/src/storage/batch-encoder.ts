import { crc32 } from 'node:zlib';
import { assert } from '../assert.ts';
import { CHAIN_BYTES, type Entry } from '../raft/entry.ts';
import { ENTRY_KIND_CODE } from '../raft/entry-kind.ts';
import { ByteReader, MalformedBytesError } from './byte-codec.ts';
import { halfDigest } from './digests.ts';
import { ENTRY_HEAD_BYTES } from './entry-codec.ts';
import { FRAME_HEAD_BYTES as JOURNAL_HEAD_BYTES, wholeBlocks } from './journal-frame.ts';
import { KEY_PREFIX, POSITIONS_KEY } from './level-keys.ts';
import { FRAME_BYTES, FRAME_HEAD_BYTES, RECORD_KIND, type RecordKind } from './record-frame.ts';

/** One operation of a LevelDB batch. */
export type BatchOperation =
  | { readonly type: 'put'; readonly key: Uint8Array; readonly value: Uint8Array }
  | { readonly type: 'del'; readonly key: Uint8Array };

const OPERATION_HEAD_BYTES = 9;
const OPERATION_TYPE = { del: 0, put: 1 } as const;

/** Behind the head of a journal frame stand the digest of the batch before and the operations. */
const OPERATIONS_AT = JOURNAL_HEAD_BYTES + CHAIN_BYTES;

/** Memory that one batch leaves to the next is at least so large, and not kept above the other. */
const KEPT_BYTES_MIN = 16 * 1_024;
const KEPT_BYTES_MAX = 512 * 1_024;

/**
 * Collects the operations of one batch. Keys and values lie one behind the other in one buffer, so
 * that the digest of the batch is one hash over that buffer and nothing is copied twice.
 */
export class BatchEncoder {
  #operations: BatchOperation[] = [];
  #bytes: Uint8Array;
  #view: DataView;
  #length = OPERATIONS_AT;
  #isSealed = false;
  #level: number;

  /**
   * Of a batch whose values have the shape of a feature level. `capacity` is the expected size of all
   * operations in bytes; it may be exceeded.
   */
  constructor(level: number, capacity = 1_024) {
    this.#level = level;
    this.#bytes = new Uint8Array(OPERATIONS_AT + capacity);
    this.#view = new DataView(this.#bytes.buffer);
  }

  /**
   * Begins another batch in the same memory; `level` and `capacity` are as for the constructor.
   * Operations of the former batch must not be looked at any more.
   */
  restart(level: number, capacity: number): this {
    this.#level = level;
    this.#operations = [];
    this.#length = OPERATIONS_AT;
    this.#isSealed = false;
    const isTooSmall = OPERATIONS_AT + capacity > this.#bytes.length;
    if (isTooSmall || this.#bytes.length > KEPT_BYTES_MAX) {
      this.#bytes = new Uint8Array(OPERATIONS_AT + Math.max(capacity, KEPT_BYTES_MIN));
      this.#view = new DataView(this.#bytes.buffer);
    }
    return this;
  }

  get operations(): readonly BatchOperation[] {
    return this.#operations;
  }

  /** Size of everything collected so far, in bytes. */
  get byteLength(): number {
    return this.#length - JOURNAL_HEAD_BYTES;
  }

  /**
   * The batch as whole blocks of the journal: room for the head of a frame, `byteLength` bytes, and
   * whatever lies behind them in memory.
   */
  blocks(): Uint8Array {
    const end = wholeBlocks(this.#length);
    if (end > this.#bytes.length) this.#grow(end);
    return this.#bytes.subarray(0, end);
  }

  /** Stores `payload`, framed, under `key`. */
  put(kind: RecordKind, key: Uint8Array, payload: Uint8Array): void {
    const valueLength = payload.length + FRAME_BYTES;
    const keyStart = this.#begin(OPERATION_TYPE.put, key.length, valueLength);
    this.#bytes.set(key, keyStart);
    const start = keyStart + key.length;
    this.#bytes.set(payload, start + FRAME_HEAD_BYTES);
    this.#finishPut(kind, keyStart, start, valueLength);
  }

  /** Stores `payload`, framed, as a record of the state machine with this `key`. */
  putState(key: Uint8Array, payload: Uint8Array): void {
    const valueLength = payload.length + FRAME_BYTES;
    const keyStart = this.#begin(OPERATION_TYPE.put, key.length + 1, valueLength);
    this.#bytes[keyStart] = KEY_PREFIX.state;
    this.#bytes.set(key, keyStart + 1);
    const start = keyStart + 1 + key.length;
    this.#bytes.set(payload, start + FRAME_HEAD_BYTES);
    this.#finishPut(RECORD_KIND.state, keyStart, start, valueLength);
  }

  /** Stores entries that follow each other as one block of the log under `key`. */
  putBlock(key: Uint8Array, entries: readonly Entry[]): void {
    let valueLength = FRAME_BYTES;
    for (const { payload } of entries) valueLength += ENTRY_HEAD_BYTES + payload.length;
    const keyStart = this.#begin(OPERATION_TYPE.put, key.length, valueLength);
    this.#bytes.set(key, keyStart);
    const start = keyStart + key.length;
    let at = start + FRAME_HEAD_BYTES;
    for (const entry of entries) at = this.#writeEntry(at, entry);
    this.#finishPut(RECORD_KIND.block, keyStart, start, valueLength);
  }

  #writeEntry(at: number, { term, kind, chain, payload }: Entry): number {
    const view = this.#view;
    view.setBigUint64(at, term);
    view.setUint8(at + 8, ENTRY_KIND_CODE[kind]);
    this.#bytes.set(chain, at + 9);
    view.setUint32(at + 9 + CHAIN_BYTES, payload.length);
    const payloadAt = at + ENTRY_HEAD_BYTES;
    this.#bytes.set(payload, payloadAt);
    return payloadAt + payload.length;
  }

  delete(key: Uint8Array): void {
    const start = this.#begin(OPERATION_TYPE.del, key.length, 0);
    this.#bytes.set(key, start);
    this.#operations.push({ type: 'del', key: this.#bytes.subarray(start, start + key.length) });
  }

  /**
   * Stores the positions and, behind them in the same record, the digest of the batch: over the
   * digest of the batch before, everything collected so far and the positions. Gives that digest.
   * Only what proves the batch may be added behind it.
   */
  putPositions(previousDigest: Uint8Array, positions: Uint8Array): Uint8Array {
    assert(!this.#isSealed, 'a batch has its positions once');
    this.#isSealed = true;
    const valueLength = positions.length + CHAIN_BYTES + FRAME_BYTES;
    const keyStart = this.#begin(OPERATION_TYPE.put, POSITIONS_KEY.length, valueLength);
    this.#bytes.set(POSITIONS_KEY, keyStart);
    const start = keyStart + POSITIONS_KEY.length;
    const digestAt = start + FRAME_HEAD_BYTES + positions.length;
    // The frame is written behind the digest, which covers its place as empty.
    this.#bytes.fill(0, start, start + FRAME_HEAD_BYTES);
    this.#bytes.set(positions, start + FRAME_HEAD_BYTES);
    this.#bytes.set(previousDigest, JOURNAL_HEAD_BYTES);
    const digest = halfDigest(this.#bytes.subarray(JOURNAL_HEAD_BYTES, digestAt));
    this.#bytes.set(digest, digestAt);
    this.#finishPut(RECORD_KIND.positions, keyStart, start, valueLength);
    return digest;
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
    view.setUint8(start + 1, this.#level);
    view.setUint32(start + 2, valueLength - FRAME_BYTES);
    const bytes = this.#bytes;
    const end = start + valueLength;
    // The key lies in front of its value, so one checksum covers both.
    view.setUint32(end - 4, crc32(bytes.subarray(keyStart, end - 4)));
    const key = bytes.subarray(keyStart, start);
    this.#operations.push({ type: 'put', key, value: bytes.subarray(start, end) });
  }

  /** Operations collected before keep their views of the old buffer, whose bytes stay as they are. */
  #grow(needed: number): void {
    const bytes = new Uint8Array(Math.max(needed, 2 * this.#bytes.length));
    bytes.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer);
  }
}

/** The operations of a batch as {@link BatchEncoder.blocks} has it. Throws {@link MalformedBytesError}. */
export function readOperations(batch: Uint8Array): readonly BatchOperation[] {
  const reader = new ByteReader(batch);
  const operations: BatchOperation[] = [];
  reader.view(CHAIN_BYTES);
  while (reader.remaining > 0) {
    const type = reader.u8();
    const keyLength = reader.u32();
    const valueLength = reader.u32();
    const key = reader.view(keyLength);
    if (type === OPERATION_TYPE.put) {
      operations.push({ type: 'put', key, value: reader.view(valueLength) });
    } else if (type === OPERATION_TYPE.del) operations.push({ type: 'del', key });
    else throw new MalformedBytesError(`${type} is no operation`);
  }
  return operations;
}
