import type { BatchBuilder } from '../batch/batch-builder.js';
import type { DecodeFailure } from './codec-failure.js';
import type { PayloadDecoder } from './payload-codec.js';

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const SPACE = 0x20;
const TAB = 0x09;

/** Why a body of lines could not be decoded, and the line at fault, from 1. */
export interface LineFailure {
  readonly failure: DecodeFailure;
  readonly line: number;
}

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
  const firstRow = into.rowCount;
  let line = 0;
  let start = 0;
  while (start < body.length) {
    line += 1;
    const lineEnd = decoder.decodeLine?.(body, start, into) ?? -1;
    if (lineEnd >= 0) {
      start = lineEnd + 1;
      continue;
    }
    let end = body.indexOf(LINE_FEED, start);
    if (end < 0) end = body.length;
    if (!isBlank(body, start, end)) {
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

function isBlank(bytes: Uint8Array, start: number, end: number): boolean {
  for (let index = start; index < end; index += 1) {
    const byte = bytes[index];
    if (byte !== SPACE && byte !== TAB && byte !== CARRIAGE_RETURN) return false;
  }
  return true;
}
