import type { RecordBatch } from '../batch/record-batch.js';
import type { ExecutionSnapshot, RowFailure } from '../program/row-set.js';

/** Rows of a batch with the groups that they belong to. */
export interface GroupedRows {
  readonly batch: RecordBatch;
  /** Number of the group of each row. */
  readonly ids: Int32Array;
  /** Groups so far; numbers are below. */
  readonly groupCount: number;
  /** Rows that are in no group. */
  readonly failed: ReadonlySet<number>;
}

/** Windows that ended, group by group and in order within each. */
export interface EndedWindows {
  /** Group of each window that has a result. */
  readonly groups: readonly number[];
  /** Results of the aggregates, a row for each of those windows. */
  readonly results: RecordBatch;
  /** Why the others have none. */
  readonly lost: readonly string[];
}

export interface AdmittedRows {
  readonly ended: EndedWindows;
  /** Why rows of the batch are in no window. */
  readonly failures: readonly RowFailure[];
}

/** The windows of all groups of a stream, one open in each. */
export interface GroupWindows {
  /** Adds rows to the windows of their groups. */
  admit(rows: GroupedRows, snapshot: ExecutionSnapshot): AdmittedRows;
  /** Ends every window that has rows, in the order of the groups, and forgets the groups. */
  flush(snapshot: ExecutionSnapshot): EndedWindows;
}
