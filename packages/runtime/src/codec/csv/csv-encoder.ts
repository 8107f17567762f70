import {
  type CsvCodecPlan,
  type DataType,
  printDatetime,
  type SchemaField,
  type SchemaPlan,
  shortestFloat,
} from '@nervix/model';
import { printBase64 } from '../../column/base64.js';
import { bitAt } from '../../column/bitmap.js';
import { type Column, isNullAt } from '../../column/column.js';
import { encodeText } from '../../column/text.js';
import { CodecFailures } from '../codec-failure.js';
import { containerOf, joinBetween, joinBytes, type RowEncoder } from '../payload-codec.js';
import { RowOutput } from '../row-output.js';

const LINE_FEED = Uint8Array.of(0x0a);
const NOTHING = new Uint8Array(0);

/** Writer of records, which quotes what would not read as it is. */
class CsvOutput extends RowOutput {
  readonly #delimiter: number;
  readonly #quote: number | null;
  readonly #nullToken: Uint8Array;
  readonly #hasNullToken: boolean;

  constructor(codec: CsvCodecPlan) {
    super();
    this.#delimiter = codec.delimiter.charCodeAt(0);
    this.#quote = codec.quote === null ? null : codec.quote.charCodeAt(0);
    this.#nullToken = encodeText(codec.nullToken ?? '');
    this.#hasNullToken = codec.nullToken !== null;
  }

  separator(): void {
    this.byte(this.#delimiter);
  }

  null(): void {
    this.raw(this.#nullToken);
  }

  /**
   * Quotes the value that begins `offset` bytes into the row if it must be.
   *
   * @returns why the value cannot be written, if it cannot
   */
  close(offset: number): string | undefined {
    const from = this.rowStart + offset;
    const reason = this.#reason(from);
    if (reason === undefined) return undefined;
    if (this.#quote === null) return `${reason}, and nothing is quoted`;
    const value = this.bytes.slice(from, this.length);
    this.length = from;
    this.ensure(value.length * 2 + 2);
    this.bytes[this.length++] = this.#quote;
    for (const byte of value) {
      if (byte === this.#quote) this.bytes[this.length++] = byte;
      this.bytes[this.length++] = byte;
    }
    this.bytes[this.length++] = this.#quote;
    return undefined;
  }

  /** Why the value written since `from` would not read as it is. */
  #reason(from: number): string | undefined {
    const { bytes, length } = this;
    if (from === length || this.#isNullToken(from)) return 'value reads as null';
    const isMarked = bytes[from] === 0xef && bytes[from + 1] === 0xbb && bytes[from + 2] === 0xbf;
    if (isMarked && length - from >= 3) return 'value begins with a byte order mark';
    for (let at = from; at < length; at += 1) {
      const byte = bytes[at];
      if (byte === this.#delimiter || byte === 0x0a || byte === 0x0d || byte === this.#quote) {
        return 'value holds a delimiter or line end';
      }
    }
    return undefined;
  }

  #isNullToken(from: number): boolean {
    const token = this.#nullToken;
    if (!this.#hasNullToken || this.length - from !== token.length) return false;
    for (let at = 0; at < token.length; at += 1) {
      if (this.bytes[from + at] !== token[at]) return false;
    }
    return true;
  }
}

type ValueWriter = (column: Column, row: number, out: CsvOutput) => string | undefined;

/**
 * Compiles the encoder of a CSV codec: a row is one record without header and line end; a container is
 * a document. A lone null of a one-column schema is a line end, because nothing at all is no record.
 */
export function compileCsvEncoder(codec: CsvCodecPlan, schema: SchemaPlan): RowEncoder {
  const out = new CsvOutput(codec);
  const failures = new CodecFailures(codec.name);
  const fields = schema.fields.map((field) => ({ field, write: writerOf(field.type) }));
  const writeRow: RowEncoder['encode'] = (batch, row) => {
    out.open();
    for (let index = 0; index < fields.length; index += 1) {
      const { field, write } = fields[index] as (typeof fields)[number];
      const column = batch.columns[index] as Column;
      if (index > 0) out.separator();
      if (isNullAt(column, row)) {
        if (!field.optional) return failures.nullAt(field, row);
        out.null();
        continue;
      }
      const from = out.rowLength;
      const reason = write(column, row, out) ?? out.close(from);
      if (reason !== undefined) return failures.encode(field, reason);
    }
    return out.take();
  };
  const header = codec.header === 'NONE' ? [] : [headerOf(codec, schema.fields)];
  return {
    encode(batch, row) {
      const record = writeRow(batch, row);
      return record instanceof Uint8Array && record.length === 0 ? LINE_FEED.slice() : record;
    },
    encodeContainer: (batch) =>
      containerOf(batch, writeRow, (records) => joinLines([...header, ...records])),
  };
}

function joinLines(records: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const joined = joinBetween(NOTHING, records, LINE_FEED, NOTHING);
  return records.at(-1)?.length === 0 ? joinBytes([joined, LINE_FEED]) : joined;
}

function headerOf(codec: CsvCodecPlan, fields: readonly SchemaField[]): Uint8Array {
  const out = new CsvOutput({ ...codec, nullToken: null });
  out.open();
  fields.forEach(({ name }, index) => {
    if (index > 0) out.separator();
    const from = out.rowLength;
    out.raw(encodeText(name));
    out.close(from);
  });
  return out.take();
}

function writerOf(type: DataType): ValueWriter {
  switch (type) {
    case 'BOOL':
      return (column, row, out) => {
        if (column.kind === 'boolean') out.ascii(bitAt(column.bits, row) ? 'true' : 'false');
        return undefined;
      };
    case 'STRING':
    case 'BYTES':
      return writeBinary;
    case 'F32':
    case 'F64':
      return (column, row, out) => writeFloat(column, row, out, type === 'F32');
    case 'DATETIME':
      return (column, row, out) => {
        if (column.kind === 'fixed') out.ascii(printDatetime(column.values[row] as bigint));
        return undefined;
      };
    default:
      return (column, row, out) => {
        if (column.kind === 'fixed') out.ascii(String(column.values[row]));
        return undefined;
      };
  }
}

function writeFloat(
  column: Column,
  row: number,
  out: CsvOutput,
  isSingle: boolean,
): string | undefined {
  if (column.kind !== 'fixed') return undefined;
  const value = column.values[row] as number;
  if (!Number.isFinite(value)) {
    return `non-finite value is incompatible with ${isSingle ? 'F32' : 'F64'}`;
  }
  out.ascii(Object.is(value, -0) ? '-0.0' : shortestFloat(value, isSingle));
  return undefined;
}

function writeBinary(column: Column, row: number, out: CsvOutput): undefined {
  if (column.kind !== 'binary') return;
  const start = column.offsets[row] as number;
  const end = column.offsets[row + 1] as number;
  if (column.type === 'STRING') out.range(column.bytes, start, end);
  else out.ascii(printBase64(column.bytes.subarray(start, end)));
}
