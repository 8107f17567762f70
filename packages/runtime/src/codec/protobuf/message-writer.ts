import { readBase64Into } from '../../column/base64.js';
import { encodeText } from '../../column/text.js';
import { type JsonTree, TREE_DEPTH_MAX, UnrepresentableError } from '../jaq/json-tree.js';
import { defaultOf } from './message-draft.js';
import { MessageOutput } from './message-output.js';
import {
  type FieldShape,
  type MessageShape,
  type Scalar,
  type ValueShape,
  WIRE_TYPE,
  wireTypeOf,
} from './message-shape.js';

type JsonObject = Readonly<Record<string, JsonTree>>;

/** Messages of a thread are written one after the other. */
const output = new MessageOutput();

/**
 * Writes a JSON value as a message, strictly: unknown members, other types and numbers out of range
 * are refused; a null member is not set.
 *
 * @throws UnrepresentableError for a value that is none of the type
 */
export function writeMessage(shape: MessageShape, tree: JsonTree): Uint8Array<ArrayBuffer> {
  output.open();
  writeFields(output, shape, objectOf(tree, shape), 0);
  return output.take();
}

function objectOf(tree: JsonTree, { name }: MessageShape): JsonObject {
  if (typeof tree === 'object' && tree !== null && !Array.isArray(tree)) return tree as JsonObject;
  throw new UnrepresentableError(`message '${name}' is to be an object`);
}

function writeFields(
  out: MessageOutput,
  shape: MessageShape,
  members: JsonObject,
  depth: number,
): void {
  if (depth > TREE_DEPTH_MAX) {
    throw new UnrepresentableError(`nesting deeper than ${TREE_DEPTH_MAX}`);
  }
  for (const name of Object.keys(members)) {
    if (shape.byName.has(name)) continue;
    throw new UnrepresentableError(`message '${shape.name}' has no such field as one of the value`);
  }
  const chosen = new Map<string, string>();
  for (const field of shape.fields) {
    const value = Object.hasOwn(members, field.name) ? (members[field.name] ?? null) : null;
    if (value === null) {
      if (field.isRequired) throw unfit(field, 'is required');
      continue;
    }
    if (field.oneof !== null) {
      const other = chosen.get(field.oneof);
      if (other !== undefined) throw unfit(field, `excludes '${other}'`);
      chosen.set(field.oneof, field.name);
    }
    writeField(out, field, value, depth);
  }
}

function writeField(out: MessageOutput, field: FieldShape, value: JsonTree, depth: number): void {
  if (field.cardinality === 'map') writeEntries(out, field, value, depth);
  else if (field.cardinality === 'repeated') writeList(out, field, value, depth);
  else if (field.hasPresence || !isDefault(field, value)) {
    writeTagged(out, field, value, depth);
  }
}

/** Whether a value is what its field is without one: the name of 0, an integer in place of a float. */
function isDefault(field: FieldShape, value: JsonTree): boolean {
  const shape = field.value;
  if (shape.kind === 'enum') return enumNumber(field, shape, value) === 0n;
  const isInteger = typeof value === 'bigint' && typeof defaultOf(shape) === 'number';
  return Object.is(isInteger ? Number(value) : value, defaultOf(shape));
}

function writeList(out: MessageOutput, field: FieldShape, value: JsonTree, depth: number): void {
  if (!Array.isArray(value)) throw unfit(field, 'is to be an array');
  if (value.length === 0) return;
  if (!field.isPacked) {
    for (const element of value) writeTagged(out, field, element, depth);
    return;
  }
  out.tag(field.number, WIRE_TYPE.bytes);
  const start = out.rowLength;
  for (const element of value) writeValue(out, field, element, depth);
  out.close(start);
}

function writeEntries(out: MessageOutput, field: FieldShape, value: JsonTree, depth: number): void {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw unfit(field, 'is to be an object');
  }
  const keyShape = { kind: 'scalar', scalar: field.key ?? 'string' } as const;
  const key: FieldShape = { ...field, number: 1, value: keyShape };
  const content: FieldShape = { ...field, number: 2 };
  for (const [name, member] of Object.entries(value)) {
    out.tag(field.number, WIRE_TYPE.bytes);
    const start = out.rowLength;
    writeTagged(out, key, keyOf(field, name), depth);
    writeTagged(out, content, member, depth);
    out.close(start);
  }
}

function keyOf(field: FieldShape, name: string): JsonTree {
  if (field.key === 'string') return name;
  if (field.key === 'bool') {
    if (name === 'true' || name === 'false') return name === 'true';
  } else if (/^(?:0|-?[1-9][0-9]{0,19})$/u.test(name)) return BigInt(name);
  throw unfit(field, `has a key that is no ${field.key}`);
}

function writeTagged(out: MessageOutput, field: FieldShape, value: JsonTree, depth: number): void {
  out.tag(field.number, wireTypeOf(field.value));
  writeValue(out, field, value, depth);
  const isGroup = field.value.kind === 'message' && field.value.isDelimited;
  if (isGroup) out.tag(field.number, WIRE_TYPE.end);
}

function writeValue(out: MessageOutput, field: FieldShape, value: JsonTree, depth: number): void {
  const shape = field.value;
  if (shape.kind === 'scalar') writeScalar(out, field, shape.scalar, value);
  else if (shape.kind === 'enum') out.varint(enumNumber(field, shape, value));
  else {
    const start = out.rowLength;
    writeFields(out, shape.message, objectOf(value, shape.message), depth + 1);
    if (!shape.isDelimited) out.close(start);
  }
}

function enumNumber(
  field: FieldShape,
  { values }: Extract<ValueShape, { kind: 'enum' }>,
  value: JsonTree,
): bigint {
  if (typeof value === 'string') {
    const number = values.numbers.get(value);
    if (number === undefined) throw unfit(field, 'has a name that is none of its enum');
    return BigInt(number);
  }
  if (typeof value !== 'bigint') throw unfit(field, 'is to be a name of its enum');
  const isKnown = values.names.has(Number(value));
  if (!isKnown && values.isClosed) throw unfit(field, 'has a number that is none of its enum');
  return inRange(field, value, 32, true);
}

function writeScalar(out: MessageOutput, field: FieldShape, scalar: Scalar, value: JsonTree): void {
  switch (scalar) {
    case 'string':
      writeBytes(out, textOf(field, value));
      break;
    case 'bytes':
      writeBytes(out, bytesOf(field, value));
      break;
    case 'bool':
      if (typeof value !== 'boolean') throw unfit(field, 'is to be a boolean');
      out.varint(value ? 1n : 0n);
      break;
    case 'double':
      out.float64(floatOf(field, value, (number) => number));
      break;
    case 'float':
      out.float32(floatOf(field, value, Math.fround));
      break;
    default:
      writeInteger(out, field, scalar, value);
  }
}

type IntegerScalar = Exclude<Scalar, 'string' | 'bytes' | 'bool' | 'double' | 'float'>;

function writeInteger(
  out: MessageOutput,
  field: FieldShape,
  scalar: IntegerScalar,
  value: JsonTree,
): void {
  const bits = scalar.endsWith('32') ? 32 : 64;
  const isSigned = !scalar.startsWith('u') && !scalar.startsWith('fixed');
  const number = inRange(field, integerOf(field, value), bits, isSigned);
  switch (scalar) {
    case 'fixed32':
    case 'sfixed32':
      out.fixed32(number);
      break;
    case 'fixed64':
    case 'sfixed64':
      out.fixed64(number);
      break;
    case 'sint32':
    case 'sint64':
      out.varint((number << 1n) ^ (number >> 63n));
      break;
    default:
      out.varint(number);
  }
}

/** Integers have no sign of zero, which programs may compute. */
function integerOf(field: FieldShape, value: JsonTree): bigint {
  if (Object.is(value, -0)) return 0n;
  if (typeof value !== 'bigint') throw unfit(field, 'is to be an integer');
  return value;
}

function textOf(field: FieldShape, value: JsonTree): Uint8Array {
  if (typeof value !== 'string') throw unfit(field, 'is to be a string');
  if (!value.isWellFormed()) throw unfit(field, 'holds half of a surrogate pair');
  return encodeText(value);
}

function inRange(field: FieldShape, value: bigint, bits: 32 | 64, isSigned: boolean): bigint {
  const fits = (isSigned ? BigInt.asIntN(bits, value) : BigInt.asUintN(bits, value)) === value;
  if (!fits) throw unfit(field, 'is out of range');
  return value;
}

function floatOf(field: FieldShape, value: JsonTree, round: (value: number) => number): number {
  if (typeof value !== 'number' && typeof value !== 'bigint')
    throw unfit(field, 'is to be a number');
  const number = round(Number(value));
  if (!Number.isFinite(number)) throw unfit(field, 'is out of range');
  return number;
}

function bytesOf(field: FieldShape, value: JsonTree): Uint8Array {
  if (typeof value !== 'string') throw unfit(field, 'is to be base64 text');
  const text = encodeText(value);
  const target = new Uint8Array((text.length / 4) * 3);
  const count = readBase64Into(text, 0, text.length, target, 0);
  if (count < 0) throw unfit(field, 'is no padded base64 text');
  return target.subarray(0, count);
}

function writeBytes(out: MessageOutput, content: Uint8Array): void {
  out.varint(BigInt(content.length));
  out.raw(content);
}

function unfit({ name }: FieldShape, reason: string): UnrepresentableError {
  return new UnrepresentableError(`field '${name}' ${reason}`);
}
