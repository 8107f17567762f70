import { unreachable } from './assert.js';

/** Names of the scalar types, in declaration spelling. */
export const SCALAR_TYPES = [
  'U8',
  'I8',
  'U16',
  'I16',
  'U32',
  'I32',
  'U64',
  'I64',
  'BOOL',
  'STRING',
  'BYTES',
  'DATETIME',
  'F32',
  'F64',
] as const;

/** A type whose values hold no others. */
export type ScalarType = (typeof SCALAR_TYPES)[number];

/** The signed and unsigned integers. */
export type IntegerType = 'U8' | 'I8' | 'U16' | 'I16' | 'U32' | 'I32' | 'U64' | 'I64';
/** The floating-point types. */
export type FloatType = 'F32' | 'F64';
/** The types that arithmetic takes. */
export type NumericType = IntegerType | FloatType;

/** Fixed nested list of `length` elements, 1 to 2147483647. */
export interface ArrayType {
  readonly kind: 'array';
  readonly element: DataType;
  readonly length: number;
}

/** List of any length. */
export interface VecType {
  readonly kind: 'vec';
  readonly element: DataType;
}

/** A value type: a scalar's name, or a list type. Elements of lists are never null. */
export type DataType = ScalarType | ArrayType | VecType;

const INTEGER_NAMES: ReadonlySet<string> = new Set([
  'U8',
  'I8',
  'U16',
  'I16',
  'U32',
  'I32',
  'U64',
  'I64',
]);

/** Whether a type is no list. */
export function isScalarType(type: DataType): type is ScalarType {
  return typeof type === 'string';
}

/** Whether a type is a signed or unsigned integer. */
export function isIntegerType(type: DataType): type is IntegerType {
  return typeof type === 'string' && INTEGER_NAMES.has(type);
}

/** Whether a type is `F32` or `F64`. */
export function isFloatType(type: DataType): type is FloatType {
  return type === 'F32' || type === 'F64';
}

/** Whether a type is an integer or a float. */
export function isNumericType(type: DataType): type is NumericType {
  return isIntegerType(type) || isFloatType(type);
}

/** Whether a type is an integer that may be negative. */
export function isSignedIntegerType(type: DataType): boolean {
  return isIntegerType(type) && type.startsWith('I');
}

/** Width of an integer type in bits. */
export function integerBits(type: IntegerType): 8 | 16 | 32 | 64 {
  return Number(type.slice(1)) as 8 | 16 | 32 | 64;
}

/** Smallest and largest value of an integer type. */
export function integerRange(type: IntegerType): { readonly min: bigint; readonly max: bigint } {
  const bits = BigInt(integerBits(type));
  if (type.startsWith('U')) return { min: 0n, max: (1n << bits) - 1n };
  return { min: -(1n << (bits - 1n)), max: (1n << (bits - 1n)) - 1n };
}

/** Types are equal when they are the same type exactly: nothing ever converts by itself. */
export function equalTypes(left: DataType, right: DataType): boolean {
  if (typeof left === 'string' || typeof right === 'string') return left === right;
  if (left.kind === 'array') {
    return (
      right.kind === 'array' &&
      left.length === right.length &&
      equalTypes(left.element, right.element)
    );
  }
  return right.kind === 'vec' && equalTypes(left.element, right.element);
}

/** True when BYTES occurs in the type at any depth. */
export function containsBytes(type: DataType): boolean {
  return typeof type === 'string' ? type === 'BYTES' : containsBytes(type.element);
}

/** Declaration spelling: `U32`, `VEC<F64>`, `ARRAY<F32, 3, 224>` (outermost length first). */
export function printDataType(type: DataType): string {
  if (typeof type === 'string') return type;
  if (type.kind === 'vec') return `VEC<${printDataType(type.element)}>`;
  const lengths: number[] = [];
  let element: DataType = type;
  while (typeof element !== 'string' && element.kind === 'array') {
    lengths.push(element.length);
    element = element.element;
  }
  return `ARRAY<${printDataType(element)}, ${lengths.join(', ')}>`;
}

/** Name of the physical column of a type, as type messages print it. */
export function columnTypeName(type: DataType): string {
  if (typeof type !== 'string') {
    const element = columnTypeName(type.element);
    return type.kind === 'vec' ? `List(${element})` : `FixedSizeList(${element}, ${type.length})`;
  }
  switch (type) {
    case 'BOOL':
      return 'Boolean';
    case 'STRING':
      return 'Utf8';
    case 'BYTES':
      return 'Binary';
    case 'DATETIME':
      return 'Timestamp(Nanosecond, Some("+00:00"))';
    case 'F32':
    case 'F64':
      return `Float${type.slice(1)}`;
    case 'U8':
    case 'U16':
    case 'U32':
    case 'U64':
      return `UInt${type.slice(1)}`;
    case 'I8':
    case 'I16':
    case 'I32':
    case 'I64':
      return `Int${type.slice(1)}`;
    default:
      return unreachable(type);
  }
}
