import type { BatchBuilder } from '../batch/batch-builder.js';
import type { LineFailure } from './codec-failure.js';
import type { PayloadDecoder } from './payload-codec.js';

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const SPACE = 0x20;
const TAB = 0x09;

/**
 * Decodes every non-blank line of a body as a payload of its own.
 *
 * @returns undefined after success; a failure leaves the builder's rows exactly as they were
 */
export function decodeLines(
  decoder: PayloadDecoder,
  body: Uint8Array,
  into: BatchBuilder,
): LineFailure | undefined {
  if (decoder.decodeLines !== undefined) return decoder.decodeLines(body, into);
  const firstRow = into.rowCount;
  let line = 0;
  let start = 0;
  while (start < body.length) {
    line += 1;
    let end = body.indexOf(LINE_FEED, start);
    if (end < 0) end = body.length;
    if (!isBlankLine(body, start, end)) {
      const failure = decoder.decode(body, start, end, into);
      if (failure !== undefined) {
        into.truncate(firstRow);
        return { failure, line };
      }
    }
    start = end + 1;
  }
  return undefined;
}

/** Whether a range holds nothing but white space within a line. */
export function isBlankLine(bytes: Uint8Array, start: number, end: number): boolean {
  for (let index = start; index < end; index += 1) {
    const byte = bytes[index];
    if (byte !== SPACE && byte !== TAB && byte !== CARRIAGE_RETURN) return false;
  }
  return true;
}
