import { assert, type SchemaPlan } from '@nervix/model';
import type { Value } from '../column/column.js';
import { type ColumnBuilder, newColumnBuilder } from '../column/column-builder.js';
import { RecordBatch } from './record-batch.js';

/**
 * Growing batch. Decoders write a row into the column builders and then raise `rowCount`; a row
 * that is not counted does not exist.
 */
export class BatchBuilder {
  readonly schema: SchemaPlan;
  /** In schema order. */
  readonly columns: readonly ColumnBuilder[];
  /** Rows in force. Lowering it drops the last rows. */
  rowCount = 0;
  /** Rows for which every column has room. */
  capacity = 0;
  #capacityHint = 0;

  constructor(schema: SchemaPlan) {
    this.schema = schema;
    this.columns = schema.fields.map((field) => newColumnBuilder(field.type, field.optional));
  }

  /** Logical bytes of the rows in force, presence bits of optional fields included. */
  get byteSize(): number {
    let size = 0;
    for (const column of this.columns) size += column.byteSize(this.rowCount);
    return size;
  }

  /** Makes room for one more row in every column. */
  reserveRow(): void {
    this.reserveRows(1);
  }

  /** Makes room for `count` more rows in every column. */
  reserveRows(count: number): void {
    const needed = this.rowCount + count;
    if (needed <= this.capacity) return;
    const capacity = Math.max(64, needed, this.capacity * 2, this.#capacityHint);
    for (const column of this.columns) column.ensureRows(capacity);
    this.capacity = capacity;
    this.#capacityHint = capacity;
  }

  /** Drops the rows from `rowCount` on. */
  truncate(rowCount: number): void {
    assert(rowCount <= this.rowCount, 'a builder is cut to rows it has');
    this.rowCount = rowCount;
  }

  /** Appends one row given in schema order; for error rows and tests. */
  appendRow(values: readonly Value[]): void {
    assert(values.length === this.columns.length, 'a row has one value a field');
    this.reserveRow();
    for (let index = 0; index < values.length; index += 1) {
      (this.columns[index] as ColumnBuilder).set(this.rowCount, values[index] as Value);
    }
    this.rowCount += 1;
  }

  /** The rows in force as a batch; the builder starts again empty. */
  finish(): RecordBatch {
    const rows = this.rowCount;
    const columns = this.columns.map((column) => column.finish(rows));
    this.rowCount = 0;
    this.capacity = 0;
    return new RecordBatch(this.schema, rows, columns);
  }
}
