/** Thrown for stored bytes that cannot be read; callers turn it into `RAFT_STORAGE_CORRUPT` with the place. */
export class MalformedBytesError extends Error {
  override readonly name = 'MalformedBytesError';
}

/** Appends big-endian fields to a buffer whose final size the caller states beforehand. */
export class ByteWriter {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  #offset = 0;

  constructor(byteLength: number) {
    this.#bytes = new Uint8Array(byteLength);
    this.#view = new DataView(this.#bytes.buffer);
  }

  u8(value: number): this {
    this.#view.setUint8(this.#offset, value);
    this.#offset += 1;
    return this;
  }

  u32(value: number): this {
    this.#view.setUint32(this.#offset, value);
    this.#offset += 4;
    return this;
  }

  u64(value: bigint): this {
    this.#view.setBigUint64(this.#offset, value);
    this.#offset += 8;
    return this;
  }

  bytes(value: Uint8Array): this {
    this.#bytes.set(value, this.#offset);
    this.#offset += value.length;
    return this;
  }

  /** Length as u32, then the bytes. */
  sized(value: Uint8Array): this {
    return this.u32(value.length).bytes(value);
  }

  /** The written bytes, which must fill the buffer. */
  finish(): Uint8Array {
    if (this.#offset !== this.#bytes.length) {
      throw new RangeError(`wrote ${this.#offset} of ${this.#bytes.length} bytes`);
    }
    return this.#bytes;
  }
}

/** Makes the error for bytes that cannot be read. */
export type MalformedError = new (problem: string, options?: ErrorOptions) => Error;

const NOTHING = new Uint8Array(0);

/**
 * Takes big-endian fields off a buffer. Every read is compared with what is left before anything
 * is allocated.
 */
export class ByteReader {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  readonly #malformed: MalformedError;
  #offset = 0;

  constructor(bytes: Uint8Array, malformed: MalformedError = MalformedBytesError) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#malformed = malformed;
  }

  /** Bytes that were not taken yet. */
  get remaining(): number {
    return this.#bytes.length - this.#offset;
  }

  u8(): number {
    return this.#view.getUint8(this.#advance(1));
  }

  /** One byte that is 0 or 1. */
  flag(): boolean {
    const value = this.u8();
    if (value > 1) throw new this.#malformed(`${value} is neither yes nor no`);
    return value === 1;
  }

  u16(): number {
    return this.#view.getUint16(this.#advance(2));
  }

  u32(): number {
    return this.#view.getUint32(this.#advance(4));
  }

  u64(): bigint {
    return this.#view.getBigUint64(this.#advance(8));
  }

  /** The next bytes as a view, which keeps the whole memory alive and must not be written to. */
  view(length: number): Uint8Array {
    if (length === 0) return NOTHING;
    const start = this.#advance(length);
    return new Uint8Array(this.#bytes.buffer, this.#bytes.byteOffset + start, length);
  }

  /** A copy of the next bytes. */
  bytes(length: number): Uint8Array {
    return new Uint8Array(this.view(length));
  }

  /** The next bytes as hexadecimal digits. */
  hex(length: number): string {
    const start = this.#bytes.byteOffset + this.#advance(length);
    return Buffer.from(this.#bytes.buffer, start, length).toString('hex');
  }

  /** A copy of bytes that follow their length. */
  sized(): Uint8Array {
    return this.bytes(this.u32());
  }

  /** Ends the reading; nothing may be left. */
  finish(): void {
    if (this.remaining !== 0) throw new this.#malformed(`${this.remaining} bytes too many`);
  }

  #advance(length: number): number {
    const start = this.#offset;
    if (length > this.#bytes.length - start) throw new this.#malformed('ends too early');
    this.#offset += length;
    return start;
  }
}
