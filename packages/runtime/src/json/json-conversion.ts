import {
  type DataType,
  type IntegerType,
  integerRange,
  integerToSingle,
  isIntegerType,
  printDataType,
} from '@nervix/model';
import type { Value } from '../column/column.js';
import { integerValue } from '../program/cast-value.js';
import { RowFault } from '../program/row-fault.js';
import type { JsonNode } from './json-document.js';

/** Where a value is read, for the text of a failure. */
interface Place {
  readonly functionName: string;
  readonly path: string;
  /** Innermost element type when inside a collection. */
  readonly element: DataType | null;
}

const PLAIN_DIGITS = /^-?[0-9]+$/;
const WIDEST = { min: integerRange('I64').min, max: integerRange('U64').max };

/**
 * Converts a JSON value exactly to a type; JSON null is null.
 *
 * @param path printed in failures
 * @throws RowFault when the value is not of the type
 */
export function jsonValue(
  node: JsonNode,
  type: DataType,
  functionName: string,
  path: string,
): Value {
  if (node.kind === 'null') return null;
  return convert(node, type, { functionName, path, element: null });
}

function innermost(type: DataType): DataType {
  return typeof type === 'string' ? type : innermost(type.element);
}

function convert(node: JsonNode, type: DataType, place: Place): Value {
  if (typeof type !== 'string') return list(node, type, place);
  switch (type) {
    case 'BOOL':
      return node.kind === 'boolean' ? node.value : misplaced(node, type, place);
    case 'STRING':
      return node.kind === 'string' ? node.text : misplaced(node, type, place);
    case 'F32':
    case 'F64':
      return node.kind === 'number'
        ? float(node.text, type === 'F32', place)
        : misplaced(node, type, place);
    default:
      if (node.kind !== 'number' || !isIntegerType(type)) return misplaced(node, type, place);
      return integer(node.text, type, place);
  }
}

function failed(place: Place, detail: string): never {
  throw new RowFault('cast_failed', `${place.functionName} ${detail}`);
}

function at({ element, path }: Place): string {
  return `${element === null ? 'at' : 'in'} ${path}`;
}

function declared({ element }: Place, type: DataType): string {
  return element === null
    ? `${printDataType(type)} is declared`
    : `${printDataType(element)} elements are declared`;
}

function misplaced(node: JsonNode, type: DataType, place: Place): never {
  const kind = node.kind === 'null' ? 'null' : `a JSON ${node.kind}`;
  const found = node.kind === 'null' ? 'JSON null' : kind;
  return failed(place, `found ${found} ${at(place)} where ${declared(place, type)}`);
}

function list(node: JsonNode, type: Exclude<DataType, string>, place: Place): Value {
  if (node.kind !== 'array') return misplaced(node, type, place);
  const { elements } = node;
  if (type.kind === 'array' && elements.length !== type.length) {
    const counts = `has ${elements.length} elements where ${type.length} are declared`;
    return failed(place, `array ${at(place)} ${counts}`);
  }
  const inside = { ...place, element: innermost(type) };
  return elements.map((element) => convert(element, type.element, inside));
}

function misfit(type: DataType, place: Place): never {
  return failed(place, `number ${at(place)} does not fit ${printDataType(type)}`);
}

function integer(text: string, type: IntegerType, place: Place): Value {
  const { min, max } = integerRange(type);
  if (!PLAIN_DIGITS.test(text)) {
    const nearest = Number(text);
    if (!Number.isInteger(nearest)) {
      const what = `found a fractional JSON number ${at(place)}`;
      return failed(place, `${what} where ${declared(place, type)}`);
    }
    const value = BigInt(nearest);
    return value < min || value > max ? misfit(type, place) : integerValue(value, type);
  }
  const value = BigInt(text);
  return value < min || value > max ? misfit(type, place) : integerValue(value, type);
}

function float(text: string, isSingle: boolean, place: Place): Value {
  const isPlain = PLAIN_DIGITS.test(text);
  if (!isSingle) return isPlain ? Number(text) + 0 : Number(text);
  const single = isPlain && isWithin(BigInt(text)) ? integerToSingle(BigInt(text)) : Number(text);
  const value = Math.fround(single);
  return Number.isFinite(value) ? value : misfit('F32', place);
}

function isWithin(value: bigint): boolean {
  return value >= WIDEST.min && value <= WIDEST.max;
}
