import type { SchemaPlan } from '@nervix/model';
import type { BatchBuilder } from '../../batch/batch-builder.js';
import { encodeText } from '../../column/text.js';
import { readByteOrderMark } from '../byte-order-mark.js';
import type { DecodeFailure } from '../codec-failure.js';
import { JsonRecordDecoder } from '../json/json-record-decoder.js';
import type { PayloadDecoder } from '../payload-codec.js';
import type { JaqPayload } from './jaq-payload.js';
import type { JaqProgram } from './jaq-program.js';
import type { ProgramCodec } from './program-codec.js';

/** Decoder of payloads whose values a program turns into any number of records. */
export class JaqDecoder implements PayloadDecoder {
  readonly #name: string;
  readonly #payload: JaqPayload;
  readonly #isText: boolean;
  readonly #program: JaqProgram;
  readonly #records: JsonRecordDecoder;

  constructor(
    codec: ProgramCodec,
    schema: SchemaPlan,
    parts: {
      readonly payload: JaqPayload;
      /** Text formats may begin with a byte order mark. */
      readonly isText: boolean;
      readonly program: JaqProgram;
    },
  ) {
    this.#name = codec.name;
    this.#payload = parts.payload;
    this.#isText = parts.isText;
    this.#program = parts.program;
    const { name } = codec;
    const outputs = { name, format: 'JSON', schema: codec.schema, strict: false } as const;
    this.#records = new JsonRecordDecoder(outputs, schema);
  }

  decode(
    bytes: Uint8Array,
    start: number,
    end: number,
    into: BatchBuilder,
  ): DecodeFailure | undefined {
    const mark = this.#isText ? readByteOrderMark(bytes, start, end) : 0;
    if (typeof mark === 'string') {
      return { message: `codec '${this.#name}' input is ${mark}, expected UTF-8` };
    }
    const values = this.#payload.read(bytes, start + mark, end);
    if (values.kind === 'defect') return this.#failure(values.cause, values.input);
    if (values.texts.length === 0) return undefined;
    const outcome = this.#program.run(values.texts);
    if (outcome.kind === 'failed') return this.#failure(outcome.cause, null);
    const [failedInput] = outcome.failedInputs;
    if (failedInput !== undefined) return this.#failure('evaluation failed', failedInput);
    const rowsBefore = into.rowCount;
    let input = -1;
    let output = 0;
    for (const made of outcome.outputs) {
      output = made.input === input ? output + 1 : 0;
      input = made.input;
      const failure = this.#record(made.json, into);
      if (failure === undefined) continue;
      into.truncate(rowsBefore);
      return this.#misfit(failure, input, output);
    }
    return undefined;
  }

  #record(json: string, into: BatchBuilder): DecodeFailure | undefined {
    const bytes = encodeText(json);
    return this.#records.decode(bytes, 0, bytes.length, into);
  }

  #failure(cause: string, input: number | null): DecodeFailure {
    const place = input === null ? '' : ` at input ${input}`;
    return { message: `codec '${this.#name}' ${cause}${place}` };
  }

  #misfit(failure: DecodeFailure, input: number, output: number): DecodeFailure {
    const { message } = this.#failure(
      failure.message.slice(`codec '${this.#name}' `.length),
      input,
    );
    return { ...failure, message: `${message} output ${output}` };
  }
}
