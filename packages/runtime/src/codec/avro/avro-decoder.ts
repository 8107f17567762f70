import type { AvroCodecPlan, SchemaField, SchemaPlan } from '@nervix/model';
import type { BatchBuilder } from '../../batch/batch-builder.js';
import type { ColumnBuilder } from '../../column/column-builder.js';
import { CodecFailures, type DecodeFailure } from '../codec-failure.js';
import type { PayloadDecoder } from '../payload-codec.js';
import { AvroReader } from './avro-reader.js';
import { wireOrder } from './wire-order.js';

/** Compiles the decoder of an Avro codec for the schema it decodes into. */
export function compileAvroDecoder(codec: AvroCodecPlan, schema: SchemaPlan): PayloadDecoder {
  return new AvroDecoder(codec, schema);
}

/** Decodes one datum in the binary encoding of Avro 1.12 a payload, in one pass. */
class AvroDecoder implements PayloadDecoder {
  readonly #failures: CodecFailures;
  readonly #fields: readonly SchemaField[];
  /** Positions of the fields in the order in which payloads have them. */
  readonly #order: readonly number[];
  readonly #reader = new AvroReader();

  constructor(codec: AvroCodecPlan, schema: SchemaPlan) {
    this.#failures = new CodecFailures(codec.name);
    this.#fields = schema.fields;
    this.#order = wireOrder(codec, schema);
  }

  decode(
    bytes: Uint8Array,
    start: number,
    end: number,
    into: BatchBuilder,
  ): DecodeFailure | undefined {
    const reader = this.#reader;
    reader.open(bytes, start, end);
    into.reserveRow();
    for (const index of this.#order) {
      const field = this.#fields[index] as SchemaField;
      const reason = this.#field(field, into.columns[index] as ColumnBuilder, into.rowCount);
      if (reason === undefined) continue;
      if (!reader.isSyntax) return this.#failures.field(field, reason);
      return {
        ...this.#failures.syntax('avro', reason, reader.position - start),
        field: field.name,
      };
    }
    if (reader.position !== end) {
      return this.#failures.syntax('avro', 'trailing bytes', reader.position - start);
    }
    into.rowCount += 1;
    return undefined;
  }

  #field(field: SchemaField, column: ColumnBuilder, row: number): string | undefined {
    if (field.optional) {
      const index = this.#reader.unionIndex();
      if (typeof index === 'string') return index;
      if (index === 0) {
        column.set(row, null);
        return undefined;
      }
    }
    return this.#reader.read(field.type, column, row);
  }
}
