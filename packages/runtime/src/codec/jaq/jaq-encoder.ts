import type { SchemaPlan } from '@nervix/model';
import type { RecordBatch } from '../../batch/record-batch.js';
import { decodeText } from '../../column/text.js';
import type { EncodeFailure } from '../codec-failure.js';
import { compileJsonEncoder } from '../json/json-encoder.js';
import type { Container, RefusedRow, RowEncoder } from '../payload-codec.js';
import type { JaqPayload } from './jaq-payload.js';
import type { JaqProgram, ProgramOutcome } from './jaq-program.js';
import type { ProgramCodec } from './program-codec.js';

/** What a program may make of a record: one value, which a second one shows to be too many. */
export const EMITTED_MAX = 2;

/** How long a batch may take in which some row exceeds the limits of an evaluation, in milliseconds. */
const ISOLATION_MS_MAX = 20_000;

/** A row's value as a JSON text, or why it has none. */
type Emitted = string | EncodeFailure;

/** Encoder of records that a program turns into one value each. */
export class JaqEncoder implements RowEncoder {
  readonly #name: string;
  readonly #payload: JaqPayload;
  readonly #program: JaqProgram;
  readonly #batchProgram: JaqProgram | null;
  readonly #records: RowEncoder;
  readonly #isolationMsMax: number;
  /** Values of the batch encoded last: evaluating rows together costs little more than one. */
  #batch: RecordBatch | null = null;
  #emitted: readonly Emitted[] = [];

  constructor(
    codec: ProgramCodec,
    schema: SchemaPlan,
    parts: {
      readonly payload: JaqPayload;
      readonly program: JaqProgram;
      readonly batchProgram: JaqProgram | null;
      readonly isolationMsMax?: number;
    },
  ) {
    this.#name = codec.name;
    this.#payload = parts.payload;
    this.#program = parts.program;
    this.#batchProgram = parts.batchProgram;
    this.#isolationMsMax = parts.isolationMsMax ?? ISOLATION_MS_MAX;
    const { name } = codec;
    const inputs = { name, format: 'JSON', schema: codec.schema, strict: false } as const;
    this.#records = compileJsonEncoder(inputs, schema);
  }

  encode(batch: RecordBatch, row: number): Uint8Array<ArrayBuffer> | EncodeFailure {
    const value = this.#valuesOf(batch)[row];
    if (value === undefined) return this.#failure('row does not exist');
    if (typeof value !== 'string') return value;
    const written = this.#payload.write(value);
    return typeof written === 'string' ? this.#failure(written) : written;
  }

  encodeContainer(batch: RecordBatch): Container {
    const rows = this.#valuesOf(batch).map((value, row) => ({ value, row }));
    const { taken, refused } = this.#divide(rows, () => undefined);
    const bytes = this.#container(taken);
    if (bytes === null || bytes instanceof Uint8Array) return { bytes, refused };
    // Some value is at fault, or all of them together.
    const alone = this.#divide(rows, (value) => this.#defectOf(value));
    const rest = alone.taken.length < taken.length ? this.#container(alone.taken) : bytes;
    if (rest === null || rest instanceof Uint8Array) return { bytes: rest, refused: alone.refused };
    return { bytes: null, refused: this.#divide(rows, () => rest).refused };
  }

  /** The values of the rows that have one and no defect, and why the other rows are refused. */
  #divide(
    rows: readonly { readonly value: Emitted; readonly row: number }[],
    defectOf: (value: string) => EncodeFailure | undefined,
  ): { readonly taken: readonly string[]; readonly refused: readonly RefusedRow[] } {
    const taken: string[] = [];
    const refused: RefusedRow[] = [];
    for (const { value, row } of rows) {
      const failure = typeof value === 'string' ? defectOf(value) : value;
      if (typeof value === 'string' && failure === undefined) taken.push(value);
      else if (failure !== undefined) refused.push({ row, failure });
    }
    return { taken, refused };
  }

  /** Why a value cannot be in a container at all; what a batch program makes of it is unknown. */
  #defectOf(value: string): EncodeFailure | undefined {
    if (this.#batchProgram !== null) return undefined;
    const written = this.#payload.writeAll([value]);
    return typeof written === 'string' ? this.#failure(written) : undefined;
  }

  /** Values as one payload, or why they cannot be one; null for none. */
  #container(values: readonly string[]): Uint8Array<ArrayBuffer> | EncodeFailure | null {
    if (values.length === 0) return null;
    let written: Uint8Array<ArrayBuffer> | string;
    if (this.#batchProgram === null) written = this.#payload.writeAll(values);
    else {
      const outcome = this.#batchProgram.run([`[${values.join(',')}]`]);
      const [value] = this.#oneEach(outcome, 1);
      if (typeof value !== 'string') return value ?? this.#failure('evaluation failed');
      written = (this.#payload.writeBatch ?? this.#payload.write)(value);
    }
    return typeof written === 'string' ? this.#failure(written) : written;
  }

  #valuesOf(batch: RecordBatch): readonly Emitted[] {
    if (this.#batch !== batch) {
      this.#emitted = this.#emit(batch);
      this.#batch = batch;
    }
    return this.#emitted;
  }

  #emit(batch: RecordBatch): Emitted[] {
    const records = Array.from({ length: batch.rowCount }, (_, row): Emitted => {
      const encoded = this.#records.encode(batch, row);
      return encoded instanceof Uint8Array ? decodeText(encoded, 0, encoded.length) : encoded;
    });
    const inputs = records.filter((record) => typeof record === 'string');
    const values = this.#valuesOfInputs(inputs, performance.now() + this.#isolationMsMax);
    let next = 0;
    return records.map((record) => {
      if (typeof record !== 'string') return record;
      next += 1;
      return values[next - 1] ?? this.#failure('evaluation failed');
    });
  }

  /**
   * Rows are evaluated one by one only when together they exceed the limits, and until `deadline`
   * only: everything else waits meanwhile.
   */
  #valuesOfInputs(inputs: readonly string[], deadline: number): readonly Emitted[] {
    if (inputs.length === 0) return [];
    if (performance.now() >= deadline) {
      return inputs.map(() => this.#failure('evaluation exceeded its limits'));
    }
    const outcome = this.#program.run(inputs);
    if (outcome.kind === 'failed' && inputs.length > 1) {
      const half = inputs.length >> 1;
      return [
        ...this.#valuesOfInputs(inputs.slice(0, half), deadline),
        ...this.#valuesOfInputs(inputs.slice(half), deadline),
      ];
    }
    return this.#oneEach(outcome, inputs.length);
  }

  /** The one value of each input. */
  #oneEach(outcome: ProgramOutcome, inputs: number): Emitted[] {
    const values: Emitted[] = Array.from({ length: inputs }, () =>
      this.#failure('transformation produced no output'),
    );
    if (outcome.kind === 'failed') return values.fill(this.#failure(outcome.cause));
    for (const [index, { input, json }] of outcome.outputs.entries()) {
      const isFirst = outcome.outputs[index - 1]?.input !== input;
      values[input] = isFirst ? json : this.#failure('transformation produced multiple outputs');
    }
    for (const input of outcome.failedInputs) values[input] = this.#failure('evaluation failed');
    return values;
  }

  #failure(cause: string): EncodeFailure {
    return { kind: 'encode_failure', message: `codec '${this.#name}' ${cause}` };
  }
}
