import { type BinaryOperator, type DataType, integerRange, isIntegerType } from '@nervix/model';
import type { Value } from '../column/column.js';
import { integerValue } from './cast-value.js';
import { invalidArgument, overflow, RowFault } from './row-fault.js';

export type ArithmeticOperator = Extract<BinaryOperator, 'add' | 'sub' | 'mul' | 'div' | 'rem'>;

const INTEGER_NAMES: Readonly<Record<ArithmeticOperator, string>> = {
  add: 'addition',
  sub: 'subtraction',
  mul: 'multiplication',
  div: 'division',
  rem: 'remainder',
};

/** Text of an overflow of an integer operator. */
export function overflowDetail(operator: ArithmeticOperator): string {
  return `integer ${INTEGER_NAMES[operator]} overflowed`;
}

/** Text of a float operation whose result is NaN or infinite. */
export const NON_FINITE_DETAIL = 'floating-point operation produced a non-finite result';
/** Text of the negation of a type's smallest integer. */
export const NEGATION_DETAIL = 'integer negation overflowed';
export const DIVISION_BY_ZERO_DETAIL = 'integer division by zero';
export const REMAINDER_BY_ZERO_DETAIL = 'integer remainder by zero';

/** Applies an operator to two present values of one numeric type. */
export function arithmetic(
  operator: ArithmeticOperator,
  left: Value,
  right: Value,
  type: DataType,
): Value {
  if (isIntegerType(type)) {
    const result = integerResult(operator, toBigInt(left), toBigInt(right));
    const { min, max } = integerRange(type);
    if (result < min || result > max) throw overflow(overflowDetail(operator));
    return integerValue(result, type);
  }
  const exact = floatResult(operator, left as number, right as number);
  const result = type === 'F32' ? Math.fround(exact) : exact;
  if (!Number.isFinite(result)) throw invalidArgument(NON_FINITE_DETAIL);
  return result;
}

function toBigInt(value: Value): bigint {
  return BigInt(value as number | bigint);
}

function integerResult(operator: ArithmeticOperator, left: bigint, right: bigint): bigint {
  switch (operator) {
    case 'add':
      return left + right;
    case 'sub':
      return left - right;
    case 'mul':
      return left * right;
    case 'div':
      if (right === 0n) throw new RowFault('division_by_zero', DIVISION_BY_ZERO_DETAIL);
      return left / right;
    case 'rem':
      if (right === 0n) throw new RowFault('division_by_zero', REMAINDER_BY_ZERO_DETAIL);
      return left % right;
  }
}

function floatResult(operator: ArithmeticOperator, left: number, right: number): number {
  switch (operator) {
    case 'add':
      return left + right;
    case 'sub':
      return left - right;
    case 'mul':
      return left * right;
    case 'div':
      return left / right;
    case 'rem':
      return left % right;
  }
}

/** Unary minus of a present signed value. */
export function negate(value: Value, type: DataType): Value {
  if (!isIntegerType(type)) return -(value as number);
  const result = -toBigInt(value);
  if (result > integerRange(type).max) throw overflow(NEGATION_DETAIL);
  return integerValue(result, type);
}
