import { readDatetime } from '@nervix/model';
import {
  messageRange,
  type SyslogDefect,
  type SyslogMessage,
  type SyslogText,
  structuredDataEnd,
  type TextRange,
} from './syslog-fields.js';

const SPACE = 0x20;
const NIL = 0x2d;
const HEADER: readonly SyslogText[] = ['hostname', 'app_name', 'proc_id', 'msg_id'];

/** Whether version 1 and something like a timestamp stand at `at`, so that no other form can be meant. */
export function isRfc5424(bytes: Uint8Array, at: number, end: number): boolean {
  if (at + 2 >= end || bytes[at] !== 0x31 || bytes[at + 1] !== SPACE) return false;
  if (bytes[at + 2] === NIL) return at + 3 < end && bytes[at + 3] === SPACE;
  for (let digit = at + 2; digit < at + 6; digit += 1) {
    const byte = digit < end ? (bytes[digit] as number) : 0;
    if (byte < 0x30 || byte > 0x39) return false;
  }
  return bytes[at + 6] === NIL;
}

/**
 * Reads a message of RFC 5424 from its version on. Header fields may be longer than senders may make
 * them, and hold any text but spaces.
 */
export function readRfc5424(
  bytes: Uint8Array,
  start: number,
  end: number,
  priority: number,
): SyslogMessage | SyslogDefect {
  const stamp = token(bytes, start + 2, end);
  if (stamp === undefined) return { defect: 'timestamp is missing', at: end };
  const timestamp = isNil(bytes, stamp) ? null : readDatetime(bytes, stamp.start, stamp.end);
  if (timestamp === null && !isNil(bytes, stamp)) {
    return { defect: 'invalid timestamp', at: stamp.start };
  }
  const texts: Partial<Record<SyslogText, TextRange | null>> = {};
  let at = stamp.end + 1;
  for (const name of HEADER) {
    const range = token(bytes, at, end);
    if (range === undefined) return { defect: `${name} is missing`, at: Math.min(at, end) };
    texts[name] = isNil(bytes, range) ? null : range;
    at = range.end + 1;
  }
  const data = structuredData(bytes, at, end);
  if (data === undefined) return { defect: 'malformed structured data', at: Math.min(at, end) };
  texts.structured_data = isNil(bytes, data) ? null : data;
  texts.message = messageRange(bytes, Math.min(data.end + 1, end), end);
  return { priority, timestamp, texts };
}

/** Text up to the next space, which must be there, or to the end. */
function token(bytes: Uint8Array, start: number, end: number): TextRange | undefined {
  let at = start;
  while (at < end && bytes[at] !== SPACE) at += 1;
  return at > start ? { start, end: at } : undefined;
}

function isNil(bytes: Uint8Array, { start, end }: TextRange): boolean {
  return end - start === 1 && bytes[start] === NIL;
}

function structuredData(bytes: Uint8Array, start: number, end: number): TextRange | undefined {
  if (start >= end) return undefined;
  const after = bytes[start] === NIL ? start + 1 : structuredDataEnd(bytes, start, end);
  const isEnded = after === end || bytes[after] === SPACE;
  return after > 0 && isEnded ? { start, end: after } : undefined;
}
