/** Fields of a syslog message that hold text or nothing. */
export const SYSLOG_TEXTS = [
  'hostname',
  'app_name',
  'proc_id',
  'msg_id',
  'structured_data',
  'message',
] as const;
/** A field of a syslog message that holds text or nothing. */
export type SyslogText = (typeof SYSLOG_TEXTS)[number];

/** Priority of a message that has none, or none that is one (RFC 3164 §4.3.3). */
export const PRIORITY_DEFAULT = 13;
/** Greatest facility and severity. */
export const FACILITY_MAX = 23;
export const SEVERITY_MAX = 7;

/** A range of a payload's bytes. */
export interface TextRange {
  readonly start: number;
  readonly end: number;
}

/** What a message says. */
export interface SyslogMessage {
  readonly priority: number;
  /** Nanoseconds since 1970. */
  readonly timestamp: bigint | null;
  readonly texts: Readonly<Partial<Record<SyslogText, TextRange | null>>>;
}

/** Why a message cannot be read. */
export interface SyslogDefect {
  readonly defect: string;
  readonly at: number;
}

const OPEN = 0x5b;
const CLOSE = 0x5d;
const QUOTE = 0x22;
const EQUALS = 0x3d;
const BACKSLASH = 0x5c;
const SPACE = 0x20;
/** Characters that no SD-NAME holds, beside space and what is not printable ASCII. */
const NAME_STOPS: ReadonlySet<number> = new Set([EQUALS, CLOSE, QUOTE]);
const NAME_LENGTH_MAX = 32;

/**
 * Finds the end of the SD-ELEMENTs at `start` (RFC 5424 §6.3). Parameter values may hold any text in
 * which `"`, `\` and `]` stand behind a backslash.
 *
 * @returns the position behind the last element, or -1 when there is no well-formed one
 */
export function structuredDataEnd(bytes: Uint8Array, start: number, end: number): number {
  let at = start;
  while (at < end && bytes[at] === OPEN) {
    at = elementEnd(bytes, at, end);
    if (at < 0) return -1;
  }
  return at > start ? at : -1;
}

function elementEnd(bytes: Uint8Array, start: number, end: number): number {
  let at = nameEnd(bytes, start + 1, end);
  if (at < 0) return -1;
  while (at < end && bytes[at] === SPACE) {
    at = nameEnd(bytes, at + 1, end);
    if (at < 0 || bytes[at] !== EQUALS || bytes[at + 1] !== QUOTE) return -1;
    at = valueEnd(bytes, at + 2, end);
    if (at < 0) return -1;
  }
  return at < end && bytes[at] === CLOSE ? at + 1 : -1;
}

function nameEnd(bytes: Uint8Array, start: number, end: number): number {
  let at = start;
  while (at < end && isPrintable(bytes[at] as number) && !NAME_STOPS.has(bytes[at] as number)) {
    at += 1;
  }
  return at > start && at - start <= NAME_LENGTH_MAX ? at : -1;
}

function valueEnd(bytes: Uint8Array, start: number, end: number): number {
  for (let at = start; at < end; at += 1) {
    const byte = bytes[at];
    if (byte === QUOTE) return at + 1;
    if (byte === CLOSE) return -1;
    if (byte === BACKSLASH) at += 1;
  }
  return -1;
}

/** Whether a byte is visible ASCII, which space is not. */
export function isPrintable(byte: number): boolean {
  return byte >= 0x21 && byte <= 0x7e;
}

/** A message without the one byte order mark that may begin it (RFC 5424 §6.4). */
export function messageRange(bytes: Uint8Array, start: number, end: number): TextRange {
  const isMarked =
    end - start >= 3 &&
    bytes[start] === 0xef &&
    bytes[start + 1] === 0xbb &&
    bytes[start + 2] === 0xbf;
  return { start: isMarked ? start + 3 : start, end };
}
