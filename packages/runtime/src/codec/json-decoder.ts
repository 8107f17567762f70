import type { CodecPlan, SchemaPlan } from '@nervix/model';
import type { BatchBuilder } from '../batch/batch-builder.js';
import type { DecodeFailure } from './codec-failure.js';
import { compileJsonFastPath, type JsonFastPath } from './json-fast-path.js';
import { JsonRecordDecoder } from './json-record-decoder.js';

/** Decoder of one JSON codec. It keeps scratch state: one decoder serves one thread. */
export interface JsonDecoder {
  /**
   * Decodes the payload `bytes[start..end)` as the builder's next row.
   *
   * @returns undefined after success; a failure leaves the builder's rows exactly as they were
   */
  decode(
    bytes: Uint8Array,
    start: number,
    end: number,
    into: BatchBuilder,
  ): DecodeFailure | undefined;
}

/** Payloads of one other layout in a row after which the fast path is made for that layout. */
const LEARNING_PAYLOADS = 64;
/** Layouts that are learnt before a source counts as having none. */
const LEARNT_LAYOUTS_MAX = 4;

/** Compiles the decoder of a codec for the schema it decodes into. */
export function compileJsonDecoder(codec: CodecPlan, schema: SchemaPlan): JsonDecoder {
  return new AdaptiveDecoder(codec, schema);
}

/**
 * Runs the scanner generated for one order of members, and the general decoder for every payload that
 * differs. When payloads keep coming in another order, the scanner is generated anew for that one.
 */
class AdaptiveDecoder implements JsonDecoder {
  readonly #codec: CodecPlan;
  readonly #schema: SchemaPlan;
  readonly #general: JsonRecordDecoder;
  #fast: JsonFastPath | undefined;
  #layout = '';
  #repeated = 0;
  #learntLayouts = 0;

  constructor(codec: CodecPlan, schema: SchemaPlan) {
    this.#codec = codec;
    this.#schema = schema;
    this.#general = new JsonRecordDecoder(codec, schema);
    this.#fast = compileJsonFastPath(schema);
    if (this.#fast === undefined) this.#learntLayouts = LEARNT_LAYOUTS_MAX;
  }

  decode(
    bytes: Uint8Array,
    start: number,
    end: number,
    into: BatchBuilder,
  ): DecodeFailure | undefined {
    const fast = this.#fast;
    if (fast?.(bytes, start, end, into) === true) return undefined;
    const mark = readByteOrderMark(bytes, start, end);
    if (typeof mark === 'string') {
      return { message: `codec '${this.#codec.name}' input is ${mark}, expected UTF-8` };
    }
    if (mark > 0 && fast?.(bytes, start + mark, end, into) === true) return undefined;
    const failure = this.#general.decode(bytes, start + mark, end, into);
    if (failure === undefined && this.#learntLayouts < LEARNT_LAYOUTS_MAX) this.#learn();
    return failure;
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
    this.#fast = compileJsonFastPath(this.#schema, [...present, ...absent]) ?? this.#fast;
  }
}

/** Length of a leading UTF-8 byte order mark, or the name of another encoding that is marked. */
function readByteOrderMark(bytes: Uint8Array, start: number, end: number): number | string {
  const length = end - start;
  const [a, b, c, d] = bytes.subarray(start, Math.min(end, start + 4));
  if (length >= 3 && a === 0xef && b === 0xbb && c === 0xbf) return 3;
  if (length >= 4 && a === 0xff && b === 0xfe && c === 0 && d === 0) return 'UTF-32LE';
  if (length >= 4 && a === 0 && b === 0 && c === 0xfe && d === 0xff) return 'UTF-32BE';
  if (length >= 2 && a === 0xff && b === 0xfe) return 'UTF-16LE';
  if (length >= 2 && a === 0xfe && b === 0xff) return 'UTF-16BE';
  return 0;
}
