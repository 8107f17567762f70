import { assert, type ErrorOperation, type TypedExpression } from '@nervix/model';
import { compileSelection } from './column-program.js';
import { readPaths } from './expression-paths.js';
import { type OperationContext, RowFailures } from './row-failures.js';
import type { ExecutionSnapshot, RowFailure, RowSchemas, RowSet } from './row-set.js';

/** A condition over rows. */
export interface Predicate {
  select(rows: RowSet, snapshot: ExecutionSnapshot): PredicateResult;
}

export interface PredicateResult {
  /** Rows for which the condition is TRUE, in order. */
  readonly rows: Int32Array;
  readonly failures: readonly RowFailure[];
}

/** Compiles a BOOL expression into a predicate whose failures name `operation`. */
export function compilePredicate(
  expression: TypedExpression,
  schemas: RowSchemas,
  operation: ErrorOperation,
): Predicate {
  assert(expression.type === 'BOOL', 'a condition is BOOL');
  const program = compileSelection(expression, schemas);
  const context: OperationContext = {
    operation,
    operationIndex: null,
    paths: readPaths(expression),
  };
  return {
    select(rows, snapshot) {
      const failures = new RowFailures(rows.rowCount, context);
      const selected = program.run(rows, snapshot, failures);
      return { rows: selected, failures: failures.list() };
    },
  };
}
