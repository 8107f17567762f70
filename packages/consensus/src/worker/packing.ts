import type { ProposalResult } from '../node/proposal-queue.ts';
import { ByteReader, ByteWriter } from '../storage/byte-codec.ts';
import type { StateWrite } from '../storage/log-storage.ts';

/** Marks a deletion where the length of a value stands. */
const DELETED = 0xff_ff_ff_ff;
const RESULT_HEAD_BYTES = 4 + 8 + 8 + 8;

/** A result together with the number of its command. */
export interface NumberedResult {
  readonly id: number;
  readonly result: ProposalResult;
}

/** Byte strings one behind the other, each with its length. */
export function packBytes(items: readonly Uint8Array[]): Uint8Array {
  let length = 0;
  for (const item of items) length += 4 + item.length;
  const writer = new ByteWriter(length);
  for (const item of items) writer.sized(item);
  return writer.finish();
}

/** Inverse of {@link packBytes}; the items are views of `packed`. */
export function unpackBytes(packed: Uint8Array): Uint8Array[] {
  const view = new DataView(packed.buffer, packed.byteOffset, packed.byteLength);
  const items: Uint8Array[] = [];
  let offset = 0;
  while (offset < packed.length) {
    const length = view.getUint32(offset);
    items.push(packed.subarray(offset + 4, offset + 4 + length));
    offset += 4 + length;
  }
  return items;
}

export function packResults(results: readonly NumberedResult[]): Uint8Array {
  let length = 0;
  for (const { result } of results) length += RESULT_HEAD_BYTES + 4 + result.result.length;
  const writer = new ByteWriter(length);
  for (const { id, result } of results) {
    writer.u32(id).u64(result.index).u64(result.term).u64(result.revision).sized(result.result);
  }
  return writer.finish();
}

/** Inverse of {@link packResults}. */
export function* unpackResults(packed: Uint8Array): Generator<NumberedResult, void, void> {
  const view = new DataView(packed.buffer, packed.byteOffset, packed.byteLength);
  let offset = 0;
  while (offset < packed.length) {
    const id = view.getUint32(offset);
    const index = view.getBigUint64(offset + 4);
    const term = view.getBigUint64(offset + 12);
    const revision = view.getBigUint64(offset + 20);
    const length = view.getUint32(offset + RESULT_HEAD_BYTES);
    offset += RESULT_HEAD_BYTES + 4;
    const result = packed.slice(offset, offset + length);
    offset += length;
    yield { id, result: { index, term, revision, result } };
  }
}

export function packWrites(writes: readonly StateWrite[]): Uint8Array {
  let length = 0;
  for (const { key, value } of writes) length += 8 + key.length + (value?.length ?? 0);
  const writer = new ByteWriter(length);
  for (const { key, value } of writes) {
    writer.sized(key);
    if (value === undefined) writer.u32(DELETED);
    else writer.sized(value);
  }
  return writer.finish();
}

/** Inverse of {@link packWrites}. */
export function* unpackWrites(packed: Uint8Array): Generator<StateWrite, void, void> {
  const reader = new ByteReader(packed);
  while (reader.remaining > 0) {
    const key = reader.sized();
    const length = reader.u32();
    yield { key, value: length === DELETED ? undefined : reader.bytes(length) };
  }
}
