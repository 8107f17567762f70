import { ByteReader } from '../storage/byte-codec.ts';
import { DIGEST_BYTES_MAX, STRING_BYTES_MAX } from './wire-writer.ts';

/** Bytes of another process that do not follow the protocol. The connection is closed for it. */
export class MalformedFrameError extends Error {
  override readonly name = 'MalformedFrameError';
}

const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Takes the fields of a frame off its body, with only one encoding of each value accepted. What is
 * taken as a view shares its memory with what came from the same peer in the same read.
 */
export class WireReader extends ByteReader {
  constructor(bytes: Uint8Array) {
    super(bytes, MalformedFrameError);
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
    return this.hex(16);
  }

  digest(): string {
    const length = this.u8();
    if (length > DIGEST_BYTES_MAX) throw new MalformedFrameError('a digest is too long');
    return this.hex(length);
  }

  /** How many elements follow, each of which takes at least `elementBytesMin` bytes. */
  count(elementBytesMin: number): number {
    const count = this.u32();
    if (count * elementBytesMin > this.remaining) {
      throw new MalformedFrameError('a list is longer than its frame');
    }
    return count;
  }
}
