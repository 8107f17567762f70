import {
  BINARY_OPERATORS,
  type BinaryOperator,
  columnTypeName,
  equalTypes,
  isOfClass,
  operatorResult,
  type TypedExpression,
  UNARY_OPERATORS,
  type UnaryOperator,
  WORD_OPERATORS,
} from '@nervix/model';
import { anyOptional, anySensitive, type CheckResult } from './checked.js';

/** `-x` and `NOT x`. */
export function checkUnary(operator: UnaryOperator, operand: TypedExpression): CheckResult {
  const signature = UNARY_OPERATORS[operator];
  const { type, optional, sensitive } = operand;
  if (!isOfClass(type, signature.operands)) {
    return `operator ${signature.name} is not valid for ${columnTypeName(type)}`;
  }
  return { kind: 'unary', operator, operand, type, optional, sensitive };
}

/** An operator between two operands of one exact type. */
export function checkBinary(
  operator: BinaryOperator,
  left: TypedExpression,
  right: TypedExpression,
): CheckResult {
  const signature = BINARY_OPERATORS[operator];
  const { type } = left;
  if (!equalTypes(type, right.type)) {
    return (
      `binary operator ${signature.name} requires matching operand types, ` +
      `found ${columnTypeName(type)} and ${columnTypeName(right.type)}`
    );
  }
  if (!isOfClass(type, signature.operands)) {
    return `operator ${signature.name} is not valid for ${columnTypeName(type)}`;
  }
  return {
    kind: 'binary',
    operator,
    left,
    right,
    type: operatorResult(signature, type),
    optional: anyOptional([left, right]),
    sensitive: anySensitive([left, right]),
  };
}

/** `IS [NOT] DISTINCT FROM`, which is never null. */
export function checkDistinct(
  negated: boolean,
  left: TypedExpression,
  right: TypedExpression,
): CheckResult {
  const { name, operands } = WORD_OPERATORS.distinct;
  if (!equalTypes(left.type, right.type)) {
    return (
      `${name} requires matching operand types, ` +
      `found ${columnTypeName(left.type)} and ${columnTypeName(right.type)}`
    );
  }
  if (!isOfClass(left.type, operands))
    return `${name} is not valid for ${columnTypeName(left.type)}`;
  return {
    kind: 'distinct',
    negated,
    left,
    right,
    type: 'BOOL',
    optional: false,
    sensitive: anySensitive([left, right]),
  };
}

/** @param parts operand, low and high bound */
export function checkBetween(
  negated: boolean,
  parts: readonly [TypedExpression, TypedExpression, TypedExpression],
): CheckResult {
  const { name, operands } = WORD_OPERATORS.between;
  const [operand, low, high] = parts;
  const { type } = operand;
  if (!equalTypes(type, low.type) || !equalTypes(type, high.type)) {
    const [found, ...bounds] = parts.map((part) => columnTypeName(part.type));
    return `${name} requires matching operand types, found ${found}, ${bounds.join(' and ')}`;
  }
  if (!isOfClass(type, operands)) return `${name} is not valid for ${columnTypeName(type)}`;
  return {
    kind: 'between',
    negated,
    operand,
    low,
    high,
    type: 'BOOL',
    optional: anyOptional(parts),
    sensitive: anySensitive(parts),
  };
}

/** `[a, …]` and `array(a, …)`, or `vec(a, …)`: values of one exact type, null when one is. */
export function checkList(
  elements: readonly TypedExpression[],
  container: 'array' | 'vec',
): CheckResult {
  const [first] = elements;
  if (first === undefined) return 'a list literal requires at least one element';
  const other = elements.find((element) => !equalTypes(element.type, first.type));
  if (other !== undefined) {
    const found = `${columnTypeName(first.type)} and ${columnTypeName(other.type)}`;
    return `list elements must have one exact type, found ${found}`;
  }
  const element = first.type;
  return {
    kind: 'list',
    elements,
    type:
      container === 'vec'
        ? { kind: 'vec', element }
        : { kind: 'array', element, length: elements.length },
    optional: anyOptional(elements),
    sensitive: anySensitive(elements),
  };
}
