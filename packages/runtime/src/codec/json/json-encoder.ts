import type { DataType, SchemaPlan, WireCodecPlan } from '@nervix/model';
import type { RecordBatch } from '../../batch/record-batch.js';
import { printBase64 } from '../../column/base64.js';
import { bitAt } from '../../column/bitmap.js';
import { type Column, isNullAt } from '../../column/column.js';
import { encodeText } from '../../column/text.js';
import { CodecFailures } from '../codec-failure.js';
import {
  type Container,
  containerOf,
  joinBetween,
  joinBytes,
  type RefusedRow,
  type RowEncoder,
} from '../payload-codec.js';
import { RowOutput } from '../row-output.js';
import { ESCAPE_LETTERS } from './json-text.js';
import { valueText } from './json-value-text.js';
import { LineKernel } from './kernel/line-kernel.js';
import { PlainTextCopier } from './plain-text.js';

const HEX_DIGITS = encodeText('0123456789abcdef');

/** Text from this length on is copied by words. */
const LONG_TEXT = 16;

/** Writer of JSON texts. */
class JsonOutput extends RowOutput {
  readonly #plain = new PlainTextCopier(false);

  /** Whether nothing but the opening brace has been written. */
  get isFresh(): boolean {
    return this.length === this.rowStart + 1;
  }

  /** An integer that is exact as a double. */
  integer(value: number): void {
    if (value < 0) this.byte(0x2d);
    let rest = Math.abs(value);
    if (rest > 0x7fffffff) {
      this.ascii(String(rest));
      return;
    }
    let count = 1;
    for (let limit = 10; limit <= rest; limit *= 10) count += 1;
    this.ensure(count);
    this.length += count;
    for (let at = this.length - 1; count > 0; count -= 1) {
      const next = (rest / 10) | 0;
      this.bytes[at--] = 48 + rest - next * 10;
      rest = next;
    }
  }

  /** UTF-8 text as a quoted JSON string. */
  text(source: Uint8Array, start: number, end: number): void {
    this.ensure((end - start) * 6 + 2);
    const out = this.bytes;
    let at = this.length;
    out[at++] = 0x22;
    let index = start;
    while (index < end) {
      if (end - index > LONG_TEXT) {
        const copied = this.#plain.copy(source, index, end, out, at);
        at += copied - index;
        index = copied;
      }
      for (const stop = Math.min(end, index + 8); index < stop; index += 1) {
        const byte = source[index] as number;
        if (byte >= 0x20 && byte !== 0x22 && byte !== 0x5c) out[at++] = byte;
        else at = writeEscape(byte, out, at);
      }
    }
    out[at++] = 0x22;
    this.length = at;
  }
}

function writeEscape(byte: number, out: Uint8Array, at: number): number {
  out[at] = 0x5c;
  const letter = ESCAPE_LETTERS[byte] as number;
  if (letter !== 0) {
    out[at + 1] = letter;
    return at + 2;
  }
  out[at + 1] = 0x75;
  out[at + 2] = 0x30;
  out[at + 3] = 0x30;
  out[at + 4] = HEX_DIGITS[byte >>> 4] as number;
  out[at + 5] = HEX_DIGITS[byte & 15] as number;
  return at + 6;
}

/** Encoder of JSON texts, which writes bodies of lines too. */
export type JsonEncoder = Required<RowEncoder>;

type ValueWriter = (column: Column, row: number, out: JsonOutput) => string | undefined;

/**
 * Compiles the encoder of a codec for rows of a schema: a row is one compact JSON object, fields in
 * schema order, null optional fields left out; a container is one array.
 */
export function compileJsonEncoder(codec: WireCodecPlan, schema: SchemaPlan): JsonEncoder {
  const out = new JsonOutput();
  const failures = new CodecFailures(codec.name);
  const fields = schema.fields.map((field) => ({
    field,
    name: encodeText(`${JSON.stringify(field.name)}:`),
    write: writerOf(field.type),
  }));
  const encode: RowEncoder['encode'] = (batch, row) => {
    out.open();
    out.byte(0x7b);
    for (let index = 0; index < fields.length; index += 1) {
      const { field, name, write } = fields[index] as (typeof fields)[number];
      const column = batch.columns[index] as Column;
      if (isNullAt(column, row)) {
        if (field.optional) continue;
        return failures.nullAt(field, row);
      }
      if (!out.isFresh) out.byte(0x2c);
      out.raw(name);
      const reason = write(column, row, out);
      if (reason !== undefined) return failures.encode(field, reason);
    }
    out.byte(0x7d);
    return out.take();
  };
  const lines = new LineEncoder(schema, encode);
  return {
    encode,
    encodeContainer: (batch) => containerOf(batch, encode, joinArray),
    encodeLines: (batch) => lines.encode(batch),
  };
}

/** Rows of a batch from which on entering the kernel pays. */
const KERNEL_ROWS_MIN = 16;
const LINE_FEED = Uint8Array.of(0x0a);

/** Writes batches as lines, by a kernel where there is one and as far as it takes the rows. */
class LineEncoder {
  readonly #schema: SchemaPlan;
  readonly #encodeRow: RowEncoder['encode'];
  /** Undefined until the first batch that is large enough; null when there is none. */
  #kernel: LineKernel | null | undefined;

  constructor(schema: SchemaPlan, encodeRow: RowEncoder['encode']) {
    this.#schema = schema;
    this.#encodeRow = encodeRow;
  }

  encode(batch: RecordBatch): Container {
    const kernel = this.#kernelFor(batch);
    const parts: Uint8Array<ArrayBuffer>[] = [];
    const refused: RefusedRow[] = [];
    for (let row = 0; row < batch.rowCount; row += 1) {
      if (kernel !== null) row = kernel.encode(row, parts);
      if (row >= batch.rowCount) break;
      const encoded = this.#encodeRow(batch, row);
      if (encoded instanceof Uint8Array) parts.push(encoded, LINE_FEED);
      else refused.push({ row, failure: encoded });
    }
    kernel?.leave();
    const [first, ...others] = parts;
    if (first === undefined) return { bytes: null, refused };
    return { bytes: others.length === 0 ? first : joinBytes(parts), refused };
  }

  #kernelFor(batch: RecordBatch): LineKernel | null {
    if (batch.rowCount < KERNEL_ROWS_MIN) return null;
    if (this.#kernel === undefined) this.#kernel = LineKernel.for(this.#schema) ?? null;
    if (this.#kernel === null || !this.#kernel.takes(batch)) return null;
    this.#kernel.enter(batch);
    return this.#kernel;
  }
}

function joinArray(members: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  return joinBetween(encodeText('['), members, encodeText(','), encodeText(']'));
}

function writerOf(type: DataType): ValueWriter {
  if (typeof type !== 'string') return listWriter(writerOf(type.element));
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
    case 'DATETIME':
      return (column, row, out) => writePrinted(type, column, row, out);
    default:
      return writeInteger;
  }
}

function writeInteger(column: Column, row: number, out: JsonOutput): undefined {
  if (column.kind !== 'fixed') return;
  const value = column.values[row] as number | bigint;
  if (typeof value === 'number') out.integer(value);
  else if (value >= -SAFE_INTEGER && value <= SAFE_INTEGER) out.integer(Number(value));
  else out.ascii(value.toString());
}

const SAFE_INTEGER = 9_007_199_254_740_991n;

function writePrinted(
  type: DataType,
  column: Column,
  row: number,
  out: JsonOutput,
): string | undefined {
  if (column.kind !== 'fixed') return undefined;
  const text = valueText(type, column.values[row] as number | bigint);
  if (text === undefined) return `non-finite value is incompatible with ${String(type)}`;
  out.ascii(text);
  return undefined;
}

function writeBinary(column: Column, row: number, out: JsonOutput): undefined {
  if (column.kind !== 'binary') return;
  const start = column.offsets[row] as number;
  const end = column.offsets[row + 1] as number;
  if (column.type === 'STRING') out.text(column.bytes, start, end);
  else out.ascii(`"${printBase64(column.bytes.subarray(start, end))}"`);
}

function listWriter(write: ValueWriter): ValueWriter {
  return (column, row, out) => {
    if (column.kind !== 'vec' && column.kind !== 'array') return undefined;
    const isVec = column.kind === 'vec';
    const start = isVec ? (column.offsets[row] as number) : row * column.type.length;
    const end = isVec ? (column.offsets[row + 1] as number) : start + column.type.length;
    out.byte(0x5b);
    for (let index = start; index < end; index += 1) {
      if (index > start) out.byte(0x2c);
      const reason = write(column.child, index, out);
      if (reason !== undefined) return reason;
    }
    out.byte(0x5d);
    return undefined;
  };
}
