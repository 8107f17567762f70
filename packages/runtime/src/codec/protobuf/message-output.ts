import { ViewCache } from '../../column/copy-range.js';
import { RowOutput } from '../row-output.js';

const VARINT_BYTES_MAX = 10;

/** Messages being written; parts with a length before them are closed behind their content. */
export class MessageOutput extends RowOutput {
  readonly #views = new ViewCache();

  /** The low 64 bits of a number, seven to a byte. */
  varint(value: bigint): void {
    this.ensure(VARINT_BYTES_MAX);
    this.length = this.#put(this.length, BigInt.asUintN(64, value));
  }

  tag(number: number, wireType: number): void {
    this.varint((BigInt(number) << 3n) | BigInt(wireType));
  }

  float64(value: number): void {
    const at = this.#advance(8);
    this.#views.of(this.bytes).setFloat64(at, value, true);
  }

  float32(value: number): void {
    const at = this.#advance(4);
    this.#views.of(this.bytes).setFloat32(at, value, true);
  }

  fixed64(value: bigint): void {
    const at = this.#advance(8);
    this.#views.of(this.bytes).setBigUint64(at, BigInt.asUintN(64, value), true);
  }

  fixed32(value: bigint): void {
    const at = this.#advance(4);
    this.#views.of(this.bytes).setUint32(at, Number(BigInt.asUintN(32, value)), true);
  }

  /** Puts the length of all that was written since `rowLength` was `from` before it. */
  close(from: number): void {
    const size = BigInt(this.rowLength - from);
    let lengthBytes = 1;
    for (let rest = size >> 7n; rest > 0n; rest >>= 7n) lengthBytes += 1;
    this.ensure(lengthBytes);
    const start = this.rowStart + from;
    this.bytes.copyWithin(start + lengthBytes, start, this.length);
    this.#put(start, size);
    this.length += lengthBytes;
  }

  /** Writes a varint into room that is there, and tells where it ends. */
  #put(at: number, value: bigint): number {
    let to = at;
    let rest = value;
    for (; rest > 0x7fn; rest >>= 7n) this.bytes[to++] = Number(rest & 0x7fn) | 0x80;
    this.bytes[to++] = Number(rest);
    return to;
  }

  /** Makes room for more bytes, and tells where they go. */
  #advance(count: number): number {
    this.ensure(count);
    this.length += count;
    return this.length - count;
  }
}
