import { DIGEST_BYTES_MAX, STRING_BYTES_MAX } from './wire-writer.ts';

/** Bytes of another process that do not follow the protocol. The connection is closed for it. */
export class MalformedFrameError extends Error {
  override readonly name = 'MalformedFrameError';
}

const NOTHING = new Uint8Array(0);
const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Takes big-endian fields off the body of a frame. Every length is compared with what is left
 * before anything is allocated, and only one encoding of each value is accepted.
 */
export class WireReader {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  #offset = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  get remaining(): number {
    return this.#bytes.length - this.#offset;
  }

  u8(): number {
    return this.#view.getUint8(this.#advance(1));
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

  flag(): boolean {
    const value = this.u8();
    if (value > 1) throw new MalformedFrameError('a flag is neither 0 nor 1');
    return value === 1;
  }

  /**
   * The next bytes as a view of the frame, which must not be written to. It keeps the memory of
   * its neighbours alive, which came from the same peer in the same read.
   */
  view(length: number): Uint8Array {
    if (length === 0) return NOTHING;
    const start = this.#advance(length);
    return new Uint8Array(this.#bytes.buffer, this.#bytes.byteOffset + start, length);
  }

  /** A copy of the next bytes, for values that are kept long. */
  copy(length: number): Uint8Array {
    return new Uint8Array(this.view(length));
  }

  string(): string {
    const length = this.u16();
    if (length > STRING_BYTES_MAX) throw new MalformedFrameError('a text is too long');
    try {
      return UTF8.decode(this.view(length));
    } catch (cause) {
      throw new MalformedFrameError('a text is not UTF-8', { cause });
    }
  }

  id(): string {
    return this.#hex(16);
  }

  digest(): string {
    const length = this.u8();
    if (length > DIGEST_BYTES_MAX) throw new MalformedFrameError('a digest is too long');
    return this.#hex(length);
  }

  /** How many elements follow, each of which takes at least `elementBytesMin` bytes. */
  count(elementBytesMin: number): number {
    const count = this.u32();
    if (count * elementBytesMin > this.remaining) {
      throw new MalformedFrameError('a list is longer than its frame');
    }
    return count;
  }

  /** Ends the reading; nothing may be left. */
  finish(): void {
    if (this.remaining !== 0) throw new MalformedFrameError(`${this.remaining} bytes too many`);
  }

  #hex(length: number): string {
    const start = this.#bytes.byteOffset + this.#advance(length);
    return Buffer.from(this.#bytes.buffer, start, length).toString('hex');
  }

  #advance(length: number): number {
    const start = this.#offset;
    if (length > this.#bytes.length - start) throw new MalformedFrameError('ends too early');
    this.#offset += length;
    return start;
  }
}
