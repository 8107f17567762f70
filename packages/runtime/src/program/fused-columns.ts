import { type TypedExpression, typedNodes } from '@nervix/model';
import { type Column, isFixedType } from '../column/column.js';
import { newColumnBuilder } from '../column/column-builder.js';
import { copiedColumn } from './column-program.js';
import { placedOutput } from './loop-output.js';
import type { OperationContext, RowFailures } from './row-failures.js';
import { compileRowLoop } from './row-loop.js';
import type { ExecutionSnapshot, ProgramRows, RowSchemas } from './row-set.js';

/** Nodes of the expressions in one loop; the host does not optimise functions that are much larger. */
const NODES_MAX = 64;

/** An assignment of a construction, as far as it takes part in a loop with others. */
export interface FusedPart {
  readonly expression: TypedExpression;
  readonly context: OperationContext;
}

/** Several expressions over all rows in one loop: a column for each. */
export interface FusedColumns {
  run(rows: ProgramRows, snapshot: ExecutionSnapshot, failures: RowFailures): readonly Column[];
}

/**
 * Whether an expression can share its loop with those before it: its column is of fixed width or BOOL,
 * and it neither passes a column on, nor calls what is staged, nor reads what others of them assign.
 */
function isFusible(expression: TypedExpression): boolean {
  const { type } = expression;
  if (!(isFixedType(type) || type === 'BOOL') || copiedColumn(expression) !== undefined)
    return false;
  for (const node of typedNodes(expression)) {
    if (node.kind === 'udf_call' || (node.kind === 'column' && node.row === 'output')) return false;
  }
  return true;
}

/** How many of the first parts belong into one loop: none when there is no second one. */
export function fusibleCount(parts: readonly FusedPart[]): number {
  let nodes = 0;
  let count = 0;
  for (const { expression } of parts) {
    nodes += [...typedNodes(expression)].length;
    if (!isFusible(expression) || nodes > NODES_MAX) break;
    count += 1;
  }
  return count < 2 ? 0 : count;
}

/**
 * Compiles fusible expressions into one loop, in which each runs for the rows that did not fail in
 * those before it.
 *
 * @returns undefined when some expression is for the interpreter
 */
export function compileFusedColumns(
  parts: readonly FusedPart[],
  schemas: RowSchemas,
): FusedColumns | undefined {
  const loop = compileRowLoop(
    parts.map(({ expression, context }, index) => ({
      expression,
      context,
      outputOf: (mode) => {
        const { type, optional } = expression;
        return placedOutput({ type, optional, mode }, index);
      },
    })),
    { schemas, stages: new Map() },
  );
  if (loop === undefined) return undefined;
  return {
    run(rows, snapshot, failures) {
      const target = parts.map(({ expression: { type, optional } }) => {
        const builder = newColumnBuilder(type, optional);
        builder.ensureRows(rows.rowCount);
        return builder;
      });
      loop({ rows, snapshot, failures, target });
      return target.map((builder) => builder.finish(rows.rowCount));
    },
  };
}
