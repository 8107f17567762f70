import { assert, isIntegerType, type SchemaPlan } from '@nervix/model';
import type { RecordBatch } from '../../../batch/record-batch.js';
import type { Column } from '../../../column/column.js';
import { type KernelMemory, kernelMemory } from '../../../simd/kernel-memory.js';
import { valueText } from '../json-value-text.js';
import { lineModule } from './line-code.js';
import {
  type ColumnPlace,
  LINE_OUTPUT_BYTES,
  LINE_ROWS_MAX,
  LINE_TEXT_BYTES,
  type LineLayout,
  lineLayout,
  POSITION_AT,
} from './record-layout.js';

type Encode = (row: number, rowEnd: number, outputEnd: number) => number;

/**
 * Encoder of many rows at once as lines of JSON, generated as WebAssembly with SIMD for the schema. It
 * writes what the encoder of single rows writes, and leaves the rows to that one which it refuses.
 */
export class LineKernel {
  readonly #memory: KernelMemory;
  readonly #layout: LineLayout;
  readonly #encode: Encode;
  #batch: RecordBatch | null = null;
  /** Rows of the batch that lie in the memory, from the first of them on. */
  #loadedFrom = 0;
  #loadedTo = 0;

  private constructor(memory: KernelMemory, layout: LineLayout) {
    this.#memory = memory;
    this.#layout = layout;
    const { encode } = memory.instantiate(lineModule(layout), {
      value: (column: number, row: number, at: number) => this.#printValue(column, row, at),
    });
    this.#encode = encode as Encode;
  }

  /**
   * @returns undefined where the host has no WebAssembly with SIMD, and for a schema whose types
   *   kernels do not encode
   */
  static for(schema: SchemaPlan): LineKernel | undefined {
    const memory = kernelMemory();
    const layout = lineLayout(schema);
    if (memory === null || layout === undefined) return undefined;
    return memory.ensure(layout.end) ? new LineKernel(memory, layout) : undefined;
  }

  /** Whether it can write a batch: one that has nulls only where its schema has them. */
  takes(batch: RecordBatch): boolean {
    return batch.columns.every(
      ({ validity }, index) => validity === null || batch.schema.fields[index]?.optional === true,
    );
  }

  /** Begins a batch that it takes. Until `leave` no other kernel may run. */
  enter(batch: RecordBatch): void {
    this.#batch = batch;
    this.#loadedTo = 0;
  }

  /** Ends the batch, which need not stay from then on. */
  leave(): void {
    this.#batch = null;
  }

  /**
   * Writes rows from `start` on, each with its line feed, and adds the bytes to `parts`.
   *
   * @returns the first row that it did not write
   */
  encode(start: number, parts: Uint8Array<ArrayBuffer>[]): number {
    const batch = this.#batch;
    assert(batch !== null, 'rows are written of a batch that was begun');
    const isLoaded = start >= this.#loadedFrom && start < this.#loadedTo;
    if (!isLoaded && !this.#load(batch, start)) return start;
    const { outputAt } = this.#layout;
    const rowEnd = this.#loadedTo - this.#loadedFrom;
    const outputEnd = outputAt + LINE_OUTPUT_BYTES;
    const row = this.#encode(start - this.#loadedFrom, rowEnd, outputEnd);
    const { bytes } = this.#memory;
    const end = this.#memory.word(POSITION_AT);
    if (end > outputAt) parts.push(bytes.slice(outputAt, end));
    return row + this.#loadedFrom;
  }

  /** Takes rows into the memory; false when the texts of the row at `start` are too long for it. */
  #load(batch: RecordBatch, start: number): boolean {
    // Bitmaps are taken from a whole byte on.
    const from = start & ~7;
    let to = Math.min(batch.rowCount, from + LINE_ROWS_MAX);
    for (const column of batch.columns) {
      if (column.kind !== 'binary') continue;
      const first = column.offsets[from] as number;
      while (to > start && (column.offsets[to] as number) - first > LINE_TEXT_BYTES) {
        to = from + ((to - from) >>> 1);
      }
    }
    if (to <= start) return false;
    for (const place of this.#layout.columns) {
      this.#loadColumn(place, batch.columns[place.index] as Column, from, to);
    }
    this.#loadedFrom = from;
    this.#loadedTo = to;
    return true;
  }

  #loadColumn(place: ColumnPlace, column: Column, from: number, to: number): void {
    const { valuesAt, bytesAt, baseAt, validityAt } = place;
    const { bytes } = this.#memory;
    const bitsEnd = (to + 7) >>> 3;
    if (validityAt !== 0) {
      const { validity } = column;
      if (validity === null) bytes.fill(255, validityAt, validityAt + bitsEnd - (from >>> 3));
      else bytes.set(validity.subarray(from >>> 3, bitsEnd), validityAt);
    }
    if (column.kind === 'boolean') {
      bytes.set(column.bits.subarray(from >>> 3, bitsEnd), valuesAt);
    } else if (column.kind === 'fixed') {
      // The host prints the others from the column itself.
      if (!isIntegerType(column.type)) return;
      bytes.set(bytesOf(column.values.subarray(from, to)), valuesAt);
    } else {
      assert(column.kind === 'binary', 'kernels encode scalar columns');
      const offsets = column.offsets.subarray(from, to + 1);
      const first = offsets[0] as number;
      bytes.set(bytesOf(offsets), valuesAt);
      bytes.set(column.bytes.subarray(first, offsets[to - from]), bytesAt);
      this.#memory.setWord(baseAt, first);
    }
  }

  /** Writes what the host prints, and answers what lies behind it; zero when it refuses the value. */
  #printValue(column: number, row: number, at: number): number {
    const { field } = this.#layout.columns[column] as ColumnPlace;
    const values = this.#batch?.columns[column];
    if (values?.kind !== 'fixed') return 0;
    const text = valueText(field.type, values.values[row + this.#loadedFrom] as number | bigint);
    if (text === undefined) return 0;
    const { bytes } = this.#memory;
    for (let index = 0; index < text.length; index += 1) {
      bytes[at + index] = text.charCodeAt(index);
    }
    return at + text.length;
  }
}

function bytesOf({ buffer, byteOffset, byteLength }: ArrayBufferView): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}
