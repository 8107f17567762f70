import type { ErrorOperation, TypedExpression } from '@nervix/model';
import type { Column } from '../column/column.js';
import { compileColumn } from './column-program.js';
import { readPaths } from './expression-paths.js';
import { type OperationContext, RowFailures } from './row-failures.js';
import type { ExecutionSnapshot, RowFailure, RowSchemas, RowSet } from './row-set.js';

/** Several expressions over the same rows, such as keys. */
export interface Expressions {
  evaluate(rows: RowSet, snapshot: ExecutionSnapshot): ExpressionsResult;
}

export interface ExpressionsResult {
  /** One column an expression; what stands in the rows that failed means nothing. */
  readonly columns: readonly Column[];
  readonly failures: readonly RowFailure[];
}

/** Compiles expressions whose failures name `operation`. */
export function compileExpressions(
  expressions: readonly TypedExpression[],
  schemas: RowSchemas,
  operation: ErrorOperation,
): Expressions {
  const paths = [...new Set(expressions.flatMap(readPaths))].sort();
  const context: OperationContext = { operation, operationIndex: null, paths };
  const programs = expressions.map((expression) => compileColumn(expression, schemas));
  return {
    evaluate(rows, snapshot) {
      const failures = new RowFailures(rows.rowCount, context);
      const columns = programs.map((program) => program.run(rows, snapshot, failures));
      return { columns, failures: failures.list() };
    },
  };
}
