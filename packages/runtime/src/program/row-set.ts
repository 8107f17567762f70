import type { ErrorOperation, RowSource, SchemaPlan, SourceSpan } from '@nervix/model';
import type { RecordBatch } from '../batch/record-batch.js';
import type { Column, Value } from '../column/column.js';
import type { UdfCalls } from '../udf/udf-calls.js';
import type { StagedValues } from './call-stages.js';

/**
 * Rows a program runs over. Every batch has `rowCount` rows, except `branch`, `metadata` of a whole
 * source and `aggregates`, which may have a single row that stands for all.
 */
export interface RowSet {
  readonly rowCount: number;
  /**
   * Rows of the sources to run over, `rowCount` of them; all when it is absent. What is made, `output`
   * included, has a row for each of them.
   */
  readonly selection?: Int32Array;
  readonly input?: RecordBatch;
  readonly output?: RecordBatch;
  readonly branch?: RecordBatch;
  readonly error?: RecordBatch;
  readonly partial_output?: RecordBatch;
  readonly left?: RecordBatch;
  readonly right?: RecordBatch;
  readonly metadata?: RecordBatch;
  /** Results of the window's aggregates, by their index in the route. */
  readonly aggregates?: RecordBatch;
  /** Values of a header of a row's source message, in order. */
  readonly headers?: (row: number, name: string) => readonly string[];
  /** Latest records of materialized relays, one for all rows or one a row; none yet is undefined. */
  readonly states?: (relay: string) => RowView | undefined;
  /** Field of the entry that a hash map has for a key; null without an entry. */
  readonly lookUp?: (map: string, field: string, key: Value) => Value;
}

/** What every expression of one unit of work sees as the present. */
export interface ExecutionSnapshot {
  readonly generation: number;
  /** Domain time in nanoseconds since 1970. */
  readonly nowNanos: bigint;
  readonly randomBytes: (count: number) => Uint8Array;
  /** Functions that the domain defines; programs that call none do without. */
  readonly udfs?: UdfCalls;
}

export type FailureKind = 'division_by_zero' | 'overflow' | 'cast_failed' | 'invalid_argument';

/** Why one row of an operation has no result. */
export interface RowFailure {
  readonly row: number;
  readonly operation: ErrorOperation;
  /** Position of the assignment in its route, or null outside assignments. */
  readonly operationIndex: number | null;
  readonly kind: FailureKind;
  readonly detail: string;
  readonly span?: SourceSpan;
  /** Sorted paths of the assigned field and of the fields read. */
  readonly paths: readonly string[];
}

/** Schemas of the rows a program may read. */
export type RowSchemas = Partial<Record<ProgramSource, SchemaPlan>>;

/** Rows as programs see them: a batch, or a record under construction with columns missing. */
export interface RowView {
  readonly schema: SchemaPlan;
  readonly rowCount: number;
  readonly columns: readonly (Column | null)[];
}

/** Sources of rows a program may name; `staged` are parts of it that were computed ahead of it. */
export type ProgramSource = RowSource | 'aggregates' | 'staged';

/** A {@link RowSet} whose `output` may be unfinished. */
export type ProgramRows = Pick<
  RowSet,
  'rowCount' | 'selection' | 'headers' | 'states' | 'lookUp'
> & {
  readonly [Source in Exclude<ProgramSource, 'staged'>]?: RowView;
} & { readonly staged?: StagedValues };
