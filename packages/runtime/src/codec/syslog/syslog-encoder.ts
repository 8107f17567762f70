import { printDatetime, type SchemaPlan, type SyslogCodecPlan } from '@nervix/model';
import type { RecordBatch } from '../../batch/record-batch.js';
import { type Column, isNullAt, readValue } from '../../column/column.js';
import { decodeText, encodeText } from '../../column/text.js';
import { runtimeError } from '../../errors.js';
import type { Container, RefusedRow, RowEncoder } from '../payload-codec.js';
import {
  FACILITY_MAX,
  isPrintable,
  PRIORITY_DEFAULT,
  SEVERITY_MAX,
  type SyslogText,
  structuredDataEnd,
} from './syslog-fields.js';

/** Longest header fields in bytes (RFC 5424 §6). */
const HEADER_LENGTHS = [
  ['hostname', 255],
  ['app_name', 48],
  ['proc_id', 128],
  ['msg_id', 32],
] as const satisfies readonly (readonly [SyslogText, number])[];

const NIL = '-';

/** The header of a message, its fields as they are written. */
interface Header {
  readonly priority: number;
  readonly timestamp: string;
  /** In the order of `HEADER_LENGTHS`. */
  readonly names: readonly string[];
}

/** A message before it is put together. */
interface Parts extends Header {
  readonly structuredData: string;
  readonly message: string;
}

/** A field that cannot be written, and why. */
interface Misfit {
  readonly field: string;
  readonly reason: string;
}

/**
 * Compiles the encoder of a syslog codec, whose schema has facility, severity and message: a row is
 * one message of RFC 5424; a container is one whose text is the JSON array of its members.
 *
 * @throws RuntimeError RUNTIME_INVALID_CODEC for a schema without one of those fields
 */
export function compileSyslogEncoder(codec: SyslogCodecPlan, schema: SchemaPlan): RowEncoder {
  const indexOf = (name: string): number => schema.fields.findIndex((field) => field.name === name);
  for (const name of ['facility', 'severity', 'message']) {
    if (indexOf(name) >= 0) continue;
    const problem = `writes no schema without field '${name}': '${schema.name}'`;
    throw runtimeError('RUNTIME_INVALID_CODEC', { codec: codec.name, problem });
  }
  const partsOf = (batch: RecordBatch, row: number): Parts | Misfit =>
    readParts((name) => columnAt(batch, indexOf(name)), row);
  const refuse = ({ field, reason }: Misfit) => ({
    kind: 'encode_failure' as const,
    message: `codec '${codec.name}' failed to encode field '${field}': ${reason}`,
    field,
  });
  return {
    encode(batch, row) {
      const parts = partsOf(batch, row);
      return 'reason' in parts ? refuse(parts) : encodeText(printMessage(parts));
    },
    encodeContainer(batch) {
      const members: Parts[] = [];
      const refused: RefusedRow[] = [];
      for (let row = 0; row < batch.rowCount; row += 1) {
        const parts = partsOf(batch, row);
        if ('reason' in parts) refused.push({ row, failure: refuse(parts) });
        else members.push(parts);
      }
      return { bytes: members.length === 0 ? null : printContainer(members), refused };
    },
  };
}

function columnAt(batch: RecordBatch, index: number): Column | null {
  return index < 0 ? null : (batch.columns[index] as Column);
}

function readParts(columnOf: (name: string) => Column | null, row: number): Parts | Misfit {
  const read = (name: string) => {
    const column = columnOf(name);
    return column === null ? null : readValue(column, row);
  };
  const facility = read('facility') as number;
  if (facility > FACILITY_MAX) return tooLarge('facility', FACILITY_MAX);
  const severity = read('severity') as number;
  if (severity > SEVERITY_MAX) return tooLarge('severity', SEVERITY_MAX);
  const names: string[] = [];
  for (const [name, bytesMax] of HEADER_LENGTHS) {
    const column = columnOf(name);
    const isAbsent = column === null || isNullAt(column, row);
    const text = isAbsent ? NIL : headerText(column, row, bytesMax);
    if (typeof text !== 'string') return { field: name, reason: text.reason };
    names.push(text);
  }
  const data = read('structured_data') as string | null;
  if (data !== null && !isStructuredData(data)) {
    return { field: 'structured_data', reason: 'malformed structured data' };
  }
  return {
    priority: facility * 8 + severity,
    timestamp: printTimestamp(read('timestamp') as bigint | null),
    names,
    structuredData: data ?? NIL,
    message: read('message') as string,
  };
}

function tooLarge(field: string, max: number): Misfit {
  return { field, reason: `value is greater than ${max}` };
}

function headerText(
  column: Column,
  row: number,
  bytesMax: number,
): string | { readonly reason: string } {
  if (column.kind !== 'binary') return NIL;
  const start = column.offsets[row] as number;
  const end = column.offsets[row + 1] as number;
  if (start === end) return { reason: 'text is empty' };
  if (end - start > bytesMax) return { reason: `text is longer than ${bytesMax} bytes` };
  for (let at = start; at < end; at += 1) {
    if (!isPrintable(column.bytes[at] as number)) {
      return { reason: 'text holds characters other than visible ASCII' };
    }
  }
  return decodeText(column.bytes, start, end);
}

function isStructuredData(text: string): boolean {
  const bytes = encodeText(text);
  return structuredDataEnd(bytes, 0, bytes.length) === bytes.length;
}

/** UTC with at most six digits of a fraction, without trailing zeros. */
function printTimestamp(instant: bigint | null): string {
  if (instant === null) return NIL;
  const [date = '', fraction = ''] = printDatetime(instant).replace('+00:00', '').split('.');
  const digits = fraction.slice(0, 6).replace(/0+$/, '');
  return digits === '' ? `${date}Z` : `${date}.${digits}Z`;
}

function printMessage(parts: Parts): string {
  const header = `<${parts.priority}>1 ${parts.timestamp} ${parts.names.join(' ')}`;
  const text = parts.message === '' ? '' : ` ${parts.message}`;
  return `${header} ${parts.structuredData}${text}`;
}

/** What the members have in common; the time is that of the first. */
function printContainer(members: readonly Parts[]): Container['bytes'] {
  const [first] = members;
  if (first === undefined) return null;
  const common = <T>(of: (parts: Parts) => T, otherwise: T): T =>
    members.every((parts) => of(parts) === of(first)) ? of(first) : otherwise;
  const container: Parts = {
    priority: common(({ priority }) => priority, PRIORITY_DEFAULT),
    timestamp: first.timestamp,
    names: first.names.map((_, index) => common(({ names }) => names[index] ?? NIL, NIL)),
    structuredData: NIL,
    message: JSON.stringify(members.map(printMessage)),
  };
  return encodeText(printMessage(container));
}
