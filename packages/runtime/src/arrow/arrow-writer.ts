import type { SchemaPlan } from '@nervix/model';
import { Builder } from 'flatbuffers';
import type { RecordBatch } from '../batch/record-batch.js';
import { joinBytes } from '../codec/payload-codec.js';
import { bitAt, bitmapBytes } from '../column/bitmap.js';
import type { Column } from '../column/column.js';
import { sliceColumn } from '../column/column-copy.js';
import {
  CONTINUATION,
  MESSAGE,
  METADATA_VERSION,
  padded,
  SLOT,
  STRUCT_BYTES,
} from './arrow-format.js';
import { writeSchema } from './arrow-schema-writer.js';

/** The end of a stream. */
const END = Uint8Array.of(0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0);

/**
 * Writes batches of one schema as an Arrow IPC stream: the schema, each batch, the end. The parts may
 * be sent as they are made.
 */
export class ArrowStreamWriter {
  readonly #schema: SchemaPlan;

  constructor(schema: SchemaPlan) {
    this.#schema = schema;
  }

  /** The message that begins a stream. */
  schema(): Uint8Array<ArrayBuffer> {
    const to = new Builder(1024);
    const header = writeSchema(to, this.#schema);
    return printMessage(to, MESSAGE.schema, header, new Uint8Array(0));
  }

  /** The message of one batch; its buffers are copied, those of a slice without what lies around it. */
  batch(batch: RecordBatch): Uint8Array<ArrayBuffer> {
    const body = new Body();
    for (const column of batch.columns) body.add(column);
    const to = new Builder(1024);
    const header = writeRecordBatch(to, batch.rowCount, body);
    return printMessage(to, MESSAGE.recordBatch, header, body.bytes());
  }

  /** What ends a stream. */
  end(): Uint8Array<ArrayBuffer> {
    return END.slice();
  }
}

/** Batches of one schema as one complete stream. */
export function writeArrowStream(
  schema: SchemaPlan,
  batches: readonly RecordBatch[],
): Uint8Array<ArrayBuffer> {
  const writer = new ArrowStreamWriter(schema);
  const parts = [writer.schema(), ...batches.map((batch) => writer.batch(batch)), writer.end()];
  return joinBytes(parts);
}

/** Length and nulls of a column. */
interface FieldNode {
  readonly length: number;
  readonly nullCount: number;
}

/** The buffers of a batch in the order of the format, each padded to eight bytes. */
class Body {
  readonly nodes: FieldNode[] = [];
  readonly buffers: { readonly at: number; readonly bytes: Uint8Array }[] = [];
  #size = 0;

  /** Adds a column and those within it, depth first. */
  add(column: Column): void {
    const { length, validity } = column;
    this.nodes.push({ length, nullCount: validity === null ? 0 : nullsIn(validity, length) });
    this.#place(validity === null ? new Uint8Array(0) : validity.subarray(0, bitmapBytes(length)));
    switch (column.kind) {
      case 'fixed':
        this.#place(column.values);
        break;
      case 'boolean':
        this.#place(column.bits.subarray(0, bitmapBytes(length)));
        break;
      case 'array':
        this.add(sliceColumn(column.child, 0, length * column.type.length));
        break;
      default: {
        const first = column.offsets[0] as number;
        const last = column.offsets[length] as number;
        this.#place(column.offsets.slice(0, length + 1).map((offset) => offset - first));
        if (column.kind === 'binary') this.#place(column.bytes.subarray(first, last));
        else this.add(sliceColumn(column.child, first, last));
      }
    }
  }

  #place({ buffer, byteOffset, byteLength }: ArrayBufferView): void {
    this.buffers.push({ at: this.#size, bytes: new Uint8Array(buffer, byteOffset, byteLength) });
    this.#size += padded(byteLength);
  }

  bytes(): Uint8Array<ArrayBuffer> {
    const all = new Uint8Array(this.#size);
    for (const { at, bytes } of this.buffers) all.set(bytes, at);
    return all;
  }
}

function nullsIn(validity: Uint8Array, length: number): number {
  let nulls = 0;
  for (let row = 0; row < length; row += 1) if (!bitAt(validity, row)) nulls += 1;
  return nulls;
}

function writeRecordBatch(to: Builder, rowCount: number, body: Body): number {
  const pairs = (values: readonly (readonly [first: number, second: number])[]): number => {
    to.startVector(STRUCT_BYTES, values.length, 8);
    for (const [first, second] of values.toReversed()) {
      to.prep(8, STRUCT_BYTES);
      to.writeInt64(BigInt(second));
      to.writeInt64(BigInt(first));
    }
    return to.endVector();
  };
  const buffers = pairs(body.buffers.map(({ at, bytes }) => [at, bytes.length]));
  const nodes = pairs(body.nodes.map(({ length, nullCount }) => [length, nullCount]));
  to.startObject(5);
  to.addFieldInt64(SLOT.recordBatch.length, BigInt(rowCount), 0n);
  to.addFieldOffset(SLOT.recordBatch.nodes, nodes, 0);
  to.addFieldOffset(SLOT.recordBatch.buffers, buffers, 0);
  return to.endObject();
}

/** An encapsulated message: continuation, length of the metadata, metadata, body. */
function printMessage(
  to: Builder,
  headerType: number,
  header: number,
  body: Uint8Array,
): Uint8Array<ArrayBuffer> {
  to.startObject(5);
  to.addFieldInt16(SLOT.message.version, METADATA_VERSION, 0);
  to.addFieldInt8(SLOT.message.headerType, headerType, 0);
  to.addFieldOffset(SLOT.message.header, header, 0);
  to.addFieldInt64(SLOT.message.bodyLength, BigInt(body.length), 0n);
  to.finish(to.endObject());
  const metadata = to.asUint8Array();
  const size = padded(metadata.length);
  const message = new Uint8Array(8 + size + body.length);
  const view = new DataView(message.buffer);
  view.setUint32(0, CONTINUATION);
  view.setInt32(4, size, true);
  message.set(metadata, 8);
  message.set(body, 8 + size);
  return message;
}
