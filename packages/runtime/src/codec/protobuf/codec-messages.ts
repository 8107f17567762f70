import type { ProtobufCodecPlan } from '@nervix/model';
import { compileDescriptors, DescriptorError } from './compile-descriptors.js';
import type { FieldShape, MessageShape } from './message-shape.js';

/** The messages of a codec. */
export interface ProtobufMessages {
  readonly message: MessageShape;
  /** What a container is: of a program's output, or around messages in its one list of them. */
  readonly batch: MessageShape | null;
}

/**
 * Compiles the descriptors of a codec and finds its messages.
 *
 * @throws DescriptorError for files that are no descriptors, and for messages that they lack
 */
export function compileMessages(codec: ProtobufCodecPlan): ProtobufMessages {
  const types = compileDescriptors(codec.descriptors);
  const message = types.message(codec.message);
  const batch = codec.batchMessage === null ? null : types.message(codec.batchMessage);
  const isWrapped = batch !== null && codec.transformations.onEmittingBatch === null;
  if (isWrapped && memberField(batch, message) === undefined) {
    throw new DescriptorError(
      `BATCH MESSAGE '${batch.name}' is to have exactly one repeated field of '${message.name}'`,
    );
  }
  return { message, batch };
}

/** Why a codec's messages cannot be compiled, or undefined. */
export function descriptorsDefect(codec: ProtobufCodecPlan): string | undefined {
  try {
    compileMessages(codec);
    return undefined;
  } catch (error) {
    if (error instanceof DescriptorError) return error.message;
    throw error;
  }
}

/** The one field of a batch that lists messages; undefined when it has none or several. */
export function memberField(batch: MessageShape, message: MessageShape): FieldShape | undefined {
  const lists = batch.fields.filter(
    ({ cardinality, value }) =>
      cardinality === 'repeated' && value.kind === 'message' && value.message === message,
  );
  return lists.length === 1 ? lists[0] : undefined;
}
