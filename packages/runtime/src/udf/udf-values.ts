import { assert, type DataType } from '@nervix/model';
import { joinBytes } from '../codec/payload-codec.js';
import {
  type FixedType,
  type FixedValues,
  newFixedValues,
  type Value,
  viewFixedValues,
} from '../column/column.js';
import type { GuestPart } from './guest-machine.js';

/**
 * The parts of a column that crosses to a guest or back, none of whose values is null: bytes of the
 * column's array, one byte for a BOOL; for STRING and BYTES the ends of each, in UTF-16 units and
 * bytes, and all of them joined; for VEC the ends and the parts of the elements; for ARRAY those alone.
 */
export function partsOf(type: DataType, values: readonly Value[]): readonly GuestPart[] {
  if (typeof type !== 'string') {
    const elements = partsOf(type.element, (values as readonly (readonly Value[])[]).flat());
    return type.kind === 'vec' ? [endsOf(values), ...elements] : elements;
  }
  switch (type) {
    case 'BOOL':
      return [Uint8Array.from(values, Number)];
    case 'STRING':
      return [endsOf(values), values.join('')];
    case 'BYTES':
      return [endsOf(values), joinBytes(values as readonly Uint8Array[])];
    default:
      return [bytesOf(fixedValues(type, values))];
  }
}

/** The values of parts, as many as `count`. */
export function valuesOf(
  type: DataType,
  parts: Iterator<GuestPart>,
  count: number,
): readonly Value[] {
  if (typeof type !== 'string') return lists(type, parts, count);
  switch (type) {
    case 'BOOL':
      return Array.from(takeBytes(parts), (flag) => flag !== 0);
    case 'STRING':
    case 'BYTES': {
      const ends = takeEnds(parts);
      const { value: whole } = parts.next();
      assert(whole !== undefined, 'a guest hands over all parts of a column');
      return Array.from(ends, (end, row) => whole.slice(row === 0 ? 0 : ends[row - 1], end));
    }
    default: {
      const bytes = takeBytes(parts);
      return Array.from<number | bigint>(viewFixedValues(type, bytes.buffer, 0, count));
    }
  }
}

function lists(
  type: Exclude<DataType, string>,
  parts: Iterator<GuestPart>,
  count: number,
): readonly Value[] {
  const ends =
    type.kind === 'vec'
      ? takeEnds(parts)
      : Int32Array.from({ length: count }, (_, row) => (row + 1) * type.length);
  const elements = valuesOf(type.element, parts, ends.at(-1) ?? 0);
  return Array.from(ends, (end, row) => elements.slice(row === 0 ? 0 : ends[row - 1], end));
}

function fixedValues(type: FixedType, values: readonly Value[]): FixedValues {
  const array = newFixedValues(type, values.length);
  for (let row = 0; row < values.length; row += 1) array[row] = values[row] as number | bigint;
  return array;
}

function endsOf(values: readonly Value[]): Uint8Array {
  const ends = new Int32Array(values.length);
  let end = 0;
  for (let row = 0; row < values.length; row += 1) {
    end += (values[row] as string | Uint8Array | readonly Value[]).length;
    ends[row] = end;
  }
  return bytesOf(ends);
}

function bytesOf(array: FixedValues): Uint8Array {
  return new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
}

function takeBytes(parts: Iterator<GuestPart>): Uint8Array {
  const { value } = parts.next();
  assert(value instanceof Uint8Array, 'a guest hands over all parts of a column');
  return value;
}

function takeEnds(parts: Iterator<GuestPart>): Int32Array {
  const bytes = takeBytes(parts);
  return new Int32Array(bytes.buffer, 0, bytes.length / 4);
}
