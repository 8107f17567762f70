import { assert } from '@nervix/model';
import { AckSet } from '../ack/ack-set.js';
import { RecordBatch } from '../batch/record-batch.js';
import type { BranchKey } from '../branch/branch-key.js';

/** What travels on a relay: rows of one concrete branch, with what every row carries beside them. */
export interface RelayBatch {
  readonly batch: RecordBatch;
  /** null on unbranched relays. */
  readonly branchKey: BranchKey | null;
  /** Ingestion watermarks per row, Unix nanoseconds; low is never above high. */
  readonly low: BigInt64Array;
  readonly high: BigInt64Array;
  readonly acks: AckSet;
}

/** Some rows of a batch, in the order given. */
export function takeRows(source: RelayBatch, rows: Int32Array): RelayBatch {
  return {
    batch: source.batch.take(rows),
    branchKey: source.branchKey,
    low: takeInstants(source.low, rows),
    high: takeInstants(source.high, rows),
    acks: source.acks.take(rows),
  };
}

/** Watermarks of some rows, in the order given. */
export function takeInstants(values: BigInt64Array, rows: Int32Array): BigInt64Array {
  const taken = new BigInt64Array(rows.length);
  for (let index = 0; index < rows.length; index += 1) {
    taken[index] = values[rows[index] ?? 0] ?? 0n;
  }
  return taken;
}

/** Watermarks of rows in ascending order, each at most once; all of them share the values. */
export function pickInstants(values: BigInt64Array, rows: Int32Array): BigInt64Array {
  return rows.length === values.length ? values : takeInstants(values, rows);
}

/** The rows of several batches of one branch and schema, one after the other. */
export function concatBatches(parts: readonly RelayBatch[]): RelayBatch {
  const first = parts[0];
  assert(first !== undefined, 'a batch is never empty');
  if (parts.length === 1) return first;
  const keyText = first.branchKey?.text;
  for (const { batch, branchKey } of parts) {
    assert(branchKey?.text === keyText, 'joined batches are of one concrete branch, or of none');
    assert(batch.schema === first.batch.schema, 'joined batches have the same schema');
  }
  const batch = RecordBatch.concat(parts.map((part) => part.batch));
  const low = new BigInt64Array(batch.rowCount);
  const high = new BigInt64Array(batch.rowCount);
  let start = 0;
  for (const part of parts) {
    low.set(part.low, start);
    high.set(part.high, start);
    start += part.batch.rowCount;
  }
  const acks = AckSet.concat(
    parts.map((part) => ({ acks: part.acks, rowCount: part.batch.rowCount })),
  );
  return { batch, branchKey: first.branchKey, low, high, acks };
}
