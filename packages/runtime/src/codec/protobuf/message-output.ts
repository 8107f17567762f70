const INITIAL_BYTES = 256;
const VARINT_BYTES_MAX = 10;

/** Growing bytes of one message; parts with a length before them are closed behind their content. */
export class MessageOutput {
  #bytes = new Uint8Array(INITIAL_BYTES);
  #view = new DataView(this.#bytes.buffer);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** Everything written, in a buffer of its own. */
  take(): Uint8Array<ArrayBuffer> {
    return this.#bytes.slice(0, this.#length);
  }

  /** The low 64 bits of a number, seven to a byte. */
  varint(value: bigint): void {
    const at = this.#room(VARINT_BYTES_MAX);
    this.#length = this.#put(at, BigInt.asUintN(64, value));
  }

  tag(number: number, wireType: number): void {
    this.varint((BigInt(number) << 3n) | BigInt(wireType));
  }

  raw(content: Uint8Array): void {
    const at = this.#room(content.length);
    this.#bytes.set(content, at);
    this.#length = at + content.length;
  }

  float64(value: number): void {
    const at = this.#room(8);
    this.#view.setFloat64(at, value, true);
    this.#length = at + 8;
  }

  float32(value: number): void {
    const at = this.#room(4);
    this.#view.setFloat32(at, value, true);
    this.#length = at + 4;
  }

  fixed64(value: bigint): void {
    const at = this.#room(8);
    this.#view.setBigUint64(at, BigInt.asUintN(64, value), true);
    this.#length = at + 8;
  }

  fixed32(value: bigint): void {
    const at = this.#room(4);
    this.#view.setUint32(at, Number(BigInt.asUintN(32, value)), true);
    this.#length = at + 4;
  }

  /** Puts the length of all that was written since `start` before it. */
  close(start: number): void {
    const size = BigInt(this.#length - start);
    let lengthBytes = 1;
    for (let rest = size >> 7n; rest > 0n; rest >>= 7n) lengthBytes += 1;
    this.#room(lengthBytes);
    this.#bytes.copyWithin(start + lengthBytes, start, this.#length);
    this.#put(start, size);
    this.#length += lengthBytes;
  }

  /** Writes a varint into room that is there, and tells where it ends. */
  #put(at: number, value: bigint): number {
    let to = at;
    let rest = value;
    for (; rest > 0x7fn; rest >>= 7n) this.#bytes[to++] = Number(rest & 0x7fn) | 0x80;
    this.#bytes[to++] = Number(rest);
    return to;
  }

  /** Makes room for more bytes, and tells where they go. */
  #room(count: number): number {
    const needed = this.#length + count;
    if (needed > this.#bytes.length) {
      const grown = new Uint8Array(Math.max(this.#bytes.length * 2, needed));
      grown.set(this.#bytes.subarray(0, this.#length));
      this.#bytes = grown;
      this.#view = new DataView(grown.buffer);
    }
    return this.#length;
  }
}
