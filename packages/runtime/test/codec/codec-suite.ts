import type { CodecPlan, SchemaPlan } from '@nervix/model';
import fc from 'fast-check';
import { expect } from 'vitest';
import { BatchBuilder } from '../../src/batch/batch-builder.js';
import type { RecordBatch } from '../../src/batch/record-batch.js';
import { compileDecoder, compileEncoder } from '../../src/codec/compile-codec.js';
import { readValue, type Value } from '../../src/column/column.js';
import { propertyRuns } from '../support/property-runs.js';

/** Cases a property tries; `PROP_RUNS` makes a long run of it. */
export const PROP_RUNS = propertyRuns(100);

export function rowsIn(batch: RecordBatch): Value[][] {
  return Array.from({ length: batch.rowCount }, (_, row) =>
    batch.columns.map((column) => readValue(column, row)),
  );
}

/** Rows of a payload, or the message of its failure; a failed payload must leave no row. */
export function decodeRows(
  codec: CodecPlan,
  schema: SchemaPlan,
  payload: Uint8Array,
): Value[][] | string {
  return rowReader(codec, schema)(payload);
}

/** {@link decodeRows} of many payloads with one decoder. */
export function rowReader(
  codec: CodecPlan,
  schema: SchemaPlan,
): (payload: Uint8Array) => Value[][] | string {
  const decoder = compileDecoder(codec, schema);
  const builder = new BatchBuilder(schema);
  return (payload) => {
    // Surroundings that would be read if the decoder did not stop at the payload's ends.
    const padded = new Uint8Array(payload.length + 8).fill(0x39);
    padded.set(payload, 4);
    const failure = decoder.decode(padded, 4, 4 + payload.length, builder);
    if (failure === undefined) return rowsIn(builder.finish());
    expect(builder.rowCount).toBe(0);
    expect(failure.message).toContain(codec.name);
    return failure.message;
  };
}

/** {@link encodeRow} of many rows with one encoder. */
export function rowWriter(
  codec: CodecPlan,
  batch: RecordBatch,
): (row: number) => Uint8Array | string {
  const encoder = compileEncoder(codec, batch.schema);
  return (row) => {
    const encoded = encoder.encode(batch, row);
    return encoded instanceof Uint8Array ? encoded : encoded.message;
  };
}

export function encodeRow(codec: CodecPlan, batch: RecordBatch, row: number): Uint8Array | string {
  return rowWriter(codec, batch)(row);
}

/** Checks that every row comes back from its payload, also out of a slice of a larger batch. */
export function expectRoundTrip(codec: CodecPlan, batch: RecordBatch): void {
  const { schema } = batch;
  const encoder = compileEncoder(codec, schema);
  const decoder = compileDecoder(codec, schema);
  const builder = new BatchBuilder(schema);
  const sliced = batch.slice(batch.rowCount >> 1, batch.rowCount);
  for (const part of [batch, sliced]) {
    for (let row = 0; row < part.rowCount; row += 1) {
      const encoded = encoder.encode(part, row);
      if (!(encoded instanceof Uint8Array)) throw new Error(encoded.message);
      expect(decoder.decode(encoded, 0, encoded.length, builder)).toBeUndefined();
    }
    expect(rowsIn(builder.finish())).toEqual(rowsIn(part));
  }
}

/** Checks that no cut or broken payload throws, hangs or leaves half a row behind. */
export function expectResilience(
  codec: CodecPlan,
  schema: SchemaPlan,
  payload: Uint8Array,
  options: { readonly failsWhenCut: boolean },
): void {
  const read = rowReader(codec, schema);
  for (let length = 0; length < payload.length; length += 1) {
    const outcome = read(payload.subarray(0, length));
    if (options.failsWhenCut) expect(outcome).toBeTypeOf('string');
  }
  const edits = fc.array(fc.tuple(fc.nat(payload.length), fc.nat(255)), { maxLength: 4 });
  fc.assert(
    fc.property(edits, fc.uint8Array({ maxLength: 64 }), (changes, noise) => {
      const changed = Uint8Array.from(payload);
      for (const [at, byte] of changes) changed[at % payload.length] = byte;
      read(changed);
      read(noise);
      read(Uint8Array.from([...payload.slice(0, 4), ...noise]));
    }),
    { numRuns: PROP_RUNS },
  );
}
