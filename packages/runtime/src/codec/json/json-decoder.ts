import type { SchemaPlan, WireCodecPlan } from '@nervix/model';
import type { BatchBuilder } from '../../batch/batch-builder.js';
import { readByteOrderMark } from '../byte-order-mark.js';
import type { DecodeFailure, LineFailure } from '../codec-failure.js';
import { isBlankLine } from '../decode-lines.js';
import type { PayloadDecoder } from '../payload-codec.js';
import { compileJsonFastPath, type JsonFastPath } from './json-fast-path.js';
import { JsonRecordDecoder } from './json-record-decoder.js';
import { KernelRun } from './kernel/kernel-run.js';
import { RecordKernel } from './kernel/record-kernel.js';

/** Decoder of JSON texts, which reads bodies of lines by itself. */
export type JsonDecoder = Required<PayloadDecoder>;

const LINE_FEED = 0x0a;

/** Lines up to this many bytes are decoded as they are found; text columns reserve as much. */
const SHORT_LINE = 4096;

/** Payloads of one other layout in a row after which the fast path is made for that layout. */
const LEARNING_PAYLOADS = 64;
/** Layouts that are learnt before a source counts as having none. */
const LEARNT_LAYOUTS_MAX = 4;

/** Bytes of a body from which on entering the kernel pays. */
const KERNEL_BYTES_MIN = 2048;
/** Compiles the decoder of a codec for the schema it decodes into. */
export function compileJsonDecoder(codec: WireCodecPlan, schema: SchemaPlan): JsonDecoder {
  return new AdaptiveDecoder(codec, schema);
}

/**
 * Runs the scanner generated for one order of members, and the general decoder for every payload that
 * differs. When payloads keep coming in another order, the scanner is generated anew for that one. Of
 * bodies of lines a kernel of the same order decodes as much as it can.
 */
class AdaptiveDecoder implements JsonDecoder {
  readonly #codec: WireCodecPlan;
  readonly #schema: SchemaPlan;
  readonly #general: JsonRecordDecoder;
  #order: readonly (number | string)[];
  #fast: JsonFastPath | undefined;
  /** Undefined until the first body that is long enough; null when there is none for the order. */
  #kernel: RecordKernel | null | undefined;
  /** Whether the fast path ends with the line; the values that it skips may go on. */
  #isLineBound = true;
  #layout = '';
  #repeated = 0;
  #learntLayouts = 0;

  constructor(codec: WireCodecPlan, schema: SchemaPlan) {
    this.#codec = codec;
    this.#schema = schema;
    this.#general = new JsonRecordDecoder(codec, schema);
    this.#order = schema.fields.map((_, index) => index);
    this.#fast = compileJsonFastPath(schema, this.#order);
    if (this.#fast === undefined) this.#learntLayouts = LEARNT_LAYOUTS_MAX;
  }

  decode(
    bytes: Uint8Array,
    start: number,
    end: number,
    into: BatchBuilder,
  ): DecodeFailure | undefined {
    if (this.#decodeFast(bytes, start, end, into)) return undefined;
    const mark = readByteOrderMark(bytes, start, end);
    if (typeof mark === 'string') {
      return { message: `codec '${this.#codec.name}' input is ${mark}, expected UTF-8` };
    }
    if (mark > 0 && this.#decodeFast(bytes, start + mark, end, into)) return undefined;
    const failure = this.#general.decode(bytes, start + mark, end, into);
    if (failure === undefined && this.#learntLayouts < LEARNT_LAYOUTS_MAX) this.#learn();
    return failure;
  }

  decodeLines(body: Uint8Array, into: BatchBuilder): LineFailure | undefined {
    const firstRow = into.rowCount;
    let run = new KernelRun(this.#kernelFor(body));
    let line = 0;
    let start = 0;
    while (start < body.length) {
      const row = into.rowCount;
      const next = run.decode(body, start, into);
      if (next > start) {
        line += into.rowCount - row;
        start = next;
        if (run.isAtEndOfInput(start)) continue;
      }
      line += 1;
      const lineEnd = this.#decodeLine(body, start, into);
      if (lineEnd >= 0) {
        start = lineEnd + 1;
        continue;
      }
      let end = body.indexOf(LINE_FEED, start);
      if (end < 0) end = body.length;
      const failure = isBlankLine(body, start, end)
        ? undefined
        : this.decode(body, start, end, into);
      if (failure !== undefined) {
        into.truncate(firstRow);
        return { failure, line };
      }
      start = end + 1;
      // The layout may have been learnt from this line.
      if (this.#kernel === undefined) run = new KernelRun(this.#kernelFor(body));
    }
    return undefined;
  }

  #kernelFor(body: Uint8Array): RecordKernel | null {
    if (body.length < KERNEL_BYTES_MIN || this.#fast === undefined) return null;
    if (this.#kernel === undefined) {
      this.#kernel = RecordKernel.for(this.#schema, this.#order) ?? null;
    }
    return this.#kernel;
  }

  /** Where the line at `start` ends, or -1 when `decode` must judge it. */
  #decodeLine(bytes: Uint8Array, start: number, into: BatchBuilder): number {
    if (this.#fast === undefined || !this.#isLineBound) return -1;
    const end = bytes.length;
    let position = this.#fast(bytes, start, Math.min(end, start + SHORT_LINE), into);
    if (position < 0) return -1;
    while (position < end && isBlank(bytes[position] as number)) position += 1;
    if (position === end || bytes[position] === LINE_FEED) return position;
    into.rowCount -= 1;
    return -1;
  }

  #decodeFast(bytes: Uint8Array, start: number, end: number, into: BatchBuilder): boolean {
    if (this.#fast === undefined) return false;
    let position = this.#fast(bytes, start, end, into);
    if (position < 0) return false;
    while (position < end) {
      const byte = bytes[position] as number;
      if (byte !== LINE_FEED && !isBlank(byte)) break;
      position += 1;
    }
    if (position === end) return true;
    into.rowCount -= 1;
    return false;
  }

  #learn(): void {
    const { sequence } = this.#general;
    const layout = JSON.stringify(sequence);
    this.#repeated = layout === this.#layout ? this.#repeated + 1 : 1;
    this.#layout = layout;
    if (this.#repeated < LEARNING_PAYLOADS) return;
    this.#repeated = 0;
    this.#learntLayouts += 1;
    const present = new Set(sequence);
    const absent = this.#schema.fields.map((_, index) => index).filter((at) => !present.has(at));
    const order = [...present, ...absent];
    const fast = compileJsonFastPath(this.#schema, order);
    if (fast === undefined) return;
    this.#order = order;
    this.#fast = fast;
    this.#kernel = undefined;
    this.#isLineBound = sequence.every((member) => typeof member === 'number');
  }
}

/** Whether a byte is white space of JSON within a line. */
function isBlank(byte: number): boolean {
  return byte === 0x20 || byte === 0x09 || byte === 0x0d;
}
