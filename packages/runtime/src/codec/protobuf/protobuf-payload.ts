import type { JaqPayload, JaqValues } from '../jaq/jaq-payload.js';
import { parseTree, printTree, UnrepresentableError } from '../jaq/json-tree.js';
import { memberField, type ProtobufMessages } from './codec-messages.js';
import { MalformedMessageError } from './message-draft.js';
import { MessageReader } from './message-reader.js';
import type { MessageShape } from './message-shape.js';
import { writeMessage } from './message-writer.js';

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
