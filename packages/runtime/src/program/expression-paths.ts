import type { TypedExpression } from '@nervix/model';

/** Sorted paths of the fields that an expression reads, such as `input.delay`. */
export function readPaths(expression: TypedExpression): readonly string[] {
  const paths = new Set<string>();
  visit(expression, (node) => {
    if (node.kind === 'column') paths.add(`${node.row}.${node.field}`);
  });
  return [...paths].sort();
}

/** Calls back for an expression and all expressions inside it, outermost first. */
export function visit(
  expression: TypedExpression,
  callback: (node: TypedExpression) => void,
): void {
  callback(expression);
  for (const part of partsOf(expression)) visit(part, callback);
}

/** Expressions directly inside an expression, in evaluation order. */
export function partsOf(expression: TypedExpression): readonly TypedExpression[] {
  switch (expression.kind) {
    case 'literal':
    case 'column':
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
      return expression.arguments;
    case 'list':
      return expression.elements;
  }
}
