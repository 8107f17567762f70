import type { ProtobufCodecPlan, SchemaPlan } from '@nervix/model';
import { runtimeError } from '../../errors.js';
import { JaqDecoder } from '../jaq/jaq-decoder.js';
import { JaqEncoder } from '../jaq/jaq-encoder.js';
import { compileEmitting, compileIngestion } from '../jaq/program-codec.js';
import type { PayloadDecoder, RowEncoder } from '../payload-codec.js';
import { compileMessages, type ProtobufMessages } from './codec-messages.js';
import { DescriptorError } from './compile-descriptors.js';
import { protobufPayload } from './protobuf-payload.js';

/**
 * Compiles the decoder of a codec of messages.
 *
 * @throws RuntimeError RUNTIME_INVALID_CODEC for descriptors, messages or a program that are none
 */
export function compileProtobufDecoder(
  codec: ProtobufCodecPlan,
  schema: SchemaPlan,
): PayloadDecoder {
  return new JaqDecoder(codec, schema, {
    payload: protobufPayload(messagesOf(codec)),
    isText: false,
    program: compileIngestion(codec),
  });
}

/**
 * Compiles the encoder of a codec of messages.
 *
 * @throws RuntimeError RUNTIME_INVALID_CODEC for descriptors, messages or programs that are none
 */
export function compileProtobufEncoder(codec: ProtobufCodecPlan, schema: SchemaPlan): RowEncoder {
  return new JaqEncoder(codec, schema, {
    payload: protobufPayload(messagesOf(codec)),
    ...compileEmitting(codec),
  });
}

function messagesOf(codec: ProtobufCodecPlan): ProtobufMessages {
  try {
    return compileMessages(codec);
  } catch (error) {
    if (!(error instanceof DescriptorError)) throw error;
    throw runtimeError('RUNTIME_INVALID_CODEC', { codec: codec.name, problem: error.message });
  }
}
