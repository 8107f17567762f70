import { copyRange } from '../column/copy-range.js';

/** Size of the buffers that encoded rows share. */
const CHUNK_BYTES = 65_536;

/** Rows being written one after the other into shared chunks; a new buffer a row is far slower. */
export class RowOutput {
  bytes: Uint8Array<ArrayBuffer> = new Uint8Array(CHUNK_BYTES);
  length = 0;
  protected rowStart = 0;

  /** Starts a row, dropping one that was not taken. */
  open(): void {
    this.length = this.rowStart;
  }

  /** Bytes of the row written so far. */
  get rowLength(): number {
    return this.length - this.rowStart;
  }

  /** The row written since `open`. */
  take(): Uint8Array<ArrayBuffer> {
    const row = this.bytes.subarray(this.rowStart, this.length);
    this.rowStart = this.length;
    return row;
  }

  /** Makes room for `count` more bytes of the row. */
  ensure(count: number): void {
    if (this.length + count <= this.bytes.length) return;
    const row = this.bytes.subarray(this.rowStart, this.length);
    const next = new Uint8Array(Math.max(CHUNK_BYTES, (row.length + count) * 2));
    next.set(row);
    this.bytes = next;
    this.length = row.length;
    this.rowStart = 0;
  }

  byte(value: number): void {
    this.ensure(1);
    this.bytes[this.length++] = value;
  }

  raw(source: Uint8Array): void {
    this.ensure(source.length);
    this.bytes.set(source, this.length);
    this.length += source.length;
  }

  /** `source[start..end)` as it is. */
  range(source: Uint8Array, start: number, end: number): void {
    this.ensure(end - start);
    copyRange(source, start, end, this.bytes, this.length);
    this.length += end - start;
  }

  ascii(text: string): void {
    this.ensure(text.length);
    for (let index = 0; index < text.length; index += 1) {
      this.bytes[this.length++] = text.charCodeAt(index);
    }
  }
}
