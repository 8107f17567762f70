import type { DataType } from '../data-type.js';
import type { BinaryOperator, UnaryOperator } from '../expression.js';
import {
  type Failure,
  INTEGER_DIVISION_BY_ZERO,
  INTEGER_OVERFLOW,
  NON_FINITE,
} from './failure-kind.js';
import type { TypeClass } from './type-class.js';

/** How an operator treats nulls. */
export type OperatorNulls =
  /** Null with any null operand. */
  | 'strict'
  /** AND and OR: null unless the other operand decides. */
  | 'three_valued'
  | 'never';

/** An operator of the language; all of its operands have one exact type. */
export interface OperatorSignature {
  /** As messages name it: `binary operator Add …`. */
  readonly name: string;
  /** As statements write it. */
  readonly symbol: string;
  /** 2 binds tightest, 8 loosest. */
  readonly level: number;
  readonly operands: TypeClass;
  /** `T` is the type of the operands. */
  readonly result: 'T' | 'BOOL';
  readonly nulls: OperatorNulls;
  readonly failures: readonly Failure[];
}

const operator = (
  name: string,
  symbol: string,
  level: number,
  rules: Pick<OperatorSignature, 'operands' | 'result'> & Partial<OperatorSignature>,
): OperatorSignature => ({ name, symbol, level, nulls: 'strict', failures: [], ...rules });

const ARITHMETIC = {
  operands: 'numeric',
  result: 'T',
  failures: [INTEGER_OVERFLOW, NON_FINITE],
} as const;
const DIVISION = { ...ARITHMETIC, failures: [INTEGER_DIVISION_BY_ZERO, ...ARITHMETIC.failures] };
const REMAINDER = { ...ARITHMETIC, failures: [INTEGER_DIVISION_BY_ZERO, NON_FINITE] };
const EQUALITY = { operands: 'scalar', result: 'BOOL' } as const;
const ORDERING = { operands: 'orderable', result: 'BOOL' } as const;
const LOGIC = { operands: 'boolean', result: 'BOOL', nulls: 'three_valued' } as const;

/** Operators between two operands. */
export const BINARY_OPERATORS: Readonly<Record<BinaryOperator, OperatorSignature>> = {
  mul: operator('Mul', '*', 4, ARITHMETIC),
  div: operator('Div', '/', 4, DIVISION),
  rem: operator('Rem', '%', 4, REMAINDER),
  add: operator('Add', '+', 5, ARITHMETIC),
  sub: operator('Sub', '-', 5, ARITHMETIC),
  eq: operator('Eq', '=', 6, EQUALITY),
  not_eq: operator('NotEq', '!=', 6, EQUALITY),
  gt: operator('Gt', '>', 6, ORDERING),
  lt: operator('Lt', '<', 6, ORDERING),
  gt_eq: operator('GtEq', '>=', 6, ORDERING),
  lt_eq: operator('LtEq', '<=', 6, ORDERING),
  and: operator('And', 'AND', 7, LOGIC),
  or: operator('Or', 'OR', 8, LOGIC),
};

/** Operators before their operand. */
export const UNARY_OPERATORS: Readonly<Record<UnaryOperator, OperatorSignature>> = {
  neg: operator('Neg', '-', 3, { operands: 'signed', result: 'T', failures: [INTEGER_OVERFLOW] }),
  not: operator('Not', 'NOT', 3, { operands: 'boolean', result: 'BOOL' }),
};

/** Operators that are written in words; their results are BOOL. */
export type WordOperator = 'distinct' | 'in' | 'between';

/** Operators that are written in words. */
export const WORD_OPERATORS: Readonly<Record<WordOperator, OperatorSignature>> = {
  distinct: operator('IS DISTINCT FROM', 'IS DISTINCT FROM', 6, { ...EQUALITY, nulls: 'never' }),
  in: operator('IN', 'IN', 6, { operands: 'comparable', result: 'BOOL' }),
  between: operator('BETWEEN', 'BETWEEN', 6, { ...ORDERING, nulls: 'three_valued' }),
};

/** Type of the result of an operator over operands of a type. */
export function operatorResult({ result }: OperatorSignature, operands: DataType): DataType {
  return result === 'T' ? operands : 'BOOL';
}
