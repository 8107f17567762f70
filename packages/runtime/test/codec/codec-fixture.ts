import type {
  AvroCodecPlan,
  CsvCodecPlan,
  DataType,
  SchemaField,
  SchemaPlan,
  WireCodecPlan,
} from '@nervix/model';
import { BatchBuilder } from '../../src/batch/batch-builder.js';
import { compileJsonDecoder } from '../../src/codec/json/json-decoder.js';
import { readValue, type Value } from '../../src/column/column.js';

export function field(name: string, type: DataType, flags: Partial<SchemaField> = {}): SchemaField {
  return { name, type, optional: false, sensitive: false, ...flags };
}

export function schemaOf(...fields: SchemaField[]): SchemaPlan {
  return { name: 's', fields };
}

export function codecOf(strict = true): WireCodecPlan {
  return { name: 'c', format: 'JSON', schema: 's', strict };
}

export function cborCodec(strict = true): WireCodecPlan {
  return { name: 'c', format: 'CBOR', schema: 's', strict };
}

export function avroCodec({ fields }: SchemaPlan): AvroCodecPlan {
  return { name: 'c', format: 'AVRO', schema: 's', fieldOrder: fields.map(({ name }) => name) };
}

export function csvCodec(parts: Partial<CsvCodecPlan> = {}): CsvCodecPlan {
  return {
    ...{ name: 'c', format: 'CSV', schema: 's', header: 'NONE', delimiter: ',' },
    ...{ quote: '"', nullToken: null, strict: true },
    ...parts,
  };
}

/** Decodes one payload: the row's values, or the failure's message. */
export function decodeOne(
  schema: SchemaPlan,
  payload: string | Uint8Array,
  strict = true,
): readonly Value[] | string {
  const bytes = typeof payload === 'string' ? new TextEncoder().encode(payload) : payload;
  // Surroundings that would be read if the decoder did not stop at the payload's ends.
  const padded = new Uint8Array(bytes.length + 8).fill(0x39);
  padded.set(bytes, 4);
  const builder = new BatchBuilder(schema);
  const failure = compileJsonDecoder(codecOf(strict), schema).decode(
    padded,
    4,
    4 + bytes.length,
    builder,
  );
  if (failure !== undefined) {
    if (builder.rowCount !== 0) throw new Error('a failed payload left a row');
    return failure.message;
  }
  return builder.finish().columns.map((column) => readValue(column, 0));
}
