import { readDatetime } from '@nervix/model';
import { decodeText, encodeText } from '../../column/text.js';
import { messageRange, type SyslogMessage, type TextRange } from './syslog-fields.js';

const MONTHS = 'JanFebMarAprMayJunJulAugSepOctNovDec';
const STAMP = /^([A-Z][a-z]{2}) ([ 0-9][0-9]) ([0-9]{2}:[0-9]{2}:[0-9]{2}) $/;
/** Length of `Mmm dd hh:mm:ss` and the space behind it. */
const STAMP_BYTES = 16;
/** A tag, the process in brackets that may follow it, and its colon. */
const TAG = /^([A-Za-z0-9_./-]{1,64})(?:\[([^\][ ]{1,128})\])?:$/;
const SPACE = 0x20;

/**
 * Reads a message of RFC 3164 from behind its priority. A text without a timestamp of that form is a
 * message as a whole.
 *
 * @param year the year that timestamps of this form do not say
 */
// biome-ignore lint/complexity/useMaxParams: a parameter object would cost an allocation a row.
export function readRfc3164(
  bytes: Uint8Array,
  start: number,
  end: number,
  priority: number,
  year: number,
): SyslogMessage {
  const timestamp = readStamp(bytes, start, end, year);
  if (timestamp === null) {
    return { priority, timestamp, texts: { message: messageRange(bytes, start, end) } };
  }
  const bodyAt = start + STAMP_BYTES;
  const first = wordAt(bytes, bodyAt, end);
  const isMessage =
    messageRange(bytes, bodyAt, end).start > bodyAt ||
    TAG.test(decodeText(bytes, first.start, first.end));
  const hostname = isMessage || first.end === end ? null : first;
  const at = hostname === null ? bodyAt : hostname.end + 1;
  const message = messageRange(bytes, Math.min(at, end), end);
  const tag = wordAt(bytes, message.start, end);
  return { priority, timestamp, texts: { hostname, message, ...readTag(bytes, tag, end) } };
}

/** Application, process and the rest, when a word is a tag. */
function readTag(
  bytes: Uint8Array,
  tag: TextRange,
  end: number,
): Partial<Record<'app_name' | 'proc_id' | 'message', TextRange>> {
  const match = TAG.exec(decodeText(bytes, tag.start, tag.end));
  if (match === null) return {};
  const [, name = '', process] = match;
  const nameEnd = tag.start + name.length;
  return {
    app_name: { start: tag.start, end: nameEnd },
    message: { start: Math.min(tag.end + 1, end), end },
    ...(process === undefined ? {} : { proc_id: { start: nameEnd + 1, end: tag.end - 2 } }),
  };
}

function readStamp(bytes: Uint8Array, start: number, end: number, year: number): bigint | null {
  if (end - start < STAMP_BYTES) return null;
  const match = STAMP.exec(decodeText(bytes, start, start + STAMP_BYTES));
  const [, month = '', day = '', time = ''] = match ?? [];
  const at = MONTHS.indexOf(month);
  if (match === null || at % 3 !== 0) return null;
  const monthText = String(at / 3 + 1).padStart(2, '0');
  const date = `${String(year).padStart(4, '0')}-${monthText}-${day.replace(' ', '0')}`;
  const text = encodeText(`${date}T${time}Z`);
  return readDatetime(text, 0, text.length);
}

/** The text from `start` to the next space or the end. */
function wordAt(bytes: Uint8Array, start: number, end: number): TextRange {
  let at = start;
  while (at < end && bytes[at] !== SPACE) at += 1;
  return { start, end: at };
}
