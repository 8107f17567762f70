import type { CodecPlan, SchemaPlan } from '@nervix/model';
import type { BatchBuilder } from '../batch/batch-builder.js';
import type { DecodeFailure } from './codec-failure.js';
import { compileJsonFastPath } from './json-fast-path.js';
import { JsonRecordDecoder } from './json-record-decoder.js';

/** Decoder of one JSON codec. It keeps scratch state: one decoder serves one thread. */
export interface JsonDecoder {
  /**
   * Decodes the payload `bytes[start..end)` as the builder's next row.
   *
   * @returns undefined after success; a failure leaves the builder's rows exactly as they were
   */
  decode(
    bytes: Uint8Array,
    start: number,
    end: number,
    into: BatchBuilder,
  ): DecodeFailure | undefined;
}

/** Compiles the decoder of a codec for the schema it decodes into. */
export function compileJsonDecoder(codec: CodecPlan, schema: SchemaPlan): JsonDecoder {
  const general = new JsonRecordDecoder(codec, schema);
  const fast = compileJsonFastPath(schema);
  return {
    decode(bytes, start, end, into) {
      if (fast?.(bytes, start, end, into) === true) return undefined;
      const mark = readByteOrderMark(bytes, start, end);
      if (typeof mark === 'string') {
        return { message: `codec '${codec.name}' input is ${mark}, expected UTF-8` };
      }
      if (mark > 0 && fast?.(bytes, start + mark, end, into) === true) return undefined;
      return general.decode(bytes, start + mark, end, into);
    },
  };
}

/** Length of a leading UTF-8 byte order mark, or the name of another encoding that is marked. */
function readByteOrderMark(bytes: Uint8Array, start: number, end: number): number | string {
  const length = end - start;
  const [a, b, c, d] = bytes.subarray(start, Math.min(end, start + 4));
  if (length >= 3 && a === 0xef && b === 0xbb && c === 0xbf) return 3;
  if (length >= 4 && a === 0xff && b === 0xfe && c === 0 && d === 0) return 'UTF-32LE';
  if (length >= 4 && a === 0 && b === 0 && c === 0xfe && d === 0xff) return 'UTF-32BE';
  if (length >= 2 && a === 0xff && b === 0xfe) return 'UTF-16LE';
  if (length >= 2 && a === 0xfe && b === 0xff) return 'UTF-16BE';
  return 0;
}
