import { type Frame, LENGTH_BYTES } from './frame.ts';
import { MalformedFrameError } from './wire-reader.ts';

const NOTHING = new Uint8Array(0);

/**
 * Cuts a stream of bytes into frames, however it arrives. A frame inside of one chunk is a view of
 * it; one that spans chunks is gathered in memory of exactly its size, so each byte is copied at
 * most once. A length above the bound is refused before anything is allocated.
 */
export class FrameReader {
  #bytesMax: number;
  #chunks: Uint8Array[] = [];
  #chunk: Uint8Array = NOTHING;
  #offset = 0;
  /** The frame being gathered, and how much of it is there. */
  #gathered: Uint8Array | undefined;
  #gatheredBytes = 0;
  readonly #length = new Uint8Array(LENGTH_BYTES);
  readonly #lengthView = new DataView(this.#length.buffer);
  #lengthBytes = 0;

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  /** Changes the bound for the frames behind the present one. */
  set bytesMax(value: number) {
    this.#bytesMax = value;
  }

  /** Whether the beginning of a frame is there and its end is not. */
  get isInsideFrame(): boolean {
    return this.#gathered !== undefined || this.#lengthBytes > 0;
  }

  push(chunk: Uint8Array): void {
    if (chunk.length > 0) this.#chunks.push(chunk);
  }

  /** The next complete frame, if there is one. Throws {@link MalformedFrameError}. */
  next(): Frame | undefined {
    while (this.#fill()) {
      const body = this.#gathered === undefined ? this.#start() : this.#gather();
      if (body !== undefined) return { kind: body[0] ?? 0, body: body.subarray(1) };
    }
    return undefined;
  }

  /** Makes sure that the present chunk has a byte left. */
  #fill(): boolean {
    if (this.#offset < this.#chunk.length) return true;
    this.#chunk = this.#chunks.shift() ?? NOTHING;
    this.#offset = 0;
    return this.#chunk.length > 0;
  }

  /** Reads the length, which may be split anywhere, and then the body if it is there. */
  #start(): Uint8Array | undefined {
    while (this.#lengthBytes < LENGTH_BYTES) {
      if (!this.#fill()) return undefined;
      this.#length[this.#lengthBytes] = this.#chunk[this.#offset] ?? 0;
      this.#lengthBytes += 1;
      this.#offset += 1;
    }
    this.#lengthBytes = 0;
    const length = this.#lengthView.getUint32(0);
    if (length === 0) throw new MalformedFrameError('an empty frame');
    if (length > this.#bytesMax) {
      throw new MalformedFrameError(
        `a frame of ${length} bytes, at most ${this.#bytesMax} allowed`,
      );
    }
    const end = this.#offset + length;
    if (end <= this.#chunk.length) {
      const body = this.#chunk.subarray(this.#offset, end);
      this.#offset = end;
      return body;
    }
    this.#gathered = new Uint8Array(length);
    this.#gatheredBytes = 0;
    return this.#gather();
  }

  #gather(): Uint8Array | undefined {
    const target = this.#gathered;
    if (target === undefined) return undefined;
    const wanted = target.length - this.#gatheredBytes;
    const piece = this.#chunk.subarray(this.#offset, this.#offset + wanted);
    target.set(piece, this.#gatheredBytes);
    this.#gatheredBytes += piece.length;
    this.#offset += piece.length;
    if (this.#gatheredBytes < target.length) return undefined;
    this.#gathered = undefined;
    return target;
  }
}
