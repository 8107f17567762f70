import type { BinaryOperator } from '@nervix/model';

/** How tightly operators hold their operands: those of a higher level are applied before. */
export const OR = 0;
export const AND = 1;
export const COMPARISON = 2;
export const ADDITIVE = 3;
export const MULTIPLICATIVE = 4;
export const UNARY = 5;
export const CAST = 6;
export const ATOM = 7;

/** An operator between two operands. */
export interface BinaryOperatorForm {
  readonly level: number;
  /** Its keyword or punctuation. */
  readonly text: string;
}

/** Every operator between two operands. */
export const BINARY_OPERATORS: Readonly<Record<BinaryOperator, BinaryOperatorForm>> = {
  or: { level: OR, text: 'OR' },
  and: { level: AND, text: 'AND' },
  eq: { level: COMPARISON, text: '=' },
  not_eq: { level: COMPARISON, text: '!=' },
  gt: { level: COMPARISON, text: '>' },
  lt: { level: COMPARISON, text: '<' },
  gt_eq: { level: COMPARISON, text: '>=' },
  lt_eq: { level: COMPARISON, text: '<=' },
  add: { level: ADDITIVE, text: '+' },
  sub: { level: ADDITIVE, text: '-' },
  mul: { level: MULTIPLICATIVE, text: '*' },
  div: { level: MULTIPLICATIVE, text: '/' },
  rem: { level: MULTIPLICATIVE, text: '%' },
};
