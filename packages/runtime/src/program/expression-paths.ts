import { type TypedExpression, typedNodes } from '@nervix/model';

/** Sorted paths of the fields that an expression reads, such as `input.delay`. */
export function readPaths(expression: TypedExpression): readonly string[] {
  const paths = new Set<string>();
  for (const node of typedNodes(expression)) {
    if (node.kind === 'column') paths.add(`${node.row}.${node.field}`);
  }
  return [...paths].sort();
}
