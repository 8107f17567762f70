import type { CodecPlan, SchemaPlan } from '@nervix/model';
import { compileJsonDecoder } from './json/json-decoder.js';
import { compileJsonEncoder } from './json/json-encoder.js';
import type { PayloadDecoder, RowEncoder } from './payload-codec.js';

/** Compiles the decoder of a codec for the schema it decodes into. */
export function compileDecoder(codec: CodecPlan, schema: SchemaPlan): PayloadDecoder {
  return compileJsonDecoder(codec, schema);
}

/** Compiles the encoder of a codec for rows of a schema. */
export function compileEncoder(codec: CodecPlan, schema: SchemaPlan): RowEncoder {
  return compileJsonEncoder(codec, schema);
}
