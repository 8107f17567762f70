import { equalTypes, type SchemaField, type SchemaPlan } from '@nervix/model';
import { checkPosition, refuseArgument } from '../argument-checks.js';
import { type Column, columnByteSize, readValue, type Value } from '../column/column.js';
import { giveColumnsBack } from '../column/column-buffers.js';
import { concatColumns, emptyColumn, sliceColumn, takeColumn } from '../column/column-copy.js';
import { runtimeError } from '../errors.js';

/**
 * Rows of one schema as columns in Arrow layout. Immutable; batches may share buffers. Whatever reads a
 * batch whose memory was given back throws RUNTIME_BATCH_RECYCLED.
 */
export class RecordBatch {
  readonly schema: SchemaPlan;
  readonly rowCount: number;
  /** In schema order. */
  readonly columns: readonly Column[];
  #byteSize = -1;

  /** @throws RuntimeError RUNTIME_INVALID_ARGUMENT for columns that are not those of the schema */
  constructor(schema: SchemaPlan, rowCount: number, columns: readonly Column[]) {
    checkColumns(schema, rowCount, columns);
    this.schema = schema;
    this.rowCount = rowCount;
    this.columns = columns;
  }

  /** A batch of no rows. */
  static empty(schema: SchemaPlan): RecordBatch {
    return new RecordBatch(
      schema,
      0,
      schema.fields.map((field) => emptyColumn(field.type)),
    );
  }

  /**
   * Batches of one schema joined in order; at least one.
   *
   * @throws RuntimeError RUNTIME_INVALID_ARGUMENT without a batch and for batches of other types
   */
  static concat(batches: readonly RecordBatch[]): RecordBatch {
    const [first] = batches;
    if (first === undefined) return refuseArgument('batches', 'must hold at least one batch');
    if (batches.length === 1) return first;
    let rowCount = 0;
    for (const batch of batches) {
      checkColumns(first.schema, batch.rowCount, batch.columns);
      rowCount += batch.rowCount;
    }
    const columns = first.columns.map((column, index) =>
      concatColumns([column, ...batches.slice(1).map((batch) => batch.columns[index] as Column)]),
    );
    return new RecordBatch(first.schema, rowCount, columns);
  }

  /**
   * The column of a field.
   *
   * @throws RuntimeError RUNTIME_INVALID_ARGUMENT for a field that the schema does not declare
   */
  column(name: string): Column {
    const index = this.schema.fields.findIndex((field) => field.name === name);
    if (index < 0) refuseArgument('name', `is no field of '${this.schema.name}'`);
    return this.columns[index] as Column;
  }

  /** Logical Arrow bytes: values, offsets and validity of these rows. */
  get byteSize(): number {
    if (this.#byteSize < 0) {
      let size = 0;
      for (const column of this.columns) size += columnByteSize(column);
      this.#byteSize = size;
    }
    return this.#byteSize;
  }

  /**
   * One value; for the edges and for tests, not for the record path.
   *
   * @throws RuntimeError RUNTIME_INVALID_ARGUMENT for a field or row that the batch does not have
   */
  value(name: string, row: number): Value {
    return readValue(this.column(name), row);
  }

  /**
   * The named rows, in that order.
   *
   * @throws RuntimeError RUNTIME_INVALID_ARGUMENT for a row that the batch does not have
   */
  take(rows: Int32Array): RecordBatch {
    checkRows(rows, this.rowCount);
    if (rows.length === this.rowCount && isIdentity(rows)) return this;
    return new RecordBatch(
      this.schema,
      rows.length,
      this.columns.map((column) => takeColumn(column, rows)),
    );
  }

  /**
   * Rows `start` to `end`, exclusive, sharing the buffers.
   *
   * @throws RuntimeError RUNTIME_INVALID_ARGUMENT unless `0 <= start <= end <= rowCount`
   */
  slice(start: number, end: number): RecordBatch {
    checkPosition('end', end, this.rowCount);
    checkPosition('start', start, end);
    if (start === 0 && end === this.rowCount) return this;
    return new RecordBatch(
      this.schema,
      end - start,
      this.columns.map((column) => sliceColumn(column, start, end)),
    );
  }

  /**
   * Gives the memory of the batch back to this thread, for batches to come. From then on the batch has
   * no rows, and what reads its columns throws. What shares them must not be used either: slices, and
   * what projections pass on unchanged. They read as they were or not at all, since small columns, and
   * all on hosts that cannot empty them, are left alone; they never show what others wrote.
   */
  recycle(): void {
    if (recycled.has(this)) return;
    recycled.add(this);
    giveColumnsBack(this.columns);
    this.#byteSize = 0;
    Object.defineProperties(this, { rowCount: { value: 0 }, columns: { get: refuseRecycled } });
  }

  /**
   * The same rows under another schema of equal types, for instance a looser one.
   *
   * @throws RuntimeError RUNTIME_INVALID_ARGUMENT for a schema of other types
   */
  withSchema(schema: SchemaPlan): RecordBatch {
    return new RecordBatch(schema, this.rowCount, this.columns);
  }
}

const recycled = new WeakSet<RecordBatch>();

function refuseRecycled(): never {
  throw runtimeError('RUNTIME_BATCH_RECYCLED', {});
}

function checkColumns(schema: SchemaPlan, rowCount: number, columns: readonly Column[]): void {
  const { name, fields } = schema;
  if (columns.length !== fields.length) {
    refuseArgument('columns', `must be ${fields.length}, as '${name}' has fields`);
  }
  for (let index = 0; index < columns.length; index += 1) {
    const column = columns[index] as Column;
    const field = fields[index] as SchemaField;
    if (column.length !== rowCount) refuseArgument('columns', 'must have the rows of the batch');
    if (column.type !== field.type && !equalTypes(column.type, field.type)) {
      refuseArgument('columns', `must have the types of '${name}', as '${field.name}' has not`);
    }
  }
}

/** Checks all at once: a row that does not exist leaves the sign behind. */
function checkRows(rows: Int32Array, rowCount: number): void {
  if (!(rows instanceof Int32Array)) refuseArgument('rows', 'must be an Int32Array');
  const last = rowCount - 1;
  let signs = 0;
  for (let index = 0; index < rows.length; index += 1) {
    const row = rows[index] as number;
    signs |= row | (last - row);
  }
  if (signs < 0) refuseArgument('rows', `must be rows from 0 to ${last}`);
}

function isIdentity(rows: Int32Array): boolean {
  for (let index = 0; index < rows.length; index += 1) if (rows[index] !== index) return false;
  return true;
}
