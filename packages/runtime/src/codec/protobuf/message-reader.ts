import { shortestFloat } from '@nervix/model';
import { printBase64 } from '../../column/base64.js';
import { decodeText } from '../../column/text.js';
import { type JsonTree, TREE_DEPTH_MAX, UnrepresentableError } from '../jaq/json-tree.js';
import { invalidUtf8At } from '../utf8.js';
import {
  type DraftValue,
  defaultOf,
  MalformedMessageError,
  MessageDraft,
} from './message-draft.js';
import {
  type FieldShape,
  type MessageShape,
  type Scalar,
  type ValueShape,
  WIRE_TYPE,
  wireTypeOf,
} from './message-shape.js';

const FIELD_NUMBER_MAX = 536_870_911;

/**
 * Reads the binary form of messages into JSON values: fields under their declared names, enums by
 * name, bytes as base64 text, 64-bit integers exact, values that are their default left out. Unknown
 * fields are passed over.
 *
 * https://protobuf.dev/programming-guides/encoding/
 */
export class MessageReader {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  #at: number;

  constructor(bytes: Uint8Array, start: number) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#at = start;
  }

  /**
   * The message that ends at `end`.
   *
   * @throws MalformedMessageError for bytes that are none
   * @throws UnrepresentableError for values that JSON has no form for
   */
  read(shape: MessageShape, end: number): JsonTree {
    const draft = new MessageDraft(shape);
    this.#message(draft, end, null, 0);
    return draft.finish();
  }

  /** @param group number of the field whose end tag ends the message, or null for one with a length */
  #message(draft: MessageDraft, end: number, group: number | null, depth: number): void {
    checkDepth(depth);
    while (group !== null || this.#at < end) {
      const { number, wireType } = this.#tag(end);
      if (wireType === WIRE_TYPE.end) {
        if (number === group) return;
        throw new MalformedMessageError('unexpected end of a group');
      }
      const field = draft.shape.byNumber.get(number);
      if (field === undefined || !this.#field(draft, field, wireType, { end, depth })) {
        this.#skip(number, wireType, end, depth);
      }
    }
  }

  /** Reads a known field; false when it stands in a form that is none of its own. */
  #field(
    draft: MessageDraft,
    field: FieldShape,
    wireType: number,
    { end, depth }: { readonly end: number; readonly depth: number },
  ): boolean {
    const expected = field.cardinality === 'map' ? WIRE_TYPE.bytes : wireTypeOf(field.value);
    const isPacked =
      field.cardinality === 'repeated' &&
      wireType === WIRE_TYPE.bytes &&
      expected !== WIRE_TYPE.bytes &&
      expected !== WIRE_TYPE.start;
    if (wireType !== expected && !isPacked) return false;
    if (field.cardinality === 'map') {
      this.#entry(field, end, depth, draft.entries(field));
    } else if (field.cardinality === 'repeated') {
      const list = draft.list(field);
      const stop = isPacked ? this.#length(end) : end;
      while (!isPacked || this.#at < stop) {
        const value = this.#value(field.value, field.number, stop, depth);
        if (value !== undefined) list.push(value);
        if (!isPacked) break;
      }
    } else if (field.value.kind === 'message') {
      this.#inner(draft.message(field, field.value.message), field, end, depth);
    } else {
      const value = this.#value(field.value, field.number, end, depth);
      if (value !== undefined) draft.set(field, value);
    }
    return true;
  }

  #inner(
    draft: MessageDraft,
    { number, value }: Pick<FieldShape, 'number' | 'value'>,
    end: number,
    depth: number,
  ): void {
    if (value.kind === 'message' && value.isDelimited) this.#message(draft, end, number, depth + 1);
    else this.#message(draft, this.#length(end), null, depth + 1);
  }

  #entry(field: FieldShape, end: number, depth: number, entries: Map<string, DraftValue>): void {
    const stop = this.#length(end);
    const keyShape: ValueShape = { kind: 'scalar', scalar: field.key ?? 'string' };
    let key: DraftValue = defaultOf(keyShape);
    let value: DraftValue | undefined = defaultOf(field.value);
    while (this.#at < stop) {
      const { number, wireType } = this.#tag(stop);
      if (number === 1 && wireType === wireTypeOf(keyShape)) {
        key = this.#value(keyShape, 1, stop, depth) ?? key;
      } else if (number === 2 && wireType === wireTypeOf(field.value)) {
        value = this.#value(field.value, 2, stop, depth);
      } else this.#skip(number, wireType, stop, depth);
    }
    // A number that is none of a closed enum takes the entry with it.
    if (value !== undefined) entries.set(String(key), value);
  }

  /** One value; undefined for a number that is none of a closed enum. */
  #value(shape: ValueShape, number: number, end: number, depth: number): DraftValue | undefined {
    if (shape.kind === 'scalar') return this.#scalar(shape.scalar, end);
    if (shape.kind === 'enum') {
      const read = Number(BigInt.asIntN(32, this.#varint(end)));
      const { names, isClosed } = shape.values;
      return names.get(read) ?? (isClosed ? undefined : BigInt(read));
    }
    const draft = new MessageDraft(shape.message);
    this.#inner(draft, { number, value: shape }, end, depth);
    return draft;
  }

  #scalar(scalar: Scalar, end: number): JsonTree {
    switch (scalar) {
      case 'double':
        return finite(this.#view.getFloat64(this.#take(8, end), true));
      case 'float':
        return finite(singleAsWritten(this.#view.getFloat32(this.#take(4, end), true)));
      case 'fixed32':
        return BigInt(this.#view.getUint32(this.#take(4, end), true));
      case 'sfixed32':
        return BigInt(this.#view.getInt32(this.#take(4, end), true));
      case 'fixed64':
        return this.#view.getBigUint64(this.#take(8, end), true);
      case 'sfixed64':
        return this.#view.getBigInt64(this.#take(8, end), true);
      case 'string':
        return this.#text(end);
      case 'bytes': {
        const stop = this.#length(end);
        return printBase64(this.#bytes.subarray(this.#advance(stop), stop));
      }
      default:
        return integerOf(scalar, this.#varint(end));
    }
  }

  #text(end: number): string {
    const stop = this.#length(end);
    const start = this.#advance(stop);
    if (invalidUtf8At(this.#bytes, start, stop) >= 0) {
      throw new MalformedMessageError('text is no UTF-8');
    }
    return decodeText(this.#bytes, start, stop);
  }

  #skip(number: number, wireType: number, end: number, depth: number): void {
    switch (wireType) {
      case WIRE_TYPE.varint:
        this.#varint(end);
        return;
      case WIRE_TYPE.fixed64:
        this.#take(8, end);
        return;
      case WIRE_TYPE.fixed32:
        this.#take(4, end);
        return;
      case WIRE_TYPE.bytes:
        this.#advance(this.#length(end));
        return;
      default:
        this.#skipGroup(number, end, depth + 1);
    }
  }

  #skipGroup(group: number, end: number, depth: number): void {
    checkDepth(depth);
    for (;;) {
      const { number, wireType } = this.#tag(end);
      if (wireType !== WIRE_TYPE.end) this.#skip(number, wireType, end, depth);
      else if (number === group) return;
      else throw new MalformedMessageError('unexpected end of a group');
    }
  }

  #tag(end: number): { readonly number: number; readonly wireType: number } {
    const tag = this.#varint(end);
    const number = Number(tag >> 3n);
    const wireType = Number(tag & 7n);
    if (number === 0 || number > FIELD_NUMBER_MAX || wireType > WIRE_TYPE.fixed32) {
      throw new MalformedMessageError('a tag of no field');
    }
    return { number, wireType };
  }

  /** Where the run of bytes ends whose length comes next. */
  #length(end: number): number {
    const length = this.#varint(end);
    if (length > BigInt(end - this.#at)) throw new MalformedMessageError('cut off');
    return this.#at + Number(length);
  }

  #take(count: number, end: number): number {
    if (count > end - this.#at) throw new MalformedMessageError('cut off');
    return this.#advance(this.#at + count);
  }

  /** Moves on and gives the former position. */
  #advance(to: number): number {
    const from = this.#at;
    this.#at = to;
    return from;
  }

  /** 64 bits, whatever stands above them. */
  #varint(end: number): bigint {
    let low = 0;
    for (let shift = 0; shift < 28; shift += 7) {
      const byte = this.#byte(end);
      low |= (byte & 0x7f) << shift;
      if (byte < 0x80) return BigInt(low);
    }
    let value = BigInt(low);
    for (let shift = 28n; shift < 70n; shift += 7n) {
      const byte = this.#byte(end);
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return BigInt.asUintN(64, value);
    }
    throw new MalformedMessageError('a number of more than ten bytes');
  }

  #byte(end: number): number {
    if (this.#at >= end) throw new MalformedMessageError('cut off');
    return this.#bytes[this.#at++] ?? 0;
  }
}

function checkDepth(depth: number): void {
  if (depth <= TREE_DEPTH_MAX) return;
  throw new UnrepresentableError(`nesting deeper than ${TREE_DEPTH_MAX}`);
}

function integerOf(scalar: Scalar, read: bigint): JsonTree {
  switch (scalar) {
    case 'bool':
      return read !== 0n;
    case 'int32':
      return BigInt.asIntN(32, read);
    case 'int64':
      return BigInt.asIntN(64, read);
    case 'uint32':
      return BigInt.asUintN(32, read);
    case 'sint32':
      return zigzag(BigInt.asUintN(32, read));
    case 'sint64':
      return zigzag(read);
    default:
      return read;
  }
}

function zigzag(read: bigint): bigint {
  return (read >> 1n) ^ -(read & 1n);
}

/** The shortest decimal that reads back as the single: 0.1, not 0.10000000149011612. */
function singleAsWritten(value: number): number {
  return Number.isFinite(value) ? Number(shortestFloat(value, true)) : value;
}

function finite(value: number): number {
  if (!Number.isFinite(value)) throw new UnrepresentableError('a number that is not finite');
  return value;
}
