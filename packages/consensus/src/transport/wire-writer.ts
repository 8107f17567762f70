import { isHexId } from '../raft/hex-id.ts';

/** Memory that small frames share until it is written to the socket. */
const SLAB_BYTES = 64 * 1_024;

const HEX = /^(?:[0-9a-f]{2})*$/;
/** Longest string in bytes; names and endpoints are far shorter. */
export const STRING_BYTES_MAX = 1_024;
/** Longest digest in bytes. */
export const DIGEST_BYTES_MAX = 64;

/**
 * Encodes frames one behind the other into shared memory, so that many small ones become one
 * write without having been copied a second time. All numbers are big-endian.
 */
export class WireWriter {
  #slab: Buffer = Buffer.alloc(0);
  #view: DataView = new DataView(this.#slab.buffer, 0, 0);
  /** First byte that was not taken. */
  #start = 0;
  /** First byte of the frame being written. */
  #frame = 0;
  #offset = 0;
  #closed: Uint8Array[] = [];
  #closedBytes = 0;

  /** Bytes of complete frames that were not taken. */
  get pendingBytes(): number {
    return this.#closedBytes + this.#frame - this.#start;
  }

  /** Bytes of the frame being written, so far. */
  get frameBytes(): number {
    return this.#offset - this.#frame;
  }

  /** Makes room for so many bytes at once, in place of growing step by step. */
  reserve(byteLength: number): this {
    if (this.#offset + byteLength > this.#slab.length) this.#grow(byteLength);
    return this;
  }

  u8(value: number): this {
    this.reserve(1);
    this.#view.setUint8(this.#offset, value);
    this.#offset += 1;
    return this;
  }

  u16(value: number): this {
    this.reserve(2);
    this.#view.setUint16(this.#offset, value);
    this.#offset += 2;
    return this;
  }

  u32(value: number): this {
    this.reserve(4);
    this.#view.setUint32(this.#offset, value);
    this.#offset += 4;
    return this;
  }

  u64(value: bigint): this {
    this.reserve(8);
    this.#view.setBigUint64(this.#offset, value);
    this.#offset += 8;
    return this;
  }

  flag(value: boolean): this {
    return this.u8(value ? 1 : 0);
  }

  bytes(value: Uint8Array): this {
    this.reserve(value.length);
    this.#slab.set(value, this.#offset);
    this.#offset += value.length;
    return this;
  }

  /** Length as u32, then the bytes. */
  sized(value: Uint8Array): this {
    return this.u32(value.length).bytes(value);
  }

  /** Length in UTF-8 as u16, then the text. Throws `RangeError` above the bound. */
  string(value: string): this {
    const byteLength = Buffer.byteLength(value);
    if (byteLength > STRING_BYTES_MAX) throw new RangeError('a text on the wire is too long');
    this.u16(byteLength).reserve(byteLength);
    this.#slab.write(value, this.#offset, 'utf8');
    this.#offset += byteLength;
    return this;
  }

  /** 16 bytes given as 32 lower-case hexadecimal digits. */
  id(value: string): this {
    if (!isHexId(value)) throw new RangeError('an id is 32 lower-case hexadecimal digits');
    this.reserve(16);
    this.#slab.write(value, this.#offset, 'hex');
    this.#offset += 16;
    return this;
  }

  /** A digest of any length given as lower-case hexadecimal digits: length as u8, then bytes. */
  digest(value: string): this {
    const byteLength = value.length / 2;
    if (!HEX.test(value) || byteLength > DIGEST_BYTES_MAX) {
      throw new RangeError('a digest is an even number of lower-case hexadecimal digits');
    }
    this.u8(byteLength).reserve(byteLength);
    this.#slab.write(value, this.#offset, 'hex');
    this.#offset += byteLength;
    return this;
  }

  /** Writes a u32 into the frame at hand, `position` bytes behind its beginning. */
  patchU32(position: number, value: number): this {
    this.#view.setUint32(this.#frame + position, value);
    return this;
  }

  /** Completes the frame. */
  commit(): void {
    this.#frame = this.#offset;
  }

  /** Forgets what was written of the frame at hand. */
  rollback(): void {
    this.#offset = this.#frame;
  }

  /** The complete frames, in order, in as few pieces as there are slabs. */
  take(): Uint8Array[] {
    const taken = this.#closed;
    if (this.#frame > this.#start) taken.push(this.#slab.subarray(this.#start, this.#frame));
    this.#closed = [];
    this.#closedBytes = 0;
    this.#start = this.#frame;
    return taken;
  }

  #grow(byteLength: number): void {
    if (this.#frame > this.#start) {
      this.#closed.push(this.#slab.subarray(this.#start, this.#frame));
      this.#closedBytes += this.#frame - this.#start;
    }
    const partial = this.#slab.subarray(this.#frame, this.#offset);
    const needed = partial.length + byteLength;
    // A frame that outgrows a slab doubles, so that it is copied a bounded number of times.
    const size = Math.max(SLAB_BYTES, needed > SLAB_BYTES ? needed + partial.length : needed);
    const slab = Buffer.allocUnsafeSlow(size);
    slab.set(partial, 0);
    this.#slab = slab;
    this.#view = new DataView(slab.buffer, slab.byteOffset, slab.byteLength);
    this.#start = 0;
    this.#frame = 0;
    this.#offset = partial.length;
  }
}
