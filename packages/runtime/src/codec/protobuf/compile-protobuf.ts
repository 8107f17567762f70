import type { ProtobufCodecPlan, SchemaPlan } from '@nervix/model';
import { runtimeError } from '../../errors.js';
import { JaqDecoder } from '../jaq/jaq-decoder.js';
import { JaqEncoder } from '../jaq/jaq-encoder.js';
import { compileEmitting, compileIngestion } from '../jaq/program-codec.js';
import type { PayloadDecoder, RowEncoder } from '../payload-codec.js';
import { compileDescriptors, DescriptorError } from './compile-descriptors.js';
import { memberField, type ProtobufMessages, protobufPayload } from './protobuf-payload.js';

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
  const invalid = (problem: string) =>
    runtimeError('RUNTIME_INVALID_CODEC', { codec: codec.name, problem });
  try {
    const types = compileDescriptors(codec.descriptors);
    const message = types.message(codec.message);
    const batch = codec.batchMessage === null ? null : types.message(codec.batchMessage);
    const isWrapped = batch !== null && codec.transformations.onEmittingBatch === null;
    if (isWrapped && memberField(batch, message) === undefined) {
      throw invalid(
        `BATCH MESSAGE '${batch.name}' is to have exactly one repeated field of '${message.name}'`,
      );
    }
    return { message, batch };
  } catch (error) {
    if (error instanceof DescriptorError) throw invalid(error.message);
    throw error;
  }
}
