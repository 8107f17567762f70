import type { ErrorCode, ErrorOperation } from '@nervix/model';
import type { ExecutionSnapshot, RowFailure } from '../program/row-set.js';
import { uuidV7 } from './uuid-v7.js';

/** One row's failure, as error records and logs tell it; never with a field value. */
export interface MessageFailure {
  /** Row of the batch the failure belongs to. */
  readonly row: number;
  readonly reference: string;
  readonly code: ErrorCode;
  readonly message: string;
  readonly operation: ErrorOperation;
  readonly operationIndex: number | null;
  readonly paths: readonly string[];
}

/** What fails beside expressions: the same without a reference. */
export type FailureCause = Omit<MessageFailure, 'reference'>;

/** Gives a failure the reference under which all its copies are known. */
export function referenced(cause: FailureCause, snapshot: ExecutionSnapshot): MessageFailure {
  return { ...cause, reference: uuidV7(snapshot.nowNanos, snapshot.randomBytes(10)) };
}

/**
 * Failures of expressions.
 *
 * @param label the node, as messages name it
 * @param context the clause that failed, as messages name it
 */
export function expressionFailures(
  failures: readonly RowFailure[],
  label: string,
  context: string,
  snapshot: ExecutionSnapshot,
): MessageFailure[] {
  return failures.map((failure) => {
    const { span } = failure;
    const place = span === undefined ? '' : ` at ${span.start}..${span.end}`;
    return referenced(
      {
        row: failure.row,
        code: 'evaluation',
        message: `${label} ${context} side error ${failure.kind}: ${failure.detail}${place}`,
        operation: failure.operation,
        operationIndex: failure.operationIndex,
        paths: failure.paths,
      },
      snapshot,
    );
  });
}
