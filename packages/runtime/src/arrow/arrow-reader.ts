import type { SchemaPlan } from '@nervix/model';
import { RecordBatch } from '../batch/record-batch.js';
import type { Column } from '../column/column.js';
import { concatColumns } from '../column/column-copy.js';
import { ArrowColumnReader, type BatchParts } from './arrow-column-reader.js';
import { ArrowDefect } from './arrow-defect.js';
import { CONTINUATION, MESSAGE, SLOT } from './arrow-format.js';
import { type ArrowField, type ArrowSchema, readSchema } from './arrow-schema-reader.js';
import { FlatTable } from './flat-table.js';

/** What files of Arrow begin with: `ARROW1`. */
const FILE_MAGIC = [0x41, 0x52, 0x52, 0x4f, 0x57, 0x31];

/** What became of reading a stream. */
export type ArrowOutcome =
  | {
      readonly kind: 'read';
      readonly schema: SchemaPlan;
      readonly batches: readonly RecordBatch[];
    }
  /** `at` is the byte where the message at fault begins. */
  | { readonly kind: 'refused'; readonly reason: string; readonly at: number };

/**
 * Reads an Arrow IPC stream whose types are those of schemas; dictionaries become plain columns.
 * Numbers are read in place where the bytes are aligned, so the bytes must not change afterwards.
 * Compressed batches, big-endian streams and other types are refused.
 */
export function readArrowStream(bytes: Uint8Array): ArrowOutcome {
  // Slices of a Buffer share its memory, and would be written to.
  const plain = new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const reader = new StreamReader(plain);
  try {
    return { kind: 'read', ...reader.read() };
  } catch (error) {
    if (error instanceof ArrowDefect) {
      return { kind: 'refused', reason: error.message, at: reader.messageAt };
    }
    if (error instanceof RangeError) {
      return { kind: 'refused', reason: 'a message refers outside itself', at: reader.messageAt };
    }
    throw error;
  }
}

interface Message {
  readonly table: FlatTable;
  readonly body: Uint8Array;
}

class StreamReader {
  messageAt = 0;
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  readonly #dictionaries = new Map<bigint, Column>();
  #position = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  read(): { readonly schema: SchemaPlan; readonly batches: readonly RecordBatch[] } {
    if (FILE_MAGIC.every((byte, at) => this.#bytes[at] === byte)) {
      throw new ArrowDefect('bytes of the Arrow file format, which is no stream');
    }
    const first = this.#next();
    if (first?.table.int8(SLOT.message.headerType) !== MESSAGE.schema) {
      throw new ArrowDefect('a stream begins with its schema');
    }
    const arrow = readSchema(headerOf(first));
    const batches: RecordBatch[] = [];
    for (let message = this.#next(); message !== undefined; message = this.#next()) {
      switch (message.table.int8(SLOT.message.headerType)) {
        case MESSAGE.dictionaryBatch:
          this.#dictionary(arrow, message);
          break;
        case MESSAGE.recordBatch:
          batches.push(this.#batch(arrow, message));
          break;
        default:
          throw new ArrowDefect('a message of another kind');
      }
    }
    return { schema: arrow.schema, batches };
  }

  /** The next message; undefined at the end, which a stream may leave out. */
  #next(): Message | undefined {
    this.messageAt = this.#position;
    if (this.#position === this.#bytes.length) return undefined;
    let size = this.#view.getUint32(this.#position, true);
    this.#position += 4;
    if (size === CONTINUATION) {
      size = this.#view.getUint32(this.#position, true);
      this.#position += 4;
    }
    if (size === 0) return undefined;
    const view = this.#part(size);
    const table = FlatTable.root(new DataView(view.buffer, view.byteOffset, view.byteLength));
    return { table, body: this.#part(table.length(SLOT.message.bodyLength)) };
  }

  #part(size: number): Uint8Array {
    const end = this.#position + size;
    if (end > this.#bytes.length) throw new ArrowDefect('unexpected end');
    const part = this.#bytes.subarray(this.#position, end);
    this.#position = end;
    return part;
  }

  #batch({ schema, fields }: ArrowSchema, message: Message): RecordBatch {
    const header = headerOf(message);
    const rowCount = header.length(SLOT.recordBatch.length);
    const columns = new ArrowColumnReader(partsOf(header, message.body), this.#dictionaries);
    const read = fields.map((field) => columns.column(field, rowCount));
    if (!columns.isSpent) throw new ArrowDefect('a batch has more columns than its schema');
    return new RecordBatch(schema, rowCount, read);
  }

  #dictionary({ fields }: ArrowSchema, message: Message): void {
    const header = headerOf(message);
    const id = header.int64(SLOT.dictionaryBatch.id);
    const use = findUse(fields, id);
    const data = header.table(SLOT.dictionaryBatch.data);
    if (use === undefined || data === null) throw new ArrowDefect('a dictionary of no column');
    const parts = partsOf(data, message.body);
    const columns = new ArrowColumnReader(parts, this.#dictionaries);
    const values = columns.column(
      { ...use, dictionary: null, field: { ...use.field, optional: true } },
      data.length(SLOT.recordBatch.length),
    );
    const known = this.#dictionaries.get(id);
    const isDelta = header.int8(SLOT.dictionaryBatch.isDelta) !== 0 && known !== undefined;
    this.#dictionaries.set(id, isDelta ? concatColumns([known, values]) : values);
  }
}

function headerOf({ table }: Message): FlatTable {
  const header = table.table(SLOT.message.header);
  if (header === null) throw new ArrowDefect('a message without a header');
  return header;
}

function partsOf(header: FlatTable, body: Uint8Array): BatchParts {
  if (header.table(SLOT.recordBatch.compression) !== null) {
    throw new ArrowDefect('compressed batches');
  }
  const { nodes, buffers } = SLOT.recordBatch;
  return { nodes: header.pairs(nodes), buffers: header.pairs(buffers), body };
}

function findUse(fields: readonly ArrowField[], id: bigint): ArrowField | undefined {
  for (const field of fields) {
    if (field.dictionary?.id === id) return field;
    const within = field.element === null ? undefined : findUse([field.element], id);
    if (within !== undefined) return within;
  }
  return undefined;
}
