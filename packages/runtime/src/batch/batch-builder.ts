import type { SchemaField, SchemaPlan } from '@nervix/model';
import { checkPosition } from '../argument-checks.js';
import type { Value } from '../column/column.js';
import { type ColumnBuilder, newColumnBuilder } from '../column/column-builder.js';
import { type RuntimeError, runtimeError } from '../errors.js';
import { RecordBatch } from './record-batch.js';
import { valueDefect } from './value-defect.js';

/** Most rows of a batch: positions of rows are signed 32-bit. */
const BATCH_ROWS_MAX = 2_147_483_647;

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

  /**
   * Makes room for `count` more rows in every column.
   *
   * @throws RuntimeError RUNTIME_INVALID_ARGUMENT for more rows than a batch can have
   */
  reserveRows(count: number): void {
    const needed = this.rowCount + count;
    if (needed <= this.capacity && count >= 0) return;
    checkPosition('count', count, BATCH_ROWS_MAX - this.rowCount);
    const capacity = Math.max(64, needed, this.capacity * 2, this.#capacityHint);
    for (const column of this.columns) column.ensureRows(capacity);
    this.capacity = capacity;
    this.#capacityHint = capacity;
  }

  /**
   * Drops the rows from `rowCount` on.
   *
   * @throws RuntimeError RUNTIME_INVALID_ARGUMENT for rows that the builder does not have
   */
  truncate(rowCount: number): void {
    checkPosition('rowCount', rowCount, this.rowCount);
    this.rowCount = rowCount;
  }

  /**
   * Appends one row given in schema order, for error rows, tests and other edges. Nothing of a row that
   * is refused stays.
   *
   * @throws RuntimeError RUNTIME_INVALID_ROW for a row of another length, and for a value that is none
   *   of its field's type: integers of 64 bits and DATETIME are bigint, other numbers are numbers in the
   *   range of the type, texts are well-formed, and lists are arrays without nulls
   */
  appendRow(values: readonly Value[]): void {
    const { fields } = this.schema;
    if (!Array.isArray(values)) throw this.#refusal(null, 'it is no list of values');
    if (values.length !== fields.length) {
      throw this.#refusal(null, `it has ${values.length} values for ${fields.length} fields`);
    }
    for (let index = 0; index < fields.length; index += 1) {
      const { name, type, optional } = fields[index] as SchemaField;
      const defect = valueDefect(values[index], type, optional);
      if (defect !== undefined) throw this.#refusal(name, defect);
    }
    this.reserveRow();
    for (let index = 0; index < fields.length; index += 1) {
      (this.columns[index] as ColumnBuilder).set(this.rowCount, values[index] as Value);
    }
    this.rowCount += 1;
  }

  #refusal(field: string | null, problem: string): RuntimeError {
    const { rowCount: row, schema } = this;
    return runtimeError('RUNTIME_INVALID_ROW', { schema: schema.name, row, field, problem });
  }

  /**
   * The rows in force as a batch; the builder starts again empty.
   *
   * @throws RuntimeError RUNTIME_INVALID_ARGUMENT when `rowCount` was raised past what has room
   */
  finish(): RecordBatch {
    checkPosition('rowCount', this.rowCount, this.capacity);
    const rows = this.rowCount;
    const columns = this.columns.map((column) => column.finish(rows));
    this.rowCount = 0;
    this.capacity = 0;
    return new RecordBatch(this.schema, rows, columns);
  }
}
