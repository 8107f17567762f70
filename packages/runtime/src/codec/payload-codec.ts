import type { BatchBuilder } from '../batch/batch-builder.js';
import type { RecordBatch } from '../batch/record-batch.js';
import type { DecodeFailure, EncodeFailure, LineFailure } from './codec-failure.js';

/** Makes records of payloads. It keeps scratch state: one decoder serves one thread. */
export interface PayloadDecoder {
  /**
   * Decodes the payload `bytes[start..end)` as the builder's next rows: one for most formats, any
   * number for those that unfold.
   *
   * @returns undefined after success; a failure leaves the builder's rows exactly as they were
   */
  decode(
    bytes: Uint8Array,
    start: number,
    end: number,
    into: BatchBuilder,
  ): DecodeFailure | undefined;

  /**
   * Decodes every non-blank line of a body as a payload of its own. Only formats that can find the end
   * of a line while they decode it have this; for all of them there is the function `decodeLines`.
   *
   * @returns undefined after success; a failure leaves the builder's rows exactly as they were
   */
  decodeLines?(body: Uint8Array, into: BatchBuilder): LineFailure | undefined;
}

/** A row that a container leaves out. */
export interface RefusedRow {
  readonly row: number;
  readonly failure: EncodeFailure;
}

/** Several records as one payload. */
export interface Container {
  /** null when no row, or not the container itself, could be encoded. */
  readonly bytes: Uint8Array<ArrayBuffer> | null;
  /** Ascending by row. */
  readonly refused: readonly RefusedRow[];
}

/** Makes payloads of records. It keeps scratch state: one encoder serves one thread. */
export interface RowEncoder {
  /**
   * One row as one payload. Rows share buffers, so the result must not be transferred to another
   * thread.
   */
  encode(batch: RecordBatch, row: number): Uint8Array<ArrayBuffer> | EncodeFailure;

  /** All rows of a batch that can be encoded as one payload, in order. */
  encodeContainer(batch: RecordBatch): Container;

  /**
   * All rows of a batch that can be encoded, each as one payload with a line feed behind it, in order.
   * Only formats whose payloads hold no line feeds have this.
   */
  encodeLines?(batch: RecordBatch): Container;
}

/** Encodes each row and joins those that succeed. */
export function containerOf(
  batch: RecordBatch,
  encode: RowEncoder['encode'],
  join: (members: readonly Uint8Array[]) => Uint8Array<ArrayBuffer>,
): Container {
  const members: Uint8Array[] = [];
  const refused: RefusedRow[] = [];
  for (let row = 0; row < batch.rowCount; row += 1) {
    const encoded = encode(batch, row);
    if (encoded instanceof Uint8Array) members.push(encoded);
    else refused.push({ row, failure: encoded });
  }
  return { bytes: members.length === 0 ? null : join(members), refused };
}

/** Parts one after the other, in a buffer of their own. */
export function joinBytes(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const size = parts.reduce((sum, part) => sum + part.length, 0);
  const joined = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}

/** Parts with a separator between each two, after a head and before a tail. */
export function joinBetween(
  head: Uint8Array,
  parts: readonly Uint8Array[],
  separator: Uint8Array,
  tail: Uint8Array,
): Uint8Array<ArrayBuffer> {
  const all = parts.flatMap((part, index) => (index === 0 ? [part] : [separator, part]));
  return joinBytes([head, ...all, tail]);
}
