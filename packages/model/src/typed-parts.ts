import type { TypedExpression } from './typed-expression.js';

/** Expressions directly inside an expression, in evaluation order. */
export function typedParts(expression: TypedExpression): readonly TypedExpression[] {
  switch (expression.kind) {
    case 'literal':
    case 'column':
    case 'state':
    case 'aggregate':
      return [];
    case 'unary':
    case 'cast':
      return [expression.operand];
    case 'binary':
    case 'distinct':
      return [expression.left, expression.right];
    case 'in':
      return [expression.operand, ...expression.elements];
    case 'between':
      return [expression.operand, expression.low, expression.high];
    case 'case': {
      const arms = expression.arms.flatMap(({ when, then }) => [when, then]);
      const { operand, otherwise } = expression;
      return [...(operand === null ? [] : [operand]), ...arms, ...(otherwise ? [otherwise] : [])];
    }
    case 'call':
    case 'udf_call':
      return expression.arguments;
    case 'list':
      return expression.elements;
    case 'lookup':
      return [expression.key];
    case 'json_read':
    case 'json_exists':
      return [expression.document];
  }
}

/**
 * The part with which a chain goes on, such as the left one of `a + b + c`: it is evaluated first, and
 * chains of it may be longer than a call stack is deep. Other parts nest as deep as brackets do.
 */
export function chainedPart(expression: TypedExpression): TypedExpression | undefined {
  switch (expression.kind) {
    case 'binary':
    case 'distinct':
      return expression.left;
    case 'cast':
    case 'in':
    case 'between':
      return expression.operand;
    default:
      return undefined;
  }
}

/**
 * Every node of an expression, outermost first, parts in evaluation order. It keeps its own stack:
 * chains may be longer than a call stack is deep.
 */
export function* typedNodes(root: TypedExpression): Generator<TypedExpression, void> {
  const pending = [root];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    yield node;
    const parts = typedParts(node);
    for (let index = parts.length - 1; index >= 0; index -= 1) {
      const part = parts[index];
      if (part !== undefined) pending.push(part);
    }
  }
}
