import { assert, type SchemaPlan } from '@nervix/model';
import type { BatchBuilder } from '../../../batch/batch-builder.js';
import {
  BinaryBuilder,
  BooleanBuilder,
  type ColumnBuilder,
  FixedBuilder,
} from '../../../column/column-builder.js';
import { type KernelMemory, kernelMemory } from '../../../simd/kernel-memory.js';
import { readFloat, skipValue } from '../json-fast-path.js';
import { numberTokenEnd } from '../json-number.js';
import { FLOAT_END_AT } from './number-code.js';
import { quotedName, recordModule } from './record-code.js';
import {
  CHUNK_BYTES,
  type ColumnPlace,
  NAME_BYTES_MAX,
  POSITION_AT,
  type RecordLayout,
  recordLayout,
} from './record-layout.js';

const LINE_FEED = 0x0a;

type Decode = (position: number, row: number, rowEnd: number, inputEnd: number) => number;

/**
 * Decoder of many lines of one layout at once, generated as WebAssembly with SIMD for the schema. It
 * takes what the fast path of generated JavaScript takes, with the same results, and leaves all other
 * lines to its caller.
 */
export class RecordKernel {
  readonly #memory: KernelMemory;
  readonly #layout: RecordLayout;
  readonly #decode: Decode;
  /** Input that lies in the memory: these bytes of the body that the caller works on. */
  #loadedFrom = 0;
  #loadedTo = 0;

  private constructor(
    memory: KernelMemory,
    layout: RecordLayout,
    order: readonly (number | string)[],
  ) {
    this.#memory = memory;
    this.#layout = layout;
    const { decode } = memory.instantiate(recordModule(layout, order), {
      skip: (at: number) => this.#skip(at),
      float: (at: number, isSingle: number) => this.#float(at, isSingle === 1),
    });
    this.#decode = decode as Decode;
  }

  /**
   * Makes the kernel for records whose members come in `order`.
   *
   * @returns undefined where the host has no WebAssembly with SIMD, and for a schema whose types
   *   kernels do not decode
   */
  static for(schema: SchemaPlan, order: readonly (number | string)[]): RecordKernel | undefined {
    const memory = kernelMemory();
    const layout = recordLayout(schema);
    if (memory === null || layout === undefined) return undefined;
    const isTooLong = (member: number | string): boolean => {
      const name = typeof member === 'number' ? (schema.fields[member]?.name ?? '') : member;
      return quotedName(name).length > NAME_BYTES_MAX;
    };
    if (order.some(isTooLong)) return undefined;
    if (!memory.ensure(layout.end + NAME_BYTES_MAX)) return undefined;
    return new RecordKernel(memory, layout, order);
  }

  /** Forgets the input of another body. */
  enter(): void {
    this.#loadedTo = 0;
  }

  /**
   * Decodes lines from the one at `start` on as the builder's next rows. Between `enter` and the last
   * call for a body no other kernel may run.
   *
   * @returns the start of the first line that it did not decode
   */
  decode(body: Uint8Array, start: number, into: BatchBuilder): number {
    if (start >= this.#loadedTo && !this.#load(body, start)) return start;
    const { inputAt, rowsMax } = this.#layout;
    const firstRow = into.rowCount & 7;
    this.#prepare(into, firstRow);
    const position = inputAt + start - this.#loadedFrom;
    const inputEnd = inputAt + this.#loadedTo - this.#loadedFrom;
    const row = this.#decode(position, firstRow, firstRow + rowsMax, inputEnd);
    this.#append(into, firstRow, row - firstRow);
    return this.#memory.word(POSITION_AT) - inputAt + this.#loadedFrom;
  }

  /** Where the lines end in the body that lie in the memory. */
  get inputEnd(): number {
    return this.#loadedTo;
  }

  /** Takes whole lines into the memory; false when the line at `start` is too long for it. */
  #load(body: Uint8Array, start: number): boolean {
    let end = Math.min(body.length, start + CHUNK_BYTES);
    if (end < body.length) {
      end = body.lastIndexOf(LINE_FEED, end - 1) + 1;
      if (end <= start) return false;
    }
    const { inputAt } = this.#layout;
    const { bytes } = this.#memory;
    bytes.set(body.subarray(start, end), inputAt);
    bytes[inputAt + end - start] = 0;
    this.#loadedFrom = start;
    this.#loadedTo = end;
    return true;
  }

  /** Bits of rows before the first share its byte; texts begin behind those of the builder. */
  #prepare(into: BatchBuilder, firstRow: number): void {
    const { bytes } = this.#memory;
    const bitsAt = into.rowCount >>> 3;
    for (const { index, field, valuesAt, validityAt, baseAt } of this.#layout.columns) {
      const column = into.columns[index] as ColumnBuilder;
      if (firstRow !== 0 && field.optional) bytes[validityAt] = column.validity?.[bitsAt] ?? 0;
      if (column instanceof BooleanBuilder && firstRow !== 0) {
        bytes[valuesAt] = column.bits[bitsAt] ?? 0;
      } else if (column instanceof BinaryBuilder) {
        this.#memory.setWord(baseAt, column.offsets[into.rowCount] as number);
      }
    }
  }

  #append(into: BatchBuilder, firstRow: number, count: number): void {
    if (count === 0) return;
    into.reserveRows(count);
    for (const place of this.#layout.columns) {
      this.#appendColumn(place, into.columns[place.index] as ColumnBuilder, {
        firstRow,
        count,
        to: into.rowCount,
      });
    }
    into.rowCount += count;
  }

  #appendColumn(
    { valuesAt, bytesAt, baseAt, validityAt, width }: ColumnPlace,
    column: ColumnBuilder,
    rows: { readonly firstRow: number; readonly count: number; readonly to: number },
  ): void {
    const { bytes } = this.#memory;
    const { firstRow, count, to } = rows;
    const bitsEnd = (firstRow + count + 7) >>> 3;
    if (column.validity !== null) {
      column.validity.set(bytes.subarray(validityAt, validityAt + bitsEnd), to >>> 3);
    }
    if (column instanceof FixedBuilder) {
      const target = new Uint8Array(column.values.buffer, column.values.byteOffset);
      const from = valuesAt + firstRow * width;
      target.set(bytes.subarray(from, from + count * width), to * width);
    } else if (column instanceof BooleanBuilder) {
      column.bits.set(bytes.subarray(valuesAt, valuesAt + bitsEnd), to >>> 3);
    } else {
      assert(column instanceof BinaryBuilder, 'kernels decode scalar columns');
      const offsets = new Int32Array(bytes.buffer, valuesAt + (firstRow + 1) * 4, count);
      // The offsets wrap where they are too many for a column, which is told by their difference.
      const length = ((offsets[count - 1] as number) - this.#memory.word(baseAt)) | 0;
      column.ensureBytes(to, length);
      column.bytes.set(bytes.subarray(bytesAt, bytesAt + length), column.offsets[to] as number);
      column.offsets.set(offsets, to + 1);
    }
  }

  get #inputEndAt(): number {
    return this.#layout.inputAt + this.#loadedTo - this.#loadedFrom;
  }

  /** Position behind an undeclared value in the line, or 0. */
  #skip(at: number): number {
    const { bytes } = this.#memory;
    const after = skipValue(bytes, at, this.#inputEndAt);
    // White space within a value may be a line feed, which ends the line here.
    return after < 0 || bytes.subarray(at, after).includes(LINE_FEED) ? 0 : after;
  }

  #float(at: number, isSingle: boolean): number {
    const { bytes } = this.#memory;
    const end = numberTokenEnd(bytes, at, this.#inputEndAt);
    this.#memory.setWord(FLOAT_END_AT, end);
    return readFloat(bytes, at, end, isSingle);
  }
}
