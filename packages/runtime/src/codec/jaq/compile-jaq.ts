import type { JaqCodecPlan, JaqFormat, SchemaPlan } from '@nervix/model';
import { runtimeError } from '../../errors.js';
import type { PayloadDecoder, RowEncoder } from '../payload-codec.js';
import { CBOR_PAYLOAD } from './cbor-payload.js';
import { JaqDecoder } from './jaq-decoder.js';
import { EMITTED_MAX, JaqEncoder } from './jaq-encoder.js';
import type { JaqPayload } from './jaq-payload.js';
import { JaqProgram } from './jaq-program.js';
import { sharedJqEngine } from './jq-engine.js';
import { JSON_PAYLOAD } from './json-payload.js';
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
  const { onIngestion } = codec.transformations;
  return new JaqDecoder(codec, schema, {
    payload: PAYLOADS[codec.payload],
    program: compile(codec, onIngestion),
  });
}

/**
 * Compiles the encoder of a codec with programs.
 *
 * @throws RuntimeError RUNTIME_INVALID_CODEC when a program is none
 */
export function compileJaqEncoder(codec: JaqCodecPlan, schema: SchemaPlan): RowEncoder {
  const { onEmitting, onEmittingBatch } = codec.transformations;
  return new JaqEncoder(codec, schema, {
    payload: PAYLOADS[codec.payload],
    program: compile(codec, onEmitting, EMITTED_MAX),
    batchProgram: onEmittingBatch === null ? null : compile(codec, onEmittingBatch, EMITTED_MAX),
  });
}

function compile(codec: JaqCodecPlan, program: string | null, outputsMax?: number): JaqProgram {
  const invalid = (problem: string) =>
    runtimeError('RUNTIME_INVALID_CODEC', { codec: codec.name, problem });
  if (program === null) throw invalid('has no jaq transformation for this direction');
  const compiled = JaqProgram.compile(sharedJqEngine(), program, outputsMax);
  if (typeof compiled === 'string') throw invalid(`has invalid jaq transformation: ${compiled}`);
  return compiled;
}
