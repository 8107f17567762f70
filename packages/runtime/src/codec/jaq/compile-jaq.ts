import type { JaqCodecPlan, JaqFormat, SchemaPlan } from '@nervix/model';
import type { PayloadDecoder, RowEncoder } from '../payload-codec.js';
import { CBOR_PAYLOAD } from './cbor-payload.js';
import { JaqDecoder } from './jaq-decoder.js';
import { JaqEncoder } from './jaq-encoder.js';
import type { JaqPayload } from './jaq-payload.js';
import { JSON_PAYLOAD } from './json-payload.js';
import { compileEmitting, compileIngestion } from './program-codec.js';
import { TOML_PAYLOAD } from './toml-payload.js';
import { XML_PAYLOAD } from './xml-payload.js';
import { YAML_PAYLOAD } from './yaml-payload.js';

const PAYLOADS: Readonly<Record<JaqFormat, JaqPayload>> = {
  JSON: JSON_PAYLOAD,
  YAML: YAML_PAYLOAD,
  TOML: TOML_PAYLOAD,
  XML: XML_PAYLOAD,
  CBOR: CBOR_PAYLOAD,
};

/**
 * Compiles the decoder of a codec with programs.
 *
 * @throws RuntimeError RUNTIME_INVALID_CODEC when the program is none
 */
export function compileJaqDecoder(codec: JaqCodecPlan, schema: SchemaPlan): PayloadDecoder {
  return new JaqDecoder(codec, schema, {
    payload: PAYLOADS[codec.payload],
    isText: codec.payload !== 'CBOR',
    program: compileIngestion(codec),
  });
}

/**
 * Compiles the encoder of a codec with programs.
 *
 * @throws RuntimeError RUNTIME_INVALID_CODEC when a program is none
 */
export function compileJaqEncoder(codec: JaqCodecPlan, schema: SchemaPlan): RowEncoder {
  return new JaqEncoder(codec, schema, {
    payload: PAYLOADS[codec.payload],
    ...compileEmitting(codec),
  });
}
