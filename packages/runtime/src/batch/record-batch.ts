import { assert, type SchemaPlan } from '@nervix/model';
import { type Column, columnByteSize, readValue, type Value } from '../column/column.js';
import { giveColumnsBack } from '../column/column-buffers.js';
import { concatColumns, emptyColumn, sliceColumn, takeColumn } from '../column/column-copy.js';

/** Rows of one schema as columns in Arrow layout. Immutable; batches may share buffers. */
export class RecordBatch {
  readonly schema: SchemaPlan;
  readonly rowCount: number;
  /** In schema order. */
  readonly columns: readonly Column[];
  #byteSize = -1;

  constructor(schema: SchemaPlan, rowCount: number, columns: readonly Column[]) {
    assert(columns.length === schema.fields.length, 'a batch has one column a field');
    for (const column of columns) {
      assert(column.length === rowCount, 'every column of a batch has its row count');
    }
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

  /** Batches of one schema joined in order; at least one. */
  static concat(batches: readonly RecordBatch[]): RecordBatch {
    const [first] = batches;
    assert(first !== undefined, 'at least one batch is joined');
    if (batches.length === 1) return first;
    let rowCount = 0;
    for (const batch of batches) {
      assert(batch.columns.length === first.columns.length, 'joined batches have one schema');
      rowCount += batch.rowCount;
    }
    const columns = first.columns.map((column, index) =>
      concatColumns([column, ...batches.slice(1).map((batch) => batch.columns[index] as Column)]),
    );
    return new RecordBatch(first.schema, rowCount, columns);
  }

  /** The column of a field that the schema declares. */
  column(name: string): Column {
    const index = this.schema.fields.findIndex((field) => field.name === name);
    assert(index >= 0, 'the schema declares every field that is read');
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

  /** One value; for the edges and for tests, not for the record path. */
  value(name: string, row: number): Value {
    return readValue(this.column(name), row);
  }

  /** The named rows, in that order. */
  take(rows: Int32Array): RecordBatch {
    if (rows.length === this.rowCount && isIdentity(rows)) return this;
    return new RecordBatch(
      this.schema,
      rows.length,
      this.columns.map((column) => takeColumn(column, rows)),
    );
  }

  /** Rows `start` to `end`, sharing the buffers. */
  slice(start: number, end: number): RecordBatch {
    if (start === 0 && end === this.rowCount) return this;
    return new RecordBatch(
      this.schema,
      end - start,
      this.columns.map((column) => sliceColumn(column, start, end)),
    );
  }

  /**
   * Gives the memory of the batch back to this thread, for batches to come. The batch must not be used
   * from then on, nor what shares its columns: slices, and what projections pass on unchanged. Their
   * columns are empty then. Does nothing on hosts that cannot empty them.
   */
  recycle(): void {
    giveColumnsBack(this.columns);
  }

  /** The same rows under another schema of equal types, for instance a looser one. */
  withSchema(schema: SchemaPlan): RecordBatch {
    return new RecordBatch(schema, this.rowCount, this.columns);
  }
}

function isIdentity(rows: Int32Array): boolean {
  for (let index = 0; index < rows.length; index += 1) if (rows[index] !== index) return false;
  return true;
}
