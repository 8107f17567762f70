import type { TransferPart } from './bodies/reply.js';
import type { FrameLimits } from './frame-limits.js';
import { encodeServerFrame, readJoinedFrame, type ServerFrameReading } from './server-frame.js';

/** What the envelope of a part takes at most: its names, four numbers of 64 bits, a length. */
const PART_ENVELOPE_BYTES = 128;

/**
 * Cuts an encoded reply into frames that hold its parts, in order. They are made as they are taken,
 * so that the whole exists once.
 *
 * @param bytes one encoded frame that is longer than the frame limit
 */
export function* cutTransfer(
  requestId: bigint,
  bytes: Uint8Array,
  { frameBytes }: FrameLimits,
): Generator<Uint8Array<ArrayBuffer>, void> {
  const chunkBytes = frameBytes - PART_ENVELOPE_BYTES;
  for (let offset = 0; offset < bytes.length; offset += chunkBytes) {
    const body: TransferPart = {
      t: 'TransferPart',
      total_bytes: BigInt(bytes.length),
      offset: BigInt(offset),
      chunk: bytes.subarray(offset, offset + chunkBytes),
    };
    yield encodeServerFrame({ body: { t: 'Reply', request_id: requestId, body } });
  }
}

export type TransferProgress =
  | { readonly kind: 'partial' }
  | Extract<ServerFrameReading, { readonly kind: 'frame' | 'invalid' }>;

/** Joins the parts of one reply. Room is made as parts come, never for what is only announced. */
export class TransferJoiner {
  readonly #requestId: bigint;
  readonly #limits: FrameLimits;
  #chunks: Uint8Array[] = [];
  #received = 0;
  #total: bigint | undefined;

  constructor(requestId: bigint, limits: FrameLimits) {
    this.#requestId = requestId;
    this.#limits = limits;
  }

  /** Takes the next part; the last one yields the whole reply. */
  take({ total_bytes, offset, chunk }: TransferPart): TransferProgress {
    this.#total ??= total_bytes;
    const received = BigInt(this.#received);
    if (total_bytes !== this.#total) return invalid('a transfer changed its size');
    if (total_bytes > BigInt(this.#limits.transferBytes)) {
      return invalid(`a transfer is longer than ${this.#limits.transferBytes} bytes`);
    }
    if (chunk.length === 0) return invalid('a part of a transfer is empty');
    if (offset !== received) return invalid('a part of a transfer is out of order');
    if (received + BigInt(chunk.length) > total_bytes) return invalid('a transfer is too long');
    this.#chunks.push(chunk);
    this.#received += chunk.length;
    return BigInt(this.#received) === total_bytes ? this.#join() : { kind: 'partial' };
  }

  #join(): TransferProgress {
    const bytes = new Uint8Array(this.#received);
    let at = 0;
    for (const chunk of this.#chunks) {
      bytes.set(chunk, at);
      at += chunk.length;
    }
    this.#chunks = [];
    const reading = readJoinedFrame(bytes, this.#limits);
    if (reading.kind === 'invalid') return reading;
    const { body } = reading.frame;
    const isAnswer =
      body.t === 'Reply' && body.request_id === this.#requestId && body.body.t !== 'TransferPart';
    return isAnswer ? reading : invalid('a transfer holds no reply to its request');
  }
}

function invalid(message: string): TransferProgress {
  return { kind: 'invalid', message };
}
