import type { SchemaPlan } from '@nervix/model';
import { bitmapBytes } from '../column/bitmap.js';
import { type Column, viewFixedValues } from '../column/column.js';
import { sliceColumn } from '../column/column-copy.js';
import { RecordBatch } from './record-batch.js';

interface ColumnLayout {
  readonly length: number;
  /** Byte positions in the message's one buffer; -1 where there is none. */
  readonly validity: number;
  readonly offsets: number;
  readonly values: number;
  readonly valueBytes: number;
  readonly child: ColumnLayout | null;
}

/** A batch as posted between threads: plain values and one buffer. */
export interface TransferableBatch {
  readonly schema: SchemaPlan;
  readonly rowCount: number;
  readonly buffer: ArrayBuffer;
  readonly columns: readonly ColumnLayout[];
}

/** A message and the buffers to name in `postMessage`'s transfer list. */
export interface BatchTransfer {
  readonly message: TransferableBatch;
  readonly transfer: ArrayBuffer[];
}

interface Part {
  readonly at: number;
  readonly view: ArrayBufferView;
}

/** Assigns 8-byte aligned positions to the parts of columns. */
class Layout {
  size = 0;
  readonly parts: Part[] = [];

  #place(view: ArrayBufferView): number {
    const at = this.size;
    this.parts.push({ at, view });
    this.size = (at + view.byteLength + 7) & ~7;
    return at;
  }

  column(column: Column): ColumnLayout {
    const { length } = column;
    const validity = column.validity === null ? -1 : this.#place(column.validity);
    const base = { length, validity, offsets: -1, values: -1, valueBytes: 0, child: null };
    switch (column.kind) {
      case 'fixed':
        return { ...base, values: this.#place(column.values) };
      case 'boolean':
        return { ...base, values: this.#place(column.bits) };
      case 'array':
        return { ...base, child: this.column(column.child) };
      default: {
        const first = column.offsets[0] as number;
        const last = column.offsets[length] as number;
        const offsets = column.offsets.slice(0, length + 1);
        if (first !== 0)
          for (let row = 0; row <= length; row += 1)
            offsets[row] = (offsets[row] as number) - first;
        const placed = { ...base, offsets: this.#place(offsets), valueBytes: last - first };
        return column.kind === 'binary'
          ? { ...placed, values: this.#place(column.bytes.subarray(first, last)) }
          : { ...placed, child: this.column(sliceColumn(column.child, first, last)) };
      }
    }
  }
}

/**
 * Packs a batch for another thread. Its bytes are copied once into one buffer, because batches share
 * buffers and a transferred buffer is gone for every other holder; the batch stays usable.
 */
export function toTransferable(batch: RecordBatch): BatchTransfer {
  const layout = new Layout();
  const columns = batch.columns.map((column) => layout.column(column));
  const buffer = new ArrayBuffer(layout.size);
  const target = new Uint8Array(buffer);
  for (const { at, view } of layout.parts) {
    target.set(new Uint8Array(view.buffer, view.byteOffset, view.byteLength), at);
  }
  const message = { schema: batch.schema, rowCount: batch.rowCount, buffer, columns };
  return { message, transfer: [buffer] };
}

/** The batch of a received message, reading its buffer in place. */
export function fromTransferable(message: TransferableBatch): RecordBatch {
  const { schema, rowCount, buffer } = message;
  const columns = schema.fields.map((field, index) =>
    readColumn(field.type, message.columns[index] as ColumnLayout, buffer),
  );
  return new RecordBatch(schema, rowCount, columns);
}

function readColumn(type: Column['type'], layout: ColumnLayout, buffer: ArrayBuffer): Column {
  const { length } = layout;
  const validity =
    layout.validity < 0 ? null : new Uint8Array(buffer, layout.validity, bitmapBytes(length));
  if (type === 'BOOL') {
    const bits = new Uint8Array(buffer, layout.values, bitmapBytes(length));
    return { kind: 'boolean', type, length, validity, bits };
  }
  if (type === 'STRING' || type === 'BYTES') {
    const offsets = new Int32Array(buffer, layout.offsets, length + 1);
    const bytes = new Uint8Array(buffer, layout.values, layout.valueBytes);
    return { kind: 'binary', type, length, validity, offsets, bytes };
  }
  if (typeof type === 'string') {
    const values = viewFixedValues(type, buffer, layout.values, length);
    return { kind: 'fixed', type, length, validity, values };
  }
  const child = readColumn(type.element, layout.child as ColumnLayout, buffer);
  if (type.kind === 'array') return { kind: 'array', type, length, validity, child };
  const offsets = new Int32Array(buffer, layout.offsets, length + 1);
  return { kind: 'vec', type, length, validity, offsets, child };
}
