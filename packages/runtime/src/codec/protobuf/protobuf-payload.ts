import type { JaqPayload, JaqValues } from '../jaq/jaq-payload.js';
import { parseTree, printTree, UnrepresentableError } from '../jaq/json-tree.js';
import { MalformedMessageError } from './message-draft.js';
import { MessageReader } from './message-reader.js';
import type { FieldShape, MessageShape } from './message-shape.js';
import { writeMessage } from './message-writer.js';

/** The messages of a codec. */
export interface ProtobufMessages {
  readonly message: MessageShape;
  /** What a container is: of a program's output, or around messages in its one list of them. */
  readonly batch: MessageShape | null;
}

/** Payloads that are one message each. */
export function protobufPayload({ message, batch }: ProtobufMessages): JaqPayload {
  const members = batch === null ? undefined : memberField(batch, message);
  return {
    read: (bytes, start, end) => readPayload(message, bytes, start, end),
    write: (json) => written(message, json),
    writeBatch: (json) => (batch === null ? 'codec has no BATCH MESSAGE' : written(batch, json)),
    writeAll: (texts) =>
      batch === null || members === undefined
        ? 'codec has no BATCH MESSAGE with one list of its messages'
        : written(batch, `{${JSON.stringify(members.name)}:[${texts.join(',')}]}`),
  };
}

/** The one field of a batch that lists messages; undefined when it has none or several. */
export function memberField(batch: MessageShape, message: MessageShape): FieldShape | undefined {
  const lists = batch.fields.filter(
    ({ cardinality, value }) =>
      cardinality === 'repeated' && value.kind === 'message' && value.message === message,
  );
  return lists.length === 1 ? lists[0] : undefined;
}

function readPayload(
  shape: MessageShape,
  bytes: Uint8Array,
  start: number,
  end: number,
): JaqValues {
  try {
    const tree = new MessageReader(bytes, start).read(shape, end);
    return { kind: 'values', texts: [printTree(tree)] };
  } catch (error) {
    if (error instanceof MalformedMessageError) {
      return { kind: 'defect', cause: `malformed PROTOBUF: ${error.message}`, input: 0 };
    }
    if (error instanceof UnrepresentableError) {
      return { kind: 'defect', cause: `unusable PROTOBUF: ${error.message}`, input: 0 };
    }
    throw error;
  }
}

function written(shape: MessageShape, json: string): Uint8Array<ArrayBuffer> | string {
  try {
    return writeMessage(shape, parseTree(json));
  } catch (error) {
    if (error instanceof UnrepresentableError) return `PROTOBUF cannot hold it: ${error.message}`;
    throw error;
  }
}
