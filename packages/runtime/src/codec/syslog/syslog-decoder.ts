import type { SchemaField, SchemaPlan, SyslogCodecPlan } from '@nervix/model';
import type { BatchBuilder } from '../../batch/batch-builder.js';
import type { ColumnBuilder } from '../../column/column-builder.js';
import { readByteOrderMark } from '../byte-order-mark.js';
import type { CodecEnvironment } from '../codec-environment.js';
import { CodecFailures, type DecodeFailure, NULL_IN_REQUIRED } from '../codec-failure.js';
import type { PayloadDecoder } from '../payload-codec.js';
import { readTextValue } from '../text-value.js';
import { invalidUtf8At } from '../utf8.js';
import { readRfc3164 } from './rfc3164.js';
import { isRfc5424, readRfc5424 } from './rfc5424.js';
import {
  FACILITY_MAX,
  PRIORITY_DEFAULT,
  SEVERITY_MAX,
  type SyslogMessage,
  type SyslogText,
} from './syslog-fields.js';

const PRIORITY_MAX = FACILITY_MAX * 8 + SEVERITY_MAX;
const NANOS_PER_MS = 1_000_000n;

/** Compiles the decoder of a syslog codec for the schema it decodes into. */
export function compileSyslogDecoder(
  codec: SyslogCodecPlan,
  schema: SchemaPlan,
  environment: CodecEnvironment,
): PayloadDecoder {
  const failures = new CodecFailures(codec.name);
  return {
    decode(bytes, start, end, into) {
      const mark = readByteOrderMark(bytes, start, end);
      if (typeof mark === 'string') return failures.payload(`input is ${mark}, expected UTF-8`);
      const from = start + mark;
      const to = textEnd(bytes, from, end);
      if (from === to) return failures.payload('expected a non-empty payload');
      const invalidAt = invalidUtf8At(bytes, from, to);
      if (invalidAt >= 0) return failures.syntax('syslog', 'invalid UTF-8', invalidAt - start);
      const { priority, end: at } = readPriority(bytes, from, to);
      const isNew = at > from && isRfc5424(bytes, at, to);
      const read = isNew
        ? readRfc5424(bytes, at, to, priority)
        : readRfc3164(bytes, at, to, priority, yearOf(environment.utcNanos()));
      if ('defect' in read) return failures.syntax('syslog', read.defect, read.at - start);
      return appendMessage(bytes, read, { schema, into, failures });
    },
  };
}

/** Position behind the text without the line ends and zeros that senders put after it. */
function textEnd(bytes: Uint8Array, start: number, end: number): number {
  let at = end;
  for (; at > start; at -= 1) {
    const byte = bytes[at - 1];
    if (byte !== 0x0a && byte !== 0x0d && byte !== 0) break;
  }
  return at;
}

function yearOf(nanos: bigint): number {
  return new Date(Number(nanos / NANOS_PER_MS)).getUTCFullYear();
}

/** The priority and where it ends; what is none is left to be read as text. */
function readPriority(
  bytes: Uint8Array,
  start: number,
  end: number,
): { readonly priority: number; readonly end: number } {
  const none = { priority: PRIORITY_DEFAULT, end: start };
  if (bytes[start] !== 0x3c) return none;
  let at = start + 1;
  let priority = 0;
  for (; at < end && at <= start + 3; at += 1) {
    const digit = (bytes[at] as number) - 0x30;
    if (digit < 0 || digit > 9) break;
    priority = priority * 10 + digit;
  }
  const digits = at - start - 1;
  const hasLeadingZero = digits > 1 && bytes[start + 1] === 0x30;
  const isClosed = at < end && bytes[at] === 0x3e;
  if (digits === 0 || hasLeadingZero || !isClosed || priority > PRIORITY_MAX) return none;
  return { priority, end: at + 1 };
}

function appendMessage(
  bytes: Uint8Array,
  message: SyslogMessage,
  target: {
    readonly schema: SchemaPlan;
    readonly into: BatchBuilder;
    readonly failures: CodecFailures;
  },
): DecodeFailure | undefined {
  const { schema, into, failures } = target;
  into.reserveRow();
  for (let index = 0; index < schema.fields.length; index += 1) {
    const field = schema.fields[index] as SchemaField;
    const column = into.columns[index] as ColumnBuilder;
    if (!appendField(bytes, message, field, column, into.rowCount)) {
      return failures.field(field, NULL_IN_REQUIRED);
    }
  }
  into.rowCount += 1;
  return undefined;
}

// biome-ignore lint/complexity/useMaxParams: a parameter object would cost an allocation a field.
function appendField(
  bytes: Uint8Array,
  message: SyslogMessage,
  field: SchemaField,
  column: ColumnBuilder,
  row: number,
): boolean {
  switch (field.name) {
    case 'facility':
      column.set(row, message.priority >>> 3);
      return true;
    case 'severity':
      column.set(row, message.priority & 7);
      return true;
    case 'timestamp':
      column.set(row, message.timestamp);
      return true;
    default: {
      const range = message.texts[field.name as SyslogText] ?? null;
      if (range !== null) {
        return readTextValue('STRING', bytes, range.start, range.end, column, row);
      }
      if (!field.optional) return false;
      column.set(row, null);
      return true;
    }
  }
}
