import { type DataType, isFloatType, isIntegerType } from '../data-type.js';

/** Kinds of failure that a row can meet in an expression. */
export type FailureKind = 'division_by_zero' | 'overflow' | 'cast_failed' | 'invalid_argument';

/** A failure and the types of the first argument for which it can happen. */
export interface Failure {
  readonly kind: FailureKind;
  readonly types: 'all' | 'integer' | 'float';
}

const failure = (kind: FailureKind, types: Failure['types'] = 'all'): Failure => ({ kind, types });

export const OVERFLOW: Failure = failure('overflow');
export const INTEGER_OVERFLOW: Failure = failure('overflow', 'integer');
export const INTEGER_DIVISION_BY_ZERO: Failure = failure('division_by_zero', 'integer');
export const CAST_FAILED: Failure = failure('cast_failed');
export const INVALID_ARGUMENT: Failure = failure('invalid_argument');
/** A float result that is infinite or no number. */
export const NON_FINITE: Failure = failure('invalid_argument', 'float');

/** The kinds among `failures` that a call over arguments of a type can meet. */
export function failureKinds(
  failures: readonly Failure[],
  type: DataType | undefined,
): readonly FailureKind[] {
  const isPossible = ({ types }: Failure): boolean => {
    if (types === 'all' || type === undefined) return true;
    return types === 'integer' ? isIntegerType(type) : isFloatType(type);
  };
  return failures.filter(isPossible).map(({ kind }) => kind);
}
