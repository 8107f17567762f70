import {
  type BinaryOperator,
  columnTypeName,
  type DataType,
  equalTypes,
  isFloatType,
  isNumericType,
  isScalarType,
  isSignedIntegerType,
  type UnaryOperator,
} from '@nervix/model';
import { anyOptional, anySensitive, type Checked, type CheckResult } from './checked.js';

const NAMES: Readonly<Record<BinaryOperator | UnaryOperator, string>> = {
  add: 'Add',
  sub: 'Sub',
  mul: 'Mul',
  div: 'Div',
  rem: 'Rem',
  eq: 'Eq',
  not_eq: 'NotEq',
  gt: 'Gt',
  lt: 'Lt',
  gt_eq: 'GtEq',
  lt_eq: 'LtEq',
  and: 'And',
  or: 'Or',
  neg: 'Neg',
  not: 'Not',
};

const ARITHMETIC: ReadonlySet<BinaryOperator> = new Set(['add', 'sub', 'mul', 'div', 'rem']);
const ORDERING: ReadonlySet<BinaryOperator> = new Set(['gt', 'lt', 'gt_eq', 'lt_eq']);

/** True for types that `<` and BETWEEN take. */
export function isOrderable(type: DataType): boolean {
  return isNumericType(type) || type === 'STRING' || type === 'DATETIME';
}

export function checkUnary(operator: UnaryOperator, operand: Checked): CheckResult {
  const { type, optional } = operand.expression;
  const isValid =
    operator === 'not' ? type === 'BOOL' : isFloatType(type) || isSignedIntegerType(type);
  if (!isValid) return `operator ${NAMES[operator]} is not valid for ${columnTypeName(type)}`;
  return {
    expression: { kind: 'unary', operator, operand: operand.expression, type, optional },
    isSensitive: operand.isSensitive,
  };
}

export function checkBinary(operator: BinaryOperator, left: Checked, right: Checked): CheckResult {
  const { type } = left.expression;
  if (!equalTypes(type, right.expression.type)) {
    return (
      `binary operator ${NAMES[operator]} requires matching operand types, ` +
      `found ${columnTypeName(type)} and ${columnTypeName(right.expression.type)}`
    );
  }
  if (!isOperand(operator, type)) {
    return `operator ${NAMES[operator]} is not valid for ${columnTypeName(type)}`;
  }
  return {
    expression: {
      kind: 'binary',
      operator,
      left: left.expression,
      right: right.expression,
      type: ARITHMETIC.has(operator) ? type : 'BOOL',
      optional: anyOptional([left, right]),
    },
    isSensitive: anySensitive([left, right]),
  };
}

function isOperand(operator: BinaryOperator, type: DataType): boolean {
  if (ARITHMETIC.has(operator)) return isNumericType(type);
  if (ORDERING.has(operator)) return isOrderable(type);
  return operator === 'and' || operator === 'or' ? type === 'BOOL' : isScalarType(type);
}

/** `IS [NOT] DISTINCT FROM`, which is never null. */
export function checkDistinct(negated: boolean, left: Checked, right: Checked): CheckResult {
  const { type } = left.expression;
  if (!equalTypes(type, right.expression.type)) {
    return (
      'IS DISTINCT FROM requires matching operand types, ' +
      `found ${columnTypeName(type)} and ${columnTypeName(right.expression.type)}`
    );
  }
  if (!isScalarType(type)) return `IS DISTINCT FROM is not valid for ${columnTypeName(type)}`;
  return {
    expression: {
      kind: 'distinct',
      negated,
      left: left.expression,
      right: right.expression,
      type: 'BOOL',
      optional: false,
    },
    isSensitive: anySensitive([left, right]),
  };
}

/** @param parts operand, low and high bound */
export function checkBetween(
  negated: boolean,
  parts: readonly [Checked, Checked, Checked],
): CheckResult {
  const [operand, low, high] = parts;
  const { type } = operand.expression;
  if (!equalTypes(type, low.expression.type) || !equalTypes(type, high.expression.type)) {
    const [found, ...bounds] = parts.map((part) => columnTypeName(part.expression.type));
    return `BETWEEN requires matching operand types, found ${found}, ${bounds.join(' and ')}`;
  }
  if (!isOrderable(type)) return `BETWEEN is not valid for ${columnTypeName(type)}`;
  return {
    expression: {
      kind: 'between',
      negated,
      operand: operand.expression,
      low: low.expression,
      high: high.expression,
      type: 'BOOL',
      optional: anyOptional(parts),
    },
    isSensitive: anySensitive(parts),
  };
}

/** `[a, …]`: an ARRAY of one exact element type, null when an element is. */
export function checkList(elements: readonly Checked[]): CheckResult {
  const [first] = elements;
  if (first === undefined) return 'a list literal requires at least one element';
  const { type } = first.expression;
  const other = elements.find((element) => !equalTypes(element.expression.type, type));
  if (other !== undefined) {
    const found = columnTypeName(other.expression.type);
    return `list elements must have one exact type, found ${columnTypeName(type)} and ${found}`;
  }
  return {
    expression: {
      kind: 'list',
      elements: elements.map((element) => element.expression),
      type: { kind: 'array', element: type, length: elements.length },
      optional: anyOptional(elements),
    },
    isSensitive: anySensitive(elements),
  };
}
