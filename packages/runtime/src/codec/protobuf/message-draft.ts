import type { JsonTree } from '../jaq/json-tree.js';
import type { FieldShape, MessageShape, ValueShape } from './message-shape.js';

/** Thrown for bytes that are no message of the type. */
export class MalformedMessageError extends Error {}

/** A value while its message is read; parts of a message that come apart go into one draft. */
export type DraftValue = JsonTree | MessageDraft;

/** What was read of one message. */
export class MessageDraft {
  readonly shape: MessageShape;
  readonly #single = new Map<FieldShape, DraftValue>();
  readonly #lists = new Map<FieldShape, DraftValue[]>();
  readonly #maps = new Map<FieldShape, Map<string, DraftValue>>();

  constructor(shape: MessageShape) {
    this.shape = shape;
  }

  /** Sets a field; of the members of a oneof the last one counts. */
  set(field: FieldShape, value: DraftValue): void {
    if (field.oneof !== null) {
      for (const other of this.#single.keys()) {
        if (other.oneof === field.oneof && other !== field) this.#single.delete(other);
      }
    }
    this.#single.set(field, value);
  }

  /** The message that a field holds so far, set if it is the first part. */
  message(field: FieldShape, shape: MessageShape): MessageDraft {
    const former = this.#single.get(field);
    if (former instanceof MessageDraft) return former;
    const draft = new MessageDraft(shape);
    this.set(field, draft);
    return draft;
  }

  list(field: FieldShape): DraftValue[] {
    const list = this.#lists.get(field) ?? [];
    this.#lists.set(field, list);
    return list;
  }

  entries(field: FieldShape): Map<string, DraftValue> {
    const entries = this.#maps.get(field) ?? new Map<string, DraftValue>();
    this.#maps.set(field, entries);
    return entries;
  }

  /**
   * The message as a JSON value.
   *
   * @throws MalformedMessageError when a required field is missing
   */
  finish(): JsonTree {
    const members: [string, JsonTree][] = [];
    for (const field of this.shape.fields) {
      const value = this.#valueOf(field);
      if (value !== undefined) members.push([field.name, value]);
      else if (field.isRequired) throw new MalformedMessageError('a required field is missing');
    }
    return Object.fromEntries(members);
  }

  #valueOf(field: FieldShape): JsonTree | undefined {
    const list = this.#lists.get(field);
    if (list !== undefined) return list.length === 0 ? undefined : list.map(finished);
    const entries = this.#maps.get(field);
    if (entries !== undefined) {
      if (entries.size === 0) return undefined;
      return Object.fromEntries([...entries].map(([key, value]) => [key, finished(value)]));
    }
    const value = this.#single.get(field);
    if (value === undefined || value instanceof MessageDraft) return value?.finish();
    return field.hasPresence || !Object.is(value, defaultOf(field.value)) ? value : undefined;
  }
}

function finished(value: DraftValue): JsonTree {
  return value instanceof MessageDraft ? value.finish() : value;
}

/** The value of a field of which nothing is written. */
export function defaultOf(shape: ValueShape): JsonTree {
  if (shape.kind === 'message') return {};
  if (shape.kind === 'enum') return shape.values.names.get(0) ?? 0n;
  switch (shape.scalar) {
    case 'string':
    case 'bytes':
      return '';
    case 'bool':
      return false;
    case 'double':
    case 'float':
      return 0;
    default:
      return 0n;
  }
}
