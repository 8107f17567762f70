import {
  type DataType,
  isFloatType,
  isIntegerType,
  isNumericType,
  isScalarType,
  isSignedIntegerType,
} from '../data-type.js';

/** Sets of types that operators and functions take. */
export type TypeClass =
  | 'any'
  | 'scalar'
  /** Numbers, BOOL, STRING and DATETIME. */
  | 'comparable'
  /** Numbers, STRING and DATETIME: what `<` and BETWEEN take. */
  | 'orderable'
  | 'numeric'
  /** Signed integers and floats: what unary minus takes. */
  | 'signed'
  | 'integer'
  | 'float'
  | 'boolean';

const MEMBERS: Readonly<Record<TypeClass, (type: DataType) => boolean>> = {
  any: () => true,
  scalar: isScalarType,
  comparable: (type) => type === 'BOOL' || isOrderableType(type),
  orderable: isOrderableType,
  numeric: isNumericType,
  signed: (type) => isFloatType(type) || isSignedIntegerType(type),
  integer: isIntegerType,
  float: isFloatType,
  boolean: (type) => type === 'BOOL',
};

/** Words of messages: `function 'abs' requires numeric input, found Utf8`. */
export const TYPE_CLASS_WORDS: Readonly<Record<TypeClass, string>> = {
  any: 'any',
  scalar: 'scalar',
  comparable: 'numeric, Boolean, Utf8 or Timestamp',
  orderable: 'numeric, Utf8 or Timestamp',
  numeric: 'numeric',
  signed: 'signed numeric',
  integer: 'integer',
  float: 'floating-point',
  boolean: 'Boolean',
};

/** Whether a class holds a type. */
export function isOfClass(type: DataType, typeClass: TypeClass): boolean {
  return MEMBERS[typeClass](type);
}

/** Whether values of a type have an order that comparisons read. */
export function isOrderableType(type: DataType): boolean {
  return isNumericType(type) || type === 'STRING' || type === 'DATETIME';
}
